#include "loading/model/body_reader.hpp"

#include "loading/keys/geometry.hpp"
#include "loading/schema/schema_definition.hpp"
#include "loading/yaml/numbers.hpp"

namespace spacedyn::loading {
namespace {

/// What is left beside modes may have any mass, a body none below zero.
Kind<double> body_mass(bool may_carry) {
  using namespace kind;
  const Quantity body = not_negative(kMass);
  Kind<double> mass = number(may_carry ? kMass : body, "Mass, kg");
  mass.expected = expectation(body);
  mass.read = [rest = number(kMass).read, whole = number(body).read, may_carry](
                  const Value& value, Reading& reading, void* target) {
    const bool is_rest = may_carry && reading.map.says("carries_modes", "true");
    return (is_rest ? rest : whole)(value, reading, target);
  };
  return mass;
}

std::string name_schema() {
  return pattern_schema("^[^.\\u0000-\\u001f\\u007f]+$",
                        "A name without dots and control characters");
}

bool is_color(const std::string& text) {
  return text.size() == 7 && text.front() == '#' &&
         text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
}

}  // namespace

extern const SchemaDefinition kNameDefinition{"name", name_schema};

Mapping<BodyDescription> mass_keys(Presence mass, bool may_carry) {
  using namespace kind;
  using Body = BodyDescription;
  Mapping<Body> keys;
  keys.add(mass, "mass", &Body::mass, body_mass(may_carry));
  keys.allow("center_of_mass", &Body::center_of_mass, vector(kLength, "Centroid, m"));
  keys.add(mass, "inertia", &Body::inertia, inertia());
  keys.allow("unphysical_inertia", &Body::unphysical_inertia,
             boolean("Accept an indefinite tensor as it is"));
  return keys;
}

Mapping<BodyDescription> body_keys(Presence mass, bool may_carry) {
  using namespace kind;
  using Body = BodyDescription;
  Mapping<Body> keys;
  if (may_carry) {
    keys.allow("carries_modes", &Body::carries_modes,
               boolean("What is left beside the modes of appendages: any mass and inertia"));
    keys.check_keys(R"("allOf": [{"if": {"properties": {"carries_modes": {"const": true}}, )" +
                        required_rule({"carries_modes"}) + R"(}, "else": {"properties": {)" +
                        member_schema("mass", number_schema({not_negative(kMass)})) + "}}}]",
                    [](MapReader&) {});
  }
  keys.merge(mass_keys(mass, may_carry));
  keys.allow("visual", &Body::visuals, list(visual(), "a list of shapes"));
  keys.allow("collision", &Body::collisions, list(collision(), "a list of shapes"));
  keys.check([](Body& body, Reading&) {
    for (std::size_t i = 0; i < body.collisions.size(); ++i) {
      std::string& name = body.collisions[i].name;
      if (name.empty()) name = body.name + "_collision_" + std::to_string(i);
    }
  });
  return keys;
}

BasePoint read_base_point(MapReader& map, const char* key, BasePoint otherwise) {
  Reading reading{map};
  if (const auto value = map.find(key)) kind::base_point("").read(*value, reading, &otherwise);
  return otherwise;
}

std::string base_point_schema(const char* title) { return kind::base_point(title).schema(); }

namespace kind {

Kind<BasePoint> base_point(const char* title) {
  return choice<BasePoint>({kBasePointNames.begin(), kBasePointNames.end()}, title);
}

Kind<std::string> color() {
  const auto read = [](const Value& value, Reading& reading) -> std::optional<std::string> {
    if (value.node->is_scalar() && is_color(value.node->text)) return value.node->text;
    reading.problems().error(value.node->mark, value.path,
                             "expected a color \"#rrggbb\" in quotes, got " + describe(*value.node),
                             value.node->is_null() ? "without quotes, '#' starts a comment" : "");
    return std::nullopt;
  };
  return make_kind<std::string>(
      "a color", [] { return pattern_schema("^#[0-9a-fA-F]{6}$", "As #rrggbb, in quotes"); }, read,
      [](const std::string& text) { return text.empty() ? text : quoted_text(text); });
}

AnyKind any_two_axes(const char* title, Vector3& (*axis)(void* owner, int position)) {
  AnyKind kind{"a list of two vectors"};
  kind.schema = [=] { return list_schema(vector_schema(kNumber), 2, title); };
  kind.read = [=](const Value& value, Reading& reading, void* target) {
    int count = 0;
    bool is_right = value.node->is_sequence();
    for_each_item(value, reading.problems(), [&](const Value& item) {
      const auto given = read_axis(item, reading.problems());
      if (given && count < 2) axis(target, count) = *given;
      is_right = is_right && given;
      ++count;
    });
    if (!is_right || count == 2) return is_right;
    reading.problems().error(value.node->mark, value.path,
                             "expected two vectors, got " + std::to_string(count));
    return false;
  };
  kind.write = [=](const void* value, const Remarks&) {
    auto* const owner = const_cast<void*>(value);
    return flow_text({vector_text(axis(owner, 0)), vector_text(axis(owner, 1))});
  };
  return kind;
}

}  // namespace kind

}  // namespace spacedyn::loading
