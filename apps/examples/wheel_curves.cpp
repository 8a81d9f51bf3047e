// Characteristic curves of a wheel on loose soil: a table, and a picture for those who ask.
//
//   wheel_curves            prints drawbar pull, torque and sinkage against slip, side force
//                           against slip angle
//   wheel_curves FILE.svg   draws the drawbar pull, too
#include <cstdio>
#include <fstream>

#include "spacedyn/math/constants.hpp"
#include "spacedyn/terramechanics/wheel_soil.hpp"

using namespace spacedyn;

namespace {

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
  return soil;
}

/// Drawbar pull against slip as a line from −5 to 30 N.
void draw(const WheelSoilModel& wheel, double load, const char* file) {
  std::ofstream out(file);
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"480\" height=\"300\">\n"
         "<rect width=\"480\" height=\"300\" fill=\"white\"/>\n"
         "<path d=\"M60 20V260H460M60 225.7H460\" stroke=\"#888\" fill=\"none\"/>\n"
         "<text x=\"240\" y=\"285\">slip, 0 to 0.9</text>\n"
         "<text x=\"5\" y=\"15\">drawbar pull, -5 to 30 N</text>\n<polyline points=\"";
  for (int i = 0; i <= 90; ++i) {
    const double slip = 0.01 * i;
    const double pull = wheel.force(wheel.sinkage(load, slip, 0.0), slip, 0.0).drawbar_pull;
    out << 60.0 + 400.0 * slip / 0.9 << ',' << 260.0 - 240.0 * (pull + 5.0) / 35.0 << ' ';
  }
  out << "\" stroke=\"#1f6feb\" stroke-width=\"2\" fill=\"none\"/>\n</svg>\n";
}

}  // namespace

int main(int argc, char** argv) {
  const double load = 64.68;  // N
  const WheelSoilModel wheel({0.09, 0.11, 0.0}, regolith_simulant());
  std::printf("slip   sinkage/mm  pull/N     torque/Nm\n");
  for (int i = 0; i <= 9; ++i) {
    const double slip = 0.1 * i, h = wheel.sinkage(load, slip, 0.0);
    const WheelSoilForce force = wheel.force(h, slip, 0.0);
    std::printf("%.1f    %9.4f  %8.4f   %8.5f\n", slip, 1e3 * h, force.drawbar_pull,
                force.resistance_torque);
  }
  std::printf("\nslip angle/deg  side force/N at slip 0.2, 0.5\n");
  for (int degrees = 0; degrees <= 45; degrees += 5) {
    const double angle = degrees * kDegree;
    std::printf("%8d      ", degrees);
    for (const double slip : {0.2, 0.5}) {
      const double h = wheel.sinkage(load, slip, angle);
      std::printf("  %9.4f", wheel.force(h, slip, angle).side_force);
    }
    std::printf("\n");
  }
  if (argc > 1) draw(wheel, load, argv[1]);
}
