/// @file
/// Reads controllers of vehicles with driven and steered wheels.
#pragma once

#include <string>

#include "loading/scenario/scenario_reader.hpp"
#include "spacedyn/control/vehicle_drive.hpp"

namespace spacedyn::loading {

class VehicleReader {
 public:
  VehicleReader(ScenarioReader& scenario, MapReader& map) : scenario_(scenario), map_(map) {}
  /// Reads the keys of `type: drive`, and adds the controller to the scenario if they are right.
  void read(const std::string& name);

 private:
  void read_wheels();
  void read_steering();
  void read_frame();
  void read_motion(const Value& value);
  void read_path(MapReader& motion);

  ScenarioReader& scenario_;
  MapReader& map_;
  VehicleDrive::Settings settings_;
};

}  // namespace spacedyn::loading
