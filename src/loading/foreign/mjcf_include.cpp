#include <algorithm>
#include <filesystem>
#include <iterator>

#include "loading/foreign/mjcf_reader.hpp"
#include "loading/keys/session.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn::loading::foreign {
namespace {

constexpr int kMostIncludes = 1000;
constexpr std::size_t kDeepestInclude = 16;

class Includer {
 public:
  Includer(const Source& source, const Surroundings& around)
      : folder_(folder_of(source.name())), around_(around) {
    open_.push_back(canonical_path(source.name()));
  }

  bool expand(xml::Element& element) {
    std::vector<xml::Element> children;
    for (xml::Element& child : element.children) {
      if (child.name != "include") {
        if (!expand(child)) return false;
        children.push_back(std::move(child));
        continue;
      }
      if (!include(child, children)) return false;
    }
    element.children = std::move(children);
    return true;
  }

 private:
  /// As MuJoCo has it, paths start from the folder of the outermost file.
  bool include(const xml::Element& element, std::vector<xml::Element>& into) {
    ProblemList& problems = around_.problems;
    const xml::Values values(element, "include", problems);
    const std::string name = values.required_text("file");
    if (name.empty()) return false;
    const std::string path = resolve_path(folder_, with_slashes(name));
    const std::string key = canonical_path(path);
    if (std::find(open_.begin(), open_.end(), key) != open_.end()) {
      values.error("file", "expected a file that does not include itself, got " + quote(name));
      return false;
    }
    if (++count_ > kMostIncludes || open_.size() > kDeepestInclude) {
      values.error("file", "expected at most " + std::to_string(kMostIncludes) +
                               " included files, " + std::to_string(kDeepestInclude) +
                               " of them in one another, got more");
      return false;
    }
    try {
      auto root = xml::parse(around_.open(path), problems);
      if (!root) return false;
      if (root->name != "mujoco" && root->name != "mujocoinclude") {
        problems.error(root->mark, "include",
                       "expected <mujocoinclude> or <mujoco>, got " + quote(root->name));
        return false;
      }
      open_.push_back(key);
      const bool done = expand(*root);
      open_.pop_back();
      std::move(root->children.begin(), root->children.end(), std::back_inserter(into));
      return done;
    } catch (const IoError& error) {
      values.error("file", std::string("expected a file that can be read, got ") + error.what());
      return false;
    }
  }

  std::string folder_;
  const Surroundings& around_;
  std::vector<std::string> open_;
  int count_ = 0;
};

}  // namespace

bool expand_includes(xml::Element& root, const Source& source, const Surroundings& around) {
  return Includer(source, around).expand(root) && xml::check_nesting(root, around.problems);
}

}  // namespace spacedyn::loading::foreign
