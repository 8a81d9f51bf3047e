#include <algorithm>
#include <limits>

#include "loading/numbers.hpp"
#include "loading/scenario_reader.hpp"
#include "loading/time_series.hpp"
#include "spacedyn/forces/thruster_force.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kOpening{Dimension::none, Range::not_negative};

}  // namespace

void ScenarioReader::read_thruster(MapReader& map, const std::string& name) {
  const std::size_t errors_before = problems().error_count();
  const auto value = map.require("thruster", "the name of a thruster of the model");
  const auto wanted = value ? read_text(*value, problems()) : std::nullopt;
  const Thruster* thruster = nullptr;
  if (wanted && model_) {
    std::vector<std::string> known;
    for (const Thruster& each : model_->thrusters()) {
      known.push_back(each.name);
      if (each.name == *wanted) thruster = &each;
    }
    if (thruster == nullptr) {
      const std::string nearest = nearest_name(*wanted, known);
      problems().error(value->node->mark, value->path,
                       "expected the name of a thruster of the model, got " + quote(*wanted),
                       nearest.empty() ? "" : "did you mean '" + nearest + "'?");
    }
  }
  std::optional<TimeTable> command;
  if (map.has("table")) {
    command = read_schedule(map, {"command"}, {{kOpening}});
  } else {
    const double from = map.number("from", quantity::kTime, 0.0);
    const double until =
        map.number("until", quantity::kTime.or_infinite(), std::numeric_limits<double>::infinity());
    if (until <= from) {
      map.error_at(map.has("until") ? "until" : "from", "expected an end after the start at " +
                                                            format_number(from) + " s, got " +
                                                            format_number(until) + " s");
    } else if (thruster != nullptr) {
      command = ThrusterForce::pulse(*thruster, from, until);
    }
  }
  if (thruster == nullptr || !command || problems().error_count() > errors_before) return;
  warn_if_idle(map, *command);
  scenario_.setup.forces.push_back(std::make_shared<ThrusterForce>(name, *thruster, *command));
}

}  // namespace spacedyn::loading
