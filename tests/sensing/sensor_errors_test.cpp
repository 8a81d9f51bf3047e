// Sensors that cannot be.
#include <gtest/gtest.h>

#include "spacedyn/control/joint_pd.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/sensing/measurement.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::sensor_errors_test {
namespace {

Sensor gyro() {
  Sensor sensor;
  sensor.name = "gyro";
  sensor.sample_period = 0.1;
  return sensor;
}

std::string refusal(const Sensor& sensor) {
  const Model model = one_link();
  return message_of<DomainError>([&] { check_sensor(sensor, model); });
}

TEST(SensorErrors, NameWhatIsWrong) {
  Sensor sensor = gyro();
  sensor.sample_period = 0.0;
  EXPECT_EQ(refusal(sensor), "'gyro': its sample period must be finite and positive");
  sensor = gyro();
  sensor.delay = -1.0;
  EXPECT_EQ(refusal(sensor), "'gyro': its delay must lie between 0 and 1000 sample periods");
  sensor = gyro();
  sensor.at.body = 7;
  EXPECT_EQ(refusal(sensor), "'gyro': it is at no body of model 'one_link'");
  sensor = gyro();
  sensor.errors.noise = VectorX::Constant(2, 1.0);
  EXPECT_EQ(refusal(sensor), "'gyro': noise has 2 numbers, expected 3");
  sensor = gyro();
  sensor.errors.bias_walk = VectorX::Constant(3, -1.0);
  EXPECT_EQ(refusal(sensor), "'gyro': bias_walk must be finite and not negative");
  sensor = gyro();
  sensor.type = SensorType::star_tracker;
  sensor.errors.scale_factor = VectorX::Constant(3, 0.1);
  EXPECT_EQ(refusal(sensor), "'gyro': star_tracker has no scale factor");
  sensor.errors = {};
  sensor.errors.misalignment = Vector3::UnitX();
  EXPECT_EQ(refusal(sensor), "'gyro': star_tracker has no misalignment");
  sensor = gyro();
  sensor.type = SensorType::encoder;
  sensor.joint = 2;
  EXPECT_EQ(refusal(sensor), "'gyro': model 'one_link' has no joint 2");
  sensor = gyro();
  sensor.type = SensorType::force_torque;
  EXPECT_EQ(refusal(sensor), "'gyro': it is on the base, which no joint carries");
  sensor.type = SensorType::relative_pose;
  EXPECT_EQ(refusal(sensor), "'gyro': its target is on the body that carries it");
  sensor.type = SensorType::magnetometer;
  EXPECT_EQ(refusal(sensor), "'gyro': there is no magnetic field that it reads");
}

SimulationSetup setup_with(std::vector<std::string> taken, double period = 0.1) {
  SimulationSetup setup;
  setup.model = std::make_shared<Model>(one_link());
  setup.sensors = {gyro(), gyro()};
  setup.sensors.back().name = "acc";
  setup.sensors.back().type = SensorType::accelerometer;
  JointPd::Settings settings;
  settings.joints = {1};
  settings.stiffness = settings.damping = VectorX::Ones(1);
  settings.sample_period = period;
  settings.reference = std::make_shared<ConstantReference>(VectorX::Zero(1));
  const auto pd = std::make_shared<JointPd>("pd", settings);
  pd->take_sensors(std::move(taken));
  setup.controllers = {pd};
  return setup;
}

TEST(SensorErrors, AreFoundInASystem) {
  const auto message = [](const SimulationSetup& setup) {
    return message_of<DomainError>([&] { Simulator{setup}; });
  };
  EXPECT_EQ(message(setup_with({"gyra"})), "controller 'pd': the system has no sensor 'gyra'");
  EXPECT_EQ(message(setup_with({"acc"})),
            "controller 'pd': a reading of accelerometer 'acc' cannot stand in place of the truth");
  EXPECT_EQ(message(setup_with({"gyro"}, 0.0)),
            "controller 'pd': it takes sensors, so it needs a sample period");
  SimulationSetup twice = setup_with({});
  twice.sensors.back().name = "gyro";
  EXPECT_EQ(message(twice), "two sensors are named 'gyro'");
}

}  // namespace
}  // namespace spacedyn::testing::sensor_errors_test
