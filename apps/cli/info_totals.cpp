#include <Eigen/Eigenvalues>

#include "info.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/state/followers.hpp"

namespace spacedyn::cli {
namespace {

constexpr int kMaxFactoredLinks = 500;  // beyond that the answer would take longer than reading it

void add_inertia(const Model& model, const State& state, InfoTotals& totals) {
  const int n = model.joint_count();
  if (n > kMaxFactoredLinks || (model.has_fixed_base() && n == 0)) return;
  const MatrixX H = inertia_matrix(model, state);
  const MatrixX free =
      own_matrix(model, model.has_fixed_base() ? MatrixX(H.bottomRightCorner(n, n)) : H);
  const Eigen::SelfAdjointEigenSolver<MatrixX> solver(free, Eigen::EigenvaluesOnly);
  const double most = solver.eigenvalues().maxCoeff();
  if (most > 0.0) totals.condition_number = most / solver.eigenvalues().minCoeff();
  if (model.has_fixed_base()) return;
  // H_ω is about the base centroid
  const Vector3& d = totals.center_of_mass;
  const Matrix3 offset = d.squaredNorm() * Matrix3::Identity() - d * d.transpose();
  totals.inertia = H.block<3, 3>(3, 3) - model.total_mass() * offset;
}

}  // namespace

InfoTotals info_totals(const Model& model) {
  const State state(model);
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  InfoTotals totals;
  totals.degrees_of_freedom =
      static_cast<int>(model.coordinates().size()) + (model.has_fixed_base() ? 0 : 6);
  totals.center_of_mass = center_of_mass(model, frames) - frames.r[0];
  add_inertia(model, state, totals);
  return totals;
}

}  // namespace spacedyn::cli
