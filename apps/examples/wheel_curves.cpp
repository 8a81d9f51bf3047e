// Characteristic curves of a wheel on loose soil: a table, and a picture for those who ask.
//
//   wheel_curves            prints drawbar pull, torque and sinkage against slip, side force
//                           against slip angle
//   wheel_curves FILE.svg   draws pull, torque and side force, too
#include <cstdio>
#include <fstream>
#include <functional>

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

/// One curve in a frame of 300 × 200 pixels, from zero to the largest value.
struct Panel {
  const char* title;
  const char* below;  // of the abscissa
  double from, to, least, most;
  std::function<double(double)> value;
};

void draw(std::ofstream& out, const Panel& panel, double left) {
  constexpr double kWidth = 300.0, kHeight = 200.0, kTop = 40.0;
  constexpr int kPoints = 91;
  const auto down = [&](double value) {
    return kTop + kHeight * (panel.most - value) / (panel.most - panel.least);
  };
  out << "<path d=\"M" << left << ' ' << kTop << "v" << kHeight << "h" << kWidth << "M" << left
      << ' ' << down(0.0) << "h" << kWidth << "\" stroke=\"#888\" fill=\"none\"/>\n<text x=\""
      << left << "\" y=\"25\">" << panel.title << ", " << panel.least << " to " << panel.most
      << "</text>\n<text x=\"" << left << "\" y=\"265\">" << panel.below << ", " << panel.from
      << " to " << panel.to << "</text>\n<polyline points=\"";
  for (int i = 0; i < kPoints; ++i) {
    const double share = static_cast<double>(i) / (kPoints - 1);
    const double x = panel.from + share * (panel.to - panel.from);
    out << left + kWidth * share << ',' << down(panel.value(x)) << ' ';
  }
  out << "\" stroke=\"#1f6feb\" stroke-width=\"2\" fill=\"none\"/>\n";
}

/// Drawbar pull and torque against slip, side force against slip angle, under one load.
void draw(const WheelSoilModel& wheel, double load, const char* file) {
  const auto at = [&](double slip, double angle) {
    return wheel.force(wheel.sinkage(load, slip, angle), slip, angle);
  };
  std::ofstream out(file);
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1110\" height=\"290\" "
         "font-family=\"sans-serif\" font-size=\"13\">\n"
         "<rect width=\"1110\" height=\"290\" fill=\"white\"/>\n";
  draw(out,
       {"Drawbar pull in N", "slip", 0.0, 0.9, -5.0, 30.0,
        [&](double slip) { return at(slip, 0.0).drawbar_pull; }},
       40.0);
  draw(out,
       {"Torque in N m", "slip", 0.0, 0.9, 0.0, 4.0,
        [&](double slip) { return at(slip, 0.0).resistance_torque; }},
       400.0);
  draw(out,
       {"Side force in N at slip 0.2", "slip angle in deg", 0.0, 45.0, 0.0, 50.0,
        [&](double degrees) { return at(0.2, degrees * kDegree).side_force; }},
       760.0);
  out << "</svg>\n";
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
