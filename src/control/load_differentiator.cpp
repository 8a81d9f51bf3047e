#include "control/load_differentiator.hpp"

#include <algorithm>
#include <cmath>

#include "state/state_changes.hpp"

namespace spacedyn {
namespace {

constexpr double kReach = 6e-6;  // ∛eps: truncation and rounding of a central difference alike

double reach_at(double x) { return kReach * std::max(1.0, std::abs(x)); }

double reach_of_position(const State& state, int row) {
  if (row >= 3 && row < 6) return kReach;
  return reach_at(row < 3 ? state.r_0(row) : state.q(row - 6));
}

double reach_of_velocity(const State& state, int row) {
  if (row < 3) return reach_at(state.v_0(row));
  return reach_at(row < 6 ? state.omega_0(row - 3) : state.qd(row - 6));
}

}  // namespace

void add_generalized_change(const EvaluationContext& at, const Loads& from, const Loads& to,
                            double factor, VectorRef force) {
  force.head<6>() += factor * (to.F_b - from.F_b);
  force.tail(at.model.joint_count()) += factor * (to.tau - from.tau);
  for (int body = 0; body < at.model.body_count(); ++body) {
    const Vector3 f = factor * (to.force.col(body) - from.force.col(body));
    const Vector3 n = factor * (to.moment.col(body) - from.moment.col(body));
    if (f.isZero(0.0) && n.isZero(0.0)) continue;
    add_generalized_force(at.model, at.frames, body, f, n, force);
  }
}

LoadDifferentiator::LoadDifferentiator(const Model& model, int auxiliaries, int largest_command,
                                       const Vector3& gravity)
    : moved_(model),
      frames_(model),
      velocities_(model),
      ahead_(model, auxiliaries),
      here_(ahead_),
      command_(VectorX::Zero(largest_command)) {
  moved_.z = VectorX::Zero(auxiliaries);
  for (Sample* sample : {&ahead_, &here_}) sample->loads.gravity = gravity;
}

void LoadDifferentiator::add(const ForceElement& element, const AuxiliarySlice& slice,
                             const Point& point, LoadDerivatives& derivatives) {
  derivatives.slice = slice.offset;
  if (element.differentiate(slice_of(point.context, slice), derivatives)) return;
  waiting_.push_back({&element, &element, nullptr, slice});
}

void LoadDifferentiator::add(const Controller& controller, const AuxiliarySlice& slice,
                             const Command& command, const Point& point,
                             LoadDerivatives& derivatives) {
  derivatives.slice = slice.offset;
  if (controller.differentiate(slice_of(point.context, slice), command.value, command.mode,
                               derivatives)) {
    return;
  }
  waiting_.push_back({&controller, nullptr, &controller, slice, command.mode, &command.value,
                      command.slope, point.context.time, point.context.mobility});
}

void LoadDifferentiator::sample(const Task& task, const Model& model, double time,
                                const LinkFrames& frames, const LinkVelocities& velocities,
                                Sample& sample) {
  const AuxiliarySlice& slice = task.slice;
  const EvaluationContext own{time,    model,      moved_,
                              frames,  velocities, moved_.z.segment(slice.offset, slice.size),
                              nullptr, nullptr,    task.mobility,
                              events_};
  sample.loads.clear();
  if (task.force != nullptr) {
    task.force->apply(own, sample.loads);
    if (slice.size > 0) task.force->auxiliary_rate(own, sample.rate.head(slice.size));
  } else {
    VectorRef commanded = command_.head(task.command->size());
    if (task.mode == CommandMode::continuous) {
      task.controller->command(own, commanded);
    } else {
      commanded = *task.command;
      if (task.slope != nullptr) commanded += (time - task.time) * *task.slope;
    }
    task.controller->apply(own, commanded, sample.loads);
    if (slice.size > 0) task.controller->state_rate(own, commanded, sample.rate.head(slice.size));
  }
}

void LoadDifferentiator::complete(const Point& point, LoadDerivatives& derivatives) {
  if (!point.by_differences) waiting_.clear();
  if (waiting_.empty()) return;
  const bool uses_links = std::any_of(waiting_.begin(), waiting_.end(),
                                      [](const Task& task) { return task.element->uses_links(); });
  const EvaluationContext& here = point.context;
  events_ = here.events;
  for (const int row : point.mobility.free()) {
    const auto by_position = [&](double reach) {
      perturb_configuration(here.model, moved_, row, reach);
      if (!uses_links) return;
      compute_link_frames(here.model, moved_, frames_);
      compute_link_velocities(here.model, moved_, frames_, velocities_);
    };
    differentiate(point, by_position, frames_, reach_of_position(here.state, row),
                  derivatives.force_configuration.col(row),
                  derivatives.rate_configuration.col(row));
    const auto by_velocity = [&](double reach) {
      perturb_velocity(moved_, row, reach);
      if (uses_links) compute_link_velocities(here.model, moved_, here.frames, velocities_);
    };
    differentiate(point, by_velocity, here.frames, reach_of_velocity(here.state, row),
                  derivatives.force_velocity.col(row), derivatives.rate_velocity.col(row));
  }
  for (const Task& task : waiting_) add_by_auxiliaries(task, point, derivatives);
  if (point.delay > 0.0) add_by_time(point, derivatives);
  waiting_.clear();
}

template <typename Move>
void LoadDifferentiator::differentiate(const Point& point, const Move& move,
                                       const LinkFrames& frames, double reach, VectorRef force,
                                       VectorRef rate) {
  // kinematics once for all elements; what they answer behind is kept
  moved_ = point.context.state;
  move(-reach);
  while (behind_.size() < waiting_.size()) behind_.push_back(ahead_);
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    sample(waiting_[i], point.context.model, point.context.time, frames, velocities_, behind_[i]);
  }
  moved_ = point.context.state;
  move(reach);
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    sample(waiting_[i], point.context.model, point.context.time, frames, velocities_, ahead_);
    add_change(point.context, waiting_[i].slice, behind_[i], ahead_, 0.5 / reach, force, rate);
  }
}

void LoadDifferentiator::add_by_auxiliaries(const Task& task, const Point& point,
                                            LoadDerivatives& derivatives) {
  const EvaluationContext& here = point.context;
  moved_ = here.state;
  for (Eigen::Index i = task.slice.offset; i < task.slice.offset + task.slice.size; ++i) {
    const double z = here.state.z(i), reach = reach_at(z);
    moved_.z(i) = z - reach;
    sample(task, here.model, here.time, here.frames, here.velocities, here_);
    moved_.z(i) = z + reach;
    sample(task, here.model, here.time, here.frames, here.velocities, ahead_);
    moved_.z(i) = z;
    add_change(here, task.slice, here_, ahead_, 0.5 / reach, derivatives.force_auxiliary.col(i),
               derivatives.rate_auxiliary.col(i));
  }
}

void LoadDifferentiator::add_by_time(const Point& point, LoadDerivatives& derivatives) {
  // (4 (f₁ − f₀) − (f₂ − f₀)) / 2τ: to one side, for before and far ahead elements need not be
  // smooth
  const EvaluationContext& now = point.context;
  moved_ = now.state;
  for (const Task& task : waiting_) {
    sample(task, now.model, now.time, now.frames, now.velocities, here_);
    for (const double steps : {1.0, 2.0}) {
      sample(task, now.model, now.time + steps * point.delay, now.frames, now.velocities, ahead_);
      add_change(now, task.slice, here_, ahead_, (steps == 1.0 ? 2.0 : -0.5) / point.delay,
                 derivatives.force_time, derivatives.rate_time);
    }
  }
}

void LoadDifferentiator::add_change(const EvaluationContext& at, const AuxiliarySlice& slice,
                                    const Sample& from, const Sample& to, double factor,
                                    VectorRef force, VectorRef rate) const {
  add_generalized_change(at, from.loads, to.loads, factor, force);
  rate.segment(slice.offset, slice.size) +=
      factor * (to.rate.head(slice.size) - from.rate.head(slice.size));
}

}  // namespace spacedyn
