// What sensors without errors read, against closed forms.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/dynamics/recursive_newton_euler.hpp"
#include "spacedyn/forces/hill_field.hpp"
#include "spacedyn/forces/magnetic_torquer.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/so3.hpp"
#include "support/random_models.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::reading_test {
namespace {

/// Keeps the readings of all outputs, and the positions of the joints.
class Readings final : public SimulationObserver {
 public:
  void on_output(const SimulationPoint& point) override {
    times.push_back(point.time);
    q.push_back(point.state.q);
    qd.push_back(point.state.qd);
    of.emplace_back();
    for (const auto& sensor : point.discrete.sensors) of.back().push_back(sensor.reading);
  }
  std::vector<double> times;
  std::vector<VectorX> q, qd;
  std::vector<std::vector<VectorX>> of;
};

Sensor sensor_at(SensorType type, const Frame& at, double period = 0.1) {
  Sensor sensor;
  sensor.name = std::string(to_string(type));
  sensor.type = type;
  sensor.at = at;
  sensor.sample_period = period;
  return sensor;
}

SimulationSetup setup_of(Model model) {
  SimulationSetup setup;
  setup.model = std::make_shared<Model>(std::move(model));
  setup.integrator = adaptive(IntegrationMethod::dop853, 1e-12);
  return setup;
}

Frame point_of_base(const Vector3& position) {
  Frame frame;
  frame.position = position;
  return frame;
}

Readings fly(const SimulationSetup& setup, const State& initial, double duration, double interval) {
  Readings readings;
  Simulator(setup).run(initial, duration, interval, readings);
  return readings;
}

TEST(SensorReading, AccelerometerOfASpinningBodyReadsOmegaSquaredR) {
  SimulationSetup setup = setup_of(single_body(10.0, {1.0, 2.0, 3.0}));
  const double omega = 0.7, r = 0.4;
  setup.sensors = {sensor_at(SensorType::accelerometer, point_of_base({r, 0.0, 0.2}))};
  State initial(*setup.model);
  initial.omega_0 = Vector3(0.0, 0.0, omega);
  const Readings readings = fly(setup, initial, 2.0, 0.5);
  for (const auto& now : readings.of) {
    EXPECT_LE((now[0] - Vector3(-omega * omega * r, 0.0, 0.0)).norm(), 1e-11);
  }
}

TEST(SensorReading, AccelerometerInFreeFallReadsNothing) {
  SimulationSetup setup = setup_of(single_body(10.0, {1.0, 2.0, 3.0}));
  setup.gravity = Vector3(0.0, 0.0, -9.81);
  setup.sensors = {sensor_at(SensorType::accelerometer, point_of_base({0.3, 0.2, 0.1}))};
  const Readings readings = fly(setup, State(*setup.model), 1.0, 0.25);
  for (const auto& now : readings.of) EXPECT_LE(now[0].norm(), 1e-13);
}

TEST(SensorReading, AccelerometerAtRestReadsTheSupport) {
  SimulationSetup setup = setup_of(single_body(10.0, {1.0, 2.0, 3.0}));
  setup.base_mode = BaseMode::fixed;
  setup.gravity = Vector3(0.0, 0.0, -9.81);
  setup.sensors = {sensor_at(SensorType::accelerometer, point_of_base({0.3, 0.2, 0.1}))};
  const Readings readings = fly(setup, State(*setup.model), 1.0, 0.5);
  for (const auto& now : readings.of) {
    EXPECT_LE((now[0] - Vector3(0.0, 0.0, 9.81)).norm(), 1e-13);
  }
}

TEST(SensorReading, OrbitTurnsGyroscopesAndIsNotFeltByAccelerometers) {
  SimulationSetup setup = setup_of(single_body(10.0, {1.0, 1.0, 1.0}));
  OrbitSettings orbit;
  orbit.radius = 6.928137e6;
  orbit.gravity_gradient = true;
  const auto field = std::make_shared<HillField>("orbit", *setup.model, orbit);
  setup.forces = {field};
  setup.sensors = {sensor_at(SensorType::gyroscope, point_of_base({0.0, 0.0, 0.0}), 10.0),
                   sensor_at(SensorType::accelerometer, point_of_base({0.0, 0.0, 0.0}), 10.0),
                   sensor_at(SensorType::star_tracker, point_of_base({0.0, 0.0, 0.0}), 10.0)};
  State initial(*setup.model);
  initial.r_0 = Vector3(100.0, -300.0, 50.0);
  initial.v_0 = Vector3(0.2, 0.1, -0.1);
  // at rest against the stars: relative to Hill's frame it turns with −n
  initial.omega_0 = Vector3(0.0, 0.0, -field->rate());
  const Readings readings = fly(setup, initial, 1000.0, 250.0);
  for (const auto& now : readings.of) {
    EXPECT_LE(now[0].norm(), 1e-15);
    // 10⁻³ m/s² of tide and Coriolis acceleration cancel
    EXPECT_LE(now[1].norm(), 1e-15);
    EXPECT_LE((now[2] - Eigen::Vector4d(1.0, 0.0, 0.0, 0.0)).norm(), 1e-12);
  }
}

/// A link of 2 kg whose centroid is 0.5 below its joint, on a fixed base.
Model pendulum() {
  BaseDescription base = base_body(100.0, {1.0, 1.0, 1.0});
  base.fixed = true;
  LinkDescription link =
      link_body("link", "base", 2.0, {0.1, 0.1, 0.1}, {0.0, 0.0, 0.0}, {0.0, 0.0, -0.5});
  link.joint.axis = Vector3::UnitY();
  return ModelBuilder("pendulum").set_base(base).add_link(link).build();
}

SimulationSetup pendulum_setup() {
  SimulationSetup setup = setup_of(pendulum());
  setup.base_mode = BaseMode::fixed;
  setup.gravity = Vector3(0.0, 0.0, -9.81);
  return setup;
}

TEST(SensorReading, ForceTorqueOfAHangingLinkReadsItsWeight) {
  SimulationSetup setup = pendulum_setup();
  setup.sensors = {sensor_at(SensorType::force_torque, setup.model->frame("link"))};
  Frame shifted = setup.model->frame("link");
  shifted.position += shifted.rotation * Vector3(0.2, 0.0, 0.0);
  setup.sensors.push_back(sensor_at(SensorType::force_torque, shifted));
  setup.sensors.back().name = "shifted";
  const Readings readings = fly(setup, State(*setup.model), 1.0, 0.5);
  Vector6 weight, about;
  weight << 0.0, 0.0, 2.0 * 9.81, 0.0, 0.0, 0.0;
  // 0.2 beside the line of the force
  about << 0.0, 0.0, 2.0 * 9.81, 0.0, 0.2 * 2.0 * 9.81, 0.0;
  for (const auto& now : readings.of) {
    EXPECT_LE((now[0] - weight).norm(), 1e-12);
    EXPECT_LE((now[1] - about).norm(), 1e-12);
  }
}

TEST(SensorReading, ForceTorqueOfASwingingLinkReadsTheTension) {
  SimulationSetup setup = pendulum_setup();
  setup.sensors = {sensor_at(SensorType::force_torque, setup.model->frame("link"))};
  State initial(*setup.model);
  initial.q(0) = 0.8;
  const Readings readings = fly(setup, initial, 2.0, 0.1);
  const double m = 2.0, b = 0.5, g = 9.81, inertia = 0.1 + m * b * b;
  for (std::size_t i = 0; i < readings.of.size(); ++i) {
    const double angle = readings.q[i](0), rate = readings.qd[i](0);
    const double acceleration = -m * g * b * std::sin(angle) / inertia;
    const VectorX& wrench = readings.of[i][0];
    // along the link it carries weight and centripetal force; across it what is left
    EXPECT_NEAR(wrench(2), m * (g * std::cos(angle) + b * rate * rate), 1e-9);
    EXPECT_NEAR(wrench(0), m * (-g * std::sin(angle) - b * acceleration), 1e-9);
    EXPECT_NEAR(wrench(4), 0.0, 1e-9);  // the joint turns freely
  }
}

/// Compares the first sensor, a force_torque one, with what recursive Newton–Euler carries there.
class NewtonEuler final : public SimulationObserver {
 public:
  explicit NewtonEuler(Frame at) : at_(std::move(at)) {}
  void on_output(const SimulationPoint& point) override {
    SpatialMotion motion(point.model);
    VectorX forces(6 + point.model.joint_count());
    recursive_newton_euler(point.model, link_inertias(point.model), point.state, point.acceleration,
                           Loads(point.model), motion, forces);
    const auto i = static_cast<std::size_t>(at_.body);
    const Vector3 arm = point.frames.o[i] - frame_position(point.frames, at_);
    const Vector3 force = point.frames.A[i] * motion.f[i].linear;
    const Vector3 moment = point.frames.A[i] * motion.f[i].angular + arm.cross(force);
    const Matrix3 axes = frame_orientation(point.frames, at_).transpose();
    Vector6 expected;
    expected << axes * force, axes * moment;
    const VectorX& reading = point.discrete.sensors[0].reading;
    largest = std::max(largest, expected.norm());
    error = std::max(error, (reading - expected).norm());
  }
  double largest = 0.0, error = 0.0;

 private:
  Frame at_;
};

TEST(SensorReading, ForceTorqueAtAFrameIsThatOfNewtonAndEuler) {
  RandomModels random(11);
  SimulationSetup setup = setup_of(random.model({6, 1, 0.3, true}));
  // how well states are integrated does not matter
  setup.integrator = fixed_step(IntegrationMethod::rk4, 1e-3);
  const State initial = random.state(*setup.model);
  // four links move beyond it
  const Frame at{"wrist", 3, random.vector(3), random.rotation()};
  setup.sensors = {sensor_at(SensorType::force_torque, at, 0.01)};
  NewtonEuler comparison(at);
  Simulator(setup).run(initial, 0.02, 0.01, comparison);
  EXPECT_GT(comparison.largest, 1.0);
  // the same accelerations, summed otherwise
  EXPECT_LE(comparison.error, 1e-11 * comparison.largest);
}

TEST(SensorReading, EncoderRoundsDelaysAndDifferentiates) {
  SimulationSetup setup = setup_of(one_link());
  Sensor encoder = sensor_at(SensorType::encoder, {});
  encoder.joint = 1;
  encoder.delay = 0.05;
  encoder.errors.quantization = VectorX::Constant(1, 1.0e-3);
  setup.sensors = {encoder};
  State initial(*setup.model);
  initial.qd(0) = 0.37;
  const Readings readings = fly(setup, initial, 1.0, 0.01);
  const auto rounded = [](double value) { return 1.0e-3 * std::round(value / 1.0e-3); };
  for (std::size_t i = 5; i < readings.of.size(); ++i) {
    // the latest sample that is at least 0.05 s old
    const std::size_t sample = (i - 5) / 10 * 10;
    EXPECT_NEAR(readings.of[i][0](0), rounded(readings.q[sample](0)), 1e-15) << i;
    if (sample == 0) {
      EXPECT_EQ(readings.of[i][0](1), 0.37);
      continue;
    }
    const double step = rounded(readings.q[sample](0)) - rounded(readings.q[sample - 10](0));
    EXPECT_NEAR(readings.of[i][0](1), step / 0.1, 1e-12) << i;
  }
  EXPECT_EQ(readings.of[0][0](0), 0.0);  // until the first arrives
}

TEST(SensorReading, RelativePoseIsThatOfTheTargetInTheCamera) {
  SimulationSetup setup = setup_of(one_link());
  Frame camera = point_of_base({0.1, 0.2, 0.3});
  camera.rotation = exp_so3(Vector3(0.3, -0.2, 0.5));
  Sensor sensor = sensor_at(SensorType::relative_pose, camera);
  sensor.target = setup.model->frame("arm.com");
  setup.sensors = {sensor};
  State initial(*setup.model);
  initial.r_0 = Vector3(1.0, 2.0, 3.0);
  initial.A_0 = exp_so3(Vector3(-0.4, 0.6, 0.1));
  initial.q(0) = 0.9;
  const Readings readings = fly(setup, initial, 0.1, 0.1);
  // joint at 0.5 along x, centroid 0.75 beyond, turned about z; nothing moves
  const Vector3 target = Vector3(0.5, 0.0, 0.0) + rotation_z(0.9) * Vector3(0.75, 0.0, 0.0);
  const Vector3 seen = camera.rotation.transpose() * (target - camera.position);
  const VectorX& reading = readings.of.back()[0];
  EXPECT_LE((reading.head<3>() - seen).norm(), 1e-14);
  const Quaternion quaternion(reading(3), reading(4), reading(5), reading(6));
  EXPECT_LE(
      (matrix_from_quaternion(quaternion) - camera.rotation.transpose() * rotation_z(0.9)).norm(),
      1e-14);
}

TEST(SensorReading, StarTrackerErrsByARotationVector) {
  SimulationSetup setup = setup_of(single_body(10.0, {1.0, 2.0, 3.0}));
  Sensor tracker = sensor_at(SensorType::star_tracker, point_of_base({0.0, 0.0, 0.0}));
  tracker.errors.bias = Vector3(1e-3, -2e-3, 3e-3);
  setup.sensors = {tracker};
  State initial(*setup.model);
  initial.A_0 = exp_so3(Vector3(1.0, -0.5, 0.2));
  const Readings readings = fly(setup, initial, 0.1, 0.1);
  const VectorX& wxyz = readings.of.back()[0];
  const Matrix3 read = matrix_from_quaternion(Quaternion(wxyz(0), wxyz(1), wxyz(2), wxyz(3)));
  const Vector3 error = log_so3(initial.A_0.transpose() * read);
  EXPECT_LE((error - Vector3(1e-3, -2e-3, 3e-3)).norm(), 1e-14);
}

TEST(SensorReading, MagnetometerReadsTheFieldAtItsPlaceInItsAxes) {
  SimulationSetup setup = setup_of(single_body(10.0, {1.0, 2.0, 3.0}));
  auto field = std::make_shared<MagneticField>();
  field->dipole = 7.71e22;
  field->axes = BodyAxes::in_orbit({7e6}, 50.0 * kDegree, 20.0 * kDegree);
  Frame place = point_of_base({0.3, 0.2, 0.1});
  place.rotation = exp_so3(Vector3(0.3, -0.2, 0.5));
  Sensor sensor = sensor_at(SensorType::magnetometer, place, 100.0);
  sensor.field = field;
  sensor.errors.bias = Vector3(1e-7, 0.0, -2e-7);
  setup.sensors = {sensor};
  State initial(*setup.model);
  initial.A_0 = exp_so3(Vector3(-0.4, 0.6, 0.1));
  const Readings readings = fly(setup, initial, 100.0, 100.0);
  // the axis of the planet in the frame of the orbit after an angle u from the node, the body at
  // rest in that frame; B = μ_0 M/(4π r³) (z_N − 3 (z_N·r̂) r̂)
  const double u = 20.0 * kDegree + std::sqrt(kEarthMu / 7e6) / 7e6 * 100.0, i = 50.0 * kDegree;
  const Vector3 north(std::sin(i) * std::sin(u), std::sin(i) * std::cos(u), std::cos(i));
  const Vector3 r = Vector3(7e6, 0.0, 0.0) + initial.A_0 * place.position;
  const Vector3 up = r.normalized();
  const Vector3 B = 1e-7 * 7.71e22 / std::pow(r.norm(), 3) * (north - 3.0 * north.dot(up) * up);
  const Vector3 expected = (initial.A_0 * place.rotation).transpose() * B + sensor.errors.bias;
  // roundings of 2e-5 T
  EXPECT_LE((readings.of.back()[0] - expected).norm(), 1e-18);
  EXPECT_GT(B.norm(), 1e-5);
}

}  // namespace
}  // namespace spacedyn::testing::reading_test
