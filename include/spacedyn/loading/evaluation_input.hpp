/// @file
/// States given by hand, with motion and loads, at which a model is to be evaluated.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/model/model.hpp"
#include "spacedyn/state/loads.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// A force and a torque on the point of a frame, inertial axes.
struct PointWrench {
  Frame at;
  Vector3 force = Vector3::Zero();   ///< N
  Vector3 torque = Vector3::Zero();  ///< N m
};

/// One instant: where the system is, the accelerations it is given, and what acts on it.
struct EvaluationInput {
  State state;
  VectorX acceleration;                 ///< [v̇_0; ω̇_0; q̈], size 6 + n
  Loads loads;                          ///< gravity, F_b, τ and the external wrenches
  std::vector<PointWrench> wrenches{};  ///< the external wrenches again, one by one
  /// Joints 1…n whose torques move a model with loops; all where it is not given.
  std::optional<std::vector<int>> actuated{};
};

/// The content of a state file.
struct EvaluationInputs {
  std::vector<EvaluationInput> states;
  bool is_list = false;  ///< whether the file holds a list, if only of one state
};

/// Reads a state or a list of states, in YAML or JSON.
///
/// Keys, all optional, zero or identity where missing: `r0`, one of `A0` (3×3, base to inertial),
/// `rpy` and `quaternion` (w first), `v0`, `w0`, `q`, `qd`, `vd0`, `wd0`, `qdd`, `gravity`, `F0`,
/// `T0`, `tau`, `wrenches` (each {frame, force, torque}, on the frame's point, inertial axes),
/// `actuated` (names of joints; only for models with loops). Joint vectors are lists in model order
/// or mappings by joint name. `joint_order`, which results carry, must be that of the model.
/// @throws ParseError with every problem found; IoError if the file cannot be read
SPACEDYN_EXPORT EvaluationInputs load_evaluation_inputs(const std::string& path,
                                                        const Model& model);
/// The same from text; @p file names it in messages.
SPACEDYN_EXPORT EvaluationInputs parse_evaluation_inputs(const std::string& text,
                                                         const std::string& file,
                                                         const Model& model);

}  // namespace spacedyn
