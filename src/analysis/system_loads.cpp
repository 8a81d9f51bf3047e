#include "analysis/system_loads.hpp"

#include <algorithm>
#include <functional>

#include "spacedyn/forces/passive_joints.hpp"
#include "state/state_changes.hpp"

namespace spacedyn {
namespace {

/// How near a kink must be to be noticed.
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

/// Asks an element for its derivatives.
void differentiate(const ForceElement& element, const AuxiliaryShare& share,
                   const LoadDifferentiator::Point& point, LoadDifferentiator& differentiator,
                   LoadDerivatives& derivatives) {
  differentiator.add(element, share, point, derivatives);
}

void differentiate(const Controller& controller, const AuxiliaryShare& share,
                   const LoadDifferentiator::Point& point, LoadDifferentiator& differentiator,
                   LoadDerivatives& derivatives) {
  VectorX command(controller.command_size());
  controller.command(share_of(point.situation, share), command);
  differentiator.add(controller, share, command, CommandMode::continuous, point, derivatives);
}

/// Loads and auxiliary rates as one vector: [F_b; τ; forces; moments; ż].
class LoadFunction {
 public:
  LoadFunction(const ForcedSystem& system, SystemLoads& loads, double time)
      : loads_(loads), time_(time), sum_(*system.model) {}

  VectorX operator()(const State& state) {
    loads_.evaluate(state, time_, sum_, rate_);
    VectorX all(6 + sum_.tau.size() + 2 * sum_.force.size() + rate_.size());
    all << sum_.F_b, sum_.tau, sum_.force.reshaped(), sum_.moment.reshaped(), rate_;
    return all;
  }

 private:
  SystemLoads& loads_;
  double time_;
  Loads sum_;
  VectorX rate_;
};

/// Whether one-sided slopes at 0 differ more than those of a smooth function.
bool bends(const std::function<VectorX(double)>& f) {
  const VectorX here = f(0.0), ahead = f(kStep), behind = f(-kStep);
  const VectorX slope = (ahead - behind) / (2.0 * kStep);
  const VectorX bend = (ahead - 2.0 * here + behind) / kStep;
  const double size = slope.size() == 0 ? 0.0 : slope.cwiseAbs().maxCoeff();
  const double rounding = 1e-9 * (here.size() == 0 ? 0.0 : here.cwiseAbs().maxCoeff());
  return bend.size() > 0 && bend.cwiseAbs().maxCoeff() > kRough * size + rounding;
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
  for (const auto& controller : system.controllers) {
    largest_command_ = std::max(largest_command_, controller->command_size());
  }
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

void SystemLoads::move_links(const State& state) {
  compute_link_frames(*system_.model, state, frames_);
  compute_link_velocities(*system_.model, state, frames_, velocities_);
}

void SystemLoads::evaluate(const State& state, double time, Loads& loads, VectorX& auxiliary_rate) {
  const Model& model = *system_.model;
  move_links(state);
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

LoadDerivatives SystemLoads::differentiate(const State& state, double time) {
  const Model& model = *system_.model;
  move_links(state);
  LoadDerivatives derivatives(model, auxiliary_size_);
  LoadDifferentiator differentiator(model, auxiliary_size_, largest_command_, system_.gravity);
  const Situation situation{time, model, state, frames_, velocities_, state.z};
  const LoadDifferentiator::Point point{situation, system_.mobility, 0.0};
  differentiator.add(PassiveJoints(), {}, point, derivatives);
  for_each_element(system_, friction_, [&](const auto& element, int offset) {
    spacedyn::differentiate(element, {offset, element.auxiliary_size()}, point, differentiator,
                            derivatives);
  });
  return derivatives;
}

std::vector<bool> rough_columns(const ForcedSystem& system, SystemLoads& loads, const State& state,
                                double time) {
  const int size = system.model->velocity_size();
  const int auxiliaries = loads.auxiliary_size();
  std::vector<bool> rough(static_cast<std::size_t>(2 * size + auxiliaries), false);
  LoadFunction function(system, loads, time);
  const auto look = [&](int column, const auto& change) {
    rough[static_cast<std::size_t>(column)] = bends([&](double t) {
      State changed = state;
      change(changed, t);
      return function(changed);
    });
  };
  for (const int row : system.mobility.free()) {
    look(row, [row](State& changed, double t) { displace(changed, row, t); });
    look(size + row, [row](State& changed, double t) { hasten(changed, row, t); });
  }
  for (int i = 0; i < auxiliaries; ++i) {
    look(2 * size + i, [i](State& changed, double t) { changed.z(i) += t; });
  }
  return rough;
}

}  // namespace spacedyn
