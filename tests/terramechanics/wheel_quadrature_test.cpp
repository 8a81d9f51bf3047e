// The integrals against an independent quadrature of the plain formulas.
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "terramechanics/reference_soils.hpp"

namespace spacedyn::testing::wheel_quadrature_test {
namespace {

/// Tanh-sinh rule on [a, b]: converges for any behaviour at the ends.
template <typename Function>
double integral(const Function& f, double a, double b) {
  constexpr double kHalfPi = 0.5 * kPi, kStep = 1.0 / 12.0;
  double sum = 0.0;
  for (int k = -48; k <= 48; ++k) {
    const double t = k * kStep, u = kHalfPi * std::sinh(t);
    const double near = 1.0 / (1.0 + std::exp(2.0 * std::abs(u)));  // distance to the nearer end
    const double weight = kHalfPi * std::cosh(t) / (std::cosh(u) * std::cosh(u));
    sum += weight * f(t < 0.0 ? a + (b - a) * near : b - (b - a) * near);
  }
  return 0.5 * sum * kStep * (b - a);
}

/// The formulas as they are printed, |s| ≤ 1, |β| ≥ 1°.
class Printed {
 public:
  /// @param pressed  depth to which the soil was pressed before; 0: untouched
  Printed(const SoilWheel& wheel, const Soil& soil, double h, double s, double beta,
          double pressed = 0.0)
      : wheel_(wheel), soil_(soil), h_(h), s_(s), beta_(beta), pressed_(pressed) {
    if (pressed > 0.0) {
      modulus_ = soil.unloading_modulus[0] + soil.unloading_modulus[1] * pressed;
      floor_ = pressed - untouched(pressed) / modulus_;
      h_ = h = h - floor_;
    }
    entry_ = std::acos(1.0 - h / wheel.radius);
    exit_ = -std::acos(1.0 - soil.lambda * h / wheel.radius);
    peak_ = (soil.a0 + soil.a1 * s) * entry_;
  }
  double normal(double theta) const {
    const double at =
        theta >= peak_ ? theta : entry_ - (theta - exit_) / (peak_ - exit_) * (entry_ - peak_);
    const double z = wheel_.radius * std::max(0.0, std::cos(at) - std::cos(entry_));
    return floor_ + z < pressed_ ? modulus_ * z : untouched(floor_ + z);
  }
  double shear_x(double theta) const {
    return shear_stress(soil_, normal(theta), j(theta), k(soil_.shear_modulus_x));
  }
  double shear_y(double theta) const {
    const double aside = wheel_.radius * (1.0 - s_) * (entry_ - theta) * std::tan(beta_);
    return shear_stress(soil_, normal(theta), aside, k(soil_.shear_modulus_y));
  }
  WheelSoilForce force() const {
    const double r = wheel_.radius, b = wheel_.width;
    WheelSoilForce sum;
    const std::vector<double> ends = pieces();
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
      const auto add = [&](double& part, auto function) {
        part += integral(function, ends[i], ends[i + 1]);
      };
      add(sum.drawbar_pull,
          [&](double t) { return r * b * (shear_x(t) * std::cos(t) - normal(t) * std::sin(t)); });
      add(sum.vertical_force,
          [&](double t) { return r * b * (shear_x(t) * std::sin(t) + normal(t) * std::cos(t)); });
      add(sum.resistance_torque, [&](double t) { return r * r * b * shear_x(t); });
      add(sum.side_force,
          [&](double t) { return r * b * shear_y(t) + push() * (r - h_ * std::cos(t)); });
      add(sum.aligning_moment, [&](double t) { return r * r * b * shear_y(t) * std::sin(t); });
    }
    return sum;
  }

 private:
  double untouched(double z) const {
    const double n = soil_.exponent + soil_.exponent_slip * std::abs(s_);
    return (soil_.k_c / wheel_.width + soil_.k_phi) * std::pow(z, n);
  }
  double k(const std::array<double, 2>& modulus) const {
    return modulus[0] + modulus[1] * std::abs(beta_);
  }
  double j(double theta) const {
    return wheel_.radius * (entry_ - theta - (1.0 - s_) * (std::sin(entry_) - std::sin(theta)));
  }
  double push() const {
    const double X = soil_.destructive_angle, phi = soil_.friction_angle;
    const double D1 = 1.0 / std::tan(X) + std::tan(X + phi);
    const double D2 = 1.0 / std::tan(X) + std::tan(phi) / (std::tan(X) * std::tan(X));
    return std::copysign(D1, beta_) *
           (soil_.cohesion * h_ + 0.5 * D2 * soil_.density * kStandardGravity * h_ * h_);
  }
  /// Between the kinks, each once more in four for steep exponentials.
  std::vector<double> pieces() const {
    std::vector<double> kinks{exit_, peak_, entry_};
    if (floor_ + h_ > pressed_ && pressed_ > 0.0) {
      const double angle = std::acos(std::cos(entry_) + (pressed_ - floor_) / wheel_.radius);
      const double x = (entry_ - angle) / (entry_ - peak_);
      if (x < 1.0) kinks.insert(kinks.end(), {angle, exit_ + x * (peak_ - exit_)});
    }
    constexpr int kCells = 2000;
    for (int i = 1; i < kCells; ++i) {
      double low = exit_ + (entry_ - exit_) * (i - 1) / kCells;
      double high = exit_ + (entry_ - exit_) * i / kCells;
      const bool sign = j(low) > 0.0;
      if ((j(high) > 0.0) == sign) continue;
      for (int n = 0; n < 50; ++n) {
        const double middle = 0.5 * (low + high);
        ((j(middle) > 0.0) == sign ? low : high) = middle;
      }
      kinks.push_back(low);
    }
    std::sort(kinks.begin(), kinks.end());
    std::vector<double> ends;
    for (std::size_t i = 0; i + 1 < kinks.size(); ++i) {
      for (int part = 0; part < 4; ++part) {
        ends.push_back(kinks[i] + (kinks[i + 1] - kinks[i]) * part / 4.0);
      }
    }
    ends.push_back(entry_);
    return ends;
  }

  SoilWheel wheel_;
  Soil soil_;
  double h_, s_, beta_, pressed_, modulus_ = 0.0, floor_ = 0.0, entry_, exit_, peak_;
};

struct Kind {
  const char* name;
  double exponent_low, exponent_high, exponent_slip, modulus_scale;
};

void PrintTo(const Kind& kind, std::ostream* stream) { *stream << kind.name; }

class WheelQuadrature : public ::testing::TestWithParam<Kind> {};

TEST_P(WheelQuadrature, IsAccurate) {
  const Kind& kind = GetParam();
  std::mt19937 engine(7);
  const auto number = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  };
  for (int i = 0; i < 60; ++i) {
    Soil soil = regolith_simulant(number(0.0, 1.0));
    soil.exponent = number(kind.exponent_low, kind.exponent_high);
    soil.exponent_slip = kind.exponent_slip;
    for (double& modulus : soil.shear_modulus_x) modulus *= kind.modulus_scale;
    for (double& modulus : soil.shear_modulus_y) modulus *= kind.modulus_scale;
    const double h = 0.09 * std::exp(number(-5.0, -0.4));
    double slip = number(-1.0, 1.0);
    if (std::abs(slip) < 0.01) slip = 0.01;  // the exponent's |s| is rounded below
    const double angle = i % 2 == 0 ? 2.0 * kDegree : number(-1.0, -0.02);
    const WheelSoilForce force = wheel_soil_force(rover_wheel(), soil, h, slip, angle);
    const WheelSoilForce exact = Printed(rover_wheel(), soil, h, slip, angle).force();
    // the stated accuracy
    const double tolerance = 1e-8 * exact.vertical_force;
    ASSERT_NEAR(force.drawbar_pull, exact.drawbar_pull, tolerance) << "slip " << slip;
    ASSERT_NEAR(force.vertical_force, exact.vertical_force, tolerance) << "slip " << slip;
    ASSERT_NEAR(force.side_force, exact.side_force, tolerance) << "slip " << slip;
    ASSERT_NEAR(force.resistance_torque, exact.resistance_torque, 0.09 * tolerance);
    ASSERT_NEAR(force.aligning_moment, exact.aligning_moment, 0.09 * tolerance);
  }
}

TEST_P(WheelQuadrature, IsAccurateInRuts) {
  const Kind& kind = GetParam();
  std::mt19937 engine(8);
  const auto number = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  };
  for (int i = 0; i < 40; ++i) {
    Soil soil = regolith_simulant(number(0.0, 1.0));
    soil.exponent = number(kind.exponent_low, kind.exponent_high);
    soil.exponent_slip = kind.exponent_slip;
    soil.unloading_modulus = {1.0e7, 1.0e9};
    const double pressed = number(0.01, 0.02), slip = i % 3 == 0 ? -0.4 : number(0.02, 0.9);
    const double h = pressed * number(0.995, 1.8), angle = number(-0.5, -0.02);
    const WheelSoilModel model(rover_wheel(), soil);
    const WheelSoilForce force =
        model.force({h, slip, (1.0 - slip) * std::tan(angle), angle, 1.0, pressed});
    const WheelSoilForce exact = Printed(rover_wheel(), soil, h, slip, angle, pressed).force();
    // the stated accuracy
    const double tolerance = 1e-8 * exact.vertical_force;
    ASSERT_NEAR(force.drawbar_pull, exact.drawbar_pull, tolerance) << "slip " << slip;
    ASSERT_NEAR(force.vertical_force, exact.vertical_force, tolerance) << "slip " << slip;
    ASSERT_NEAR(force.side_force, exact.side_force, tolerance) << "slip " << slip;
    ASSERT_NEAR(force.resistance_torque, exact.resistance_torque, 0.09 * tolerance);
  }
}

INSTANTIATE_TEST_SUITE_P(Soils, WheelQuadrature,
                         ::testing::Values(Kind{"linear", 1.0, 1.0, 0.0, 1.0},
                                           Kind{"power", 0.5, 1.8, 0.0, 1.0},
                                           Kind{"power_with_slip", 0.5, 1.5, 0.4, 1.0},
                                           Kind{"stiff_shear", 1.0, 1.0, 0.0, 0.1}),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace spacedyn::testing::wheel_quadrature_test
