#include "analysis/system_loads.hpp"

#include <functional>

#include "spacedyn/dynamics/inverse_dynamics.hpp"
#include "spacedyn/forces/passive_joints.hpp"
#include "spacedyn/math/so3.hpp"

namespace spacedyn {
namespace {

/// Step of the differences: with one extrapolation truncation is some h⁴, rounding eps/h.
constexpr double kStep = 0x1p-12;
/// One-sided slopes that differ by more than this part are those of a kink.
constexpr double kRough = 0.05;

/// Calls a function for each element with the part of z that is its own.
template <typename Call>
void for_each_element(const ForcedSystem& system, const DryFriction& friction, const Call& call) {
  int offset = 0;
  const auto visit = [&](const auto& element) {
    call(*element, offset);
    offset += element->auxiliary_size();
  };
  for (const auto& force : system.forces) visit(force);
  for (const auto& controller : system.controllers) visit(controller);
  call(friction, offset);
}

void apply(const ForceElement& element, const Situation& situation, Loads& loads) {
  element.apply(situation, loads);
}

void apply(const Controller& controller, const Situation& situation, Loads& loads) {
  VectorX command(controller.command_size());
  controller.command(situation, command);
  controller.apply(situation, command, loads);
}

/// [F_b; τ] + Σ Jᵀ F of loads, by what inverse dynamics would have to balance.
VectorX generalized_force(const Model& model, const State& state, const Loads& loads) {
  State rest = state;
  rest.v_0.setZero();
  rest.omega_0.setZero();
  rest.qd.setZero();
  Loads wrenches = loads;
  wrenches.gravity.setZero();
  VectorX force = -inverse_dynamics(model, rest, VectorX::Zero(model.velocity_size()), wrenches);
  force.head<6>() += loads.F_b;
  force.tail(model.joint_count()) += loads.tau;
  return force;
}

/// Loads and auxiliary rates as one vector, so that one difference serves both.
class LoadFunction {
 public:
  LoadFunction(const ForcedSystem& system, SystemLoads& loads, double time)
      : model_(*system.model), loads_(loads), time_(time), sum_(*system.model) {}

  /// [F_b; τ; forces; moments; ż]
  VectorX operator()(const State& state) {
    loads_.evaluate(state, time_, sum_, rate_);
    VectorX all(6 + sum_.tau.size() + 2 * sum_.force.size() + rate_.size());
    all << sum_.F_b, sum_.tau, sum_.force.reshaped(), sum_.moment.reshaped(), rate_;
    return all;
  }

  /// Generalized force of a difference, wrenches at their place in @p state.
  VectorX force(const State& state, const VectorX& all) const {
    Loads loads(model_);
    const Eigen::Index n = model_.joint_count(), wrenches = loads.force.size();
    loads.F_b = all.head<6>();
    loads.tau = all.segment(6, n);
    loads.force = all.segment(6 + n, wrenches).reshaped(3, n + 1);
    loads.moment = all.segment(6 + n + wrenches, wrenches).reshaped(3, n + 1);
    return generalized_force(model_, state, loads);
  }
  VectorX rate(const VectorX& all) const { return all.tail(loads_.auxiliary_size()); }

 private:
  const Model& model_;
  SystemLoads& loads_;
  double time_;
  Loads sum_;
  VectorX rate_;
};

struct Slope {
  VectorX value;
  bool rough = false;
};

/// f′(0) by central differences at h and h/2, extrapolated.
Slope slope(const std::function<VectorX(double)>& f) {
  const VectorX here = f(0.0), ahead = f(kStep), behind = f(-kStep);
  const VectorX wide = (ahead - behind) / (2.0 * kStep);
  const VectorX narrow = (f(0.5 * kStep) - f(-0.5 * kStep)) / kStep;
  const VectorX bend = (ahead - 2.0 * here + behind) / kStep;
  const double size = wide.size() == 0 ? 0.0 : wide.cwiseAbs().maxCoeff();
  const double rounding = 1e-9 * (here.size() == 0 ? 0.0 : here.cwiseAbs().maxCoeff());
  const bool rough = bend.size() > 0 && bend.cwiseAbs().maxCoeff() > kRough * size + rounding;
  return {(4.0 * narrow - wide) / 3.0, rough};
}

State displaced(State state, int row, double t) {
  if (row < 3) {
    state.r_0(row) += t;
  } else if (row < 6) {
    state.A_0 = exp_so3(t * Vector3::Unit(row - 3)) * state.A_0;
  } else {
    state.q(row - 6) += t;
  }
  return state;
}

State hastened(State state, int row, double t) {
  if (row < 3) {
    state.v_0(row) += t;
  } else if (row < 6) {
    state.omega_0(row - 3) += t;
  } else {
    state.qd(row - 6) += t;
  }
  return state;
}

}  // namespace

SystemLoads::SystemLoads(const ForcedSystem& system)
    : system_(system),
      friction_(*system.model),
      frames_(*system.model),
      velocities_(*system.model) {
  for_each_element(system, friction_, [&](const Element& element, int) {
    element.check(*system.model);
    add_auxiliaries(element);
  });
}

void SystemLoads::add_auxiliaries(const Element& element) {
  for (int i = 1; i <= element.auxiliary_size(); ++i) {
    auxiliary_names_.push_back(element.name() + ".state_" + std::to_string(i));
  }
  auxiliary_size_ += element.auxiliary_size();
}

VectorX SystemLoads::initial_auxiliary() const {
  VectorX z = VectorX::Zero(auxiliary_size_);
  for_each_element(system_, friction_, [&](const Element& element, int offset) {
    element.auxiliary_initial(z.segment(offset, element.auxiliary_size()));
  });
  return z;
}

void SystemLoads::evaluate(const State& state, double time, Loads& loads, VectorX& auxiliary_rate) {
  const Model& model = *system_.model;
  compute_link_frames(model, state, frames_);
  compute_link_velocities(model, state, frames_, velocities_);
  const auto situation = [&](int offset, int size) {
    return Situation{time, model, state, frames_, velocities_, state.z.segment(offset, size)};
  };
  loads.clear();
  loads.gravity = system_.gravity;
  auxiliary_rate = VectorX::Zero(auxiliary_size_);
  PassiveJoints().apply(situation(0, 0), loads);
  for_each_element(system_, friction_, [&](const auto& element, int offset) {
    const int size = element.auxiliary_size();
    apply(element, situation(offset, size), loads);
    if (size > 0) {
      element.auxiliary_rate(situation(offset, size), auxiliary_rate.segment(offset, size));
    }
  });
}

LoadDerivatives differentiate_loads(const ForcedSystem& system, SystemLoads& loads,
                                    const State& state, double time) {
  const Eigen::Index size = system.model->velocity_size();
  const Eigen::Index auxiliaries = loads.auxiliary_size();
  LoadDerivatives result;
  result.force_configuration = result.force_velocity = MatrixX::Zero(size, size);
  result.force_auxiliary = MatrixX::Zero(size, auxiliaries);
  result.rate_configuration = result.rate_velocity = MatrixX::Zero(auxiliaries, size);
  result.rate_auxiliary = MatrixX::Zero(auxiliaries, auxiliaries);
  result.rough.assign(static_cast<std::size_t>(2 * size + auxiliaries), false);

  LoadFunction function(system, loads, time);
  const auto differentiate = [&](const auto& change, Eigen::Index column, MatrixX& force,
                                 MatrixX& rate, Eigen::Index first) {
    const Slope found = slope([&](double t) { return function(change(t)); });
    force.col(column) = function.force(state, found.value);
    rate.col(column) = function.rate(found.value);
    result.rough[static_cast<std::size_t>(first + column)] = found.rough;
  };
  for (const int row : system.mobility.free()) {
    differentiate([&](double t) { return displaced(state, row, t); }, row,
                  result.force_configuration, result.rate_configuration, 0);
    differentiate([&](double t) { return hastened(state, row, t); }, row, result.force_velocity,
                  result.rate_velocity, size);
  }
  for (Eigen::Index i = 0; i < auxiliaries; ++i) {
    const auto change = [&](double t) {
      State changed = state;
      changed.z(i) += t;
      return changed;
    };
    differentiate(change, i, result.force_auxiliary, result.rate_auxiliary, 2 * size);
  }
  return result;
}

}  // namespace spacedyn
