// Beams as chains of rigid segments against the Euler–Bernoulli beam and the chains' closed forms.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include "oracles/beams.hpp"
#include "oracles/small_vibrations.hpp"
#include "spacedyn/analysis/modes.hpp"
#include "spacedyn/kinematics/jacobians.hpp"
#include "spacedyn/math/constants.hpp"
#include "support/shipped.hpp"

namespace spacedyn::testing::beam_test {
namespace {

constexpr HingePlacement kEnds = HingePlacement::segment_ends;
constexpr HingePlacement kCentres = HingePlacement::segment_centres;

// roots of cos λ cosh λ = −1 and 1, squared
constexpr double kCantilever[] = {3.516015269, 22.034491565, 61.697214414};
constexpr double kFreeFree[] = {22.373285448, 61.672822868};

VectorX frequencies(const Model& model) { return small_vibrations(model).frequencies; }

VectorX cantilever(int segments, HingePlacement hinges) {
  return frequencies(clamped_beam(slender_beam(segments, hinges))) / bending_unit();
}

/// Displacement and rotation of the tip under a wrench there, K and J at rest: small deflections.
Vector6 tip_deflection(const Model& model, const Vector6& wrench) {
  const State state(model);
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  Matrix6X J(6, model.joint_count());
  frame_jacobian(model, frames, model.frame("beam_tip"), J);
  return J * joint_stiffness(model).llt().solve(J.transpose() * wrench);
}

TEST(Beam, BendsUnderATipForceAsTheClosedFormsOfTheChainSay) {
  const double P = 0.7;
  const double unit = P * std::pow(kBeamLength, 3) / kBeamRigidity;
  Vector6 force = Vector6::Zero();
  force.z() = P;
  for (const int N : {1, 2, 5, 20}) {
    const double n2 = N * N;
    const Model ends = clamped_beam(slender_beam(N, kEnds));
    const Model centres = clamped_beam(slender_beam(N, kCentres));
    EXPECT_NEAR(tip_deflection(ends, force).z(), unit * (1.0 / 3 + 1 / (6 * n2)), 1e-14);
    EXPECT_NEAR(tip_deflection(centres, force).z(), unit * (1.0 / 3 - 1 / (12 * n2)), 1e-14);

    // a root hinge like all the others makes the chain too soft, by 1/N
    ModelDescription soft = ends.description();
    soft.links[1].joint.stiffness /= 2.0;
    EXPECT_NEAR(tip_deflection(ModelBuilder(soft).build(), force).z(),
                unit * (N + 1) * (2 * N + 1) / (6 * n2), 1e-14);
  }
}

TEST(Beam, SlopesUnderATipMomentExactlyWithHingesInSegmentCentres) {
  Vector6 moment = Vector6::Zero();
  moment(4) = 0.3;
  const double exact = 0.3 * kBeamLength / kBeamRigidity;
  for (const int N : {1, 4, 16}) {
    const Model centres = clamped_beam(slender_beam(N, kCentres));
    const Model ends = clamped_beam(slender_beam(N, kEnds));
    EXPECT_NEAR(tip_deflection(centres, moment)(4), exact, 1e-16);
    // half a segment at the tip does not bend
    EXPECT_NEAR(tip_deflection(ends, moment)(4), exact * (1 - 0.5 / N), 1e-16);
  }
}

TEST(Beam, HasTheFrequenciesOfTheChain) {
  // computed independently, in other coordinates, to seven digits
  EXPECT_NEAR(cantilever(1, kEnds)(0), 2.449490, 1e-6);
  EXPECT_NEAR(cantilever(1, kCentres)(0), 4.898979, 1e-6);
  EXPECT_LT((cantilever(4, kEnds).head<3>() - Vector3(3.418039, 20.090351, 53.201737)).norm(),
            2e-6);
  EXPECT_LT((cantilever(4, kCentres).head<3>() - Vector3(3.567092, 23.182441, 66.315811)).norm(),
            2e-6);
  EXPECT_LT((cantilever(16, kEnds).head<3>() - Vector3(3.509725, 21.898303, 61.072540)).norm(),
            2e-6);
  EXPECT_LT((cantilever(16, kCentres).head<3>() - Vector3(3.519169, 22.103234, 62.011996)).norm(),
            2e-6);
}

TEST(Beam, CantileverFrequenciesConvergeFromBothSides) {
  for (const int mode : {0, 1, 2}) {
    const double exact = kCantilever[mode];
    double below = 0, above = 0;
    for (const int N : {16, 32, 64}) {
      const double from_below = exact - cantilever(N, kEnds)(mode);
      const double from_above = cantilever(N, kCentres)(mode) - exact;
      EXPECT_GT(from_below, 0.0);
      EXPECT_GT(from_above, 0.0);
      if (N > 16) {
        EXPECT_NEAR(below / from_below, 4.0, 0.1) << "mode " << mode << ", N " << N;
        EXPECT_NEAR(above / from_above, 4.0, 0.1) << "mode " << mode << ", N " << N;
      }
      below = from_below;
      above = from_above;
    }
  }
}

/// N rods joined by N − 1 hinges, no hinge at a root; without their own inertia they are point
/// masses in the centres.
Model free_chain(int N, bool rods_have_inertia) {
  const double l = kBeamLength / N;
  const double m = kBeamMass / N;
  const double rod_inertia = rods_have_inertia ? m * l * l / 12 : 1e-9;
  const Vector3 inertia(1e-9, rod_inertia, rod_inertia);
  ModelBuilder builder("free_chain");
  builder.set_base(base_body(m, inertia));
  std::string parent = "base";
  for (int i = 1; i < N; ++i) {
    LinkDescription rod = link_body("rod_" + std::to_string(i), parent, m, inertia,
                                    {i == 1 ? l / 2 : l, 0, 0}, {l / 2, 0, 0});
    rod.joint.axis = Vector3::UnitY();
    rod.joint.stiffness = kBeamRigidity / l;
    parent = rod.name;
    builder.add_link(rod);
  }
  return builder.build();
}

TEST(Beam, FreeFreeFrequenciesConvergeInFourthOrder) {
  // without a clamp the terms of second order cancel: ends are free of bending
  const auto from_centres = [](int N) {
    FlexibleBeamDescription beam = slender_beam(N, kCentres);
    beam.width = beam.height = 1e-4;  // no more than makes H regular about the axis
    return frequencies(ModelBuilder(with_beam(base_body(0, Vector3::Zero()), beam)).build());
  };
  for (const int mode : {0, 1}) {
    const auto rods_error = [&](int N) {
      return kFreeFree[mode] - frequencies(free_chain(N, true))(mode) / bending_unit();
    };
    const auto centres_error = [&](int N) {
      return kFreeFree[mode] - from_centres(N)(mode) / bending_unit();
    };
    for (const int N : {16, 32}) {
      EXPECT_GT(rods_error(N), 0.0);
      EXPECT_GT(centres_error(N), 0.0);
    }
    EXPECT_NEAR(rods_error(16) / rods_error(32), 16.0, 2.0);
    EXPECT_NEAR(centres_error(16) / centres_error(32), 16.0, 2.0);
  }
}

TEST(Beam, FreeFreePointMassesConvergeInSecondOrder) {
  for (const int mode : {0, 1}) {
    const auto error = [&](int N) {
      return frequencies(free_chain(N, false))(mode) / bending_unit() - kFreeFree[mode];
    };
    EXPECT_GT(error(16), 0.0);
    EXPECT_GT(error(32), 0.0);
    EXPECT_NEAR(error(32) / error(64), 4.0, 0.1);
  }
}

TEST(Beam, TwistsWithTheFrequenciesOfAShaft) {
  const double GJ = 8.0, width = 0.06, height = 0.02;
  const double polar = kBeamMass * (width * width + height * height) / 12;  // ρ I_p L
  const auto shaft = [&](int N, HingePlacement hinges) {
    FlexibleBeamDescription beam = slender_beam(N, hinges);
    beam.bending_stiffness_y = std::numeric_limits<double>::infinity();
    beam.torsional_stiffness = GJ;
    beam.width = width;
    beam.height = height;
    return frequencies(clamped_beam(beam));
  };
  const double unit = std::sqrt(GJ / (polar * kBeamLength));
  for (const HingePlacement hinges : {kEnds, kCentres}) {
    for (const int mode : {0, 1}) {
      const double exact = (mode + 0.5) * kPi * unit;
      const double coarse = std::abs(shaft(16, hinges)(mode) - exact);
      const double fine = std::abs(shaft(32, hinges)(mode) - exact);
      EXPECT_NEAR(coarse / fine, 4.0, 0.1);
    }
  }
}

TEST(Beam, TwoPlanesAndTorsionVibrateAsEachByItself) {
  FlexibleBeamDescription beam = slender_beam(4, kCentres);
  beam.width = 0.04;
  beam.height = 0.02;
  beam.bending_stiffness_z = 200.0;
  beam.torsional_stiffness = 30.0;
  beam.damping_ratio = 0.02;
  beam.tip.mass = 0.5;
  beam.tip.inertia = Vector3(0.01, 0.02, 0.03).asDiagonal();
  const Model model = clamped_beam(beam);
  const VectorX all = frequencies(model);
  ASSERT_EQ(all.size(), 12);
  for (const BeamMotion motion :
       {BeamMotion::bending_y, BeamMotion::bending_z, BeamMotion::torsion}) {
    FlexibleBeamDescription alone = beam;
    const double rigid = std::numeric_limits<double>::infinity();
    if (motion != BeamMotion::bending_y) alone.bending_stiffness_y = rigid;
    if (motion != BeamMotion::bending_z) alone.bending_stiffness_z = rigid;
    if (motion != BeamMotion::torsion) alone.torsional_stiffness = rigid;
    const VectorX some = frequencies(clamped_beam(alone));
    EXPECT_NEAR(clamped_frequency(beam, motion), some(0), 1e-10 * some(0));
    for (const double frequency : some) {
      EXPECT_LT((all.array() - frequency).abs().minCoeff(), 1e-9 * frequency);
    }
    // D = 2 ζ K / ω_1
    const Joint& root = clamped_beam(alone).joint(1);
    EXPECT_NEAR(root.damping * some(0) / (2 * root.stiffness), 0.02, 1e-12);
  }
}

TEST(Beam, CarriesATipMassLikeAMasslessSpring) {
  const double m = 4.0;
  for (const int N : {1, 8}) {
    FlexibleBeamDescription beam = slender_beam(N, kEnds);
    beam.mass = N == 1 ? 0.0 : 1e-4;
    beam.tip.mass = m;
    const double chain = 3 * kBeamRigidity / (m * std::pow(kBeamLength, 3)) / (1 + 0.5 / (N * N));
    // of the little mass that the chain has 33/140 count at the tip
    EXPECT_NEAR(frequencies(clamped_beam(beam))(0), std::sqrt(chain), 0.5 * 0.25 * beam.mass);
  }
}

TEST(Beam, FirstModeDecaysWithItsDampingRatio) {
  FlexibleBeamDescription beam = slender_beam(4, kCentres);
  beam.damping_ratio = 0.03;
  beam.tip.mass = 1.0;
  const auto model = std::make_shared<const Model>(clamped_beam(beam));
  const Vibrations modes = small_vibrations(*model);
  for (const int mode : {0, 1}) {
    const double omega = modes.frequencies(mode);
    const double zeta = 0.03 * omega / modes.frequencies(0);
    const double omega_d = omega * std::sqrt(1 - zeta * zeta);
    State state(*model);
    const double amplitude = 1e-6;  // the rest is smaller by this factor
    state.q = amplitude * modes.shapes.col(mode).normalized();
    const double time = 5.3 * 2 * kPi / omega;
    const double factor =
        std::exp(-zeta * omega * time) *
        (std::cos(omega_d * time) + zeta * omega / omega_d * std::sin(omega_d * time));
    SimulationSetup setup = tight_setup(model);
    setup.integrator.absolute_tolerance = {1e-18, 1e-18, 1e-18, 1e-18, 1e-18, 1e-18, 1e-18};
    const SimulationResult result = fly(setup, state, time);
    EXPECT_LT((result.state.q - factor * state.q).norm(), 1e-5 * amplitude);
  }
}

TEST(Beam, FreesItsRootAndVibratesFaster) {
  FlexibleBeamDescription right = slender_beam(6, kCentres);
  FlexibleBeamDescription left = right;
  right.name = "right";
  left.name = "left";
  right.origin.position.x() = 0.5;
  left.origin.position.x() = -0.5;
  left.origin.rotation = Vector3(-1, -1, 1).asDiagonal();
  ModelBuilder builder("hub");
  builder.set_base(base_body(20.0, {2.0, 3.0, 4.0}));
  for (const auto& link : expand_flexible_beam(right)) builder.add_link(link);
  for (const auto& link : expand_flexible_beam(left)) builder.add_link(link);
  ModelDescription fixed = builder.description();
  fixed.base.fixed = true;
  const VectorX free = frequencies(builder.build());
  const VectorX clamped = frequencies(ModelBuilder(fixed).build());
  ASSERT_EQ(free.size(), 12);
  for (int mode = 0; mode < 12; ++mode) EXPECT_GT(free(mode), clamped(mode) * (1 + 1e-6));
  // both panels alike: clamped modes come in pairs
  EXPECT_NEAR(clamped(0), clamped(1), 1e-10 * clamped(0));
}

/// A beam that bends and twists, with a heavy body beside its tip.
FlexibleBeamDescription beam_with_offset_tip(double offset, double torsional_stiffness) {
  FlexibleBeamDescription beam = slender_beam(6, HingePlacement::segment_centres);
  beam.bending_stiffness_z = 2.5 * kBeamRigidity;
  beam.torsional_stiffness = torsional_stiffness;
  beam.width = 0.2;
  beam.height = 0.1;
  beam.damping_ratio = 0.01;
  beam.tip.mass = 2.0;
  beam.tip.inertia = Vector3(0.05, 0.06, 0.07).asDiagonal();
  beam.tip.center_of_mass = Vector3(0.1, offset, -0.3 * offset);
  return beam;
}

/// ζ of the first mode in which joints with a letter have most of the strain.
double first_ratio(const Model& model, char letter) {
  const Modes modes = compute_modes(model, State(model), Mobility(model));
  double best = 0.0;
  for (const Mode& mode : modes.modes) {
    double share = 0.0;
    for (int i = 1; i <= model.joint_count(); ++i) {
      if (model.joint(i).name.back() == letter) share += mode.strain_share(i - 1);
    }
    if (share > 0.5) return mode.damping_ratio;
    best = std::max(best, share);
  }
  ADD_FAILURE() << "no mode of " << letter << ", at most " << best;
  return 0.0;
}

TEST(Beam, DampsItsFirstModesAsAskedWithATipBesideTheAxis) {
  for (const double offset : {0.0, 0.02, 0.15}) {
    SCOPED_TRACE(offset);
    const FlexibleBeamDescription beam = beam_with_offset_tip(offset, 20.0);
    EXPECT_TRUE(validate_flexible_beam(beam, "beam").empty());
    const Model model = clamped_beam(beam);
    for (const char letter : {'y', 'z', 'x'}) EXPECT_NEAR(first_ratio(model, letter), 0.01, 1e-10);
  }
}

TEST(Beam, SaysWhereATipBesideTheAxisDampsOtherwise) {
  const FlexibleBeamDescription beam = beam_with_offset_tip(0.6, 4000.0);
  const std::vector<Problem> problems = validate_flexible_beam(beam, "beam");
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].severity, Severity::warning);
  EXPECT_EQ(problems[0].path, "beam.damping_ratio");
  // what the message says is what the model has
  const Model model = clamped_beam(beam);
  const double torsion = first_ratio(model, 'x');
  EXPECT_GT(torsion, 0.0101);
  char expected[32];
  std::snprintf(expected, sizeof expected, "torsion %.3g", torsion);
  EXPECT_NE(problems[0].message.find(expected), std::string::npos) << problems[0].message;
}

}  // namespace
}  // namespace spacedyn::testing::beam_test
