#include <algorithm>

#include "recording/derived_columns.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/forces/reaction_wheels.hpp"
#include "spacedyn/sensing/sensor.hpp"
#include "system/system_elements.hpp"

namespace spacedyn {
namespace {

/// Speed, spin momentum and motor torque of each reaction wheel, force of each thruster, and what
/// elements say of other actuators.
class ActuatorColumns final : public DerivedColumns {
 public:
  ActuatorColumns(const ForcedSystem& system, ColumnNames& names)
      : system_(system),
        elements_(system_),
        workspace_(elements_),
        wheels_(wheel_joints(*system_.model)) {
    for (const int joint : wheels_) {
      add_actuator(system_.model->joint(joint).name,
                   {{"speed", "_speed_rad_s", "rad/s"},
                    {"momentum", "_momentum_N_m_s", "N m s"},
                    {"torque", "_torque_N_m", "N m"}},
                   names);
    }
    for (const Thruster& thruster : system_.model->thrusters()) {
      column_of(thruster.name, kThrustQuantity, names);
    }
    // forces first: a controller may set what one of them declares
    for (const bool is_controller : {false, true}) {
      for (const SystemElements::Slot& slot : elements_.slots()) {
        if ((slot.controller != nullptr) == is_controller) take_outputs(slot, names);
      }
    }
  }

  void fill(const SimulationPoint& point, VectorRef values) override {
    Eigen::Index next = 0;
    for (const int joint : wheels_) {
      const WheelDrive& drive = *point.model.wheel(joint);
      const double speed = point.state.qd(joint - 1);
      values(next++) = speed;
      values(next++) = drive.spin_inertia * speed;
      values(next++) = point.forces(joint + 5) - friction_torque(drive, speed);
    }
    auto others = values.tail(values.size() - next);
    others.setZero();
    for (const Source& source : sources_) {
      const bool acts = SystemElements::is_on(*source.slot, point.discrete);
      const EvaluationContext own = slice_of(context_of(point), source.slot->slice);
      const VectorX& command =
          source.slot->controller == nullptr || !acts
              ? nothing_
              : elements_.command(*source.slot, own, point.discrete, workspace_);
      for (const Output& output : source.outputs) {
        if (acts || output.counts_when_off) others(output.column) += output.value(own, command);
      }
    }
  }

 private:
  struct Output {
    Eigen::Index column;  // after those of wheels
    decltype(ActuatorOutput::value) value;
    bool counts_when_off;
  };
  /// What one element says.
  struct Source {
    const SystemElements::Slot* slot;
    std::vector<Output> outputs;
  };
  void take_outputs(const SystemElements::Slot& slot, ColumnNames& names) {
    const std::vector<ActuatorOutput> outputs = declarations_of(slot.element()).actuators;
    if (outputs.empty()) return;
    Source source{&slot, {}};
    for (const ActuatorOutput& output : outputs) {
      source.outputs.push_back({column_of(output.actuator, output.quantity, names), output.value,
                                output.counts_when_off});
    }
    sources_.push_back(std::move(source));
  }
  /// The column of an actuator's quantity, a new one unless it is there.
  Eigen::Index column_of(const std::string& actuator, const OutputQuantity& quantity,
                         ColumnNames& names) {
    const std::pair<std::string, std::string> key{actuator, quantity.dataset};
    const auto known = std::find(known_.begin(), known_.end(), key);
    const auto column = static_cast<Eigen::Index>(known - known_.begin());
    if (known == known_.end()) {
      known_.push_back(key);
      add_actuator(actuator, {quantity}, names);
    }
    return column;
  }
  void add_actuator(const std::string& name, const std::vector<OutputQuantity>& quantities,
                    ColumnNames& names) {
    std::vector<Suffix> suffixes;
    for (const OutputQuantity& quantity : quantities)
      suffixes.emplace_back(quantity.suffix, quantity.unit);
    const std::string stem = names.reserve("actuators", name, suffixes);
    const std::string group = group_of("actuators", stem);
    for (const OutputQuantity& quantity : quantities) {
      add(group + '/' + quantity.dataset, Column{stem + quantity.suffix, quantity.unit});
    }
  }

  const ForcedSystem system_;
  const SystemElements elements_;
  SystemElements::Workspace workspace_;
  std::vector<int> wheels_;
  std::vector<std::pair<std::string, std::string>> known_;  // of the columns after those of wheels
  std::vector<Source> sources_;
  const VectorX nothing_;  // commands of what is off
};

/// Vectors of a reading; none of an encoder.
VectorList reading_vectors(SensorType type) {
  switch (type) {
    case SensorType::gyroscope:
      return {{"angular_velocity", "angular_velocity", "_rad_s", "rad/s"}};
    case SensorType::star_tracker:
      return {kQuaternionColumns};
    case SensorType::accelerometer:
      return {{"specific_force", "specific_force", "_m_s2", "m/s^2"}};
    case SensorType::force_torque:
    case SensorType::momentum_observer:
      return {{"force", "force", "_N", "N"}, {"torque", "torque", "_N_m", "N m"}};
    case SensorType::relative_pose:
      return kPoseColumns;
    case SensorType::target_filter: {
      VectorList vectors = kPoseColumns;
      vectors.insert(vectors.end(), kTwistColumns.begin(), kTwistColumns.end());
      vectors.push_back({"inertia_ratios", "inertia_ratio", "", "1"});
      vectors.push_back({"product_ratios", "product_ratio", "", "1"});
      return vectors;
    }
    case SensorType::magnetometer:
      return {{"magnetic_field", "magnetic_field", "_T", "T"}};
    case SensorType::encoder:
      break;
  }
  return {};
}

class SensorColumns final : public DerivedColumns {
 public:
  SensorColumns(const ForcedSystem& system, ColumnNames& names) {
    for (const Sensor& sensor : system.sensors) {
      if (sensor.type == SensorType::encoder) {
        add_encoder(sensor, system.model->joint(sensor.joint).type, names);
        continue;
      }
      const VectorList vectors = reading_vectors(sensor.type);
      const std::string stem = names.reserve("sensors", sensor.name, suffixes_of(vectors));
      const bool is_inertial = sensor.type == SensorType::target_filter;
      add_vectors({stem, group_of("sensors", stem)}, vectors,
                  is_inertial ? kInertialAxes : "sensor");
    }
  }

  void fill(const SimulationPoint& point, VectorRef values) override {
    Eigen::Index next = 0;
    for (const auto& sensor : point.discrete.sensors) {
      values.segment(next, sensor.reading.size()) = sensor.reading;
      next += sensor.reading.size();
    }
  }

 private:
  void add_encoder(const Sensor& sensor, JointType type, ColumnNames& names) {
    std::vector<Suffix> suffixes{{"_position_rad", "rad"}, {"_velocity_rad_s", "rad/s"}};
    if (type == JointType::prismatic) suffixes = {{"_position_m", "m"}, {"_velocity_m_s", "m/s"}};
    const std::string stem = names.reserve("sensors", sensor.name, suffixes);
    const std::vector<Column> columns = columns_of(stem, suffixes);
    add(group_of("sensors", stem) + "/position", columns[0]);
    add(group_of("sensors", stem) + "/velocity", columns[1]);
  }
};

}  // namespace

std::unique_ptr<DerivedColumns> actuator_columns(const ForcedSystem& system, ColumnNames& names) {
  return std::make_unique<ActuatorColumns>(system, names);
}

std::unique_ptr<DerivedColumns> sensor_columns(const ForcedSystem& system, ColumnNames& names) {
  return std::make_unique<SensorColumns>(system, names);
}

}  // namespace spacedyn
