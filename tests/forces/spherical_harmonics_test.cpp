// Spherical harmonics: point masses inside a sphere in closed form, J2, files of coefficients, the
// Jacobi integral of a flight about a planet that turns, and the frame of an orbit.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "spacedyn/forces/body_field.hpp"
#include "spacedyn/forces/central_bodies.hpp"
#include "spacedyn/forces/spherical_harmonics.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::spherical_harmonics_test {
namespace {

/// Masses within a sphere of radius 1 about the origin.
struct Grain {
  double mu;
  Vector3 place;
};
const std::vector<Grain> kGrains = {
    {0.5, {0.1, 0.05, -0.1}}, {0.3, {-0.15, 0.1, 0.05}}, {0.2, {0.02, -0.2, 0.12}}};

GravityPotential sum_of(const std::vector<Grain>& grains, const Vector3& r) {
  GravityPotential sum;
  for (const Grain& grain : grains) {
    const Vector3 d = r - grain.place;
    const double distance = d.norm(), cube = std::pow(distance, 3);
    sum.potential += grain.mu / distance;
    sum.gradient -= grain.mu / cube * d;
    sum.second +=
        grain.mu / cube * (3.0 * d * d.transpose() / (distance * distance) - Matrix3::Identity());
  }
  return sum;
}

/// Their exact coefficients, with the Legendre functions of the standard library.
HarmonicCoefficients coefficients_of(const std::vector<Grain>& grains, int degree) {
  HarmonicCoefficients result{1.0, 1.0, MatrixX::Zero(degree + 1, degree + 1),
                              MatrixX::Zero(degree + 1, degree + 1)};
  for (const Grain& grain : grains) {
    const double distance = grain.place.norm();
    const double longitude = std::atan2(grain.place.y(), grain.place.x());
    for (int n = 0; n <= degree; ++n) {
      for (int m = 0; m <= n; ++m) {
        const double factorials = std::tgamma(n - m + 1.0) / std::tgamma(n + m + 1.0);
        const double norm = std::sqrt((m == 0 ? 1.0 : 2.0) * (2.0 * n + 1.0) * factorials);
        const double P =
            norm * std::assoc_legendre(static_cast<unsigned>(n), static_cast<unsigned>(m),
                                       grain.place.z() / distance);
        const double part = grain.mu * std::pow(distance, n) * P / (2.0 * n + 1.0);
        result.cosine(n, m) += part * std::cos(m * longitude);
        result.sine(n, m) += part * std::sin(m * longitude);
      }
    }
  }
  return result;
}

TEST(SphericalHarmonics, AreThoseOfPointMassesAlsoAtThePoles) {
  const SphericalHarmonics series(coefficients_of(kGrains, 30));
  for (const Vector3& r :
       {Vector3(1.1, 0.3, -0.4), Vector3(0, 0, 1.2), Vector3(0, 0, -1.2), Vector3(1.2, 0, 0),
        Vector3(-0.9, 0.8, 0.7), Vector3(0, -1.5, 0), Vector3(1e-9, 0, 1.3)}) {
    const GravityPotential a = series.at(r), b = sum_of(kGrains, r);
    // what is left out is below (0.24/1.2)^31, and n² of it in the second derivative
    EXPECT_NEAR(a.potential, b.potential, 1e-14);
    EXPECT_LE((a.gradient - b.gradient).norm(), 1e-14);
    EXPECT_LE((a.second - b.second).norm(), 5e-14);
  }
}

TEST(SphericalHarmonics, TurnWithTheMassesThatTheyStandFor) {
  // coefficients of turned masses and axes that are turned are the same field
  const Matrix3 turn = rotation_x(0.7) * rotation_z(-1.9);
  std::vector<Grain> turned = kGrains;
  for (Grain& grain : turned) grain.place = turn * grain.place;
  const SphericalHarmonics a(coefficients_of(turned, 25)), b(coefficients_of(kGrains, 25));
  const Vector3 r(0.4, -1.3, 0.8);
  const GravityPotential x = a.at(r), y = b.at(turn.transpose() * r);
  EXPECT_NEAR(x.potential, y.potential, 1e-14);
  EXPECT_LE((x.gradient - turn * y.gradient).norm(), 1e-14);
  EXPECT_LE((x.second - turn * y.second * turn.transpose()).norm(), 5e-14);
}

TEST(SphericalHarmonics, OfHighDegreeHaveTheDerivativesOfTheirPotential) {
  HarmonicCoefficients rough{3.986e14, 6.378e6, MatrixX::Zero(121, 121), MatrixX::Zero(121, 121)};
  rough.cosine(0, 0) = 1.0;
  for (int n = 2; n <= 120; ++n) {
    for (int m = 0; m <= n; ++m) {
      rough.cosine(n, m) = 1e-5 / (n * n) * std::sin(1.0 + n + 3.0 * m);
      rough.sine(n, m) = m == 0 ? 0.0 : 1e-5 / (n * n) * std::cos(2.0 * n - m);
    }
  }
  const SphericalHarmonics series(rough);
  for (const Vector3& r : {Vector3(4.1e6, -3.0e6, 4.2e6), Vector3(0.0, 0.0, 6.6e6)}) {
    const double h = 100.0;  // its square is 1e-10 of a wavelength's
    for (int k = 0; k < 3; ++k) {
      const GravityPotential above = series.at(r + h * Vector3::Unit(k));
      const GravityPotential below = series.at(r - h * Vector3::Unit(k)), here = series.at(r);
      EXPECT_NEAR((above.potential - below.potential) / (2 * h), here.gradient(k), 1e-8);
      EXPECT_LE(((above.gradient - below.gradient) / (2 * h) - here.second.col(k)).norm(), 1e-13);
      EXPECT_GT(here.second.norm(), 1e-6);
    }
  }
}

TEST(SphericalHarmonics, OfDegreeTwoAreAnOblatePlanet) {
  // J2, J3, J4 of EGM96 times −1/√(2n + 1) are its C_20 −4.84165371736e-4 and so on
  const double J2 = 4.84165371736e-4 * std::sqrt(5.0);
  EXPECT_NEAR(J2, 1.08262668e-3, 1e-11);
  CentralBody planet{"earth", kEarthMu, Vector3::Zero(), J2, 6378136.3, Vector3::UnitZ()};
  const SphericalHarmonics series(HarmonicCoefficients::oblate(kEarthMu, 6378136.3, J2));
  for (const Vector3& r : {Vector3(5e6, -4e6, 3.5e6), Vector3(0, 0, 7e6), Vector3(0, 7e6, 0)}) {
    EXPECT_NEAR(series.at(r).potential / planet.potential(r), 1.0, 1e-15);
    EXPECT_LE((series.at(r).gradient - planet.gradient(r)).norm(), 1e-14);
  }
}

const std::string kHead =
    "radius of the earth, in words\nbegin_of_head\nproduct_type gravity_field\nmodelname low\n"
    "earth_gravity_constant 0.3986004415E+15\nradius 0.63781363E+07\nmax_degree 3\n"
    "tide_system tide_free\n";

TEST(GfcFile, IsReadWithExponentsOfFortranAndWithoutNormalization) {
  const HarmonicCoefficients full =
      parse_gfc(kHead +
                    "norm fully_normalized\nend_of_head ====\n"
                    "gfc 2 0 -0.484165371736D-03 0.0 1e-11 0\ngfc 3 1 2.0e-06 2.5d-07\n",
                "low.gfc");
  EXPECT_EQ(full.degree(), 3);
  EXPECT_DOUBLE_EQ(full.mu, 3.986004415e14);
  EXPECT_DOUBLE_EQ(full.radius, 6378136.3);
  EXPECT_DOUBLE_EQ(full.cosine(0, 0), 1.0);
  EXPECT_DOUBLE_EQ(full.cosine(2, 0), -4.84165371736e-4);
  EXPECT_DOUBLE_EQ(full.sine(3, 1), 2.5e-7);
  const HarmonicCoefficients plain = parse_gfc(
      kHead + "norm unnormalized\nend_of_head\ngfc 2 0 -1.08262668e-3 0\ngfc 3 1 2.0e-6 1.0e-7\n",
      "low.gfc");
  EXPECT_NEAR(plain.cosine(2, 0), -1.08262668e-3 / std::sqrt(5.0), 1e-18);
  // √(2 · 7 · 2!/4!)
  EXPECT_NEAR(plain.sine(3, 1), 1.0e-7 / std::sqrt(14.0 / 12.0), 1e-22);
  EXPECT_EQ(full.up_to(2).degree(), 2);
  EXPECT_EQ(full.up_to(2).cosine(2, 0), full.cosine(2, 0));
}

TEST(GfcFile, RefusesWhatItIsNot) {
  const auto refusal = [](const std::string& text) {
    return message_of<DomainError>([&] { parse_gfc(text, "low.gfc"); });
  };
  EXPECT_EQ(refusal("gfc 0 0 1 0\n"),
            "low.gfc: expected the line 'end_of_head' of an ICGEM file, got none");
  EXPECT_EQ(refusal("max_degree 3\nradius 1\nend_of_head\n"),
            "low.gfc:3: expected a positive earth_gravity_constant above");
  EXPECT_EQ(refusal(kHead + "end_of_head\ngfct 2 0 1e-3 0 0 0 20050101\n"),
            "low.gfc:10: expected a coefficient 'gfc L M C S' of a static field, got 'gfct'");
  EXPECT_EQ(refusal(kHead + "end_of_head\ngfc 4 0 1e-3 0\n"),
            "low.gfc:10: expected a whole number from 0 to 3, got '4'");
  EXPECT_EQ(refusal(kHead + "end_of_head\ngfc 2 3 1e-3 0\n"),
            "low.gfc:10: expected a whole number from 0 to 2, got '3'");
  EXPECT_EQ(refusal(kHead + "end_of_head\ngfc 2 0 x 0\n"),
            "low.gfc:10: expected a number, got 'x'");
  EXPECT_EQ(refusal(kHead + "end_of_head\ngfc 2 0 1 0\ngfc 2 0 1 0\n"),
            "low.gfc:11: degree 2 and order 0 come twice");
  EXPECT_EQ(refusal(kHead + "end_of_head\n"),
            "low.gfc: expected coefficients below 'end_of_head', got none");
  EXPECT_EQ(refusal(kHead + "norm half\nend_of_head\n"),
            "low.gfc:9: expected norm fully_normalized or unnormalized, got 'half'");
}

TEST(CofFile, IsTheSeriesOfSchmidtAtADate) {
  // a dipole, its change, and one coefficient of degree 2 in nT
  const std::string text =
      "    2025.0            WMM-2025     11/13/2024\n"
      "  1  0  -29351.8       0.0       12.0        0.0\n"
      "  1  1   -1410.8    4545.4        9.7      -21.5\n"
      "  2  1    2956.6   -3133.6       -5.2      -27.7\n"
      "999999999999999999999999999999999999999999999999\n"
      "999999999999999999999999999999999999999999999999\n";
  const HarmonicCoefficients series = parse_cof(text, "WMM.COF", 2027.5);
  EXPECT_EQ(series.degree(), 2);
  const double R = series.radius;
  EXPECT_EQ(R, 6371200.0);
  const double g10 = -29351.8 + 2.5 * 12.0, g11 = -1410.8 + 2.5 * 9.7, h11 = 4545.4 - 2.5 * 21.5;
  const double g21 = 2956.6 - 2.5 * 5.2, h21 = -3133.6 - 2.5 * 27.7;
  const SphericalHarmonics V(series, 1e-9 * R);
  const Vector3 r(4.0e6, -3.0e6, 4.5e6);
  // V = R (R/r)² (g10 z + g11 x + h11 y)/r + R (R/r)³ √3 z (g21 x + h21 y)/r² [Schmidt: S_21 = √3
  // sc]
  const double d = r.norm();
  const double dipole = g10 * r.z() + g11 * r.x() + h11 * r.y();
  const double quadrupole = std::sqrt(3.0) * r.z() * (g21 * r.x() + h21 * r.y());
  const double expected = 1e-9 * (std::pow(R, 3) / std::pow(d, 3) * dipole +
                                  std::pow(R, 4) / std::pow(d, 5) * quadrupole);
  EXPECT_NEAR(V.at(r).potential / expected, 1.0, 1e-14);
  const auto refusal = [&](const std::string& given, double date) {
    return message_of<DomainError>([&] { parse_cof(given, "WMM.COF", date); });
  };
  EXPECT_EQ(refusal(text, 2030.5), "WMM.COF: expected a date from 2025 to 2030, got 2030.5");
  EXPECT_EQ(refusal(text, 2024.9), "WMM.COF: expected a date from 2025 to 2030, got 2024.9");
  EXPECT_EQ(refusal("", 2025), "WMM.COF: expected an epoch and coefficients, got an empty file");
  EXPECT_EQ(refusal("2025.0 WMM\n1 0 5\n", 2025),
            "WMM.COF:2: expected n, m, g, h and their changes per year");
  EXPECT_EQ(refusal("2025.0 WMM\n1 2 5 0 0 0\n", 2025),
            "WMM.COF:2: expected a whole number from 0 to 1, got '2'");
  EXPECT_EQ(refusal("2025.0 WMM\n", 2025),
            "WMM.COF: expected coefficients below the epoch, got none");
}

TEST(BodyField, OfAPlanetThatTurnsKeepsTheJacobiIntegral) {
  for (const bool gradient : {true, false}) {
    SimulationSetup setup;
    setup.model = std::make_shared<Model>(single_body(3.0, {1.0, 1.0, 1.0}));
    setup.integrator = adaptive(IntegrationMethod::dop853, 1e-13);
    BodyAxes axes;
    axes.angular_velocity = {0.05, -0.1, 0.3};
    axes.attitude = rotation_x(0.4);
    const auto gravity = std::make_shared<SphericalHarmonics>(coefficients_of(kGrains, 12));
    setup.forces = {gradient ? std::make_shared<BodyField>("rock", gravity, axes)
                             : std::make_shared<BodyField>("rock", gravity, axes, *setup.model)};
    State state(*setup.model);
    state.r_0 = {1.4, -0.3, 0.5};
    state.v_0 = {0.1, 0.7, 0.2};
    const auto jacobi = [&](const State& now, double time) {
      const BodyAxes::Pose pose = axes.at(time);
      return 0.5 * now.v_0.squaredNorm() -
             gravity->at(pose.attitude.transpose() * now.r_0).potential -
             axes.angular_velocity.dot(now.r_0.cross(now.v_0));
    };
    const SimulationResult result = simulate(setup, state, 40.0);
    EXPECT_NEAR(jacobi(result.state, 40.0), jacobi(state, 0.0), 1e-11);
    EXPECT_LE(result.audit.energy_residual(), 1e-11);
    EXPECT_GT((result.state.r_0 - state.r_0).norm(), 0.5);
    // energy alone is not kept
    EXPECT_GT(
        std::abs(0.5 * (result.state.v_0.squaredNorm() - state.v_0.squaredNorm()) -
                 gravity->at(axes.at(40.0).attitude.transpose() * result.state.r_0).potential +
                 gravity->at(axes.attitude.transpose() * state.r_0).potential),
        1e-4);
  }
}

TEST(BodyField, RefusesWhatMakesNoSense) {
  EXPECT_EQ(message_of<DomainError>([] { BodyField("rock", nullptr, {}); }),
            "'rock': it must have gravity, and finite axes");
  EXPECT_EQ(message_of<DomainError>(
                [] { SphericalHarmonics(HarmonicCoefficients::oblate(-1.0, 1.0, 1e-3)); }),
            "mu of spherical harmonics must be finite and positive");
  EXPECT_EQ(message_of<DomainError>(
                [] { SphericalHarmonics(HarmonicCoefficients::oblate(1.0, 0.0, 1e-3), 1.0); }),
            "spherical harmonics: the radius must be finite and positive");
}

}  // namespace
}  // namespace spacedyn::testing::spherical_harmonics_test
