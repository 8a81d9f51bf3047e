/// @file
/// Reads attitude control on gyros, and which actuators a list names.
#pragma once

#include <string>
#include <vector>

#include "loading/keys/map_reader.hpp"
#include "loading/schema/schema_text.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn::loading {

class ScenarioReader;

class GyroReader {
 public:
  explicit GyroReader(ScenarioReader& scenario) : scenario_(scenario) {}

  /// Whether the first of `actuators` is the gimbal of a gyro.
  bool names_gyros(const MapReader& map) const;
  void read_attitude(MapReader& map, const std::string& name, bool damps_only);

 private:
  std::vector<int> read_gimbals(MapReader& map);
  void warn_of_singularity(MapReader& map, const std::vector<int>& gimbals, const Vector3& gains);

  ScenarioReader& scenario_;
};

/// Adds the keys that only gyros have.
void describe_gyro_steering(MappingSchema& schema);
/// Refuses them where other actuators are named.
void refuse_gyro_steering(MapReader& map);

/// Whether the first of `actuators` is a thruster of the model.
bool names_thrusters(const MapReader& map, const Model* model);

}  // namespace spacedyn::loading
