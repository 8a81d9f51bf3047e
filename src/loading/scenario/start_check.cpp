#include "loading/scenario/start_check.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "loading/model/model_assembly.hpp"
#include "math/decompositions.hpp"
#include "spacedyn/dynamics/mobility.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/inertia/momentum.hpp"
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
  return symmetric_eigenvalues(normalized)(0) > kRounding * static_cast<double>(H.rows());
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
  const std::vector<std::string> idle = joints_without_inertia(*scenario.setup.model);
  problems.error(model.node->mark, model.path,
                 "expected a positive definite inertia matrix H at the start, got one in which " +
                     (idle.empty() ? *culprit + " moves" : joints_move(idle)) +
                     " without resistance",
                 "give mass or inertia to what moves there" +
                     std::string(idle.empty() ? "" : ", or impose its motion with 'prescribed'"));
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

void check_magnitudes(const Scenario& scenario, const Value& place, ProblemList& problems) {
  const Model& robot = *scenario.setup.model;
  LinkFrames frames(robot);
  LinkVelocities velocities(robot);
  compute_link_frames(robot, scenario.initial, frames);
  compute_link_velocities(robot, scenario.initial, frames, velocities);
  const Momentum start = momentum(robot, frames, velocities);
  const double sum = start.linear.squaredNorm() + start.angular_origin.squaredNorm();
  const double energies = kinetic_energy(robot, frames, velocities) +
                          std::abs(gravity_potential(robot, frames, scenario.setup.gravity)) +
                          elastic_energy(robot, scenario.initial.q);
  if (std::isfinite(sum) && std::isfinite(energies)) return;
  problems.add(Severity::warning, place.node->mark, place.path,
               std::string("expected a start whose energy and momentum a double can hold, got one "
                           "whose ") +
                   (std::isfinite(energies) ? "squared momentum" : "energy") + " overflows",
               "masses, lengths and velocities are in SI units");
}

void check_cost(const Scenario& scenario, const Value& place, ProblemList& problems) {
  constexpr std::size_t kMany = 300;  // from there on factorizations take most of the time
  const IntegrationMethod method = scenario.setup.integrator.method;
  const bool is_cubic = method == IntegrationMethod::rodas ||
                        method == IntegrationMethod::newmark ||
                        method == IntegrationMethod::variational;
  const std::size_t count = start_mobility(scenario.setup).free().size();
  if (!is_cubic || count < kMany) return;
  const Value named = descend(place, "integrator.method");
  problems.add(Severity::warning, named.node->mark, named.path,
               fmt::format("expected a method whose cost grows with the number of coordinates, got "
                           "{}, which factorizes a matrix of {} rows in each step",
                           to_string(method), count),
               "dop853 and the other explicit methods cost O(n) unless the system is stiff");
}

void check_result_size(const Scenario& scenario, const Value& place, ProblemList& problems) {
  constexpr double kMuch = 2e9;                  // bytes
  constexpr double kBinary = 8.0, kText = 19.0;  // bytes a number; of text on average
  const double rows = scenario.duration / scenario.output_interval + 2.0;
  std::size_t columns = 0;
  try {
    columns = RowLayout(scenario.setup, scenario.initial, scenario.channels).columns().size();
  } catch (const Error&) {
    return;  // told where the scenario is run
  }
  const bool is_text = scenario.format == ResultFormat::csv;
  const double bytes = rows * static_cast<double>(columns) * (is_text ? kText : kBinary);
  if (bytes < kMuch) return;
  const Value interval = descend(place, "output.interval");
  problems.add(Severity::warning, interval.node->mark, interval.path,
               fmt::format("expected a result of at most {:g} GB, got about {:.3g} GB: {:.3g} rows "
                           "of {} columns",
                           kMuch / 1e9, bytes / 1e9, rows, columns),
               "a longer output.interval or fewer output.channels make it smaller");
}

}  // namespace spacedyn::loading
