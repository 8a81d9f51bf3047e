#include "loading/start_check.hpp"

#include <limits>
#include <string>
#include <vector>

#include <Eigen/Eigenvalues>

#include "spacedyn/dynamics/mobility.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/inertia/regularity.hpp"

namespace spacedyn::loading {
namespace {

constexpr double kRounding = 64.0 * std::numeric_limits<double>::epsilon();

/// Whether H of the coordinates that move freely is positive definite.
bool is_regular_where_free(const Scenario& scenario) {
  const Model& model = *scenario.setup.model;
  const Mobility mobility = start_mobility(scenario.setup);
  if (mobility.free().empty()) return true;
  const MatrixX H = inertia_matrix(model, scenario.initial)(mobility.free(), mobility.free());
  const VectorX diagonal = H.diagonal();
  if (!(diagonal.minCoeff() > 0.0)) return false;
  const VectorX scale = diagonal.cwiseSqrt().cwiseInverse();
  const MatrixX normalized = scale.asDiagonal() * H * scale.asDiagonal();
  const auto eigenvalues =
      Eigen::SelfAdjointEigenSolver<MatrixX>(normalized, Eigen::EigenvaluesOnly).eigenvalues();
  return eigenvalues.minCoeff() > kRounding * static_cast<double>(H.rows());
}

}  // namespace

void check_start_regularity(const Scenario& scenario, const Value& model, ProblemList& problems) {
  const bool base_free = scenario.setup.base_mode == BaseMode::floating;
  const auto culprit = find_singularity(*scenario.setup.model, scenario.initial, base_free);
  if (!culprit) return;
  // what is prescribed or locked needs no inertia of its own
  const bool some_held =
      !scenario.setup.prescribed_joints.empty() || !scenario.setup.locked_joints.empty();
  if (some_held && is_regular_where_free(scenario)) return;
  problems.error(model.node->mark, model.path,
                 "expected a positive definite inertia matrix H at the start, got one in which " +
                     *culprit + " moves without resistance",
                 "give mass or inertia to what moves there");
}

void check_modal_rates(const Scenario& scenario, const Value& model, ProblemList& problems) {
  if (scenario.modal_appendages.empty()) return;
  const Model& robot = *scenario.setup.model;
  LinkFrames frames(robot);
  LinkVelocities velocities(robot);
  compute_link_frames(robot, scenario.initial, frames);
  compute_link_velocities(robot, scenario.initial, frames, velocities);
  ModalRateWatch watch(scenario.modal_appendages);
  watch.see(0.0, velocities);
  for (const std::string& text : watch.warnings()) {
    problems.add(Severity::warning, model.node->mark, model.path, text,
                 "give it as flexible_links, which stiffen");
  }
}

}  // namespace spacedyn::loading
