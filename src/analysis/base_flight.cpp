#include "analysis/base_flight.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>

#include "math/rodrigues.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/inertia/generalized_jacobian.hpp"

namespace spacedyn {
namespace {

using Chart = std::array<double, 3>;  // rotation vector θ, A_0 = Exp(θ) A_ref

// a chart is centred at each step; within one the base turns by less than this, rad
constexpr double kLargestTurn = 1.0;
constexpr double kShortestStep = 1e-10;  // fraction of a flight
constexpr double kOrder = 8.0;           // of the local error of the pair that is controlled

Vector3 vector_of(const Chart& theta) { return {theta[0], theta[1], theta[2]}; }

void check_options(const FlightOptions& options) {
  if (!options.momentum.allFinite()) throw DomainError("momentum is not finite");
  if (!(options.tolerance > 0.0)) throw DomainError("tolerance must be positive");
  if (!(options.largest_joint_step > 0.0)) {
    throw DomainError("largest_joint_step must be positive");
  }
}

/// Number of pieces of a displacement such that no joint moves further than allowed in one.
double piece_count(const VectorX& displacement, double largest) {
  const double count = std::ceil(displacement.lpNorm<Eigen::Infinity>() / largest);
  return std::max(1.0, count);
}

/// Factor by which the next step may be longer, or the same one must be shorter.
double step_factor(double tolerance, double error) {
  if (!std::isfinite(error)) return 0.2;
  const double factor = 0.9 * std::pow(tolerance / std::max(error, 1e-300), 1.0 / kOrder);
  return std::clamp(factor, 0.2, 4.0);
}

}  // namespace

/// Memory of one flight.
struct BaseFlight::Workspace {
  explicit Workspace(const Model& model)
      : frames(model), jacobians(model), blocks(model), response(model) {}

  /// Everything that depends on the configuration; the base centroid is taken as the origin, so
  /// that a system far away loses no digits.
  void update(const Model& model, State& state) {
    const Vector3 r_0 = state.r_0;
    state.r_0.setZero();
    compute_link_frames(model, state, frames);
    state.r_0 = r_0;
    compute_inertia_blocks(model, frames, jacobians, blocks);
    if (compute_base_response(model, blocks, response) != InertiaStatus::ok) {
      throw NumericalError("the inertia of the base is singular: no mass, or all mass on one line",
                           0.0, 0, "base inertia");
    }
  }

  LinkFrames frames;
  JacobianWorkspace jacobians;
  InertiaBlocks blocks;
  BaseResponse response;
};

BaseFlight::BaseFlight(const Model& model, const State& start, const FlightOptions& options)
    : model_(model), options_(options), momentum_(options.momentum) {
  check_options(options);
  if (model.has_fixed_base()) {
    throw DomainError("the base of '" + model.name() +
                      "' is fixed to the inertial frame, so it does not float");
  }
  Workspace workspace(model);
  State state = start;
  workspace.update(model, state);
  // from the base centroid, where all points are taken, to the system centroid
  const Vector6 about_base =
      momentum_about_base(options.momentum, options.momentum_point, start.r_0, workspace.blocks);
  momentum_ = about_base;
  momentum_.tail<3>() -= workspace.blocks.r_0g.cross(about_base.head<3>());
}

Vector3 BaseFlight::centroid_offset(const State& state, Workspace& workspace) const {
  State copy = state;
  workspace.update(model_, copy);
  return workspace.blocks.r_0g;
}

/// [v_0; ω_0] = D q̇ + H_b⁻¹ [P; L_0] with L_0 = L + r_0g × P.
void BaseFlight::set_velocity(State& state, const VectorX& qd, Workspace& workspace) const {
  workspace.update(model_, state);
  const Vector6 about_base =
      momentum_about_base(momentum_, MomentumPoint::system_centroid, state.r_0, workspace.blocks);
  const Vector6 twist = base_twist(workspace.response, qd, about_base);
  state.v_0 = twist.head<3>();
  state.omega_0 = twist.tail<3>();
  state.qd = qd;
}

/// One step of a flight in a chart centred at `now`: writes the turn of the base over h and returns
/// the estimated error, rad; not a number if the turn is too large for the chart.
double BaseFlight::turn_over(const State& now, const VectorX& qd, double h, Vector3& turn,
                             Workspace& workspace) const {
  State stage = now;
  // θ̇ = dexp⁻¹(θ) ω_0
  const auto rate = [&](const Chart& theta, Chart& theta_dot, double since) {
    theta_dot.fill(std::nan(""));
    if (!(vector_of(theta).norm() < kDexpInverseLimit)) return;
    stage.A_0 = turn_by(vector_of(theta), now.A_0);
    stage.q = now.q + since * qd;
    set_velocity(stage, qd, workspace);
    const Vector3 dot = apply_dexp_inverse_so3(vector_of(theta), stage.omega_0);
    theta_dot = {dot.x(), dot.y(), dot.z()};
  };
  boost::numeric::odeint::runge_kutta_fehlberg78<Chart> stepper;
  Chart theta{0.0, 0.0, 0.0}, difference{};
  stepper.do_step(rate, theta, 0.0, h, difference);
  turn = vector_of(theta);
  return turn.norm() <= kLargestTurn ? vector_of(difference).norm() : std::nan("");
}

State BaseFlight::fly(const State& from, const VectorX& q, double duration,
                      const OnStep& on_step) const {
  State now = from;
  now.q = q;
  if (!(duration > 0.0)) return now;
  now.q = from.q;
  Workspace workspace(model_);
  const VectorX displacement = q - from.q;
  const VectorX qd = displacement / duration;
  const Vector3 r_g = from.r_0 + centroid_offset(from, workspace);
  const Vector3 v_g = momentum_.head<3>() / model_.total_mass();
  const double longest = duration / piece_count(displacement, options_.largest_joint_step);
  double h = longest;
  for (double t = 0.0; t < duration;) {
    const bool last = h >= (1.0 - 1e-9) * (duration - t);
    if (last) h = duration - t;
    Vector3 turn;
    const double error = turn_over(now, qd, h, turn, workspace);
    const double factor = step_factor(options_.tolerance, error);
    if (!(error <= options_.tolerance)) {
      h *= std::min(0.9, factor);
      if (h >= kShortestStep * duration) continue;
      throw NumericalError("the attitude of the base cannot be integrated to the tolerance", t, 0,
                           "attitude of the base");
    }
    t = last ? duration : t + h;
    h = std::min(longest, h * factor);
    now.A_0 = turn_by(turn, now.A_0);
    now.q = last ? q : VectorX(from.q + t * qd);
    set_velocity(now, qd, workspace);
    now.r_0 = r_g + t * v_g - workspace.blocks.r_0g;
    if (on_step) on_step(t, now);
  }
  return now;
}

}  // namespace spacedyn
