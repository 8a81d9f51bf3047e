// The chain that stands for a flexible beam: names, places, masses, and the rules for beams.
#include "spacedyn/model/flexible_beam.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/model/model_builder.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::flexible_beam_test {
namespace {

FlexibleBeamDescription boom() {
  FlexibleBeamDescription beam;
  beam.name = "boom";
  beam.parent = "base";
  beam.origin.position = Vector3(0.5, 0.0, 0.1);
  beam.length = 3.0;
  beam.mass = 6.0;
  beam.bending_stiffness_y = 100.0;
  beam.bending_stiffness_z = 50.0;
  beam.torsional_stiffness = 20.0;
  beam.width = 0.1;
  beam.height = 0.2;
  beam.damping_ratio = 0.01;
  beam.segments = 3;
  return beam;
}

Model with_boom(const FlexibleBeamDescription& beam) {
  ModelBuilder builder("robot");
  builder.set_base(base_body(10.0, {1.0, 1.0, 1.0}));
  for (LinkDescription& link : expand_flexible_beam(beam)) builder.add_link(std::move(link));
  return builder.build();
}

TEST(FlexibleBeam, IsAChainWithDocumentedNames) {
  const Model model = with_boom(boom());
  std::vector<std::string> joints, links;
  for (int i = 1; i <= model.joint_count(); ++i) {
    joints.push_back(model.joint(i).name);
    links.push_back(model.body(i).name);
    EXPECT_EQ(model.topology().connection(i), i - 1);
  }
  EXPECT_EQ(joints,
            (std::vector<std::string>{"boom_1_y", "boom_1_z", "boom_1_x", "boom_2_y", "boom_2_z",
                                      "boom_2_x", "boom_3_y", "boom_3_z", "boom_3_x"}));
  EXPECT_EQ(links,
            (std::vector<std::string>{"boom_1_y", "boom_1_z", "boom_1", "boom_2_y", "boom_2_z",
                                      "boom_2", "boom_3_y", "boom_3_z", "boom_3"}));
  EXPECT_EQ(model.body(1).mass, 0.0);
  EXPECT_EQ(model.body(3).mass, 2.0);
  EXPECT_EQ(model.frame("boom").body, 0);
  EXPECT_EQ(model.frame("boom_tip").body, 9);
}

TEST(FlexibleBeam, BendsOnlyWhereItIsNotRigid) {
  FlexibleBeamDescription beam = boom();
  beam.bending_stiffness_z = beam.torsional_stiffness = std::numeric_limits<double>::infinity();
  const Model model = with_boom(beam);
  ASSERT_EQ(model.joint_count(), 3);
  EXPECT_EQ(model.joint(2).name, "boom_2_y");
  EXPECT_EQ(model.body(2).name, "boom_2");
}

TEST(FlexibleBeam, KeepsMassCentroidAndInertiaOfTheStraightBeam) {
  for (const auto hinges : {HingePlacement::segment_ends, HingePlacement::segment_centres}) {
    FlexibleBeamDescription beam = boom();
    beam.hinges = hinges;
    beam.tip.mass = 1.5;
    beam.tip.center_of_mass = Vector3(0.1, 0.2, 0.3);
    // welded together they are one box and the tip
    std::vector<LinkDescription> links = expand_flexible_beam(beam);
    for (LinkDescription& link : links) {
      const JointDescription moving = link.joint;
      link.joint = JointDescription();
      link.joint.type = JointType::fixed;
      link.joint.name = moving.name;
      link.joint.origin = moving.origin;
    }
    ModelBuilder builder("welded");
    builder.set_base(base_body(0.0, Vector3::Zero()));
    for (const LinkDescription& link : links) builder.add_link(link);
    const Body welded = builder.build().body(0);
    EXPECT_NEAR(welded.mass, 7.5, 1e-14);
    const Vector3 center = (6.0 * Vector3(2.0, 0.0, 0.1) + 1.5 * Vector3(3.6, 0.2, 0.4)) / 7.5;
    EXPECT_LT((welded.center_of_mass - center).norm(), 1e-14);
    const double distance = (Vector3(3.6, 0.2, 0.4) - Vector3(2.0, 0.0, 0.1)).squaredNorm();
    const double box = 6.0 / 12.0 * 2.0 * (9.0 + 0.01 + 0.04);
    EXPECT_NEAR(welded.inertia_L.trace(), box + 2.0 * 6.0 * 1.5 / 7.5 * distance, 1e-12);
  }
}

TEST(FlexibleBeam, RootHingeIsTwiceAsStiffOnlyAtTheVeryRoot) {
  FlexibleBeamDescription beam = boom();
  beam.hinges = HingePlacement::segment_ends;
  const Model ends = with_boom(beam);
  EXPECT_DOUBLE_EQ(ends.joint(1).stiffness, 200.0);
  EXPECT_DOUBLE_EQ(ends.joint(4).stiffness, 100.0);
  EXPECT_DOUBLE_EQ(ends.joint(3).stiffness, 40.0);
  const Model centres = with_boom(boom());
  EXPECT_DOUBLE_EQ(centres.joint(1).stiffness, 100.0);
  EXPECT_DOUBLE_EQ(centres.joint(1).origin.x(), 1.0);
  // D/K is the same at all hinges of a motion
  EXPECT_DOUBLE_EQ(ends.joint(1).damping / ends.joint(1).stiffness,
                   ends.joint(7).damping / ends.joint(7).stiffness);
}

TEST(FlexibleBeam, CarriesThingsWhereTheyAreOnTheStraightBeam) {
  const FlexibleBeamDescription beam = boom();  // hinges at 0.5, 1.5, 2.5
  Pose pose;
  const auto at = [&](double x) {
    pose.position = Vector3(x, 0.1, -0.2);
    return mount_on_beam(beam, pose);
  };
  EXPECT_EQ(at(-1.0).body, "boom");
  EXPECT_EQ(at(0.5).body, "boom");
  EXPECT_EQ(at(0.6).body, "boom_1");
  EXPECT_EQ(at(3.0).body, "boom_3");
  EXPECT_EQ(at(9.0).body, "boom_3");
  EXPECT_LT((at(1.9).pose.position - Vector3(0.4, 0.1, -0.2)).norm(), 1e-15);

  FlexibleBeamDescription ends = beam;
  ends.hinges = HingePlacement::segment_ends;
  pose.position.setZero();
  EXPECT_EQ(mount_on_beam(ends, pose).body, "boom");
}

struct BadBeam {
  const char* name;
  void (*spoil)(FlexibleBeamDescription&);
  const char* path;
  const char* message;
};

void PrintTo(const BadBeam& bad, std::ostream* stream) { *stream << bad.name; }

class FlexibleBeamRule : public ::testing::TestWithParam<BadBeam> {};

TEST_P(FlexibleBeamRule, IsKept) {
  FlexibleBeamDescription beam = boom();
  GetParam().spoil(beam);
  const std::vector<Problem> problems = validate_flexible_beam(beam, "beam");
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].path, std::string("beam.") + GetParam().path);
  EXPECT_EQ(problems[0].message, GetParam().message);
  EXPECT_THROW(expand_flexible_beam(beam), ModelError);
}

const BadBeam kBadBeams[] = {
    {"NoLength", [](auto& beam) { beam.length = 0; }, "length",
     "expected a finite, positive length"},
    {"NegativeMass", [](auto& beam) { beam.mass = -1; }, "mass",
     "expected a finite mass of at least 0 kg"},
    {"Massless", [](auto& beam) { beam.mass = 0; }, "mass",
     "expected a positive mass, got 0: segments would move without resistance"},
    {"NegativeStiffness", [](auto& beam) { beam.bending_stiffness_y = -1; }, "bending_stiffness.y",
     "expected a positive stiffness, infinite where the beam is rigid"},
    {"NoStiffness", [](auto& beam) { beam.torsional_stiffness = 0; }, "torsional_stiffness",
     "expected a positive stiffness, infinite where the beam is rigid"},
    {"StiffnessIsNoNumber", [](auto& beam) { beam.bending_stiffness_z = NAN; },
     "bending_stiffness.z", "expected a positive stiffness, infinite where the beam is rigid"},
    {"Rigid",
     [](auto& beam) {
       beam.bending_stiffness_y = beam.bending_stiffness_z = beam.torsional_stiffness = INFINITY;
     },
     "bending_stiffness",
     "expected at least one finite stiffness, got a beam that is rigid in bending and torsion"},
    {"PumpingDamper", [](auto& beam) { beam.damping_ratio = -0.1; }, "damping_ratio",
     "expected a finite number of at least 0"},
    {"NoSegments", [](auto& beam) { beam.segments = 0; }, "segments",
     "expected 1 to 1000 segments, got 0"},
    {"NegativeSection", [](auto& beam) { beam.width = -0.1; }, "cross_section",
     "expected a finite width and height of at least 0"},
    {"NothingResistsTorsion", [](auto& beam) { beam.width = beam.height = 0; },
     "torsional_stiffness",
     "expected an infinite stiffness: a beam without a cross_section has no inertia about its "
     "axis"},
    {"NegativeTip", [](auto& beam) { beam.tip.mass = -2; }, "tip.mass",
     "expected a finite mass of at least 0 kg, got -2"},
};

INSTANTIATE_TEST_SUITE_P(Beams, FlexibleBeamRule, ::testing::ValuesIn(kBadBeams),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace spacedyn::testing::flexible_beam_test
