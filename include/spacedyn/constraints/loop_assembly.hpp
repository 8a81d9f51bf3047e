/// @file
/// States that satisfy the loops of a model.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// A start may be so far from a loop, in position and velocity: m or rad, m/s or rad/s. Between
/// robots far from the origin the rounding of their positions is added.
inline constexpr double kLoopTolerance = 1e-9;
/// The part of a place that is its rounding, and likewise of a velocity.
inline constexpr double kPlaceRounding = 1e-15;

/// The largest residual of all loops, compared with what each may have.
struct LoopResidual {
  double value = 0.0;  ///< 0 without loops
  std::string loop;    ///< its name
  bool is_angle = false;
  double tolerance = kLoopTolerance;  ///< of that loop

  bool is_closed() const { return value <= tolerance; }
  /// Takes another one over if that is larger against its tolerance, or NaN.
  void take(const LoopResidual& other) {
    if (!(other.value * tolerance <= value * other.tolerance)) *this = other;
  }
};

/// Largest component of φ of all loops, and of K u. Allocate.
/// @throws DimensionError, DomainError if the state does not fit the model
SPACEDYN_EXPORT LoopResidual position_residual(const Model& model, const State& state);
SPACEDYN_EXPORT LoopResidual velocity_residual(const Model& model, const State& state);

/// The same of other loops than those of the model.
SPACEDYN_EXPORT LoopResidual position_residual(const Model& model, const std::vector<Loop>& loops,
                                               const State& state);
SPACEDYN_EXPORT LoopResidual velocity_residual(const Model& model, const std::vector<Loop>& loops,
                                               const State& state);

/// How an assembly ended.
struct LoopAssembly {
  State state;             ///< on the loops, or as near as it came
  LoopResidual position;   ///< of that state
  LoopResidual velocity;   ///< likewise
  bool assembled = false;  ///< both are closed
};

/// Moves joints onto the loops, in position and then in velocity, so that Σ Δq² and Σ Δq̇² are
/// least near where it started; the base stays. Where the start is stuck, for instance stretched
/// out, it begins again from a few other configurations, the same ones each time. Allocates.
/// @param held     joints 1…n that keep position and velocity
/// @param nearest  false: some configuration on the loops will do, found sooner
/// @throws DimensionError, DomainError if the state or a joint does not fit the model
SPACEDYN_EXPORT LoopAssembly assemble_loops(const Model& model, const State& start,
                                            const std::vector<int>& held, bool nearest = true);
/// The same of other loops than those of the model.
SPACEDYN_EXPORT LoopAssembly assemble_loops(const Model& model, const std::vector<Loop>& loops,
                                            const State& start, const std::vector<int>& held,
                                            bool nearest = true);

}  // namespace spacedyn
