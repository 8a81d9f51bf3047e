/// @file
/// What elements say about derivatives of their loads, beside differences of the loads.
#pragma once

#include <functional>
#include <memory>

#include <gtest/gtest.h>

#include "spacedyn/control/controller.hpp"
#include "spacedyn/forces/element.hpp"
#include "spacedyn/forces/load_derivatives.hpp"
#include "spacedyn/kinematics/jacobians.hpp"
#include "support/contexts.hpp"
#include "support/finite_differences.hpp"
#include "support/state_changes.hpp"

namespace spacedyn::testing {

inline constexpr double kTime = 0.4;  // s

/// One element, and how it acts.
class Subject {
 public:
  virtual ~Subject() = default;
  virtual int auxiliaries() const = 0;
  virtual void apply(const EvaluationContext& at, Loads& loads, VectorRef rate) const = 0;
  virtual bool differentiate(const EvaluationContext& at, LoadDerivatives& derivatives) const = 0;
};

class ForceSubject final : public Subject {
 public:
  explicit ForceSubject(std::shared_ptr<const ForceElement> force) : force_(std::move(force)) {}
  int auxiliaries() const override { return force_->auxiliary_size(); }
  void apply(const EvaluationContext& at, Loads& loads, VectorRef rate) const override {
    force_->apply(at, loads);
    force_->auxiliary_rate(at, rate);
  }
  bool differentiate(const EvaluationContext& at, LoadDerivatives& derivatives) const override {
    return force_->differentiate(at, derivatives);
  }

 private:
  std::shared_ptr<const ForceElement> force_;
};

/// A controller, its command computed anew in each context or held from the first one.
class ControllerSubject final : public Subject {
 public:
  ControllerSubject(std::shared_ptr<const Controller> controller, CommandMode mode)
      : controller_(std::move(controller)),
        mode_(mode),
        held_(VectorX::Constant(controller_->command_size(), 0.7)) {}
  int auxiliaries() const override { return controller_->auxiliary_size(); }
  void apply(const EvaluationContext& at, Loads& loads, VectorRef rate) const override {
    VectorX command = held_;
    if (mode_ == CommandMode::continuous) controller_->command(at, command);
    controller_->apply(at, command, loads);
    controller_->state_rate(at, command, rate);
  }
  bool differentiate(const EvaluationContext& at, LoadDerivatives& derivatives) const override {
    return controller_->differentiate(at, held_, mode_, derivatives);
  }

 private:
  std::shared_ptr<const Controller> controller_;
  CommandMode mode_;
  VectorX held_;
};

/// [F_b; τ; forces; moments; ż] as one column.
inline MatrixX everything(const Model& model, const Subject& subject, const State& state,
                          double time) {
  const Snapshot snapshot(model, state);
  Loads loads(model);
  VectorX rate = VectorX::Zero(state.z.size());
  subject.apply(snapshot.at(time), loads, rate);
  VectorX all(6 + loads.tau.size() + 2 * loads.force.size() + rate.size());
  all << loads.F_b, loads.tau, loads.force.reshaped(), loads.moment.reshaped(), rate;
  return all;
}

/// [Q; ż] of a change of everything(), wrenches at their place in @p state.
inline VectorX generalized(const Model& model, const State& state, const VectorX& all) {
  const Snapshot snapshot(model, state);
  const LinkFrames& frames = snapshot.frames();
  const int n = model.joint_count(), bodies = model.body_count();
  VectorX result(6 + n + state.z.size());
  result << all.head(6 + n), all.tail(state.z.size());
  Matrix3X J_T(3, n), J_R(3, n);
  for (int body = 0; body < bodies; ++body) {
    const Vector3 f = all.segment<3>(6 + n + 3 * body);
    const Vector3 moment = all.segment<3>(6 + n + 3 * bodies + 3 * body);
    if (f.isZero(0.0) && moment.isZero(0.0)) continue;
    translational_jacobian(model, frames, body, J_T);
    rotational_jacobian(model, frames, body, J_R);
    const Vector3 arm = frames.r[static_cast<std::size_t>(body)] - frames.r[0];
    result.head<3>() += f;
    result.segment<3>(3) += moment + arm.cross(f);
    result.segment(6, n) += J_T.transpose() * f + J_R.transpose() * moment;
  }
  return result;
}

/// Derivatives side by side by configuration, velocity, z and time: [Q; ż] in the rows.
inline MatrixX differences(const Model& model, const Subject& subject, const State& state) {
  const int size = model.velocity_size();
  const auto z = state.z.size();
  MatrixX result(size + z, 2 * size + z + 1);
  Eigen::Index column = 0;
  const auto add = [&](const std::function<MatrixX(double)>& f) {
    // short enough to stay on one branch
    result.col(column++) = generalized(model, state, derivative(f, 2e-3).value);
  };
  for (int i = 0; i < size; ++i)
    add([&](double t) { return everything(model, subject, displaced(model, state, i, t), kTime); });
  for (int i = 0; i < size; ++i) {
    add([&](double t) {
      return everything(model, subject, with_perturbed_velocity(state, i, t), kTime);
    });
  }
  for (Eigen::Index i = 0; i < z; ++i) {
    add([&](double t) {
      State changed = state;
      changed.z(i) += 0.05 * t;  // bristles give way by a thousandth
      return MatrixX(20.0 * everything(model, subject, changed, kTime));
    });
  }
  add([&](double t) { return everything(model, subject, state, kTime + t); });
  return result;
}

inline MatrixX stacked(const LoadDerivatives& d) {
  MatrixX result(d.force_time.size() + d.rate_time.size(),
                 2 * d.force_time.size() + d.rate_time.size() + 1);
  result << d.force_configuration, d.force_velocity, d.force_auxiliary, d.force_time,
      d.rate_configuration, d.rate_velocity, d.rate_auxiliary, d.rate_time;
  return result;
}

/// To rounding of loads over the shortest step of the differences, some 1e-4.
inline void expect_right_derivatives(const Model& model, const Subject& subject,
                                     const State& state) {
  LoadDerivatives derivatives(model, static_cast<int>(state.z.size()));
  const Snapshot snapshot(model, state);
  ASSERT_TRUE(subject.differentiate(snapshot.at(kTime), derivatives));
  const MatrixX expected = differences(model, subject, state);
  const double scale = 1.0 + expected.cwiseAbs().maxCoeff();
  EXPECT_LE((stacked(derivatives) - expected).cwiseAbs().maxCoeff(), 1e-9 * scale);
}

}  // namespace spacedyn::testing
