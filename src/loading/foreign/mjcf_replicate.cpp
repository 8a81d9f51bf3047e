#include <string>
#include <utility>
#include <vector>

#include "loading/foreign/mjcf_reader.hpp"
#include "loading/yaml/node.hpp"

namespace spacedyn::loading::foreign {
namespace {

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

bool expand_replicates(xml::Element& root, ProblemList& problems) {
  Replicator(problems).expand(root);
  return xml::check_nesting(root, problems);
}

}  // namespace spacedyn::loading::foreign
