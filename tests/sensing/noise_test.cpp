// Noise of sensors against its definitions: variance, spectrum, Allan deviation; and that it is a
// function of seed, sensor and sample alone.
#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/sensing/measurement.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::noise_test {
namespace {

constexpr double kPeriod = 0.01;
constexpr int kCount = 40000;

/// Readings of a gyroscope on a body at rest, a column for each sample.
MatrixX readings(const SensorErrors& errors, std::uint64_t seed, const std::string& name = "gyro",
                 int count = kCount) {
  const Model model = single_body(10.0, {1.0, 2.0, 3.0});
  const State state(model);
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  const LinkVelocities velocities(model);
  Sensor sensor;
  sensor.name = name;
  sensor.at = model.frame("base");
  sensor.sample_period = kPeriod;
  sensor.errors = errors;
  check_sensor(sensor, model);
  SensorMemory memory = sensor_memory(sensor);
  const EvaluationContext context{0.0, model, state, frames, velocities, state.z};
  const std::vector<const AccelerationField*> fields;
  MatrixX all(3, count);
  VectorX reading(3);
  for (int k = 0; k < count; ++k) {
    take_sample(sensor, {context, fields}, seed, k, memory, reading);
    all.col(k) = reading;
  }
  return all;
}

/// Of rates, over m samples, without overlap: √(½ ⟨(ȳ_{i+1} − ȳ_i)²⟩).
double allan_deviation(const VectorX& rates, int m) {
  const int groups = static_cast<int>(rates.size()) / m;
  double sum = 0.0;
  for (int i = 0; i + 1 < groups; ++i) {
    const double step = rates.segment((i + 1) * m, m).mean() - rates.segment(i * m, m).mean();
    sum += step * step;
  }
  return std::sqrt(0.5 * sum / (groups - 1));
}

SensorErrors white(double density) {
  SensorErrors errors;
  errors.noise_density = VectorX::Constant(3, density);
  return errors;
}

TEST(SensorNoise, NumbersAreThoseOfPhilox) {
  // known answer of Philox 4×32-10 for counter 0 and key 0: 6627e8d5 e169c58d bc57ac4c 9b00dbd8
  const auto uniform = [](std::uint64_t high, std::uint64_t low) {
    return (static_cast<double>((high << 20) | (low >> 12)) + 0.5) / 4503599627370496.0;
  };
  const double a = uniform(0x6627e8d5, 0xe169c58d), b = uniform(0xbc57ac4c, 0x9b00dbd8);
  EXPECT_DOUBLE_EQ(standard_normal(0, 0, 0, 0),
                   std::sqrt(-2.0 * std::log(a)) * std::cos(2.0 * kPi * b));
}

TEST(SensorNoise, HasTheMomentsOfANormalDistribution) {
  // standard errors of n numbers: mean 1/√n, variance √(2/n), fourth moment √(96/n)
  constexpr int n = 200000;
  double sums[4] = {};
  for (int i = 0; i < n; ++i) {
    const double x = standard_normal(7, 11, static_cast<std::uint64_t>(i), 0);
    double power = 1.0;
    for (double& sum : sums) sum += (power *= x);
  }
  EXPECT_NEAR(sums[0] / n, 0.0, 4.0 / std::sqrt(n));
  EXPECT_NEAR(sums[1] / n, 1.0, 4.0 * std::sqrt(2.0 / n));
  EXPECT_NEAR(sums[2] / n, 0.0, 4.0 * std::sqrt(15.0 / n));
  EXPECT_NEAR(sums[3] / n, 3.0, 4.0 * std::sqrt(96.0 / n));
}

TEST(SensorNoise, WhiteNoiseHasItsDensity) {
  const double density = 2.0e-4;
  const MatrixX all = readings(white(density), 1);
  for (int axis = 0; axis < 3; ++axis) {
    const VectorX x = all.row(axis).transpose();
    const double variance = x.squaredNorm() / kCount;
    const double expected = density * density / kPeriod;
    EXPECT_NEAR(variance / expected, 1.0, 4.0 * std::sqrt(2.0 / kCount));
    // uncorrelated with itself a sample later, and with the other axes
    const double later = x.head(kCount - 1).dot(x.tail(kCount - 1)) / x.squaredNorm();
    const VectorX other = all.row((axis + 1) % 3).transpose();
    EXPECT_NEAR(later, 0.0, 4.0 / std::sqrt(kCount));
    EXPECT_NEAR(x.dot(other) / (x.norm() * other.norm()), 0.0, 4.0 / std::sqrt(kCount));
  }
}

TEST(SensorNoise, AllanDeviationOfWhiteNoiseFallsWithTheRoot) {
  const double density = 2.0e-4;
  const VectorX x = readings(white(density), 2).row(0).transpose();
  for (const int m : {1, 10, 100}) {
    // N/√τ; the relative error of an estimate from g groups is about √(3/(4 g))·√2
    const double groups = static_cast<double>(kCount) / m;
    EXPECT_NEAR(allan_deviation(x, m) / (density / std::sqrt(m * kPeriod)), 1.0,
                4.0 * std::sqrt(1.5 / groups));
  }
}

TEST(SensorNoise, AllanDeviationOfAWalkingBiasRisesWithTheRoot) {
  SensorErrors errors;
  errors.bias_walk = VectorX::Constant(3, 3.0e-5);
  const MatrixX all = readings(errors, 3);
  for (const int m : {10, 100}) {
    // K √(τ/3), the mean square of three axes
    double square = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      square += std::pow(allan_deviation(all.row(axis).transpose(), m), 2) / 3.0;
    }
    const double groups = 3.0 * kCount / m;
    EXPECT_NEAR(std::sqrt(square) / (3.0e-5 * std::sqrt(m * kPeriod / 3.0)), 1.0,
                4.0 * std::sqrt(1.5 / groups));
  }
  EXPECT_TRUE(all.col(0).isZero(0.0));  // it begins at zero
}

TEST(SensorNoise, AddsDensityAndSampleNoise) {
  SensorErrors errors = white(2.0e-4);
  errors.noise = VectorX::Constant(3, 1.0e-3);
  const MatrixX all = readings(errors, 4);
  const double expected = 4.0e-8 / kPeriod + 1.0e-6;
  EXPECT_NEAR(all.squaredNorm() / (3.0 * kCount) / expected, 1.0,
              4.0 * std::sqrt(2.0 / (3.0 * kCount)));
}

TEST(SensorNoise, DependsOnSeedAndNameAlone) {
  const SensorErrors errors = white(1.0);
  const MatrixX first = readings(errors, 5, "gyro", 100);
  EXPECT_EQ(first, readings(errors, 5, "gyro", 100));
  EXPECT_FALSE(first.isApprox(readings(errors, 6, "gyro", 100), 0.1));
  EXPECT_FALSE(first.isApprox(readings(errors, 5, "other", 100), 0.1));
}

TEST(SensorNoise, ErrsAsItsErrorsSay) {
  const Model model = single_body(10.0, {1.0, 2.0, 3.0});
  State state(model);
  state.omega_0 = Vector3(0.1, -0.2, 0.3);
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  LinkVelocities velocities(model);
  compute_link_velocities(model, state, frames, velocities);
  Sensor sensor;
  sensor.name = "gyro";
  sensor.at = model.frame("base");
  sensor.sample_period = 1.0;
  sensor.errors.scale_factor = Vector3(0.01, 0.0, -0.02);
  sensor.errors.bias = Vector3(1e-3, 2e-3, 3e-3);
  sensor.errors.misalignment = Vector3(0.0, 0.0, 0.5 * kPi);  // its x axis is the body's y
  SensorMemory memory = sensor_memory(sensor);
  const EvaluationContext context{0.0, model, state, frames, velocities, state.z};
  VectorX reading(3);
  take_sample(sensor, {context, {}}, 0, 0, memory, reading);
  const Vector3 turned(-0.2, -0.1, 0.3);
  const Vector3 expected(1.01 * turned.x() + 1e-3, turned.y() + 2e-3, 0.98 * turned.z() + 3e-3);
  EXPECT_LE((reading - expected).norm(), 1e-15);
  sensor.errors.quantization = Vector3::Constant(0.01);
  take_sample(sensor, {context, {}}, 0, 1, memory, reading);
  EXPECT_LE((reading - Vector3(-0.20, -0.10, 0.30)).norm(), 1e-15);
}

}  // namespace
}  // namespace spacedyn::testing::noise_test
