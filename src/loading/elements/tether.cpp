#include "spacedyn/forces/tether.hpp"

#include <algorithm>

#include "loading/elements/force_types.hpp"
#include "loading/scenario/shared_keys.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kStiffness{Dimension::linear_stiffness, Range::positive};
constexpr Quantity kDamping{Dimension::none, Range::not_negative, false, "N s/m"};
const Quantity kRestLength = quantity::kLength.within(Range::not_negative);

void read_tether(ScenarioContext& scenario, MapReader& map, const std::string& name) {
  const std::size_t errors_before = map.problems().error_count();
  Tether::Settings settings;
  const auto from = read_point(scenario, map, "from");
  if (const auto via = map.find("via")) {
    for_each_item(*via, map.problems(), [&](const Value& item) {
      if (auto point = read_point(scenario, item)) settings.via.push_back(std::move(*point));
    });
  }
  const auto to = read_point(scenario, map, "to");
  settings.stiffness = map.required_number("stiffness", kStiffness);
  settings.damping = map.number("damping", kDamping, 0.0);
  settings.rest_length = map.number("rest_length", kRestLength, 0.0);
  if (!from || !to || map.problems().error_count() > errors_before || !map.has("stiffness")) return;
  settings.from = *from;
  settings.to = *to;
  const bool is_loose = from->body != to->body ||
                        std::any_of(settings.via.begin(), settings.via.end(),
                                    [&](const Frame& point) { return point.body != from->body; });
  if (!is_loose) {
    map.error_at("to", "expected points of two bodies, got points that are all on '" +
                           scenario.model->body(from->body).name + "'");
    return;
  }
  if (!map.has("rest_length")) {
    settings.rest_length = Tether(name, settings).length(start_frames(scenario));
  }
  scenario.add_force(std::make_shared<Tether>(name, settings));
}

MappingSchema tether_schema() {
  MappingSchema schema("A tether that pulls and never pushes");
  schema.require("from", text_schema("A frame, a link or <link>.com"))
      .require("to", text_schema("A frame, a link or <link>.com"))
      .allow("via", series_schema(text_schema("A frame, a link or <link>.com"), 0,
                                  "Points between the ends, through which it slides"))
      .require("stiffness", number_schema({kStiffness}, "Stiffness of the whole, N/m"))
      .allow("damping", number_schema({kDamping}, "Damping, N s/m, default 0"))
      .allow("rest_length",
             number_schema({kRestLength}, "Length without force, m, default that of the start"));
  return schema;
}

}  // namespace

extern const ForceType kTetherType{"tether", read_tether, tether_schema};

}  // namespace spacedyn::loading
