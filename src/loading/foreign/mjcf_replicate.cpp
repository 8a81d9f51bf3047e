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

/// As MuJoCo has it: copy 0 is where the element is, each further one an offset and a turn on from
/// the one before, and names end in its number with as many digits as the count has.
void replicate(xml::Element given, std::vector<xml::Element>& into, ProblemList& problems) {
  const xml::Values values(given, "replicate", problems);
  values.check_spelling({"count", "offset", "euler", "sep"});
  const std::size_t errors = problems.error_count();
  const double count = values.required_number("count");
  if (problems.error_count() > errors) return;
  const int copies = count >= 1.0 && count <= kMostCopies ? static_cast<int>(count) : 0;
  if (copies < 1 || copies != count) {
    values.error("count", "expected a whole number from 1 to " + std::to_string(kMostCopies) +
                              ", got " + quote(given.text("count")));
    return;
  }
  if (element_count(given.children) * static_cast<std::size_t>(copies) > kMostElements) {
    values.error("count", "expected copies of at most " + std::to_string(kMostElements) +
                              " elements, got more");
    return;
  }
  const std::size_t digits = std::to_string(copies).size();
  xml::Element frame;
  frame.name = "frame";
  frame.mark = given.mark;
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

}  // namespace

void expand_replicates(xml::Element& element, ProblemList& problems) {
  std::vector<xml::Element> children;
  for (xml::Element& child : element.children) {
    expand_replicates(child, problems);
    if (child.name == "replicate") {
      replicate(std::move(child), children, problems);
    } else {
      children.push_back(std::move(child));
    }
  }
  element.children = std::move(children);
}

}  // namespace spacedyn::loading::foreign
