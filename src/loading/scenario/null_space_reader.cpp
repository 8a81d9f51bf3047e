#include "loading/scenario/null_space_reader.hpp"

#include "spacedyn/control/attitude_pd.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kGain{Dimension::none, Range::positive, false, "1/s"};

}  // namespace

WheelNullSpace::Settings read_null_space(MapReader& map, const Model* model,
                                         const std::optional<std::vector<int>>& wheels) {
  WheelNullSpace::Settings settings;
  const auto value = map.find("null_space");
  if (!value) return settings;
  MapReader keys(*value, map.context());
  if (!keys.is_mapping()) return settings;
  settings.gain = keys.required_number("gain", kGain);
  const auto speeds = keys.find("speeds");
  if (speeds && wheels) {
    const auto size = static_cast<int>(wheels->size());
    settings.speeds =
        read_numbers(*speeds, quantity::kRate, size, map.problems()).value_or(VectorX());
  }
  keys.finish();
  if (model != nullptr && wheels && null_space_dimension(wheel_axes(*model, *wheels)) == 0) {
    map.error_at("null_space",
                 "expected more wheels than axes that they turn about: these have no null space");
  }
  return settings;
}

void describe_null_space(MappingSchema& schema) {
  MappingSchema keys("How wheels that are more than their axes share their momentum");
  keys.require("gain", number_schema({kGain}, "Rate at which wanted speeds are reached, 1/s"))
      .allow("speeds",
             series_schema(number_schema({quantity::kRate}), 2, "Of each wheel, rad/s, default 0"));
  schema.allow("null_space", keys.text());
}

void refuse_null_space(MapReader& map) {
  map.refuse("null_space", "only reaction wheels have speeds to share");
}

}  // namespace spacedyn::loading
