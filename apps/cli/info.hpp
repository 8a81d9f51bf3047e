/// @file
/// A model described for people, for programs and for readers of the paper.
#pragma once

#include <optional>
#include <string>

#include "json.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn::cli {

/// Largest number of links of which `info` prints the matrices of the topology unasked.
inline constexpr int kMaxSmallLinks = 8;

/// @param matrices  print B, S0, Se and S whatever the size
std::string info_text(const Model& model, bool matrices);
/// Reaction wheels, rotors, gears, friction, transmissions and couplings; empty where there are
/// none.
std::string info_drives(const Model& model);
Json info_json(const Model& model);
/// Adds the same to a description whose links are there.
void add_drives(const Model& model, Json& json);
/// BB, S0, SE, J_type, c0, cc, ce, Qi and the mass properties as statements of the toolbox.
std::string info_paper(const Model& model);

/// @name Quantities of joints as text
/// @{
const char* position_unit(const Joint& joint);  ///< rad or m
const char* effort_unit(const Joint& joint);    ///< N m or N
/// A limit with its unit, or that there is none.
std::string limit_text(double value, const std::string& unit);
/// @}

/// Totals that a description gives beside the parts; all joints at zero, base at the origin.
struct InfoTotals {
  int degrees_of_freedom = 0;
  Vector3 center_of_mass = Vector3::Zero();  ///< from the base centroid, base axes, m
  /// @name Of up to 500 links
  /// @{
  std::optional<double> condition_number;  ///< of H (of H_m for a fixed base); n + 6 > 0
  std::optional<Matrix3> inertia;  ///< about the center of mass, base axes, kg m²; base floating
  /// @}
};
InfoTotals info_totals(const Model& model);

}  // namespace spacedyn::cli
