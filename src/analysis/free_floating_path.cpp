#include "spacedyn/analysis/free_floating_path.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "analysis/base_flight.hpp"
#include "constraints/loop_sizes.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/inertia/generalized_jacobian.hpp"
#include "spacedyn/state/followers.hpp"
#include "state/spherical.hpp"

namespace spacedyn {
namespace {

void check_path(const Model& model, const FreeFloatingPath& path) {
  if (path.states.empty() || path.time.size() != path.states.size()) {
    throw DomainError("the path has " + std::to_string(path.states.size()) + " states and " +
                      std::to_string(path.time.size()) +
                      " times, expected as many of both and at least one");
  }
  path.states.back().check(model);
}

void check_knots(const Model& model, double start, const std::vector<JointKnot>& knots) {
  double before = start;
  for (std::size_t k = 0; k < knots.size(); ++k) {
    const std::string name = "knot " + std::to_string(k + 1) + ": ";
    if (knots[k].q.size() != model.joint_count()) {
      throw DimensionError(name + "q has " + std::to_string(knots[k].q.size()) +
                           " elements, expected " + std::to_string(model.joint_count()) +
                           ", one per joint");
    }
    if (!knots[k].q.allFinite()) throw DomainError(name + "q is not finite");
    if (!std::isfinite(knots[k].time) || !(knots[k].time > before)) {
      throw DomainError(name + "its time must be finite and after the one before");
    }
    before = knots[k].time;
  }
}

}  // namespace

FreeFloatingPath continue_free_floating_path(const Model& model, FreeFloatingPath path,
                                             const std::vector<JointKnot>& knots,
                                             const FlightOptions& options) {
  refuse_spherical_joints(model, "paths of joints are straight lines of their positions");
  require_tree(model, "a free-floating path");
  check_path(model, path);
  check_knots(model, path.time.back(), knots);
  const BaseFlight flight(model, path.states.back(), options);
  for (const JointKnot& knot : knots) {
    State from = path.states.back(), to = from;
    to.q = knot.q;
    follow(model, from);
    follow(model, to);
    const double start = path.time.back();
    const double duration = knot.time - start;
    flight.fly(from, to.q, duration, [&](double t, const State& state) {
      path.time.push_back(t == duration ? knot.time : start + t);
      path.states.push_back(state);
    });
  }
  return path;
}

FloatingBase::FloatingBase(const Model& model, const State& start, const FlightOptions& options,
                           double joint_speed)
    : model_(model),
      flight_(model, start, options),
      speed_(VectorX::Constant(model.joint_count(), joint_speed)),
      jacobians_(model),
      blocks_(model),
      response_(model) {
  for (int joint = 1; joint <= model.joint_count(); ++joint) {
    speed_(joint - 1) = std::min(joint_speed, model.joint(joint).velocity_limit);
  }
}

void FloatingBase::update(const LinkFrames& frames) {
  compute_inertia_blocks(model_, frames, jacobians_, blocks_);
  if (compute_base_response(model_, blocks_, response_) != InertiaStatus::ok) {
    throw NumericalError("the inertia of the base is singular: no mass, or all mass on one line",
                         0.0, 0, "base inertia");
  }
  momentum_about_base_ =
      momentum_about_base(flight_.momentum(), MomentumPoint::system_centroid, frames.r[0], blocks_);
}

void FloatingBase::frame_jacobian(const LinkFrames& frames, const Frame& frame,
                                  Eigen::Ref<Matrix6X> J) const {
  Matrix6X J_m(6, model_.joint_count());
  spacedyn::frame_jacobian(model_, frames, frame, J_m);
  generalized_jacobian(J_m, base_jacobian(frames, frame), response_, J);
}

Vector6 FloatingBase::drift(const LinkFrames& frames, const Frame& frame) const {
  return twist_offset(base_jacobian(frames, frame), response_, momentum_about_base_);
}

double FloatingBase::duration(const VectorX& displacement) const {
  return displacement.size() == 0 ? 0.0 : displacement.cwiseAbs().cwiseQuotient(speed_).maxCoeff();
}

State FloatingBase::move(const State& from, const VectorX& q) const {
  return flight_.fly(from, q, duration(q - from.q), {});
}

}  // namespace spacedyn
