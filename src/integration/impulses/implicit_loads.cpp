#include "integration/impulses/implicit_loads.hpp"

namespace spacedyn {
namespace {

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
                      equations.largest_command(), equations.loads().gravity),
      derivatives_(equations.model(), equations.layout().auxiliaries),
      added_(derivatives_.force_velocity),
      by_auxiliary_(derivatives_.force_auxiliary),
      coupling_(derivatives_.rate_velocity),
      matrix_(derivatives_.rate_auxiliary),
      factor_(matrix_.rows()),
      moved_(derivatives_.rate_time) {}

void ImplicitLoads::compute(EquationsOfMotion& equations, double h) {
  h_ = h;
  derivatives_.clear();
  equations.differentiate_known(differentiator_, derivatives_);
  added_ = -0.5 * h * derivatives_.force_velocity - 0.25 * h * h * derivatives_.force_configuration;
  if (moved_.size() == 0) return;
  matrix_ = -0.5 * h * derivatives_.rate_auxiliary;
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

}  // namespace spacedyn
