#include <fmt/format.h>

#include <algorithm>

#include "loading/elements/force_types.hpp"
#include "loading/scenario/scenario_reader.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::loading {
namespace {

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
  std::vector<std::string> names;
  for (const ForceType* type : force_types()) names.emplace_back(type->name);
  read_elements("forces", names,
                [this](MapReader& map, std::size_t type, const std::string& name, const Value&) {
                  force_types()[type]->read(*this, map, name);
                });
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

std::optional<std::pair<Frame, Frame>> ScenarioReader::read_pair(MapReader& map) {
  auto from = read_point(map, "from");
  auto to = read_point(map, "to");
  if (!from || !to) return std::nullopt;
  if (from->body == to->body) {
    map.error_at("to", "expected a point of another body than that of 'from', got " +
                           quote(to->name) + ", which is on '" + model_->body(to->body).name +
                           "', too");
    return std::nullopt;
  }
  return std::pair{std::move(*from), std::move(*to)};
}

}  // namespace spacedyn::loading
