#include <Eigen/Eigenvalues>

#include "info.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/kinematics/link_frames.hpp"

namespace spacedyn::cli {
namespace {

constexpr int kMaxFactoredLinks = 500;  // beyond that the answer would take longer than reading it

std::optional<double> condition_number(const Model& model, const State& state) {
  const int n = model.joint_count();
  if (n > kMaxFactoredLinks || (model.has_fixed_base() && n == 0)) return std::nullopt;
  const MatrixX H = inertia_matrix(model, state);
  const MatrixX free = model.has_fixed_base() ? MatrixX(H.bottomRightCorner(n, n)) : H;
  const Eigen::SelfAdjointEigenSolver<MatrixX> solver(free, Eigen::EigenvaluesOnly);
  return solver.eigenvalues().maxCoeff() / solver.eigenvalues().minCoeff();
}

}  // namespace

InfoTotals info_totals(const Model& model) {
  const State state(model);
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  InfoTotals totals;
  totals.degrees_of_freedom = model.joint_count() + (model.has_fixed_base() ? 0 : 6);
  totals.center_of_mass = center_of_mass(model, frames) - frames.r[0];
  totals.condition_number = condition_number(model, state);
  return totals;
}

}  // namespace spacedyn::cli
