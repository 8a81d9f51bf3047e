#include "spacedyn/batch/state_rows.hpp"

#include <string>

#include "batch/row_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {

int state_row_size(const Model& model) { return 13 + 2 * model.joint_count(); }

VectorX state_row(const State& state) {
  const Quaternion x = quaternion_from_matrix(state.A_0);
  VectorX row(13 + 2 * state.q.size());
  row << state.r_0, x.w(), x.x(), x.y(), x.z(), state.q, state.v_0, state.omega_0, state.qd;
  return row;
}

State state_from_row(const Model& model, const ConstVectorRef& row) {
  const Eigen::Index n = model.joint_count();
  if (row.size() != state_row_size(model)) {
    throw DimensionError("row: expected 13 + 2n = " + std::to_string(state_row_size(model)) +
                         " numbers for model '" + model.name() + "', got " +
                         std::to_string(row.size()));
  }
  const std::string flaw = batch::row_flaw(row.data(), row.size());
  if (!flaw.empty()) throw DomainError("row: " + flaw);
  State state(model);
  state.r_0 = row.head<3>();
  state.A_0 = matrix_from_quaternion(Quaternion(row[3], row[4], row[5], row[6]));
  state.q = row.segment(7, n);
  state.v_0 = row.segment<3>(7 + n);
  state.omega_0 = row.segment<3>(10 + n);
  state.qd = row.tail(n);
  return state;
}

namespace batch {

std::string row_flaw(const double* row, Eigen::Index size) {
  const Eigen::Map<const VectorX> x(row, size);
  if (!x.allFinite()) return "holds a number that is not finite";
  const double squared = x.segment<4>(3).squaredNorm();
  if (squared > kLeastSquare && squared < kLargestSquare) return "";
  return "has a quaternion that cannot be normalized (columns 3 to 6, w first)";
}

}  // namespace batch
}  // namespace spacedyn
