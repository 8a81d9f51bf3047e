/// @file
/// Flights as functions of one number, and their derivatives in two ways.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "spacedyn/control/joint_pd.hpp"
#include "spacedyn/integration/sensitivities.hpp"
#include "spacedyn/math/so3.hpp"
#include "support/recorders.hpp"
#include "support/slider.hpp"

namespace spacedyn::testing {

/// A flight as a function of one number.
struct Flight {
  SimulationSetup setup;
  State initial;
};
using Family = std::function<Flight(double)>;

struct Kept final : SensitivityObserver {
  void on_sensitivities(double time, const State& state, const MatrixX& by) override {
    times.push_back(time);
    states.push_back(state);
    all.push_back(by);
  }
  std::vector<double> times;
  std::vector<State> states;
  std::vector<MatrixX> all;
};

inline FlightVariation variation_of(const Family& family, double value, double step) {
  FlightVariation variation;
  variation.name = "'number'";
  variation.step = step;
  for (const double sign : {1.0, -1.0}) {
    const Flight side = family(value + sign * step);
    (sign > 0.0 ? variation.above : variation.below) = {
        std::make_shared<const SimulationSetup>(side.setup), side.initial};
  }
  return variation;
}

inline Kept derive(const Family& family, double value, double duration, double interval) {
  const Flight flight = family(value);
  Kept kept;
  SimulationObserver silent;
  fly_with_sensitivities(flight.setup, flight.initial, {duration, interval},
                         {variation_of(family, value, 1e-5 * std::max(1.0, std::abs(value)))},
                         silent, &kept);
  return kept;
}

/// How far one state is from another, in the rows of sensitivities.
inline VectorX apart(const Model& model, const State& to, const State& from) {
  VectorX change(12 + 2 * model.joint_count() + to.z.size());
  VectorX q = to.q - from.q;
  for (const int first : model.spherical_joints()) {
    q.segment<3>(first - 1) = log_so3(exp_so3(from.q.segment<3>(first - 1)).transpose() *
                                      exp_so3(to.q.segment<3>(first - 1)));
  }
  change << to.r_0 - from.r_0, log_so3(to.A_0 * from.A_0.transpose()), q, to.v_0 - from.v_0,
      to.omega_0 - from.omega_0, to.qd - from.qd, to.z - from.z;
  return change;
}

/// By central differences of whole flights, extrapolated twice: of sixth order.
inline VectorX differences(const Family& family, double value, double duration, double step) {
  const State middle = simulate(family(value).setup, family(value).initial, duration).state;
  const auto central = [&](double h) -> VectorX {
    VectorX sum = VectorX::Zero(0);
    for (const double sign : {1.0, -1.0}) {
      const Flight flight = family(value + sign * h);
      const State end = simulate(flight.setup, flight.initial, duration).state;
      const VectorX change = sign * apart(*flight.setup.model, end, middle);
      sum = sum.size() == 0 ? change : VectorX(sum + change);
    }
    return sum / (2.0 * h);
  };
  const VectorX a = central(step), b = central(step / 2.0), c = central(step / 4.0);
  const VectorX ab = (4.0 * b - a) / 3.0, bc = (4.0 * c - b) / 3.0;
  return (16.0 * bc - ab) / 15.0;
}

inline void expect_differences(const Family& family, double value, double duration, double step,
                               double tolerance = 1e-9) {
  const Kept kept = derive(family, value, duration, duration);
  const VectorX expected = differences(family, value, duration, step);
  EXPECT_LE((kept.all.back().col(0) - expected).norm(), tolerance * (1.0 + expected.norm()))
      << kept.all.back().col(0).transpose() << "\n"
      << expected.transpose();
}

constexpr int kRowQ = 6, kRowQd = 13;  // of a slider

inline Flight slider(double mass, double stiffness, double damping, double q, double qd) {
  Flight flight{slider_setup("slide", mass, stiffness, damping), State()};
  flight.setup.integrator = adaptive(IntegrationMethod::dop853, 1e-13);
  flight.initial = State(*flight.setup.model);
  flight.initial.q(0) = q;
  flight.initial.qd(0) = qd;
  return flight;
}

/// A sampled controller holds −(K q + D q̇) for a period.
inline Flight sampled(double stiffness, double delay) {
  Flight flight = slider(2.0, 0.0, 0.0, 1.0, 0.0);
  JointPd::Settings pd;
  pd.joints = {1};
  pd.stiffness = VectorX::Constant(1, stiffness);
  pd.damping = VectorX::Constant(1, 3.0);
  pd.effort_limit = VectorX::Constant(1, 1e6);
  pd.reference = std::make_shared<ConstantReference>(VectorX::Zero(1));
  pd.sample_period = 0.1;
  pd.digitization.delay = delay;
  flight.setup.controllers = {std::make_shared<JointPd>("hold", pd)};
  return flight;
}

/// Variations of joints alone, of a base that is fixed.
inline std::vector<FlightVariation> joint_variations(const Flight& flight) {
  std::vector<FlightVariation> joints;
  for (FlightVariation& each : initial_variations(*flight.setup.model, flight.initial)) {
    if (each.name.rfind("base.", 0) != 0) joints.push_back(std::move(each));
  }
  return joints;
}

}  // namespace spacedyn::testing
