#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "constraints/loop_sizes.hpp"
#include "integration/equations/equations_of_motion.hpp"
#include "integration/equations/motion_terms.hpp"
#include "integration/steppers/stepper.hpp"
#include "math/rodrigues.hpp"
#include "spacedyn/constraints/loop_equations.hpp"
#include "spacedyn/dynamics/tree_dynamics.hpp"
#include "spacedyn/state/followers.hpp"
#include "state/led_matrix.hpp"

namespace spacedyn {
namespace {

/// J = C(θ) π of a midpoint variational integrator on SO(3): the part of π along θ stays, the part
/// across is multiplied by (φ/2) / sin(φ/2), φ = |θ|.
Vector3 across_step(const Vector3& theta, const Vector3& pi) {
  const double phi = theta.norm();
  if (phi == 0.0) return pi;
  const double factor = 0.5 * phi / std::sin(0.5 * phi);
  return factor * pi + (1.0 - factor) * (theta.dot(pi) / (phi * phi)) * theta;
}

/// The midpoint variational integrator on SO(3) × R^{3+n}, symmetric and of order 2.
///
/// From the discrete Lagrangian h L at A_m = Exp(h ω/2) A_k and q_m = q_k + h q̇/2 with the rates
/// ω, q̇ constant over the step, in coordinates that leave the system centroid apart. The canonical
/// momenta J (angular, about the centroid) and p = ∂T/∂q̇ are carried from step to step:
///
///     C(h ω) π = J_k + h M/2,              J_{k+1} = J_k + h M
///     ∂T/∂q̇ = p_k + h (∂T/∂q + Q)/2,      p_{k+1} = p_k + h (∂T/∂q + Q)
///
/// with everything on the right at the midpoint, external moment M and forces Q included. J is
/// therefore constant to the last bit without them, and the centroid moves on a straight line. The
/// velocities of the public state are H⁻¹ of the momenta.
///
/// Where joints follow others, q = G y + g, the discrete Lagrangian is that of y: the equations of
/// joints are multiplied by Gᵀ. Rows of joints that follow are zero, with ones on the diagonal.
class VariationalStepper final : public FixedStepper {
 public:
  VariationalStepper(const SimulationSetup& setup, EquationsOfMotion& equations)
      : equations_(equations),
        floating_(setup.base_mode == BaseMode::floating),
        first_joint_(floating_ ? 3 : 0),
        model_(*setup.model),
        terms_(model_, floating_),
        workspace_(model_),
        H_(model_.velocity_size(), model_.velocity_size()),
        unknown_(VectorX::Zero(first_joint_ + model_.joint_count())),
        residual_(unknown_),
        change_(unknown_),
        unit_(VectorX::Ones(unknown_.size())),
        guess_(unknown_),
        reference_(unknown_),
        passive_(unknown_),
        matrix_(unknown_.size(), unknown_.size()),
        differences_(unknown_.size()) {
    unit_.tail(model_.joint_count()) = joint_sizes(model_, model_size(model_));
  }

  void restart(Restart reason) override {
    if (reason == Restart::state_jumped) start_.known = end_.known = false;
  }

  void transfer(Archive& archive) override {
    archive(start_, end_, offset_, offset_velocity_, numeric_, factorized_for_, matrix_);
    const Eigen::Index size = unknown_.size();
    for (const Node* node : {&start_, &end_}) {
      archive.require(!node->known ||
                      (node->momentum.size() == model_.joint_count() &&
                       node->inertia.rows() == size && node->inertia.cols() == size));
    }
    archive.require(matrix_.rows() == size && matrix_.cols() == size);
    if (archive.reads() && numeric_) differences_.compute(matrix_);
  }

 private:
  static constexpr int kMostIterations = 50;

  void take_step(DifferentialEquation& /*equation*/, Step& step) override {
    EquationsOfMotion& equations = equations_;
    const double h = step.t_new - step.t_old;
    rate_.resize(step.x_old.size());
    if (!begin_at(equations, step)) return;
    if (!numeric_ || h != factorized_for_) {
      numeric_ = false;
      factorize_newton_matrix(h);
    }
    bool converged = iterate(equations, step, h);
    if (!converged) {
      // forces that depend strongly on velocities, for instance of a controller
      equations.failure().clear();
      factorize_differences(equations, step, h);
      converged = !equations.failure() && iterate(equations, step, h);
    }
    if (equations.failure()) return;
    if (converged) {
      finish(equations, step, h);
    } else {
      equations.failure().note(Failure::Cause::iteration_diverged);
    }
  }

  /// Finds the rates of the step. @returns whether they converged
  bool iterate(EquationsOfMotion& equations, const Step& step, double h) {
    start_iteration(equations, step, h);
    double last = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < kMostIterations; ++iteration) {
      if (!compute_residual(equations, step, h)) return false;
      if (numeric_) {
        change_ = differences_.solve(residual_);
      } else {
        change_ = newton_.solve(residual_);
      }
      follow(model_, change_);
      unknown_ -= change_;
      const double size = change_.cwiseQuotient(unit_).norm();
      const double whole = unknown_.cwiseQuotient(unit_).norm();
      constexpr double kEps = std::numeric_limits<double>::epsilon();
      // rounding is reached when a correction no longer shrinks
      const double small = std::max(1e-9 * whole, 64.0 * kEps / h);
      if (iteration > 0 && (size <= kEps * whole || (size < small && size >= last))) {
        return true;
      }
      if (!std::isfinite(size)) return false;
      if (iteration > 2 && size > last) return is_residual_rounding();
      last = size;
    }
    return false;
  }

  /// Whether the residual is no more than roundings of the momenta: rates of long chains, whose
  /// inertia is ill-conditioned, stay uncertain by more.
  bool is_residual_rounding() {
    constexpr double kRoundings = 64.0 * std::numeric_limits<double>::epsilon();
    guess_.noalias() = start_.inertia.cwiseAbs() * unknown_.cwiseAbs();
    for (const Follower& each : model_.followers()) guess_(row_of(each)) = 0.0;
    return residual_.lpNorm<Eigen::Infinity>() <= kRoundings * guess_.maxCoeff();
  }

  /// Momenta at the start: those that the step before ended with, or those of the state.
  bool begin_at(EquationsOfMotion& equations, const Step& step) {
    if (end_.known && end_.time == step.t_old) std::swap(start_, end_);
    end_.known = false;
    if (start_.known && start_.time == step.t_old) {
      offset_ = start_.offset;
      offset_velocity_ = start_.offset_velocity;
      return true;
    }
    if (!update_terms(equations, step.x_old, step.t_old)) return false;
    start_ = {true,           step.t_old,     terms_.r_g,
              terms_.v_g,     terms_.angular, terms_.momentum,
              start_.inertia, offset_,        offset_velocity_};
    compute_inertia(equations, start_.inertia);
    return true;
  }

  bool update_terms(EquationsOfMotion& equations, const VectorX& x, double time) {
    if (!equations.update_kinematics(x, time)) return false;
    terms_.compute(model_, equations.frames(), equations.velocities(), equations.loads());
    offset_ = terms_.r_g - x.segment<3>(StateLayout::r_0);
    offset_velocity_ = terms_.v_g - x.segment<3>(equations.layout().v_0());
    return true;
  }

  /// H without the translation of the centroid: Y − Xᵀ X / w of H = [w E, X; Xᵀ, Y].
  void compute_inertia(const EquationsOfMotion& equations, MatrixX& inertia) {
    composite_rigid_body(equations.state(), workspace_, H_);
    const auto size = unknown_.size();
    inertia = H_.bottomRightCorner(size, size);
    if (floating_) {
      const auto translation = H_.topRightCorner(3, size);  // X of [w E, X; Xᵀ, Y]
      scaled_ = translation / model_.total_mass();
      inertia.noalias() -= scaled_.transpose() * translation;
    }
    lead_both_sides(model_, inertia);
    for (const Follower& each : model_.followers()) inertia(row_of(each), row_of(each)) = 1.0;
  }

  /// Gᵀ f of joint forces, in place.
  void lead_force(VectorX& force) const {
    lead(model_, Eigen::Map<MatrixX>(force.data(), 1, force.size()));
  }

  int row_of(const Follower& follower) const { return first_joint_ + follower.joint - 1; }

  /// What the residual depends on the rates by, up to terms of order h: stiff joints included.
  void factorize_newton_matrix(double h) {
    passive_.setZero();
    for (int joint = 1; joint <= model_.joint_count(); ++joint) {
      const Joint& properties = model_.joint(joint);
      const int row = first_joint_ + joint - 1;
      passive_(row) = 0.25 * h * h * properties.stiffness + 0.5 * h * properties.damping;
    }
    for (const Follower& each : model_.followers()) {
      double& led = passive_(row_of(each));
      passive_(first_joint_ + each.followed - 1) += each.ratio * each.ratio * led;
      led = 0.0;
    }
    matrix_ = start_.inertia;
    matrix_.diagonal() += passive_;
    newton_.compute(matrix_);
  }

  /// The same by differences, kept for later steps of the same size.
  void factorize_differences(EquationsOfMotion& equations, const Step& step, double h) {
    start_iteration(equations, step, h);
    guess_ = unknown_;
    if (!compute_residual(equations, step, h)) return;
    reference_ = residual_;
    for (Eigen::Index column = 0; column < guess_.size(); ++column) {
      const int joint = static_cast<int>(column) - first_joint_ + 1;
      if (joint > 0 && model_.follower(joint) != nullptr) {
        matrix_.col(column) = VectorX::Unit(matrix_.rows(), column);
        continue;
      }
      unknown_ = guess_;
      unknown_(column) += 1e-7 * std::max(unit_(column) / h, std::abs(guess_(column)));
      follow(model_, unknown_);
      if (!compute_residual(equations, step, h)) return;
      matrix_.col(column) = (residual_ - reference_) / (unknown_(column) - guess_(column));
    }
    differences_.compute(matrix_);
    numeric_ = true;
    factorized_for_ = h;
  }

  int first_rate(const EquationsOfMotion& equations) const {
    return floating_ ? equations.layout().omega_0() : equations.layout().qd();
  }

  void start_iteration(const EquationsOfMotion& equations, const Step& step, double h) {
    const int first = first_rate(equations);
    unknown_ = step.x_old.segment(first, unknown_.size()) +
               0.5 * h * step.rate_old.segment(first, unknown_.size());
    follow(model_, unknown_);
    rate_ = step.rate_old;
    middle_velocity_ = start_.centroid_velocity;
  }

  /// The state when a fraction of the step has passed at the rates sought.
  void set_state(const EquationsOfMotion& equations, const Step& step, double elapsed, VectorX& x) {
    const StateLayout& layout = equations.layout();
    x = step.x_old + elapsed * rate_;  // auxiliary states and audit integrals
    x.segment(StateLayout::q, layout.joints) =
        step.x_old.segment(StateLayout::q, layout.joints) + elapsed * unknown_.tail(layout.joints);
    x.segment(first_rate(equations), unknown_.size()) = unknown_;
    if (!floating_) {
      x.segment<6>(0) = step.x_old.segment<6>(0);
      x.segment<6>(layout.v_0()) = step.x_old.segment<6>(layout.v_0());
      return;
    }
    const Vector3 theta = step.x_old.segment<3>(StateLayout::theta);
    x.segment<3>(StateLayout::theta) =
        log_so3(turn_by(elapsed * unknown_.head<3>(), exp_so3(theta)));
    x.segment<3>(StateLayout::r_0) = start_.centroid + elapsed * middle_velocity_ - offset_;
    x.segment<3>(layout.v_0()) = middle_velocity_ - offset_velocity_;
  }

  bool compute_residual(EquationsOfMotion& equations, const Step& step, double h) {
    set_state(equations, step, 0.5 * h, middle_);
    equations(middle_, rate_, step.t_old + 0.5 * h);
    if (equations.failure()) return false;
    terms_.compute(model_, equations.frames(), equations.velocities(), equations.loads());
    residual_.tail(model_.joint_count()) =
        terms_.momentum - start_.momentum - 0.5 * h * (terms_.gradient + terms_.load);
    lead_force(residual_);
    if (!floating_) return true;
    residual_.head<3>() = across_step(h * unknown_.head<3>(), terms_.angular) - start_.angular -
                          0.5 * h * terms_.moment;
    offset_ = terms_.r_g - middle_.segment<3>(StateLayout::r_0);
    offset_velocity_ = terms_.v_g - middle_.segment<3>(equations.layout().v_0());
    middle_velocity_ = start_.centroid_velocity + 0.5 * h / model_.total_mass() * terms_.force;
    return true;
  }

  void finish(EquationsOfMotion& equations, Step& step, double h) {
    end_.momentum = start_.momentum + h * (terms_.gradient + terms_.load);
    end_.angular = start_.angular + h * terms_.moment;
    end_.centroid = start_.centroid + h * middle_velocity_;
    end_.centroid_velocity = start_.centroid_velocity + h / model_.total_mass() * terms_.force;
    set_state(equations, step, h, step.x_new);
    // velocities from momenta, refined once so that the momenta are met to rounding
    if (!update_terms(equations, step.x_new, step.t_new)) return;
    compute_inertia(equations, end_.inertia);
    node_.compute(end_.inertia);
    correct_velocities(equations, step);
    if (!update_terms(equations, step.x_new, step.t_new)) return;
    correct_velocities(equations, step);
    if (!update_terms(equations, step.x_new, step.t_new)) return;
    end_.offset = offset_;
    end_.offset_velocity = offset_velocity_;
    end_.time = step.t_new;
    end_.known = true;
    if (!floating_) return;
    step.x_new.segment<3>(StateLayout::r_0) = end_.centroid - offset_;
    step.x_new.segment<3>(equations.layout().v_0()) = end_.centroid_velocity - offset_velocity_;
  }

  void correct_velocities(const EquationsOfMotion& equations, Step& step) {
    residual_.tail(model_.joint_count()) = end_.momentum - terms_.momentum;
    lead_force(residual_);
    if (floating_) residual_.head<3>() = end_.angular - terms_.angular;
    change_ = node_.solve(residual_);
    follow(model_, change_);
    step.x_new.segment(first_rate(equations), unknown_.size()) += change_;
  }

  EquationsOfMotion& equations_;
  const bool floating_;
  const int first_joint_;  // row of the first joint in what is sought
  const Model& model_;
  MotionTerms terms_;
  TreeWorkspace workspace_;
  MatrixX H_;

  /// What is carried from step to step; offsets are from the base centroid to that of the system.
  struct Node {
    bool known = false;
    double time = 0.0;
    Vector3 centroid, centroid_velocity, angular;
    VectorX momentum;  // of the joints
    MatrixX inertia;
    Vector3 offset, offset_velocity;

    void transfer(Archive& archive) {
      archive(known, time, centroid, centroid_velocity, angular, momentum, inertia, offset,
              offset_velocity);
    }
  };
  Node start_, end_;

  // of the step in work
  VectorX unknown_, residual_, change_;  // rates [ω; q̇], without ω on a fixed base
  VectorX unit_;                         // what they are relative to
  Vector3 middle_velocity_ = Vector3::Zero();
  Vector3 offset_ = Vector3::Zero(), offset_velocity_ = Vector3::Zero();
  VectorX guess_, reference_;  // of differences
  VectorX passive_;            // of springs and dampers, in the matrix of Newton's method
  VectorX middle_, rate_;
  Matrix3X scaled_;
  MatrixX matrix_;
  Eigen::LLT<MatrixX> node_, newton_;
  Eigen::PartialPivLU<MatrixX> differences_;
  bool numeric_ = false;         // whether differences_ is in use
  double factorized_for_ = 0.0;  // s, the step size of differences_
};

}  // namespace

std::unique_ptr<Stepper> make_variational_stepper(const SimulationSetup& setup,
                                                  EquationsOfMotion& equations) {
  return std::make_unique<VariationalStepper>(setup, equations);
}

}  // namespace spacedyn
