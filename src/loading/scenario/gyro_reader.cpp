#include "loading/scenario/gyro_reader.hpp"

#include <algorithm>

#include "control/mounting.hpp"
#include "loading/keys/fields.hpp"
#include "loading/scenario/scenario_reader.hpp"
#include "spacedyn/inertia/gyro_cluster.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::loading {
namespace {

using Steering = GyroSteering::Settings;

constexpr Quantity kRateGain{Dimension::none, Range::positive, false, "N m s/rad"};

const Fields<Steering>& steering_fields_of_gyros() {
  static const Fields<Steering> kFields = {
      {"threshold", "Singularity measure below which the inverse is damped, default 0.1",
       quantity::kNumber.within(Range::positive),
       [](Steering& s) -> double& { return s.threshold; }},
      {"damping", "Of the inverse at a singularity, default 0.01",
       quantity::kNumber.within(Range::positive), [](Steering& s) -> double& { return s.damping; }},
      {"null_motion", "Rate away from singularities, rad/s, default 0",
       quantity::kRate.within(Range::not_negative),
       [](Steering& s) -> double& { return s.null_motion; }},
      {"rotor_weight", "Of rotors whose speeds vary, at a singularity, default 0: constant speed",
       quantity::kNumber.within(Range::not_negative),
       [](Steering& s) -> double& { return s.rotor_weight; }}};
  return kFields;
}

}  // namespace

void describe_gyro_steering(MappingSchema& schema) {
  MappingSchema steering("How gyros keep off singularities");
  describe_fields(steering_fields_of_gyros(), steering);
  schema.allow("rate_gain", number_schema({kRateGain}, "Of the gimbals of gyros, N m s/rad"))
      .allow("steering", steering.text());
}

void refuse_gyro_steering(MapReader& map) {
  for (const char* key : {"rate_gain", "steering"}) {
    map.refuse(key, "only the gimbals of gyros are steered");
  }
}

bool GyroReader::names_gyros(const MapReader& map) const {
  const auto& model = scenario_.model();
  const auto list = MapReader(map).find("actuators");
  if (!model || !list || !list->node->is_sequence() || list->node->items.empty()) return false;
  const Node& first = *list->node->items.front();
  const auto joint = first.is_scalar() ? model->find_joint(first.text) : std::nullopt;
  return joint && gyro_rotor(*model, *joint) != 0;
}

std::vector<int> GyroReader::read_gimbals(MapReader& map) {
  const Model& model = *scenario_.model();
  std::vector<std::string> known;
  for (const int gimbal : gyro_gimbals(model)) known.push_back(model.joint(gimbal).name);
  std::vector<int> gimbals;
  for_each_item(*map.find("actuators"), map.problems(), [&](const Value& item) {
    const auto name = read_text(item, map.problems());
    if (!name) return;
    const auto refuse = [&](const std::string& what, const std::string& hint = "") {
      map.problems().error(item.node->mark, item.path, what, hint);
    };
    const auto joint = model.find_joint(*name);
    if (!joint || gyro_rotor(model, *joint) == 0) {
      const std::string nearest = nearest_name(*name, known);
      return refuse("expected the name of a gyro as the first is, got " + quote(*name),
                    nearest.empty() ? "" : "did you mean '" + nearest + "'?");
    }
    const auto& tree = model.topology();
    if (std::find(gimbals.begin(), gimbals.end(), *joint) != gimbals.end()) {
      return refuse("expected each gyro once, got " + quote(*name) + " again");
    }
    if (scenario_.is_prescribed(*joint)) {
      return refuse("expected a gimbal that turns freely, got " + quote(*name) +
                    ", whose motion is prescribed");
    }
    if (!gimbals.empty() && tree.connection(*joint) != tree.connection(gimbals.front())) {
      return refuse("expected gyros on one body, got " + quote(*name) + " on '" +
                    model.body(tree.connection(*joint)).name + "'");
    }
    gimbals.push_back(*joint);
  });
  return gimbals;
}

void GyroReader::warn_of_singularity(MapReader& map, const std::vector<int>& gimbals,
                                     const Vector3& gains) {
  const Model& model = *scenario_.model();
  const GyroCluster cluster = gyro_cluster(model, scenario_.initial(), gimbals);
  LinkFrames frames(model);
  compute_link_frames(model, scenario_.initial(), frames);
  const int body = model.topology().connection(gimbals.front());
  const Matrix3 axes =
      frames.A[static_cast<std::size_t>(body)] * axes_of_carrier(model, gimbals.front());
  for (const int axis : axes_without_command(axes.transpose() * cluster.torque)) {
    if (gains(axis) == 0.0) continue;
    const auto place = *map.find("actuators");
    return map.problems().warning(place.node->mark, place.path,
                                  std::string("expected gyros with torque about the ") +
                                      "xyz"[axis] + " axis of '" + model.body(body).name +
                                      "' at the start, got a singular posture of their gimbals");
  }
}

void GyroReader::read_attitude(MapReader& map, const std::string& name, bool damps_only) {
  ProblemList& problems = map.problems();
  const std::size_t errors_before = problems.error_count();
  AttitudePd::Settings settings;
  const std::vector<int> gimbals = read_gimbals(map);
  const int body = gimbals.empty() ? -1 : scenario_.model()->topology().connection(gimbals.front());
  const Matrix3 axes = gimbals.empty() ? Matrix3(Matrix3::Identity())
                                       : axes_of_carrier(*scenario_.model(), gimbals.front());
  settings = scenario_.read_attitude_settings(map, body, axes, damps_only);
  settings.gyros.gimbals = gimbals;
  settings.gyros.rate_gain = map.required_number("rate_gain", kRateGain);
  if (const auto value = map.find("steering")) {
    MapReader steering(*value, map.context());
    read_fields(steering, steering_fields_of_gyros(), settings.gyros);
    steering.finish();
  }
  settings.sample_period = scenario_.read_sample_period(map);
  const auto sensors = scenario_.read_sensor_names(
      map, damps_only ? "a gyroscope on the body" : "a gyroscope or a star_tracker on the body",
      [&](const Sensor& sensor) {
        const bool fits = sensor.type == SensorType::gyroscope ||
                          (sensor.type == SensorType::star_tracker && !damps_only);
        return fits && (body < 0 || sensor.at.body == body);
      },
      settings.sample_period);
  // a gain that is missing is reported at the end
  if (problems.error_count() > errors_before || settings.gyros.rate_gain == 0.0) return;
  const Vector3 gains = settings.stiffness + settings.damping;
  if (gains.isZero(0.0)) {
    map.error_at("damping", "expected a gain that is not zero, got none: nothing would act");
    return;
  }
  const GyroSteering steering("", *scenario_.model(), settings.gyros);
  for (const int axis : steering.axes_without_torque(*scenario_.model(), axes)) {
    if (gains(axis) == 0.0) continue;
    map.error_at("actuators", std::string("expected gyros with torque about the ") + "xyz"[axis] +
                                  " axis of '" + scenario_.model()->body(body).name +
                                  "', which has a gain, got none: all gimbals turn about it");
  }
  if (problems.error_count() > errors_before) return;
  // rotors of variable speed give the torque at such a start
  if (settings.gyros.rotor_weight == 0.0) warn_of_singularity(map, gimbals, gains);
  const auto controller =
      std::make_shared<AttitudePd>(name, *scenario_.model(), std::move(settings));
  controller->take_sensors(sensors);
  scenario_.scenario_.setup.controllers.push_back(controller);
}

}  // namespace spacedyn::loading
