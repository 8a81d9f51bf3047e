// Bodies without mass and roots of foreign files: what flies, and what is said about it.
#include <gtest/gtest.h>

#include "foreign/foreign_texts.hpp"

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
