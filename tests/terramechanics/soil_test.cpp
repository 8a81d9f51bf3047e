// Closed forms of Bekker, Reece, Janosi and Hanamoto, and parameters without meaning.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "support/message_of.hpp"
#include "terramechanics/reference_soils.hpp"

namespace spacedyn::testing::soil_test {
namespace {

constexpr double kGravity = 9.81;

TEST(Soil, CompactionResistanceIsBekkersClosedForm) {
  const CompactionResistance towed =
      compaction_resistance(rover_wheel(), regolith_simulant(), kRoverLoad, kGravity);
  // six published digits
  EXPECT_NEAR(towed.sinkage, 18.495904e-3, 5e-10);
  EXPECT_NEAR(towed.resistance, 15.550086, 5e-7);
  // the closed forms for n = 1, to 1e-9: z³ = (3 W/(2 b k √D))², R = b k z²/2
  const double bk = 0.11 * (1.37e3 / 0.11 + 8.14e5);
  const double z = std::cbrt(std::pow(1.5 * kRoverLoad / bk, 2) / 0.18);
  EXPECT_NEAR(towed.sinkage, z, 1e-9 * z);
  EXPECT_NEAR(towed.resistance, 0.5 * bk * z * z, 1e-9 * towed.resistance);
}

TEST(Soil, PlateSinksByItsPressure) {
  const Soil soil = regolith_simulant();
  EXPECT_NEAR(plate_sinkage(soil, 0.10, 0.11, kRoverLoad, kGravity), 7.114729e-3, 5e-10);
  for (const double n : {0.5, 1.0, 1.4}) {
    for (const PressureLaw law : {PressureLaw::bekker, PressureLaw::reece}) {
      Soil other = soil;
      other.exponent = n;
      other.pressure = law;
      const double z = plate_sinkage(other, 0.3, 0.1, 100.0, kGravity);
      // 1e-9: what closed forms are asked for
      EXPECT_NEAR(plate_pressure(other, 0.1, z, kGravity) * 0.3 * 0.1, 100.0, 1e-9 * 100.0);
    }
  }
}

TEST(Soil, IsStifferWhereItWasPressedBefore) {
  Soil soil = regolith_simulant();
  soil.unloading_modulus = {2.0e6, 5.0e8};
  constexpr double kDeepest = 0.012, kModulus = 2.0e6 + 5.0e8 * kDeepest;
  const auto pressure = [&](double z) { return plate_pressure(soil, 0.1, z, kGravity, kDeepest); };
  const double carried = plate_pressure(soil, 0.1, kDeepest, kGravity);
  const PressedBed bed = pressed_bed(soil, 0.1, kDeepest, kGravity);
  // Wong: p = p_u − k_u (z_u − z), to rounding
  EXPECT_NEAR(bed.floor, kDeepest - carried / kModulus, 1e-15);
  EXPECT_EQ(pressure(0.9 * bed.floor), 0.0);
  for (const double z : {0.0112, 0.0118, 0.012}) {
    EXPECT_NEAR(pressure(z), carried - kModulus * (kDeepest - z), 1e-9 * carried);
  }
  EXPECT_EQ(pressure(0.02), plate_pressure(soil, 0.1, 0.02, kGravity));
  // never softer than the chord of the first curve: unloading leaves no hill
  soil.unloading_modulus = {1.0, 0.0};
  EXPECT_EQ(pressed_bed(soil, 0.1, kDeepest, kGravity).floor, 0.0);
  soil.unloading_modulus = {0.0, 0.0};
  EXPECT_EQ(message_of<DomainError>([&] { pressed_bed(soil, 0.1, 0.01, kGravity); }),
            "soil that was pressed before needs its unloading modulus");
  EXPECT_THROW(pressed_bed(regolith_simulant(), 0.1, 0.0, kGravity), DomainError);
  soil.unloading_modulus = {-1.0, 0.0};
  EXPECT_THROW(soil.check(), DomainError);
}

TEST(Soil, ReecesPressureHasTheWidthInTheDepth) {
  Soil soil = regolith_simulant();
  soil.pressure = PressureLaw::reece;
  soil.k_c = 212.2;
  soil.k_phi = 677.5;
  soil.exponent = 1.4;
  const double b = 0.2, z = 0.03;
  const double expected = (800.0 * 212.2 + 1600.0 * kGravity * b * 677.5) * std::pow(z / b, 1.4);
  EXPECT_NEAR(plate_pressure(soil, b, z, kGravity), expected, 1e-9 * expected);
}

TEST(Soil, CompactionWorkIsThatOfPressingARut) {
  // R_c per length is ∫ b p dz; the midpoint rule with 2000 cells errs by 1e-7
  const Soil soil = regolith_simulant();
  const auto towed = compaction_resistance(rover_wheel(), soil, kRoverLoad, kGravity);
  double work = 0.0;
  constexpr int kCells = 2000;
  for (int i = 0; i < kCells; ++i) {
    const double z = towed.sinkage * (i + 0.5) / kCells;
    work += 0.11 * plate_pressure(soil, 0.11, z, kGravity) * towed.sinkage / kCells;
  }
  EXPECT_NEAR(work, towed.resistance, 1e-6 * work);
}

TEST(Soil, ShearSaturatesAndIsOdd) {
  const Soil soil = regolith_simulant();
  const double strength = 800.0 + 5000.0 * std::tan(37.2 * kDegree);
  EXPECT_NEAR(shear_stress(soil, 5000.0, 0.036, 0.036), strength * (1.0 - std::exp(-1.0)), 1e-9);
  EXPECT_NEAR(shear_stress(soil, 5000.0, 10.0, 0.036), strength, 1e-9);
  EXPECT_EQ(shear_stress(soil, 5000.0, -0.01, 0.036), -shear_stress(soil, 5000.0, 0.01, 0.036));
  EXPECT_EQ(shear_stress(soil, 5000.0, 0.0, 0.036), 0.0);
}

struct Misuse {
  const char* name;
  void (*spoil)(Soil&);
  const char* message;
};

void PrintTo(const Misuse& misuse, std::ostream* stream) { *stream << misuse.name; }

class SoilMisuse : public ::testing::TestWithParam<Misuse> {};

TEST_P(SoilMisuse, IsRefused) {
  Soil soil = regolith_simulant();
  GetParam().spoil(soil);
  EXPECT_EQ(message_of<DomainError>([&] { soil.check(); }), GetParam().message);
  EXPECT_THROW(WheelSoilModel(rover_wheel(), soil), DomainError);
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

INSTANTIATE_TEST_SUITE_P(
    All, SoilMisuse,
    ::testing::Values(
        Misuse{"cohesion", [](Soil& s) { s.cohesion = -1.0; }, "the cohesion must not be negative"},
        Misuse{"nan_cohesion", [](Soil& s) { s.cohesion = kNan; },
               "the cohesion must not be negative"},
        Misuse{"friction", [](Soil& s) { s.friction_angle = 91.0 * kDegree; },
               "the friction angle must be from 0 to less than 90°"},
        Misuse{"k_phi", [](Soil& s) { s.k_phi = -1.0; },
               "k_c and k_phi must be finite, k_phi not negative"},
        Misuse{"no_pressure", [](Soil& s) { s.k_c = s.k_phi = 0.0; },
               "k_c and k_phi must not both be zero: nothing would carry"},
        Misuse{"exponent", [](Soil& s) { s.exponent = 0.0; },
               "the exponent must be above 0 and at most 5"},
        Misuse{"exponent_slip", [](Soil& s) { s.exponent_slip = -0.1; },
               "exponent_slip must be from 0 to 5"},
        Misuse{"density", [](Soil& s) { s.density = -1.0; }, "the density must not be negative"},
        Misuse{"modulus", [](Soil& s) { s.shear_modulus_x[0] = 0.0; },
               "the shear moduli must be positive, their second numbers not negative"},
        Misuse{"a0", [](Soil& s) { s.a0 = 1.5; }, "a0 must be from 0 to 1, a1 from -1 to 1"},
        Misuse{"lambda", [](Soil& s) { s.lambda = 1.2; }, "lambda must be from 0 to 1"},
        Misuse{"destructive", [](Soil& s) { s.destructive_angle = 60.0 * kDegree; },
               "the destructive angle must be positive, with the friction angle less than 90°"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(Soil, WheelsAndLoadsWithoutMeaningAreRefused) {
  const Soil soil = regolith_simulant();
  EXPECT_EQ(message_of<DomainError>([&] {
              WheelSoilModel({0.0, 0.1, 0.0}, soil);
            }),
            "the radius must be positive");
  EXPECT_EQ(message_of<DomainError>([&] {
              WheelSoilModel({0.1, -0.1, 0.0}, soil);
            }),
            "the width must not be negative");
  EXPECT_EQ(message_of<DomainError>([&] {
              WheelSoilModel({0.1, 0.1, -0.1}, soil);
            }),
            "the height of grousers must not be negative");
  EXPECT_EQ(message_of<DomainError>([&] { WheelSoilModel(rover_wheel(), soil, -1.0); }),
            "the gravity must not be negative");
  EXPECT_EQ(message_of<DomainError>([&] { plate_sinkage(soil, 0.1, 0.1, 0.0, 9.81); }),
            "length, width and load must be positive");
  EXPECT_EQ(
      message_of<DomainError>([&] { compaction_resistance(rover_wheel(), soil, -1.0, 9.81); }),
      "load, radius and width must be positive");
  Soil steep = soil;
  steep.exponent = 3.0;
  EXPECT_EQ(
      message_of<DomainError>([&] { compaction_resistance(rover_wheel(), steep, 1.0, 9.81); }),
      "the closed form holds for an exponent below 3");
}

}  // namespace
}  // namespace spacedyn::testing::soil_test
