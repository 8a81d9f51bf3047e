#include "integration/impulses/implicit_loads.hpp"

#include <algorithm>
#include <cmath>

namespace spacedyn {
namespace {

constexpr int kMostBrackets = 60;
/// Residual of a mean of z that is good enough, relative to z.
constexpr double kKnown = 1e-13;
/// Parts of z that are too short to find slopes along them.
constexpr double kLeastWay = 1e-6;

bool has_loads(const SystemElements& elements) {
  for (const SystemElements::Slot& slot : elements.slots()) {
    if (slot.declared.rigid == nullptr) return true;
  }
  return false;
}

}  // namespace

ImplicitLoads::ImplicitLoads(const EquationsOfMotion& equations)
    : is_idle_(!has_loads(equations.elements())),
      differentiator_(equations.model(), equations.layout().auxiliaries,
                      largest_command(equations.elements().system()), equations.loads().gravity),
      derivatives_(equations.model(), equations.layout().auxiliaries),
      added_(derivatives_.force_velocity),
      by_auxiliary_(derivatives_.force_auxiliary),
      coupling_(derivatives_.rate_velocity),
      matrix_(derivatives_.rate_auxiliary),
      factor_(matrix_.rows()),
      moved_(derivatives_.rate_time),
      decay_(moved_) {}

void ImplicitLoads::begin(double h) {
  h_ = h;
  decay_.setZero();
}

void ImplicitLoads::compute(EquationsOfMotion& equations) {
  const double h = h_;
  derivatives_.clear();
  equations.elements().differentiate({equations.context(), equations.mobility(), 0.0, false},
                                     equations.discrete(), differentiator_,
                                     equations.element_memory(), derivatives_);
  added_ = -0.5 * h * derivatives_.force_velocity - 0.25 * h * h * derivatives_.force_configuration;
  if (moved_.size() == 0) return;
  matrix_ = -0.5 * h * derivatives_.rate_auxiliary;
  decay_ = decay_.cwiseMax(2.0 * matrix_.diagonal());
  matrix_.diagonal().array() += 1.0;
  factor_.compute(matrix_);
  // a row of by_auxiliary_ is a solution with the transpose
  for (Eigen::Index row = 0; row < by_auxiliary_.rows(); ++row) {
    moved_ = h * derivatives_.force_auxiliary.row(row).transpose();
    if (!moved_.isZero(0.0)) moved_ = factor_.transpose().solve(moved_).eval();
    by_auxiliary_.row(row) = moved_.transpose();
  }
  coupling_ = 0.5 * h * derivatives_.rate_velocity + 0.25 * h * h * derivatives_.rate_configuration;
  added_.noalias() -= 0.5 * by_auxiliary_ * coupling_;
}

void ImplicitLoads::add_reach(ConstVectorRef change, VectorRef impulse) const {
  impulse.noalias() += 0.25 * h_ * h_ * derivatives_.force_configuration * change;
}

void ImplicitLoads::add_auxiliary(ConstVectorRef residual, VectorRef impulse) const {
  if (residual.size() > 0) impulse.noalias() += by_auxiliary_ * residual;
}

void ImplicitLoads::move_auxiliary(ConstVectorRef residual, ConstVectorRef velocities,
                                   VectorRef z) {
  if (z.size() == 0) return;
  moved_ = residual;
  moved_.noalias() += coupling_ * velocities;
  z += factor_.solve(moved_);
}

void ImplicitLoads::settle(EquationsOfMotion& equations, ConstVectorRef z, VectorX& mean) {
  rate_.resize(z.size());
  guess_ = mean;
  const auto residual = [&](const VectorX& at, VectorX& out) {
    equations.set_auxiliary(at);
    equations.elements().auxiliary_rate(equations.context(), equations.discrete(),
                                        equations.element_memory(), rate_);
    out = at - z - 0.5 * h_ * rate_;
  };
  low_ = mean;
  residual(low_, at_low_);
  at_guess_ = at_low_;
  const double first = at_low_.norm();
  high_ = low_ - at_low_;
  residual(high_, at_high_);
  for (int i = 0; i < kMostBrackets; ++i) {
    // the Illinois rule: a side that stays counts half
    for (Eigen::Index k = 0; k < z.size(); ++k) {
      const double span = at_low_(k) - at_high_(k);
      moved_(k) = span == 0.0 ? high_(k) : high_(k) + (low_(k) - high_(k)) * -at_high_(k) / span;
    }
    residual(moved_, mean);
    bool is_known = true;
    for (Eigen::Index k = 0; k < z.size(); ++k) {
      if (mean(k) * at_high_(k) <= 0.0) {
        low_(k) = high_(k);
        at_low_(k) = at_high_(k);
      } else {
        at_low_(k) *= 0.5;
      }
      high_(k) = moved_(k);
      at_high_(k) = mean(k);
      is_known = is_known && std::abs(mean(k)) <= kKnown * (std::abs(z(k)) + std::abs(high_(k)));
    }
    if (is_known) break;
  }
  mean = at_high_.norm() < first ? high_ : guess_;
  // the slope of the residual from the guess on, 1 − h/2 ∂ż/∂z
  for (Eigen::Index k = 0; k < z.size(); ++k) {
    const double way = guess_(k) - mean(k);
    if (std::abs(way) <= kLeastWay * std::abs(mean(k))) continue;
    decay_(k) = std::max(decay_(k), 2.0 * (at_guess_(k) / way - 1.0));
  }
}

bool ImplicitLoads::finish(ConstVectorRef z, ConstVectorRef mean, VectorRef end) const {
  end = 2.0 * mean - z;
  bool is_fast = false;
  for (Eigen::Index i = 0; i < z.size(); ++i) {
    if (!(decay_(i) > 2.0)) continue;
    end(i) = mean(i) + 2.0 / decay_(i) * (mean(i) - z(i));
    is_fast = true;
  }
  return is_fast;
}

}  // namespace spacedyn
