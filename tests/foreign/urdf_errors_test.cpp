// URDF that is wrong: each error at its file, line and column.
#include <gtest/gtest.h>

#include "foreign/foreign_texts.hpp"

namespace spacedyn::urdf_errors_test {
namespace {

using testing::errors_of;
using testing::kServicerUrdf;
using testing::replaced;

struct Misuse {
  const char* name;
  const char* old;   ///< piece of the servicer
  const char* with;  ///< what stands in its place
  const char* message;
};

void PrintTo(const Misuse& misuse, std::ostream* stream) { *stream << misuse.name; }

const Misuse kMisuses[] = {
    {"UnclosedElement", "</inertial>\n    <visual>", "<visual>",
     "r.urdf:6:1: error: expected XML, got an element without its closing tag, or the reverse"},
    {"AttributeTwice", R"(mass value="250")", R"(mass value="250" value="3")",
     "r.urdf:8:1: error: expected XML, got an attribute that is not name=\"value\", or stands "
     "twice"},
    {"SecondOutermostElement", "</robot>", "</robot><robot/>",
     "expected one outermost element, got <robot> after <robot>"},
    {"NoName", R"(<robot name="servicer")", "<robot",
     "r.urdf:3:1: error: robot: expected the attribute 'name' in <robot>, got nothing"},
    {"UnknownJointType", R"(type="prismatic")", R"(type="prizmatic")",
     "r.urdf:61:23: error: joint 'slide': expected revolute, continuous, prismatic, planar, "
     "floating or fixed, got 'prizmatic', did you mean 'prismatic'?"},
    {"MimicOfAnUnknownJoint", R"(<axis xyz="0 3 4"/>)",
     R"(<axis xyz="0 3 4"/><mimic joint="sholder"/>)",
     "joint 'elbow': expected the name of another joint, got 'sholder', did you mean 'shoulder'?"},
    {"UnknownParent", R"(<parent link="forearm"/>)", R"(<parent link="foream"/>)",
     "r.urdf:62:13: error: joint 'slide': expected the name of a link, got 'foream', did you mean "
     "'forearm'?"},
    {"NoChild", R"(<child link="probe"/>)", "",
     "r.urdf:61:3: error: joint 'slide': expected <child link=\"…\"/>, got nothing"},
    {"TwoParents", R"(<child link="tip"/>)", R"(<child link="forearm"/>)",
     "joint 'tip joint': expected a tree, got a loop: the link 'forearm' is carried by the joint "
     "'elbow' already"},
    {"TwoRoots", R"(<link name="tip"/>)", R"(<link name="tip"/><link name="drifting"/>)",
     "r.urdf:79:21: error: link 'drifting': expected one link without a parent, got 'bus' of line "
     "5 and 'drifting'"},
    {"NegativeMass", R"(<mass value="8"/>)", R"(<mass value="-8"/>)",
     "r.urdf:57:13: error: link 'forearm': expected a mass of at least 0 kg, got '-8'"},
    {"NoMass", R"(<mass value="8"/>)", "",
     "r.urdf:55:5: error: link 'forearm': expected <mass value=\"…\"/> in <inertial>, got nothing"},
    {"NoInertia", R"(<inertia ixx="0.7" iyy="0.6" izz="0.15" ixy="0" ixz="0.05" iyz="0"/>)", "",
     "link 'forearm': expected <inertia ixx=\"…\" …/> in <inertial>, got nothing"},
    {"NoNumber", R"(xyz="0.5 0 1")", R"(xyz="0.5 0 one")",
     "error: joint 'mounting': expected 3 numbers, got '0.5 0 one'"},
    {"TooFewNumbers", R"(xyz="0.5 0 1")", R"(xyz="0.5 0")", "expected 3 numbers, got '0.5 0'"},
    {"NotFinite", R"(<mass value="8"/>)", R"(<mass value="nan"/>)", "expected 1 number, got 'nan'"},
    {"ZeroAxis", R"(<axis xyz="0 3 4"/>)", R"(<axis xyz="0 0 0"/>)",
     "joint 'elbow': expected an axis other than zero, got '0 0 0'"},
    {"LimitsInReverse", R"(lower="-2" upper="1.5")", R"(lower="2" upper="1.5")",
     "joint 'shoulder': expected lower ≤ upper, got '2' and '1.5'"},
    {"NegativeDamping", R"(damping="0.7")", R"(damping="-0.7")",
     "joint 'shoulder': expected a number of at least 0, got '-0.7'"},
    {"SameLinkTwice", R"(<link name="probe">)", R"(<link name="forearm">)",
     "link 'forearm': expected a name of its own, got that of line 54"},
    {"SameJointTwice", R"(<joint name="slide")", R"(<joint name="elbow")",
     "joint 'elbow': expected a name of its own, got that of line 48"},
    {"Xacro", R"(<link name="tip"/>)", R"(<xacro:property name="a" value="1"/>)",
     "expected URDF, got the macro <xacro:property>"},
    {"MeshOfNoSize", R"(<box size="1 2 3"/>)", R"(<mesh filename="a.stl" scale="1 0 1"/>)",
     "link 'bus': expected factors other than zero, got '1 0 1'"},
};

class UrdfError : public ::testing::TestWithParam<Misuse> {};

TEST_P(UrdfError, IsReportedAtItsPlace) {
  const std::string errors =
      errors_of(replaced(kServicerUrdf, GetParam().old, GetParam().with), "r.urdf");
  EXPECT_NE(errors.find(GetParam().message), std::string::npos) << errors;
}

INSTANTIATE_TEST_SUITE_P(Misuse, UrdfError, ::testing::ValuesIn(kMisuses),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(UrdfErrors, ALoopWithoutARootIsALoop) {
  const std::string text =
      "<robot name='r'>\n<link name='a'/>\n<link name='b'/>\n"
      "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>\n"
      "<joint name='k' type='fixed'><parent link='b'/><child link='a'/></joint>\n</robot>";
  EXPECT_EQ(errors_of(text, "r.urdf"),
            "r.urdf:4:1: error: joint 'j': expected a tree, got a loop: every link is carried by "
            "another one");
  EXPECT_NE(
      errors_of(replaced(text, "</robot>", "<link name='c'/></robot>"), "r.urdf")
          .find("joint 'k': expected a tree, got a loop of links that nothing connects to the "
                "root 'c'"),
      std::string::npos);
}

TEST(UrdfErrors, AllProblemsAreShownAtOnce) {
  std::string text = replaced(kServicerUrdf, R"(<mass value="8"/>)", R"(<mass value="-8"/>)");
  text = replaced(text, R"(xyz="0.5 0 1")", R"(xyz="0.5 0")");
  const std::string errors = errors_of(text, "r.urdf");
  EXPECT_NE(errors.find("at least 0 kg"), std::string::npos);
  EXPECT_NE(errors.find("expected 3 numbers"), std::string::npos);
}

TEST(UrdfErrors, OtherFilesAreNamed) {
  EXPECT_EQ(errors_of("<sdf version='1.9'/>", "r.xml"),
            "r.xml:1:1: error: expected <robot> (URDF) or <mujoco> (MJCF), got 'sdf'");
  EXPECT_EQ(errors_of("", "r.urdf"), "r.urdf:1:1: error: expected XML, got an empty document");
  EXPECT_EQ(errors_of("<robot name='r'/>", "r.urdf"),
            "r.urdf:1:1: error: robot: expected a <link>, got none");
}

}  // namespace
}  // namespace spacedyn::urdf_errors_test
