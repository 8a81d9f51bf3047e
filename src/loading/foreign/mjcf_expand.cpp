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

constexpr int kMostCopies = 1000;  // frames as deep as that are made
constexpr std::size_t kMostElements = 200000;

std::size_t element_count(const std::vector<xml::Element>& elements) {
  std::size_t count = elements.size();
  for (const xml::Element& element : elements) count += element_count(element.children);
  return count;
}

void add_suffix(const std::string& suffix, std::vector<xml::Element>& elements) {
  for (xml::Element& element : elements) {
    for (xml::Attribute& attribute : element.attributes) {
      if (attribute.name == "name") attribute.value += suffix;
    }
    add_suffix(suffix, element.children);
  }
}

class Replicator {
 public:
  explicit Replicator(ProblemList& problems) : problems_(problems) {}

  void expand(xml::Element& element) {
    std::vector<xml::Element> children;
    for (xml::Element& child : element.children) {
      expand(child);
      if (child.name == "replicate") {
        replicate(std::move(child), children);
      } else {
        children.push_back(std::move(child));
      }
    }
    element.children = std::move(children);
  }

 private:
  /// As MuJoCo has it: copy 0 is where the element is, each further one an offset and a turn on
  /// from the one before, and names end in its number with as many digits as the count has.
  void replicate(xml::Element given, std::vector<xml::Element>& into) {
    const int copies = read_count(given);
    if (copies < 1) return;
    const std::size_t digits = std::to_string(copies).size();
    xml::Element frame;
    frame.name = "frame";
    frame.mark = given.mark;
    frame.model = given.model;  // whose units and order of angles hold
    for (xml::Attribute attribute : given.attributes) {
      if (attribute.name == "offset") attribute.name = "pos";
      const bool places = attribute.name == "pos" || attribute.name == "euler";
      if (places) frame.attributes.push_back(std::move(attribute));
    }
    // from the last one, which stands in the innermost frame
    std::vector<xml::Element> inner;
    for (int i = copies - 1; i >= 0; --i) {
      std::vector<xml::Element> copy = given.children;
      const std::string number = std::to_string(i);
      add_suffix(given.text("sep") + std::string(digits - number.size(), '0') + number, copy);
      if (!inner.empty()) {
        copy.push_back(frame);
        copy.back().children = std::move(inner);
      }
      inner = std::move(copy);
    }
    for (xml::Element& element : inner) into.push_back(std::move(element));
  }

  /// How many copies are wanted; 0 where that is wrong, which is reported.
  int read_count(const xml::Element& given) {
    const xml::Values values(given, "replicate", problems_);
    values.check_spelling({"count", "offset", "euler", "sep"});
    const std::size_t errors = problems_.error_count();
    const double count = values.required_number("count");
    if (problems_.error_count() > errors) return 0;
    const int copies = count >= 1.0 && count <= kMostCopies ? static_cast<int>(count) : 0;
    if (copies < 1 || copies != count) {
      values.error("count", "expected a whole number from 1 to " + std::to_string(kMostCopies) +
                                ", got " + quote(given.text("count")));
      return 0;
    }
    made_ += (element_count(given.children) + 1) * static_cast<std::size_t>(copies);
    if (made_ <= kMostElements) return copies;
    values.error("count", "expected copies of at most " + std::to_string(kMostElements) +
                              " elements in all, got more");
    return 0;
  }

  ProblemList& problems_;
  std::size_t made_ = 0;  ///< elements of all copies
};

}  // namespace

bool expand_includes(xml::Element& root, const Source& source, const Surroundings& around) {
  return Includer(source, around).expand(root) && xml::check_nesting(root, around.problems);
}
bool expand_replicates(xml::Element& root, ProblemList& problems) {
  Replicator(problems).expand(root);
  return xml::check_nesting(root, problems);
}

}  // namespace spacedyn::loading::foreign
