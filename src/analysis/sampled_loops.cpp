#include "spacedyn/analysis/sampled_loops.hpp"

#include <algorithm>
#include <cmath>

#include "spacedyn/analysis/linearization.hpp"

namespace spacedyn {
namespace {

constexpr Eigen::Index kMostStates = 300;
/// Growth over a period that is no rounding of the double eigenvalues of free bodies.
constexpr double kGrowth = 1e-3;

/// exp(A t) = Φ and ∫ exp(A s) ds = Γ, from the series at t/2ᵏ: Φ ← Φ², Γ ← (E + Φ) Γ.
struct Transition {
  Transition(const MatrixX& A, double time) {
    const double size = A.cwiseAbs().rowwise().sum().maxCoeff() * time;
    const int halvings = std::max(0, static_cast<int>(std::ceil(std::log2(size))) + 2);
    const double step = std::ldexp(time, -halvings);
    const MatrixX one = MatrixX::Identity(A.rows(), A.cols());
    MatrixX term = step * one;
    gamma = term;
    // terms fall by 4 k at least
    for (int k = 2; k < 16; ++k) {
      term = (step / k) * (A * term);
      gamma += term;
    }
    phi = one + A * gamma;
    for (int k = 0; k < halvings; ++k) {
      gamma += phi * gamma;
      phi *= phi;
    }
  }
  MatrixX phi, gamma;
};

/// What [x_k; F x_{k−1}; …] becomes over a period.
MatrixX over_a_period(const MatrixX& A, const MatrixX& F, double period, double delay) {
  const Eigen::Index n = A.rows();
  const auto whole = static_cast<Eigen::Index>(std::floor(delay / period + 1e-9));
  const double rest = std::max(0.0, delay - static_cast<double>(whole) * period);
  const bool is_split = rest > 1e-9 * period;
  const Transition late(A, period - rest);
  const Eigen::Index held = whole + (is_split ? 1 : 0);
  MatrixX T = MatrixX::Zero(n * (held + 1), n * (held + 1));
  T.topLeftCorner(n, n) = is_split ? late.phi * Transition(A, rest).phi : late.phi;
  // of a sample so many periods ago; 0: this one
  const auto add = [&](Eigen::Index age, const MatrixX& effect) {
    if (age == 0) {
      T.topLeftCorner(n, n) += effect * F;
    } else {
      T.block(0, n * age, n, n) += effect;
    }
  };
  add(whole, late.gamma);
  if (is_split) add(whole + 1, late.phi * Transition(A, rest).gamma);
  for (Eigen::Index age = 1; age <= held; ++age) {
    auto block = T.block(n * age, n * (age - 1), n, n);
    block = age == 1 ? F : MatrixX(MatrixX::Identity(n, n));
  }
  return T;
}

double fastest_growth(const MatrixX& A) {
  double most = 0.0;
  for (const EigenMode& mode : eigenmodes(A)) most = std::max(most, mode.eigenvalue.real());
  return most;
}

/// Whether a controller holds torques of joints; what others hold their loads make more of.
bool is_sampled(const Controller& controller) {
  return controller.sample_period() > 0.0 && !controller.driven_joints().joints.empty();
}

}  // namespace

std::vector<SampledLoop> sampled_loops(const ForcedSystem& system, const State& state) {
  std::vector<SampledLoop> loops;
  for (const auto& controller : system.controllers) {
    if (!is_sampled(*controller)) continue;
    const double period = controller->sample_period(), delay = controller->digitization().delay;
    const auto same = std::find_if(loops.begin(), loops.end(), [&](const SampledLoop& loop) {
      return loop.sample_period == period && loop.delay == delay;
    });
    SampledLoop& loop = same == loops.end() ? loops.emplace_back() : *same;
    loop.controllers.push_back(controller->name());
    loop.sample_period = period;
    loop.delay = delay;
  }
  if (loops.empty()) return loops;
  const MatrixX closed = linearize(system, state).A;
  const double growth = fastest_growth(closed);
  const VectorX steady = VectorX::Zero(system.model->velocity_size());
  const auto is_small = [&](const SampledLoop& loop) {
    return (2.0 + loop.delay / loop.sample_period) * static_cast<double>(closed.rows()) <=
           static_cast<double>(kMostStates);
  };
  loops.erase(std::remove_if(loops.begin(), loops.end(),
                             [&](const SampledLoop& loop) { return !is_small(loop); }),
              loops.end());
  for (SampledLoop& loop : loops) {
    DiscreteState discrete(system);
    for (std::size_t i = 0; i < system.controllers.size(); ++i) {
      const auto& names = loop.controllers;
      discrete.controllers[i].on =
          std::count(names.begin(), names.end(), system.controllers[i]->name()) == 0;
    }
    const MatrixX A = linearize(system, state, 0.0, steady, discrete).A;
    for (const EigenMode& mode :
         eigenmodes(over_a_period(A, closed - A, loop.sample_period, loop.delay))) {
      if (mode.omega >= std::abs(loop.eigenvalue)) loop.eigenvalue = mode.eigenvalue;
    }
    const double size = std::abs(loop.eigenvalue);
    loop.is_unstable =
        size > 1.0 + kGrowth && std::log(size) / loop.sample_period > 2.0 * growth + kGrowth;
  }
  return loops;
}

}  // namespace spacedyn
