#include <fmt/format.h>

#include <algorithm>

#include "loading/body_reader.hpp"
#include "loading/scenario_reader.hpp"
#include "loading/time_series.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::loading {
namespace {

const std::vector<std::string> kForceTypes = {"wrench", "joint_torque", "joint_stop",
                                              "brake",  "bushing",      "spring_damper",
                                              "wheel",  "tyre",         "thruster"};
const std::vector<std::string> kLaterForceTypes = {"gravity_gradient", "drag", "cable", "friction",
                                                   "solar_pressure"};
const std::vector<std::string> kAxes = {"inertial", "body"};

/// Whether a schedule has any value but zero in [0, duration).
bool acts_within(const TimeTable& schedule, double duration) {
  std::vector<double> times{0.0};
  for (const double time : schedule.times()) {
    if (time > 0.0 && time < duration) times.push_back(time);
  }
  // linear between rows: zero at both ends and in the middle is zero everywhere
  const std::size_t rows = times.size();
  for (std::size_t i = 0; i < rows; ++i) {
    times.push_back(0.5 * (times[i] + (i + 1 < rows ? times[i + 1] : duration)));
  }
  VectorX value(schedule.size());
  return std::any_of(times.begin(), times.end(), [&](double time) {
    schedule.evaluate(time, value);
    return !value.isZero(0.0);
  });
}

}  // namespace

void ScenarioReader::warn_if_idle(const MapReader& map, const TimeTable& schedule) {
  if (problems().has_errors() || !(scenario_.duration > 0.0)) return;
  if (acts_within(schedule, scenario_.duration)) return;
  problems().warning(map.mark(), map.path(),
                     fmt::format("expected a load that acts between 0 and {:g} s, got one that is "
                                 "zero throughout",
                                 scenario_.duration));
}

void ScenarioReader::read_forces() {
  using Read = void (ScenarioReader::*)(MapReader&, const std::string&);
  static constexpr Read kReaders[] = {
      &ScenarioReader::read_wrench,     &ScenarioReader::read_joint_torque,
      &ScenarioReader::read_joint_stop, &ScenarioReader::read_brake,
      &ScenarioReader::read_bushing,    &ScenarioReader::read_spring_damper,
      &ScenarioReader::read_wheel,      &ScenarioReader::read_tyre,
      &ScenarioReader::read_thruster};
  read_elements("forces", kForceTypes, kLaterForceTypes,
                [this](MapReader& map, std::size_t type, const std::string& name, const Value&) {
                  (this->*kReaders[type])(map, name);
                });
}

void ScenarioReader::read_wrench(MapReader& map, const std::string& name) {
  const auto at = read_point(map);
  std::optional<std::size_t> axes = 0;
  if (const auto frame = map.find("frame")) axes = read_choice(*frame, kAxes, {}, problems());
  const std::vector<Quantity> force(3, quantity::kForce);
  const std::vector<Quantity> torque(3, quantity::kTorque);
  auto schedule = read_schedule(map, {"force", "torque"}, {force, torque});
  if (schedule) warn_if_idle(map, *schedule);
  if (!at || !axes || !schedule) return;
  scenario_.setup.forces.push_back(std::make_shared<AppliedWrench>(
      name, *at, static_cast<WrenchAxes>(*axes), std::move(*schedule)));
}

std::optional<int> ScenarioReader::read_free_joint(MapReader& map,
                                                   std::initializer_list<const char*> dependent,
                                                   bool may_be_spherical) {
  const auto value = map.require("joint", "the name of a joint");
  const auto joint = value ? read_joint_name(*value, may_be_spherical) : std::nullopt;
  if (!joint) {
    for (const char* key : dependent) map.find(key);
    return std::nullopt;
  }
  if (is_prescribed(*joint)) {
    map.error_at("joint", "expected a joint that moves freely, got " + describe(*value->node) +
                              ", whose motion is prescribed");
  }
  return joint;
}

void ScenarioReader::read_joint_torque(MapReader& map, const std::string& name) {
  const auto joint = read_free_joint(map, {"torque", "from", "until", "table"}, true);
  if (!joint) return;
  auto schedule = read_schedule(map, {"torque"}, {{effort_quantity(model_->joint(*joint).type)}});
  if (!schedule) return;
  warn_if_idle(map, *schedule);
  scenario_.setup.forces.push_back(
      std::make_shared<AppliedJointTorque>(name, *joint, std::move(*schedule)));
}

std::optional<Frame> ScenarioReader::read_point(MapReader& map, const char* key) {
  const auto value = map.require(key, "the name of a frame, a link or <link>.com");
  const auto name = value ? read_text(*value, problems()) : std::nullopt;
  if (!name || !model_) return std::nullopt;
  auto point = model_->find_frame(*name);
  if (point) return point;
  std::vector<std::string> known;
  for (const Frame& frame : model_->frames()) known.push_back(frame.name);
  for (int i = 0; i < model_->body_count(); ++i) {
    known.push_back(model_->body(i).name);
    known.push_back(model_->body(i).name + ".com");
  }
  const std::string nearest = nearest_name(*name, known);
  problems().error(value->node->mark, value->path,
                   "expected the name of a frame, a link or <link>.com, got " + quote(*name),
                   nearest.empty() ? "" : "did you mean '" + nearest + "'?");
  return std::nullopt;
}

}  // namespace spacedyn::loading
