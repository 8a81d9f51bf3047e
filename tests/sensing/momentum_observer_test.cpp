// What the momentum of a robot says about the forces on it, against a first-order lag.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "support/message_of.hpp"
#include "support/random_models.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::momentum_observer_test {
namespace {

/// A force and a moment on a body, inertial, from a time on.
class Push final : public ForceElement {
 public:
  Push(const Frame& at, const Vector6& wrench, double from)
      : ForceElement("push"), at_(at), wrench_(wrench), from_(from) {}
  void apply(const EvaluationContext& context, Loads& loads) const override {
    if (context.time < from_) return;
    const Vector3 force = wrench_.head<3>();
    const Vector3 arm =
        frame_position(context.frames, at_) - context.frames.r[static_cast<std::size_t>(at_.body)];
    loads.force.col(at_.body) += force;
    loads.moment.col(at_.body) += wrench_.tail<3>() + arm.cross(force);
  }
  void append_discontinuities(std::vector<double>& times) const override { times.push_back(from_); }

 private:
  Frame at_;
  Vector6 wrench_;
  double from_;
};

/// The readings in inertial axes.
class Observed final : public SimulationObserver {
 public:
  explicit Observed(Frame at) : at_(std::move(at)) {}
  void on_output(const SimulationPoint& point) override {
    const Matrix3 A = frame_orientation(point.frames, at_);
    const VectorX& read = point.discrete.sensors.front().reading;
    times.push_back(point.time);
    wrench.emplace_back();
    wrench.back() << A * read.head<3>(), A * read.tail<3>();
  }
  std::vector<double> times;
  std::vector<Vector6> wrench;

 private:
  Frame at_;
};

/// An arm that swings freely, pushed at its third link from 0.5 s on.
struct Arm {
  explicit Arm(double period) {
    RandomModels random(5);
    setup.model = std::make_shared<Model>(random.model({6, 1, 0.3, true}));
    setup.integrator = adaptive(IntegrationMethod::dop853, 1e-12);
    setup.gravity = Vector3(0.3, -0.2, -1.6);
    initial = random.state(*setup.model);
    initial.qd *= 0.2;
    initial.omega_0 *= 0.2;
    at = Frame{"touch", 3, random.vector(3), random.rotation()};
    setup.forces = {std::make_shared<Push>(at, push, 0.5)};
    Sensor sensor;
    sensor.name = "touch";
    sensor.type = SensorType::momentum_observer;
    sensor.at = at;
    sensor.gain = 8.0;
    sensor.sample_period = period;
    setup.sensors = {sensor};
  }
  /// Largest errors of force and moment, and the force and moment themselves.
  std::pair<double, double> errors() const {
    Observed observed(at);
    Simulator(setup).run(initial, 1.5, 0.1, observed);
    std::pair<double, double> found;
    for (std::size_t i = 0; i < observed.times.size(); ++i) {
      const double since = std::max(0.0, observed.times[i] - 0.5);
      const Vector6 error = observed.wrench[i] - push * (1.0 - std::exp(-8.0 * since));
      found.first = std::max(found.first, error.head<3>().norm());
      found.second = std::max(found.second, error.tail<3>().norm());
    }
    return found;
  }

  const Vector6 push = (Vector6() << 3.0, -2.0, 1.0, 0.4, 0.6, -0.5).finished();
  SimulationSetup setup;
  State initial;
  Frame at;
};

TEST(MomentumObservers, LagBehindAKnownWrenchByTheirGain) {
  // sampled exactly: force to the error of the integration over the period; the moment of the
  // momentum about a point that moves by the trapezoidal rule, of the second order
  const auto [force, moment] = Arm(0.01).errors();
  const auto [finer_force, finer_moment] = Arm(0.005).errors();
  EXPECT_LE(force, 1e-7);
  EXPECT_LE(finer_force, 1e-7);
  EXPECT_LE(moment, 5e-3);
  EXPECT_NEAR(std::log2(moment / finer_moment), 2.0, 0.1) << moment;
}

TEST(MomentumObservers, ErrAsOtherSensorsBySeedAndName) {
  Arm arm(0.1);
  arm.setup.sensors.front().errors.noise = VectorX::Constant(6, 0.2);
  arm.setup.sensors.front().errors.bias = VectorX::Constant(6, 5.0);
  const auto noisy = [&](std::uint64_t seed) {
    arm.setup.seed = seed;
    Observed observed(arm.at);
    Simulator(arm.setup).run(arm.initial, 0.4, 0.1, observed);
    return observed.wrench.back();
  };
  EXPECT_EQ(noisy(3), noisy(3));
  EXPECT_NE(noisy(3), noisy(4));
  EXPECT_GT(noisy(3).norm(), 5.0);  // of a bias of 5 in each
}

TEST(MomentumObservers, RefuseRobotsThatTheirBasesHold) {
  Arm arm(0.1);
  arm.setup.base_mode = BaseMode::fixed;
  EXPECT_EQ(message_of<DomainError>([&] { Simulator{arm.setup}; }),
            "'touch': it is on a robot whose base does not float");
  arm.setup.base_mode = BaseMode::floating;
  arm.setup.sensors.front().gain = 0.0;
  EXPECT_EQ(message_of<DomainError>([&] { Simulator{arm.setup}; }),
            "'touch': its gain must be finite and positive");
}

}  // namespace
}  // namespace spacedyn::testing::momentum_observer_test
