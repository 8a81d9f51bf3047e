/// @file
/// Reads magnetic fields and who gives torquers their dipoles.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "loading/keys/map_reader.hpp"
#include "spacedyn/forces/magnetic_torquer.hpp"

namespace spacedyn::loading {

class ScenarioReader;

/// What a scenario says of magnetism, but for the torquers themselves, which are forces.
class MagneticReader {
 public:
  explicit MagneticReader(ScenarioReader& scenario) : scenario_(scenario) {}

  void read_field(const Value& value);
  /// Whether the first of `actuators` is a torquer.
  bool names_torquers(const MapReader& map) const;
  /// Torquers of `forces` that nothing else gives a dipole.
  std::vector<Torquer> read_torquers(MapReader& map, const char* key);
  void read_detumble(MapReader& map, const std::string& name);

 private:
  void read_dipole(MapReader& map, MagneticField& field);
  /// No mass may start where the field of a dipole is infinite.
  void check_center(MapReader& map, const Vector3& center);
  bool has_orbit() const;

  ScenarioReader& scenario_;
};

/// Reports axes of a body, of those that are wanted, about which torquers have no torque in any
/// field, and torquers on another body.
void check_torquers(MapReader& map, const char* key, const std::vector<Torquer>& torquers, int body,
                    const std::array<bool, 3>& wanted, const Model& model);

}  // namespace spacedyn::loading
