// Bodies without mass and roots of foreign files: what flies, and what is said about it.
#include <gtest/gtest.h>

#include "foreign/foreign_texts.hpp"
#include "loading/temporary_folder.hpp"
#include "spacedyn/analysis/modes.hpp"
#include "spacedyn/dynamics/derivatives.hpp"
#include "spacedyn/dynamics/forward_dynamics.hpp"
#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/rotations.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"

namespace spacedyn::condition_test {
namespace {

using testing::has_warning;

const std::string kMass =
    R"(<inertial><mass value="3"/><inertia ixx="1" iyy="1" izz="1"/></inertial>)";

std::string link(const std::string& name, const std::string& content = "") {
  return "<link name='" + name + "'>" + content + "</link>\n";
}

std::string joint(const std::string& type, const std::string& parent, const std::string& child) {
  return "<joint name='to " + child + "' type='" + type + "'><parent link='" + parent +
         "'/><child link='" + child + "'/></joint>\n";
}

LoadedModel load(const std::string& content) {
  return parse_model("<robot name='r'>\n" + content + "</robot>", "r.urdf");
}

TEST(Condition, ARootWithoutMassFloatsWithWhatIsFixedOnIt) {
  const LoadedModel loaded =
      load(link("base_link") + link("bus", kMass) + link("arm", kMass) +
           joint("fixed", "base_link", "bus") + joint("continuous", "bus", "arm"));
  EXPECT_FALSE(loaded.model->has_fixed_base());
  EXPECT_EQ(loaded.model->body(0).mass, 3.0);
  EXPECT_TRUE(has_warning(loaded.warnings,
                          "r.urdf:2:1: warning: link 'base_link': the root has no "
                          "mass; with what is fixed on it, it is the base"));
}

TEST(Condition, ARootWithNothingToFloatIsFixed) {
  // as the base of an arm for a table, whose inertia without mass is kept from having an effect
  const std::string still =
      R"(<inertial><mass value="0"/><inertia ixx="1" iyy="1" izz="1"/></inertial>)";
  const LoadedModel loaded =
      load(link("foot", still) + link("arm", kMass) + joint("continuous", "foot", "arm"));
  EXPECT_TRUE(loaded.model->has_fixed_base());
  EXPECT_TRUE(has_warning(loaded.warnings, "so the base cannot float: fixed"));
}

TEST(Condition, ARootNamedWorldIsTheInertialFrame) {
  const LoadedModel loaded =
      load(link("world") + link("bus", kMass) + link("arm", kMass) +
           joint("fixed", "world", "bus") + joint("continuous", "bus", "arm"));
  EXPECT_TRUE(loaded.model->has_fixed_base());
  EXPECT_TRUE(has_warning(loaded.warnings, "it stands for the inertial frame"));
}

TEST(Condition, AFloatingJointOnARootWithoutMassSaysThatTheBaseFloats) {
  const LoadedModel loaded =
      load(link("world") + link("bus", kMass) + link("arm", kMass) +
           joint("floating", "world", "bus") + joint("continuous", "bus", "arm"));
  EXPECT_FALSE(loaded.model->has_fixed_base());
  EXPECT_EQ(loaded.model->description().base.name, "bus");
  EXPECT_TRUE(loaded.warnings.empty() || !has_warning(loaded.warnings, "inertial frame"));
}

TEST(Condition, AMasslessLinkMovesWithWhatItCarries) {
  const LoadedModel loaded = load(link("bus", kMass) + link("cross") + link("arm", kMass) +
                                  joint("continuous", "bus", "cross") +
                                  "<joint name='pitch' type='continuous'><parent link='cross'/>"
                                  "<child link='arm'/><axis xyz='0 1 0'/></joint>\n");
  EXPECT_EQ(loaded.model->joint_count(), 2);
  EXPECT_TRUE(has_warning(loaded.warnings, "r.urdf:3:1: warning: link 'cross': it has no mass"));
}

TEST(Condition, AJointThatCarriesNothingWithMassIsHeld) {
  const LoadedModel loaded =
      load(link("bus", kMass) + link("arm", kMass) + link("dial") + link("needle") +
           joint("continuous", "bus", "arm") + joint("continuous", "arm", "dial") +
           joint("prismatic", "dial", "needle"));
  EXPECT_EQ(loaded.model->joint_count(), 1);
  EXPECT_TRUE(has_warning(loaded.warnings, "joint 'to dial': it moves nothing that has mass"));
  EXPECT_TRUE(has_warning(loaded.warnings, "joint 'to needle': it moves nothing that has mass"));
}

/// An arm of two joints on a root, none of whose links has mass; a tool and a wheel beside.
std::string kinematic_arm(const std::string& root) {
  return link("base", root) + link("upper") + link("fore") + link("tool") +
         "<joint name='yaw' type='revolute'><parent link='base'/><child link='upper'/><origin "
         "xyz='0 0 0.4'/><axis xyz='0 0 1'/><limit lower='-2' upper='1' effort='50' "
         "velocity='3'/></joint>\n"
         "<joint name='pitch' type='revolute'><parent link='upper'/><child link='fore'/><origin "
         "xyz='0.2 0 0'/><axis xyz='0 1 0'/><limit lower='-1' upper='1' effort='50' "
         "velocity='3'/></joint>\n"
         "<joint name='flange' type='fixed'><parent link='fore'/><child link='tool'/><origin "
         "xyz='0.5 0 0'/></joint>\n";
}

TEST(Condition, AnArmWithoutMassesKeepsItsJointsForKinematics) {
  for (const std::string& root : {std::string(), kMass}) {
    const LoadedModel loaded = load(kinematic_arm(root));
    const Model& model = *loaded.model;
    ASSERT_EQ(model.joint_count(), 2);
    EXPECT_EQ(model.has_fixed_base(), root.empty());
    EXPECT_TRUE(
        has_warning(loaded.warnings,
                    "the joints 'yaw', 'pitch' move nothing that has mass: the model serves "
                    "kinematics alone"));
    EXPECT_FALSE(has_warning(loaded.warnings, "held at zero"));
    // the tool by hand: up, turned by yaw, then down by pitch
    State state(model);
    state.q << 0.7, 0.4;
    LinkFrames frames(model);
    compute_link_frames(model, state, frames);
    const Vector3 tool =
        Vector3(0, 0, 0.4) +
        rotation_z(0.7) * (Vector3(0.2, 0, 0) + rotation_y(0.4) * Vector3(0.5, 0, 0));
    EXPECT_LT((frame_position(frames, model.frame("tool")) - tool).norm(), 1e-15);
  }
}

TEST(Condition, AnArmWithoutMassesIsImportedWithAxesAndLimits) {
  const testing::TemporaryFolder folder;
  const std::string path =
      folder.write("kin.urdf", "<robot name='r'>\n" + kinematic_arm("") + "</robot>");
  const LoadedModel imported = parse_model(import_model(path).yaml, "kin.yaml");
  ASSERT_EQ(imported.model->joint_count(), 2);
  EXPECT_EQ(imported.model->joint(1).position_lower, -2.0);
  EXPECT_EQ(imported.model->joint(1).position_upper, 1.0);
  EXPECT_EQ(imported.model->joint(2).velocity_limit, 3.0);
  EXPECT_EQ(imported.model->description().links.at(1).joint.axis, Vector3::UnitY());
}

TEST(Condition, DynamicsOfAnArmWithoutMassesAreRefusedByName) {
  const testing::TemporaryFolder folder;
  folder.write("kin.urdf", "<robot name='r'>\n" + kinematic_arm("") + "</robot>");
  const std::string scenario =
      "spacedyn: 1\nscenario:\n  name: s\n  model: kin.urdf\n  duration: 1\n";
  try {
    parse_scenario(scenario, folder.path("s.yaml"));
    ADD_FAILURE();
  } catch (const ParseError& error) {
    EXPECT_NE(std::string(error.what()).find("the joints 'yaw', 'pitch' move without resistance"),
              std::string::npos)
        << error.what();
  }
  const auto arm = load_model(folder.path("kin.urdf")).model;
  const State state(*arm);
  const std::string refusal =
      "is not positive definite at this state: joint 'pitch' moves without resistance";
  for (const std::string& message :
       {testing::message_of<NumericalError>([&] { forward_dynamics(*arm, state, Loads(*arm)); }),
        testing::message_of<NumericalError>(
            [&] { forward_dynamics_derivatives(*arm, state, Loads(*arm)); }),
        testing::message_of<NumericalError>([&] { compute_modes(*arm, state, Mobility(*arm)); })}) {
    EXPECT_NE(message.find(refusal), std::string::npos) << message;
  }
  // motion that is imposed needs no mass, and the first flight imposes some
  const Scenario flight = open_scenario(folder.path("kin.urdf"), {});
  const State end = testing::simulate(flight.setup, flight.initial, 10.0).state;
  EXPECT_NEAR(end.q(0), -0.3, 1e-9);
  EXPECT_NEAR(end.q(1), 0.3, 1e-9);
}

TEST(Condition, InertiaWithoutMassIsTakenAsItIs) {
  const std::string odd =
      R"(<inertial><mass value="0"/><inertia ixx="2" iyy="2" izz="2"/></inertial>)";
  const LoadedModel loaded =
      load(link("bus", kMass) + link("rotor", odd) + joint("continuous", "bus", "rotor"));
  const MatrixX H = inertia_matrix(*loaded.model, State(*loaded.model));
  EXPECT_EQ(H(6, 6), 2.0);
  EXPECT_TRUE(has_warning(loaded.warnings, "link 'rotor': it has no mass but an inertia"));
}

TEST(Condition, APointMassOnItsOwnAxisIsRefused) {
  const std::string point =
      R"(<inertial><mass value="1"/><inertia ixx="0" iyy="0" izz="0"/></inertial>)";
  const std::string errors =
      testing::errors_of("<robot name='r'>" + link("bus", kMass) + link("dot", point) +
                             joint("continuous", "bus", "dot") + "</robot>",
                         "r.urdf");
  EXPECT_NE(errors.find("in which joint 'to dot' moves without resistance"), std::string::npos)
      << errors;
}

}  // namespace
}  // namespace spacedyn::condition_test
