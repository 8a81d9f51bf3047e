/// @file
/// A model described for people, for programs and for readers of the paper.
#pragma once

#include <optional>
#include <string>

#include "json.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn::cli {

/// Largest number of links for which `info` prints tables of n² entries or forms H.
inline constexpr int kMaxTableLinks = 30;

std::string info_text(const Model& model);
Json info_json(const Model& model);
/// BB, S0, SE, J_type, c0, cc, ce, Qi and the mass properties as statements of the toolbox.
std::string info_paper(const Model& model);

/// Totals that a description gives beside the parts; all joints at zero, base at the origin.
struct InfoTotals {
  int degrees_of_freedom = 0;
  Vector3 center_of_mass = Vector3::Zero();  ///< from the base centroid, base axes, m
  std::optional<double> condition_number;  ///< of H (of H_m for a fixed base); n ≤ 500, n + 6 > 0
};
InfoTotals info_totals(const Model& model);

}  // namespace spacedyn::cli
