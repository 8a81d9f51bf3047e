#include "loading/foreign/xml.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "loading/yaml/text_check.hpp"
#include "math/number_words.hpp"
#include "spacedyn/model/names.hpp"

#ifdef SPACEDYN_HAS_TINYXML2
#include <tinyxml2.h>
#endif

namespace spacedyn::loading::xml {

const Attribute* Element::find(std::string_view attribute) const {
  const auto is_named = [&](const Attribute& known) { return known.name == attribute; };
  const auto found = std::find_if(attributes.begin(), attributes.end(), is_named);
  return found == attributes.end() ? nullptr : &*found;
}

const Element* Element::child(std::string_view element) const {
  const auto is_named = [&](const Element& known) { return known.name == element; };
  const auto found = std::find_if(children.begin(), children.end(), is_named);
  return found == children.end() ? nullptr : &*found;
}

std::string Element::text(std::string_view attribute) const {
  const Attribute* found = find(attribute);
  return found == nullptr ? "" : found->value;
}

const Mark& Element::mark_of(std::string_view attribute) const {
  const Attribute* found = find(attribute);
  return found == nullptr ? mark : found->mark;
}

namespace {

/// Elements within one another, the outermost among them.
std::size_t depth_of(const Element& element) {
  std::size_t deepest = 0;
  for (const Element& child : element.children) deepest = std::max(deepest, depth_of(child));
  return 1 + deepest;
}

}  // namespace

bool check_nesting(const Element& root, ProblemList& problems) {
  if (depth_of(root) <= kMostNested) return true;
  problems.error(root.mark, "",
                 "expected at most " + std::to_string(kMostNested) +
                     " elements within one another, with all that is included, attached and "
                     "replicated, got more");
  return false;
}

#ifdef SPACEDYN_HAS_TINYXML2

namespace {

/// The parser knows lines only; columns follow from reading the lines along with it.
class Converter {
 public:
  explicit Converter(const Source& source) : source_(source) {}

  Element convert(const tinyxml2::XMLElement& from) {
    Element element;
    element.name = from.Name();
    element.mark = mark_of(from.GetLineNum(), '<' + element.name, 0);
    for (const auto* a = from.FirstAttribute(); a != nullptr; a = a->Next()) {
      element.attributes.push_back({a->Name(), a->Value(), mark_of(a->GetLineNum(), a->Name(), 0)});
    }
    for (const auto* child = from.FirstChildElement(); child != nullptr;
         child = child->NextSiblingElement()) {
      element.children.push_back(convert(*child));
    }
    return element;
  }

 private:
  Mark mark_of(int line, const std::string& text, std::size_t from) {
    if (line == line_) from = next_;
    const std::size_t found = source_.line(line).find(text, from);
    line_ = line;
    next_ = found == std::string_view::npos ? from : found + text.size();
    return {&source_, line, found == std::string_view::npos ? 0 : static_cast<int>(found) + 1};
  }

  const Source& source_;
  int line_ = 0;
  std::size_t next_ = 0;
};

const char* what_is_wrong(tinyxml2::XMLError error) {
  switch (error) {
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
      return "an element without its closing tag, or the reverse";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return "an attribute that is not name=\"value\", or stands twice";
    case tinyxml2::XML_ERROR_PARSING_COMMENT:
      return "a comment without its end '-->'";
    case tinyxml2::XML_ERROR_PARSING_CDATA:
      return "a CDATA section without its end ']]>'";
    case tinyxml2::XML_ERROR_PARSING_DECLARATION:
      return "a declaration <? … ?> in the wrong place";
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT:
      return "an empty document";
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED:
      return "elements nested too deeply";
    default:
      return "an element that is not <name …>";
  }
}

/// Blanks out declarations behind other content, which the parser refuses.
std::string without_late_declarations(std::string text) {
  const std::string start = "<?xml";
  for (auto at = text.find(start, 1); at != std::string::npos; at = text.find(start, at + 1)) {
    const std::size_t end = text.find("?>", at);
    if (end == std::string::npos) break;
    std::replace_if(
        text.begin() + static_cast<std::ptrdiff_t>(at),
        text.begin() + static_cast<std::ptrdiff_t>(end + 2), [](char c) { return c != '\n'; }, ' ');
  }
  return text;
}

}  // namespace

std::optional<Element> parse(const Source& source, ProblemList& problems) {
  if (!check_text(source, problems)) return std::nullopt;
  const std::string text = without_late_declarations(source.text());
  tinyxml2::XMLDocument document;
  document.Parse(text.data(), text.size());
  if (document.Error()) {
    problems.error({&source, std::max(1, document.ErrorLineNum()), 0}, "",
                   std::string("expected XML, got ") + what_is_wrong(document.ErrorID()));
    return std::nullopt;
  }
  const tinyxml2::XMLElement* root = document.RootElement();
  if (root == nullptr) {
    problems.error({&source, 1, 1}, "", "expected an XML element, got none");
    return std::nullopt;
  }
  if (const auto* second = root->NextSiblingElement()) {
    problems.error({&source, second->GetLineNum(), 0}, "",
                   std::string("expected one outermost element, got <") + second->Name() +
                       "> after <" + root->Name() + '>');
    return std::nullopt;
  }
  return Converter(source).convert(*root);
}

#else

std::optional<Element> parse(const Source& source, ProblemList& problems) {
  problems.error({&source, 1, 1}, "",
                 "expected a YAML model file: this build of spacedyn reads no XML (URDF, MJCF)",
                 "install the package libtinyxml2-dev and build again");
  return std::nullopt;
}

#endif
namespace {

std::string count_text(int least, int most) {
  if (least == most) return std::to_string(least) + (least == 1 ? " number" : " numbers");
  return std::to_string(least) + " to " + std::to_string(most) + " numbers";
}

/// What to do about a text that should be numbers.
std::string number_hint(const std::string& text) {
  const bool is_macro =
      text.find("${") != std::string::npos || text.find("$(") != std::string::npos;
  return is_macro ? "this is xacro; expand the file first: xacro FILE > robot.urdf" : "";
}

}  // namespace

std::optional<VectorX> parse_numbers(std::string_view text) {
  std::vector<double> numbers;
  Words words(text);
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    const auto number = number_of(word);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return Eigen::Map<const VectorX>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
}

std::optional<VectorX> Values::numbers(std::string_view attribute, int least, int most) const {
  const Attribute* found = element_.find(attribute);
  if (found == nullptr) return std::nullopt;
  auto numbers = parse_numbers(found->value);
  const bool fits = numbers && numbers->size() >= least && numbers->size() <= most;
  if (!fits || !numbers->allFinite()) {
    error(attribute, "expected " + count_text(least, most) + ", got " + quote(found->value),
          number_hint(found->value));
    return std::nullopt;
  }
  return numbers;
}

Vector3 Values::vector3(std::string_view attribute, const Vector3& fallback) const {
  const auto found = numbers(attribute, 3, 3);
  return found ? Vector3(*found) : fallback;
}

std::optional<double> Values::number(std::string_view attribute) const {
  const auto found = numbers(attribute, 1, 1);
  return found ? std::optional<double>((*found)(0)) : std::nullopt;
}

double Values::number(std::string_view attribute, double fallback) const {
  return number(attribute).value_or(fallback);
}

double Values::required_number(std::string_view attribute) const {
  if (!has(attribute)) {
    error(attribute, "expected the attribute '" + std::string(attribute) + "' in <" +
                         element_.name + ">, got nothing");
  }
  return number(attribute, 0.0);
}

double Values::not_negative(std::string_view attribute, double fallback) const {
  const double value = number(attribute, fallback);
  if (value >= 0.0) return value;
  error(attribute, "expected a number of at least 0, got " + quote(element_.text(attribute)));
  return 0.0;
}

double Values::bound(std::string_view attribute, double fallback) const {
  const Attribute* found = element_.find(attribute);
  if (found == nullptr) return fallback;
  const auto numbers = parse_numbers(found->value);
  if (numbers && numbers->size() == 1 && !std::isnan((*numbers)(0))) return (*numbers)(0);
  error(attribute, "expected 1 number, got " + quote(found->value), number_hint(found->value));
  return fallback;
}

void Values::check_spelling(const std::vector<std::string>& known) const {
  for (const Attribute& attribute : element_.attributes) {
    const bool is_known = std::find(known.begin(), known.end(), attribute.name) != known.end();
    const std::string meant = is_known ? "" : did_you_mean(attribute.name, known);
    if (meant.empty()) continue;
    warning(attribute.name,
            "the unknown attribute " + quote(attribute.name) + " is ignored" + meant);
  }
}

std::string Values::color(std::string_view attribute) const {
  const auto rgba = numbers(attribute, 3, 4);
  if (!rgba) return "";
  const auto byte = [&](Eigen::Index i) {
    return static_cast<int>(std::lround(255.0 * std::clamp((*rgba)(i), 0.0, 1.0)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(0), byte(1), byte(2));
}

std::string Values::required_text(std::string_view attribute) const {
  std::string text = element_.text(attribute);
  if (text.empty()) {
    error(attribute, "expected the attribute '" + std::string(attribute) + "' in <" +
                         element_.name + ">, got " + (has(attribute) ? "an empty one" : "nothing"));
  }
  return text;
}

void Values::error(std::string_view attribute, const std::string& message,
                   const std::string& hint) const {
  problems_.error(element_.mark_of(attribute), path_, message, hint);
}

void Values::warning(std::string_view attribute, const std::string& message,
                     const std::string& hint) const {
  problems_.warning(element_.mark_of(attribute), path_, message, hint);
}

}  // namespace spacedyn::loading::xml
