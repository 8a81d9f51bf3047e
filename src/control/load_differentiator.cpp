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

LoadDifferentiator::LoadDifferentiator(const Model& model, int auxiliaries, int largest_command,
                                       const Vector3& gravity)
    : moved_(model),
      frames_(model),
      velocities_(model),
      behind_(model, auxiliaries),
      ahead_(behind_),
      here_(behind_),
      command_(VectorX::Zero(largest_command)) {
  moved_.z = VectorX::Zero(auxiliaries);
  for (Sample* sample : {&behind_, &ahead_, &here_}) sample->loads.gravity = gravity;
}

void LoadDifferentiator::add(const ForceElement& element, const AuxiliarySlice& slice,
                             const Point& point, LoadDerivatives& derivatives) {
  derivatives.slice = slice.offset;
  if (element.differentiate(slice_of(point.context, slice), derivatives)) return;
  const auto apply = [&](const EvaluationContext& own, Loads& loads) { element.apply(own, loads); };
  add_differences(element, slice, point, apply, derivatives);
}

void LoadDifferentiator::add(const Controller& controller, const AuxiliarySlice& slice,
                             ConstVectorRef command, CommandMode mode, const Point& point,
                             LoadDerivatives& derivatives) {
  derivatives.slice = slice.offset;
  if (controller.differentiate(slice_of(point.context, slice), command, mode, derivatives)) {
    return;
  }
  const auto apply = [&](const EvaluationContext& own, Loads& loads) {
    VectorRef commanded = command_.head(command.size());
    if (mode == CommandMode::continuous) {
      controller.command(own, commanded);
    } else {
      commanded = command;
    }
    controller.apply(own, commanded, loads);
  };
  add_differences(controller, slice, point, apply, derivatives);
}

void LoadDifferentiator::add_rate(const Element& element, const AuxiliarySlice& slice,
                                  const Point& point, LoadDerivatives& derivatives) {
  const auto nothing = [](const EvaluationContext&, Loads&) {};
  add_differences(element, slice, point, nothing, derivatives);
}

template <typename Apply>
void LoadDifferentiator::add_differences(const Element& element, const AuxiliarySlice& slice,
                                         const Point& point, const Apply& apply,
                                         LoadDerivatives& derivatives) {
  const EvaluationContext& here = point.context;
  const auto sample_at = [&](const State& state, double time, Sample& sample) {
    if (element.uses_links()) {
      compute_link_frames(here.model, state, frames_);
      compute_link_velocities(here.model, state, frames_, velocities_);
    }
    const EvaluationContext own{time,    here.model,  state,
                                frames_, velocities_, state.z.segment(slice.offset, slice.size)};
    sample.loads.clear();
    apply(own, sample.loads);
    if (slice.size > 0) element.auxiliary_rate(own, sample.rate.head(slice.size));
  };
  const auto differentiate = [&](const auto& move, double reach, VectorRef force, VectorRef rate) {
    moved_ = here.state;
    move(-reach);
    sample_at(moved_, here.time, behind_);
    moved_ = here.state;
    move(reach);
    sample_at(moved_, here.time, ahead_);
    add_change(here, slice, behind_, ahead_, 0.5 / reach, force, rate);
  };
  for (const int row : point.mobility.free()) {
    differentiate([&](double t) { perturb_configuration(here.model, moved_, row, t); },
                  reach_of_position(here.state, row), derivatives.force_configuration.col(row),
                  derivatives.rate_configuration.col(row));
    differentiate([&](double t) { perturb_velocity(moved_, row, t); },
                  reach_of_velocity(here.state, row), derivatives.force_velocity.col(row),
                  derivatives.rate_velocity.col(row));
  }
  for (Eigen::Index i = 0; i < here.state.z.size(); ++i) {
    differentiate([&](double t) { moved_.z(i) += t; }, reach_at(here.state.z(i)),
                  derivatives.force_auxiliary.col(i), derivatives.rate_auxiliary.col(i));
  }
  if (point.delay > 0.0) add_by_time(slice, point, sample_at, derivatives);
}

template <typename SampleAt>
void LoadDifferentiator::add_by_time(const AuxiliarySlice& slice, const Point& point,
                                     const SampleAt& sample_at, LoadDerivatives& derivatives) {
  // (4 (f₁ − f₀) − (f₂ − f₀)) / 2τ: to one side, for before and far ahead elements need not be
  // smooth
  const EvaluationContext& now = point.context;
  sample_at(now.state, now.time, here_);
  sample_at(now.state, now.time + point.delay, behind_);
  sample_at(now.state, now.time + 2.0 * point.delay, ahead_);
  add_change(now, slice, here_, behind_, 2.0 / point.delay, derivatives.force_time,
             derivatives.rate_time);
  add_change(now, slice, here_, ahead_, -0.5 / point.delay, derivatives.force_time,
             derivatives.rate_time);
}

void LoadDifferentiator::add_change(const EvaluationContext& at, const AuxiliarySlice& slice,
                                    const Sample& from, const Sample& to, double factor,
                                    VectorRef force, VectorRef rate) const {
  force.head<6>() += factor * (to.loads.F_b - from.loads.F_b);
  force.tail(at.model.joint_count()) += factor * (to.loads.tau - from.loads.tau);
  for (int body = 0; body < at.model.body_count(); ++body) {
    const Vector3 f = factor * (to.loads.force.col(body) - from.loads.force.col(body));
    const Vector3 n = factor * (to.loads.moment.col(body) - from.loads.moment.col(body));
    if (f.isZero(0.0) && n.isZero(0.0)) continue;
    add_generalized_force(at.model, at.frames, body, f, n, force);
  }
  rate.segment(slice.offset, slice.size) +=
      factor * (to.rate.head(slice.size) - from.rate.head(slice.size));
}

}  // namespace spacedyn
