#include "analysis/system_loads.hpp"

#include <algorithm>
#include <functional>

#include "state/state_changes.hpp"

namespace spacedyn {
namespace {

/// How near a kink must be to be noticed.
constexpr double kStep = 0x1p-12;
/// One-sided slopes that differ by more than this part are those of a kink.
constexpr double kRough = 0.05;

/// Loads and auxiliary rates as one vector: [F_b; τ; forces; moments; ż].
class LoadFunction {
 public:
  explicit LoadFunction(SystemLoads& loads)
      : loads_(loads), sum_(*loads.elements().system().model) {}

  VectorX operator()(const State& state) {
    loads_.evaluate(state, sum_, rate_);
    VectorX all(6 + sum_.tau.size() + 2 * sum_.force.size() + rate_.size());
    all << sum_.F_b, sum_.tau, sum_.force.reshaped(), sum_.moment.reshaped(), rate_;
    return all;
  }

 private:
  SystemLoads& loads_;
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

SystemLoads::SystemLoads(const ForcedSystem& system, const DiscreteState& discrete, double time)
    : system_(system),
      discrete_(discrete),
      time_(time),
      elements_(system),
      workspace_(elements_),
      mobility_(spacedyn::mobility(system, discrete)),
      frames_(*system.model),
      velocities_(*system.model) {
  elements_.check();
}

EvaluationContext SystemLoads::at(const State& state) {
  const Model& model = *system_.model;
  compute_link_frames(model, state, frames_);
  compute_link_velocities(model, state, frames_, velocities_);
  return {time_, model, state, frames_, velocities_, state.z};
}

void SystemLoads::evaluate(const State& state, Loads& loads, VectorX& auxiliary_rate) {
  const EvaluationContext context = at(state);
  loads.clear();
  loads.gravity = system_.gravity;
  elements_.apply(context, discrete_, workspace_, loads, CommandMode::continuous);
  auxiliary_rate = VectorX::Zero(elements_.auxiliary_size());
  elements_.auxiliary_rate(context, discrete_, workspace_, auxiliary_rate);
}

LoadDerivatives SystemLoads::differentiate(const State& state) {
  const Model& model = *system_.model;
  const int auxiliaries = elements_.auxiliary_size();
  LoadDerivatives derivatives(model, auxiliaries);
  LoadDifferentiator differentiator(model, auxiliaries, largest_command(elements_.system()),
                                    system_.gravity);
  const EvaluationContext context = at(state);
  elements_.differentiate({context, mobility_, 0.0}, discrete_, differentiator, workspace_,
                          derivatives, CommandMode::continuous);
  return derivatives;
}

std::vector<bool> rough_columns(SystemLoads& loads, const State& state) {
  const Model& model = *loads.elements().system().model;
  const int size = model.velocity_size();
  const int auxiliaries = loads.elements().auxiliary_size();
  std::vector<bool> rough(static_cast<std::size_t>(2 * size + auxiliaries), false);
  LoadFunction function(loads);
  const auto look = [&](int column, const auto& change) {
    rough[static_cast<std::size_t>(column)] = bends([&](double t) {
      State changed = state;
      change(changed, t);
      return function(changed);
    });
  };
  for (const int row : loads.mobility().free()) {
    look(row, [&model, row](State& changed, double t) {
      perturb_configuration(model, changed, row, t);
    });
    look(size + row, [row](State& changed, double t) { perturb_velocity(changed, row, t); });
  }
  for (int i = 0; i < auxiliaries; ++i) {
    look(2 * size + i, [i](State& changed, double t) { changed.z(i) += t; });
  }
  return rough;
}

}  // namespace spacedyn
