/// @file
/// The numbers of the original toolbox on our own models, and the robots they belong to.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "spacedyn/model/model.hpp"
#include "spacedyn/state/loads.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn::testing {

/// Names of the reference models, which are also the file names.
const std::vector<std::string>& reference_names();

/// The parsed file `tests/data/spacedyn/<name>.json`.
const nlohmann::json& reference(const std::string& name);

/// The description of a reference model; endpoint of link i is the frame `endpoint_i`.
ModelDescription reference_description(const nlohmann::json& model);
/// The same, built.
Model reference_model(const nlohmann::json& model);

/// State, loads and given accelerations of the `inputs` of a reference state.
struct ReferenceInputs {
  State state;
  Loads wrenches;        ///< gravity and endpoint wrenches only
  Loads loads;           ///< the same with F_b and τ
  VectorX acceleration;  ///< [v̇_0; ω̇_0; q̈]
};
ReferenceInputs reference_inputs(const Model& model, const nlohmann::json& inputs);

/// @name Nested lists to Eigen
/// @{
VectorX vector_of(const nlohmann::json& list);
Vector3 vector3_of(const nlohmann::json& list);
/// Rows of rows; an empty list gives a 0×0 matrix.
MatrixX matrix_of(const nlohmann::json& rows);
/// @}

/// Largest difference of two arrays relative to max(1, largest |element| of the expected one).
double relative_difference(const MatrixX& actual, const MatrixX& expected);

}  // namespace spacedyn::testing
