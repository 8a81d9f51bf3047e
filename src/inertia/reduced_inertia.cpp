#include "spacedyn/inertia/reduced_inertia.hpp"

#include "inertia/snapshot.hpp"
#include "spacedyn/assert.hpp"

namespace spacedyn {

void reduced_inertia(const InertiaBlocks& blocks, const BaseResponse& response,
                     Eigen::Ref<MatrixX> H_star) {
  SPACEDYN_ASSERT(H_star.rows() == blocks.H_m.rows() && H_star.cols() == blocks.H_m.cols());
  H_star = blocks.H_m;
  // one triangle and its mirror: exactly symmetric
  for (Eigen::Index column = 0; column < H_star.cols(); ++column) {
    for (Eigen::Index row = 0; row <= column; ++row) {
      H_star(row, column) += blocks.H_bm.col(row).dot(response.D.col(column));
      H_star(column, row) = H_star(row, column);
    }
  }
}

MatrixX reduced_inertia(const Model& model, const State& state) {
  const ResponseSnapshot<Snapshot> now(model, state);
  MatrixX H_star(model.joint_count(), model.joint_count());
  reduced_inertia(now.blocks, now.response, H_star);
  return H_star;
}

}  // namespace spacedyn
