// Modes against beams, hubs with panels and pendulums whose frequencies are known.
#include "spacedyn/analysis/modes.hpp"

#include <algorithm>
#include <cmath>

#include "spacedyn/error.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/random_models.hpp"
#include "support/reference_data.hpp"
#include "support/shipped.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::modes_test {
namespace {

/// A slender rod along x from @p begin to @p begin + length in its link frame.
LinkDescription rod(int number, double begin, double length, double mass_per_length, double origin,
                    double stiffness) {
  const double mass = mass_per_length * length;
  LinkDescription link = link_body(
      "rod_" + std::to_string(number), number == 1 ? "base" : "rod_" + std::to_string(number - 1),
      mass, {0.0, mass * length * length / 12.0, mass * length * length / 12.0}, {origin, 0.0, 0.0},
      {begin + 0.5 * length, 0.0, 0.0});
  link.joint.stiffness = stiffness;
  return link;
}

/// Where the hinges of a clamped chain of N segments are, and how stiff the root one is.
enum class Hinges { full_root, half_root, centres };

/// A clamped beam with EI = ρA = L = 1 in one bending plane.
Model cantilever(int N, Hinges hinges) {
  const double l = 1.0 / N;
  ModelBuilder builder("cantilever");
  BaseDescription base = base_body(1.0, {1.0, 1.0, 1.0});
  base.fixed = true;
  builder.set_base(base);
  for (int i = 1; i <= N; ++i) {
    const double stiffness = i == 1 && hinges == Hinges::half_root ? 2.0 / l : 1.0 / l;
    const bool centres = hinges == Hinges::centres;
    const double length = centres && i == N ? 0.5 * l : l;
    const double origin = i == 1 ? (centres ? 0.5 * l : 0.0) : l;
    builder.add_link(rod(i, 0.0, length, 1.0, origin, stiffness));
  }
  return builder.build();
}

/// A free beam of N rods, the first of which is the base, with EI = ρA = L = 1.
Model free_beam(int N) {
  const double l = 1.0 / N;
  ModelBuilder builder("free_beam");
  // a little thickness: the base must have inertia about its own axis
  builder.set_base(base_body(l, {1e-3 * l, l * l * l / 12.0, l * l * l / 12.0}));
  for (int i = 1; i < N; ++i) builder.add_link(rod(i, 0.0, l, 1.0, i == 1 ? 0.5 * l : l, 1.0 / l));
  return builder.build();
}

std::vector<double> elastic_frequencies(const Model& model) {
  const Modes modes = compute_modes(model, State(model), Mobility(model));
  std::vector<double> omega;
  for (const Mode& mode : modes.modes) {
    if (!mode.is_rigid()) omega.push_back(mode.omega);
  }
  return omega;
}

/// ω √(ρA L⁴/EI) of a cantilever; Euler and Bernoulli.
const double kCantilever[] = {3.516015269, 22.034491565, 61.697214414};
const double kFreeBeam[] = {22.373285448, 61.672822868};

struct BeamCase {
  int N;
  Hinges hinges;
  std::vector<double> omega;
};

class Cantilever : public ::testing::TestWithParam<BeamCase> {};

TEST_P(Cantilever, HasItsFrequencies) {
  const BeamCase& beam = GetParam();
  const std::vector<double> omega = elastic_frequencies(cantilever(beam.N, beam.hinges));
  ASSERT_EQ(omega.size(), static_cast<std::size_t>(beam.N));
  for (std::size_t i = 0; i < beam.omega.size(); ++i) {
    EXPECT_NEAR(omega[i], beam.omega[i], 5.1e-7);  // they are given to six decimals
  }
}

INSTANTIATE_TEST_SUITE_P(
    Segments, Cantilever,
    ::testing::Values(BeamCase{1, Hinges::full_root, {1.732051}},
                      BeamCase{4, Hinges::full_root, {2.809868}},
                      BeamCase{16, Hinges::full_root, {3.308940}},
                      BeamCase{1, Hinges::half_root, {2.449490}},
                      BeamCase{2, Hinges::half_root, {3.156232, 16.258041}},
                      BeamCase{4, Hinges::half_root, {3.418039, 20.090351, 53.201737}},
                      BeamCase{8, Hinges::half_root, {3.490988, 21.501581, 59.278944}},
                      BeamCase{16, Hinges::half_root, {3.509725, 21.898303, 61.072540}},
                      BeamCase{1, Hinges::centres, {4.898979}},
                      BeamCase{2, Hinges::centres, {3.729920, 31.040977}},
                      BeamCase{4, Hinges::centres, {3.567092, 23.182441, 66.315811}},
                      BeamCase{8, Hinges::centres, {3.528659, 22.311499, 62.949855}},
                      BeamCase{16, Hinges::centres, {3.519169, 22.103234, 62.011996}}),
    [](const auto& beam) {
      const Hinges hinges = beam.param.hinges;
      const char* name = hinges == Hinges::full_root   ? "full_root"
                         : hinges == Hinges::half_root ? "half_root"
                                                       : "centres";
      return std::to_string(beam.param.N) + "_" + name;
    });

TEST(Modes, OfBeamsConvergeFromBothSidesWithTheSquareOfTheSegments) {
  for (std::size_t mode = 0; mode < 3; ++mode) {
    double previous_below = 0.0, previous_above = 0.0;
    for (const int N : {16, 32, 64}) {
      const double below = elastic_frequencies(cantilever(N, Hinges::half_root))[mode];
      const double above = elastic_frequencies(cantilever(N, Hinges::centres))[mode];
      EXPECT_LT(below, kCantilever[mode]);
      EXPECT_GT(above, kCantilever[mode]);
      if (N > 16) {
        EXPECT_NEAR(previous_below / (kCantilever[mode] - below), 4.0, 0.1);
        EXPECT_NEAR(previous_above / (above - kCantilever[mode]), 4.0, 0.1);
      }
      previous_below = kCantilever[mode] - below;
      previous_above = above - kCantilever[mode];
    }
  }
}

TEST(Modes, OfABeamHingedByAFullSegmentAtTheRootConvergeOnlyLinearly) {
  double previous = 0.0;
  for (const int N : {16, 32, 64}) {
    const double error = kCantilever[0] - elastic_frequencies(cantilever(N, Hinges::full_root))[0];
    if (N > 16) {
      EXPECT_NEAR(previous / error, 2.0, 0.1);
    }
    previous = error;
  }
}

TEST(Modes, OfAFreeBeamConvergeWithTheFourthPowerOfTheSegments) {
  // ω² = 16 sin⁴(κℓ/2)/ℓ⁴ / (1 − ⅔ sin²(κℓ/2)) = κ⁴ (1 + O(ℓ⁴)): what the hinges soften the missing
  // inertia of the rods' bending makes up for, and a free end adds no error of second order
  for (std::size_t mode = 0; mode < 2; ++mode) {
    double previous = 0.0;
    for (const int N : {16, 32, 64}) {
      const double error = std::abs(elastic_frequencies(free_beam(N))[mode] - kFreeBeam[mode]);
      if (N > 32) {
        EXPECT_NEAR(previous / error, 16.0, 1.0);
      }
      previous = error;
    }
    EXPECT_LT(previous, 1e-4 * kFreeBeam[mode]);
  }
}

TEST(Modes, OfAFreeBeamBeginWithSixRigidOnes) {
  const Model model = free_beam(8);
  const Modes modes = compute_modes(model, State(model), Mobility(model));
  EXPECT_EQ(modes.rigid_count, 6);
  const MatrixX H = inertia_matrix(model, State(model));
  for (std::size_t i = 0; i < modes.modes.size(); ++i) {
    const Mode& mode = modes.modes[i];
    EXPECT_EQ(mode.is_rigid(), i < 6);
    EXPECT_NEAR(mode.shape.norm(), 1.0, 1e-14);
    EXPECT_NEAR(mode.modal_mass, mode.shape.dot(H * mode.shape), 1e-14);
    for (std::size_t j = 0; j < i; ++j) {
      const Mode& other = modes.modes[j];
      // rounding of the eigenvectors, for modal masses apart
      EXPECT_NEAR(other.shape.dot(H * mode.shape), 0.0,
                  1e-11 * std::sqrt(mode.modal_mass * other.modal_mass));
    }
  }
  // translations along the axes come first
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_TRUE(
        modes.modes[static_cast<std::size_t>(axis)].shape.isApprox(VectorX::Unit(13, axis), 1e-15));
  }
}

TEST(Modes, OfAHubWithTwoPanelsAreTheClosedForms) {
  // hub 750 kg, I_zz 600; hinges at ±0.5 m; panels 100 kg, I_zz 50, centroid 1.5 m away; k = 5000
  const double m_h = 750.0, J = 600.0, R = 0.5, m = 100.0, I = 50.0, d = 1.5, k = 5000.0;
  ModelBuilder builder("hub");
  builder.set_base(base_body(m_h, {J, J, J}));
  for (const double side : {1.0, -1.0}) {
    LinkDescription panel = link_body(side > 0.0 ? "right" : "left", "base", m, {I, I, I},
                                      {side * R, 0.0, 0.0}, {side * d, 0.0, 0.0});
    panel.joint.stiffness = k;
    panel.joint.damping = 20.0;
    builder.add_link(panel);
  }
  const Model model = builder.build();
  const double clamped = std::sqrt(k / (m * d * d + I));
  const double H_ww = J + 2.0 * (m * (R + d) * (R + d) + I);
  const double H_wu = 2.0 * (m * (R + d) * d + I);
  const double H_uu = 2.0 * (m * d * d + I);
  const double antisymmetric = std::sqrt(2.0 * k / (H_uu - H_wu * H_wu / H_ww));
  const double symmetric = std::sqrt(2.0 * k / (H_uu - 4.0 * m * d * m * d / (m_h + 2.0 * m)));

  const Modes held = compute_modes(model, State(model), Mobility(false, {true, true}));
  ASSERT_EQ(held.modes.size(), 2u);
  EXPECT_EQ(held.rigid_count, 0);
  for (const Mode& mode : held.modes) {
    EXPECT_NEAR(mode.omega, clamped, 1e-14 * clamped);
    EXPECT_NEAR(mode.omega, 4.26401432711, 1e-11);
    EXPECT_NEAR(mode.damping_ratio, 20.0 * clamped / (2.0 * k), 1e-15);
  }
  // the second panel moves the other way for the same angle: both signs of the pair are modes
  const Modes free = compute_modes(model, State(model), Mobility(model));
  EXPECT_EQ(free.rigid_count, 6);
  ASSERT_EQ(free.modes.size(), 8u);
  std::vector<double> expected{symmetric, antisymmetric};
  std::sort(expected.begin(), expected.end());
  EXPECT_NEAR(free.modes[6].omega, expected[0], 1e-13 * expected[0]);
  EXPECT_NEAR(free.modes[7].omega, expected[1], 1e-13 * expected[1]);
  EXPECT_GT(expected[0], clamped);
  for (std::size_t i = 6; i < 8; ++i) {
    EXPECT_NEAR(free.modes[i].strain_share(0), 0.5, 1e-12);
    EXPECT_TRUE(free.modes[i].effective_mass.isZero(0.0));
  }
}

TEST(Modes, OfAFreeHingeAreHigherThanOfAClampedOne) {
  // the one-link robot with k = 50 at q = 0
  ModelDescription description = one_link_description();
  description.links[0].joint.stiffness = 50.0;
  const Model model = ModelBuilder(description).build();
  const Modes clamped = compute_modes(model, State(model), Mobility(false, {true}));
  const Modes free = compute_modes(model, State(model), Mobility(model));
  EXPECT_NEAR(clamped.modes[0].omega, std::sqrt(50.0 / (2.0 + 10.0 * 0.75 * 0.75)), 1e-14);
  EXPECT_NEAR(free.modes[6].omega, 3.51137029694, 1e-11);
}

TEST(Modes, OfAPendulumFollowFromGravity) {
  ModelDescription description = one_link_description();
  description.base.fixed = true;
  const Model model = ModelBuilder(description).build();
  const double inertia = 2.0 + 10.0 * 0.75 * 0.75;
  const double stiffness = 10.0 * 9.81 * 0.75;
  const Vector3 along(9.81, 0.0, 0.0);
  const Modes hanging = compute_modes(model, State(model), Mobility(model), along);
  EXPECT_NEAR(hanging.modes[0].omega, std::sqrt(stiffness / inertia), 1e-14);
  EXPECT_EQ(hanging.rigid_count, 0);

  const Modes standing = compute_modes(model, State(model), Mobility(model), -along);
  EXPECT_EQ(standing.modes[0].omega, 0.0);
  EXPECT_NEAR(standing.modes[0].growth_rate, std::sqrt(stiffness / inertia), 1e-14);
  EXPECT_FALSE(standing.modes[0].is_rigid());

  // a free base falls along, and nothing pulls the link any more
  const Modes falling = compute_modes(model, State(model), Mobility(true, {true}), along);
  EXPECT_EQ(falling.rigid_count, 7);
}

TEST(Modes, OfAHeldBaseCarryTheWholeMovingInertia) {
  RandomModels random(21);
  ModelDescription description = random.description(TreeShape{9, 3, 0.3, true});
  for (LinkDescription& link : description.links) link.joint.stiffness = random.number(10.0, 90.0);
  const Model model = ModelBuilder(description).build();
  const State state = random.state(model);
  const Modes modes = compute_modes(model, state, Mobility(false, std::vector<bool>(9, true)));
  Vector6 sum = Vector6::Zero();
  for (const Mode& mode : modes.modes) sum += mode.effective_mass;
  const MatrixX H = inertia_matrix(model, state);
  const MatrixX H_bm = H.topRightCorner(6, 9);
  const MatrixX carried = H_bm * H.bottomRightCorner(9, 9).llt().solve(MatrixX(H_bm.transpose()));
  EXPECT_LE(relative_difference(sum, carried.diagonal()), 1e-11);
}

TEST(Modes, OfTheShippedPaddlesHaveTheirDesignFrequency) {
  const auto model = shipped_robot("ets7_paddles");
  const Mobility clamped =
      hold_unsprung_joints(*model, Mobility(false, std::vector<bool>(14, true)));
  const Modes held = compute_modes(*model, State(*model), clamped);
  ASSERT_EQ(held.modes.size(), 8u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(held.modes[i].frequency(), 0.15, 1e-9);  // stiffness and damping have ten digits
    EXPECT_NEAR(held.modes[i].damping_ratio, 0.005, 1e-10);
  }
  const Modes free =
      compute_modes(*model, State(*model), hold_unsprung_joints(*model, Mobility(*model)));
  ASSERT_EQ(free.modes.size(), 14u);
  EXPECT_EQ(free.rigid_count, 6);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_GE(free.modes[i + 6].omega, held.modes[i].omega * (1.0 - 1e-12));
  }
}

TEST(Modes, OfAnArmWithoutSpringsAreAllRigid) {
  const auto model = shipped_robot("ets7");
  const Modes modes = compute_modes(*model, State(*model), Mobility(*model));
  EXPECT_EQ(modes.rigid_count, 12);
  // a joint mode leaves the momentum zero
  const MatrixX H = inertia_matrix(*model, State(*model));
  for (std::size_t i = 6; i < 12; ++i) {
    const Vector6 momentum = (H * modes.modes[i].shape).head<6>();
    EXPECT_LE(momentum.norm(), 1e-12 * H.norm());
  }
}

TEST(Modes, TellHowDampingCouplesThem) {
  const auto coupling = [](double first, double second) {
    ModelBuilder builder("pair");
    BaseDescription base = base_body(1.0, {1.0, 1.0, 1.0});
    base.fixed = true;
    builder.set_base(base);
    for (const char* name : {"upper", "lower"}) {
      LinkDescription link = link_body(name, name[0] == 'u' ? "base" : "upper", 1.0,
                                       {1.0, 1.0, 1.0}, {1.0, 0.0, 0.0}, {0.5, 0.0, 0.0});
      link.joint.stiffness = 100.0;
      link.joint.damping = name[0] == 'u' ? first : second;
      builder.add_link(link);
    }
    const Model model = builder.build();
    return compute_modes(model, State(model), Mobility(model)).damping_coupling;
  };
  EXPECT_NEAR(coupling(3.0, 3.0), 0.0, 1e-13);
  EXPECT_NEAR(coupling(3.0, 0.0), 1.0, 1e-13);  // one damper: D has rank one
}

TEST(ModesErrors, NameWhatIsWrong) {
  const MatrixX H = MatrixX::Identity(7, 7);
  MatrixX K = MatrixX::Zero(7, 7);
  const Mobility mobility(true, {true});
  const auto message = [&](const MatrixX& inertia, const MatrixX& stiffness) -> std::string {
    try {
      compute_modes(inertia, MatrixX::Zero(7, 7), stiffness, mobility);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(MatrixX::Identity(6, 6), K), "the inertia matrix is 6x6, expected 7x7");
  K(6, 5) = 1.0;
  EXPECT_EQ(message(H, K), "the stiffness matrix is not symmetric: the system has no real modes");
  K(6, 5) = std::nan("");
  EXPECT_EQ(message(H, K), "the stiffness matrix has an element that is not finite");
  EXPECT_EQ(message(-H, MatrixX::Zero(7, 7)),
            "the inertia matrix is not positive definite at this configuration");
}

}  // namespace
}  // namespace spacedyn::testing::modes_test
