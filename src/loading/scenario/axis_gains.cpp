#include "loading/scenario/axis_gains.hpp"

#include "loading/keys/time_series.hpp"
#include "loading/schema/schema_text.hpp"

namespace spacedyn::loading {

Vector3 read_axis_gains(MapReader& map, const char* key, const Quantity& quantity) {
  const auto value = map.require(key, expectation(quantity) + " or a list of 3");
  if (!value) return Vector3::Zero();
  const auto gains = read_each(*value, {quantity, quantity, quantity}, map.problems());
  return gains ? Vector3(*gains) : Vector3(Vector3::Zero());
}

std::string axis_gains_schema(const Quantity& quantity, std::string_view title) {
  const std::string gain = number_schema({quantity});
  return any_of_schema({gain, list_schema(gain, 3)}, title);
}

}  // namespace spacedyn::loading
