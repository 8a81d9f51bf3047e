#include "recording/derived_columns.hpp"
#include "spacedyn/sensing/sensor.hpp"

namespace spacedyn {
namespace {

/// A dataset of a reading: its name, the axes its columns are in, and the ends of these.
struct ReadingPart {
  const char* dataset;
  bool has_axes;
  std::vector<Suffix> suffixes;
};

ReadingPart vector_part(const char* dataset, const std::string& stem, const std::string& end,
                        const std::string& unit) {
  ReadingPart part{dataset, true, {}};
  for (const char* axis : {"_x", "_y", "_z"}) part.suffixes.emplace_back(stem + axis + end, unit);
  return part;
}

ReadingPart quaternion_part() {
  return {
      "quaternion_wxyz",
      true,
      {{"_quaternion_w", ""}, {"_quaternion_x", ""}, {"_quaternion_y", ""}, {"_quaternion_z", ""}}};
}

std::vector<ReadingPart> reading_parts(const Sensor& sensor, const Model& model) {
  switch (sensor.type) {
    case SensorType::gyroscope:
      return {vector_part("angular_velocity", "_angular_velocity", "_rad_s", "rad/s")};
    case SensorType::star_tracker:
      return {quaternion_part()};
    case SensorType::accelerometer:
      return {vector_part("specific_force", "_specific_force", "_m_s2", "m/s^2")};
    case SensorType::encoder:
      if (model.joint(sensor.joint).type == JointType::prismatic) {
        return {{"position", false, {{"_position_m", "m"}}},
                {"velocity", false, {{"_velocity_m_s", "m/s"}}}};
      }
      return {{"position", false, {{"_position_rad", "rad"}}},
              {"velocity", false, {{"_velocity_rad_s", "rad/s"}}}};
    case SensorType::force_torque:
      return {vector_part("force", "_force", "_N", "N"),
              vector_part("torque", "_torque", "_N_m", "N m")};
    case SensorType::relative_pose:
      return {vector_part("position", "_position", "_m", "m"), quaternion_part()};
  }
  return {};
}

class SensorColumns final : public DerivedColumns {
 public:
  SensorColumns(const ForcedSystem& system, ColumnNames& names) {
    for (const Sensor& sensor : system.sensors) {
      const std::vector<ReadingPart> parts = reading_parts(sensor, *system.model);
      std::vector<Suffix> all;
      for (const ReadingPart& part : parts) {
        all.insert(all.end(), part.suffixes.begin(), part.suffixes.end());
      }
      const std::string stem = names.reserve("sensors", sensor.name, all);
      const std::string group = group_of("sensors", stem) + '/';
      for (const ReadingPart& part : parts) {
        const std::vector<Column> columns = columns_of(stem, part.suffixes);
        if (part.has_axes) {
          add(group + part.dataset, "sensor", columns);
        } else {
          add(group + part.dataset, columns.front());
        }
      }
    }
  }

  void fill(const SimulationPoint& point, VectorRef values) override {
    Eigen::Index next = 0;
    for (const auto& sensor : point.discrete.sensors) {
      values.segment(next, sensor.reading.size()) = sensor.reading;
      next += sensor.reading.size();
    }
  }
};

}  // namespace

std::unique_ptr<DerivedColumns> sensor_columns(const ForcedSystem& system, ColumnNames& names) {
  return std::make_unique<SensorColumns>(system, names);
}

}  // namespace spacedyn
