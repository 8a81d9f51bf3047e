// Characteristic curves of a wheel on loose soil: tables, and a picture for those who ask.
//
//   wheel_curves            prints drawbar pull, torque, sinkage and the slope that the wheel
//   climbs
//                           against slip, side force against slip angle
//   wheel_curves FILE.svg   draws them, and the pressure of a plate
#include <cstdio>

#include "panels.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/terramechanics/wheel_soil.hpp"

using namespace spacedyn;
using example::Curve;
using example::Panel;

namespace {

constexpr double kLoad = 64.68;  // N
constexpr double kWidth = 0.11;  // m

Soil regolith_simulant() {
  Soil soil;
  soil.cohesion = 800.0;
  soil.friction_angle = 37.2 * kDegree;
  soil.k_c = 1.37e3;
  soil.k_phi = 8.14e5;
  soil.density = 1600.0;
  soil.shear_modulus_x = {0.036, 0.043};
  soil.shear_modulus_y = {0.013, 0.020};
  soil.lambda = 0.9;
  soil.destructive_angle = 26.4 * kDegree;
  soil.unloading_modulus = {0.0, 5e8};  // no measured value
  return soil;
}

WheelSoilForce under(const WheelSoilModel& wheel, double load, double slip, double angle) {
  return wheel.force(wheel.sinkage(load, slip, angle), slip, angle);
}

/// The slope α at which the pull carries the weight along it: F_x(W cos α) = W sin α. rad
double climbed_slope(const WheelSoilModel& wheel, double slip) {
  double low = -0.5, high = 1.2;
  for (int i = 0; i < 50; ++i) {
    const double alpha = 0.5 * (low + high);
    const double pull = under(wheel, kLoad * std::cos(alpha), slip, 0.0).drawbar_pull;
    (pull > kLoad * std::sin(alpha) ? low : high) = alpha;
  }
  return low;
}

void print(const WheelSoilModel& wheel) {
  std::printf("slip   sinkage/mm  pull/N     torque/Nm  slope/deg\n");
  for (int i = 0; i <= 9; ++i) {
    const double slip = 0.1 * i, h = wheel.sinkage(kLoad, slip, 0.0);
    const WheelSoilForce force = wheel.force(h, slip, 0.0);
    std::printf("%.1f    %9.4f  %8.4f   %8.5f   %8.4f\n", slip, 1e3 * h, force.drawbar_pull,
                force.resistance_torque, climbed_slope(wheel, slip) / kDegree);
  }
  std::printf("\nslip angle/deg  side force/N at slip 0.2, 0.5\n");
  for (int degrees = 0; degrees <= 45; degrees += 5) {
    std::printf("%8d      ", degrees);
    for (const double slip : {0.2, 0.5}) {
      std::printf("  %9.4f", under(wheel, kLoad, slip, degrees * kDegree).side_force);
    }
    std::printf("\n");
  }
}

/// Loaded for the first time, and again after it was pressed by 10 mm.
Panel plate(const Soil& soil) {
  const auto first = [soil](double mm) {
    return 1e-3 * plate_pressure(soil, kWidth, 1e-3 * mm, kStandardGravity);
  };
  const auto again = [soil](double mm) {
    return 1e-3 * plate_pressure(soil, kWidth, 1e-3 * mm, kStandardGravity, 0.010);
  };
  return {{"sinkage in mm", 0.0, 20.0, 5.0},
          {"Pressure of a plate in kPa", 0.0, 20.0, 5.0},
          {{"once pressed by 10 mm", again}, {"", first}}};
}

bool draw(const WheelSoilModel& wheel, const char* file) {
  /// A quantity against slip at a slip angle, degrees.
  const auto by_slip = [&](double WheelSoilForce::*part, double degrees) {
    return [&wheel, part, degrees](double slip) {
      return under(wheel, kLoad, slip, degrees * kDegree).*part;
    };
  };
  const auto by_angle = [&](double slip) {
    return [&wheel, slip](double degrees) {
      return under(wheel, kLoad, slip, degrees * kDegree).side_force;
    };
  };
  const auto sinkage = [&](double slip) { return 1e3 * wheel.sinkage(kLoad, slip, 0.0); };
  const auto slope = [&](double slip) { return climbed_slope(wheel, slip) / kDegree; };
  constexpr auto kPull = &WheelSoilForce::drawbar_pull;
  const example::Axis slip{"slip", 0.0, 1.0, 0.2};
  std::vector<Panel> panels = {plate(wheel.soil())};
  panels.push_back({slip, {"Sinkage of a wheel in mm", 10.0, 20.0, 5.0}, {{"", sinkage}}});
  panels.push_back({slip,
                    {"Drawbar pull in N", -10.0, 40.0, 10.0},
                    {{"slip angle 0", by_slip(kPull, 0.0)}, {"20 deg", by_slip(kPull, 20.0)}}});
  panels.push_back({slip,
                    {"Torque in N m", 0.0, 4.0, 1.0},
                    {{"", by_slip(&WheelSoilForce::resistance_torque, 0.0)}}});
  panels.push_back({{"slip angle in deg", 0.0, 45.0, 15.0},
                    {"Side force in N", 0.0, 60.0, 20.0},
                    {{"slip 0.1", by_angle(0.1)}, {"0.4", by_angle(0.4)}, {"0.7", by_angle(0.7)}}});
  panels.push_back({slip, {"Slope that it climbs in deg", -5.0, 30.0, 5.0}, {{"", slope}}});
  return example::Picture(panels).write(file);
}

}  // namespace

int main(int argc, char** argv) {
  const WheelSoilModel wheel({0.09, kWidth, 0.0}, regolith_simulant());
  print(wheel);
  if (argc > 1 && !draw(wheel, argv[1])) {
    std::fprintf(stderr, "%s cannot be written\n", argv[1]);
    return 1;
  }
}
