/// @file
/// Two satellites that a weld holds together, spinning.
#pragma once

#include <cmath>

#include "spacedyn/math/constants.hpp"
#include "spacedyn/model/aggregate.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "spacedyn/state/robot_state.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing {

/// Bodies of 30 and 50 kg, docked along x, that turn about z with a small wobble while their common
/// centroid drifts.
struct DockedPair {
  static constexpr double kRate = 1.5;  // rad/s

  SimulationSetup setup;
  State start;

  /// @param drift  velocity of the common centroid, m/s
  explicit DockedPair(double tolerance, const Vector3& drift = {0.02, -0.02, 0.005}) {
    const auto body = [](double mass, const Vector3& inertia, double port) {
      ModelBuilder builder("body");
      builder.set_base(base_body(mass, inertia));
      FrameDescription frame;
      frame.name = "port";
      frame.link = "base";
      frame.origin.position = {port, 0.0, 0.0};
      builder.add_frame(frame);
      return std::make_shared<const Model>(builder.build());
    };
    const auto a = body(30.0, {2.0, 3.0, 4.0}, 0.5), b = body(50.0, {5.0, 6.0, 7.0}, -0.7);
    const auto model = std::make_shared<const Model>(
        ModelBuilder(aggregate("pair", {{"a", a, true, {}}, {"b", b, true, {}}})).build());
    setup.model = model;
    setup.base_mode = BaseMode::fixed;
    setup.integrator = adaptive(IntegrationMethod::dop853, tolerance);
    LoopDescription weld;
    weld.name = "latch";
    weld.type = LoopType::weld;
    weld.from = "a.port";
    weld.to = "b.port";
    setup.connections.push_back(make_connection(*model, weld, true));
    start = State(*model);
    const Vector3 omega(0.02, 0.01, kRate), arm(1.2, 0.0, 0.0);
    BaseMotion first, second;
    first.omega_0 = second.omega_0 = omega;
    first.v_0 = drift - omega.cross(arm) * (50.0 / 80.0);
    second.r_0 = arm;
    second.v_0 = first.v_0 + omega.cross(arm);
    set_base_motion(*model, model->robots()[0], first, start);
    set_base_motion(*model, model->robots()[1], second, start);
  }

  SimulationResult turn(double revolutions) const {
    return simulate(setup, start, revolutions * 2.0 * kPi / kRate);
  }
};

}  // namespace spacedyn::testing
