// One evaluation of wheel and soil: driving, with a slip angle, braking, a soil whose exponent is
// no integer, and with derivatives.
#include <cmath>

#include <benchmark/benchmark.h>

#include "spacedyn/math/constants.hpp"
#include "spacedyn/terramechanics/wheel_soil.hpp"

namespace {

using namespace spacedyn;

WheelSoilModel wheel(double exponent = 1.0) {
  Soil soil;
  soil.cohesion = 800.0;
  soil.friction_angle = 37.2 * kDegree;
  soil.k_c = 1.37e3;
  soil.k_phi = 8.14e5;
  soil.exponent = exponent;
  soil.density = 1600.0;
  soil.shear_modulus_x = {0.036, 0.043};
  soil.shear_modulus_y = {0.013, 0.020};
  soil.lambda = 0.9;
  return {{0.09, 0.11, 0.0}, soil};
}

void run(benchmark::State& state, const WheelSoilModel& model, double slip, double angle) {
  const WheelSoilModel::Contact contact{0.015, slip, (1.0 - slip) * std::tan(angle), angle, 1.0};
  for (auto _ : state) {
    WheelSoilForce force = model.force(contact);
    benchmark::DoNotOptimize(force);
  }
}

void wheel_driving(benchmark::State& state) { run(state, wheel(), 0.2, 0.0); }
void wheel_aslant(benchmark::State& state) { run(state, wheel(), 0.2, 0.1); }
void wheel_braking(benchmark::State& state) { run(state, wheel(), -0.2, 0.0); }
void wheel_power_law(benchmark::State& state) { run(state, wheel(1.1), 0.2, 0.0); }
void wheel_derivatives(benchmark::State& state) {
  const WheelSoilModel model = wheel();
  WheelSoilModel::Slopes slopes;
  for (auto _ : state) {
    WheelSoilForce force = model.force({0.015, 0.2, 0.08, 0.1, 1.0}, slopes);
    benchmark::DoNotOptimize(force);
  }
}

BENCHMARK(wheel_driving);
BENCHMARK(wheel_aslant);
BENCHMARK(wheel_braking);
BENCHMARK(wheel_power_law);
BENCHMARK(wheel_derivatives);

}  // namespace

BENCHMARK_MAIN();
