// MJCF that is wrong or not read yet: each error at its file, line and column.
#include <gtest/gtest.h>

#include "foreign/foreign_texts.hpp"
#include "loading/temporary_folder.hpp"

namespace spacedyn::mjcf_errors_test {
namespace {

using testing::errors_of;
using testing::kSatelliteMjcf;
using testing::replaced;

struct Misuse {
  const char* name;
  const char* old;
  const char* with;
  const char* message;
};

void PrintTo(const Misuse& misuse, std::ostream* stream) { *stream << misuse.name; }

const Misuse kMisuses[] = {
    {"UnknownJoint", R"(<joint name="elbow_roll" axis="0 0 1"/>)",
     R"(<joint name="elbow_roll" type="hing"/>)",
     "expected hinge, slide, ball or free, got 'hing', did you mean 'hinge'?"},
    {"UnknownGeom", R"(type="ellipsoid")", R"(type="elipsoid")",
     "expected the type of a geom, got 'elipsoid', did you mean 'ellipsoid'?"},
    {"MissingSize", R"(<geom type="sphere" size="0.2")", R"(<geom type="sphere")",
     "s.xml:16:7: error: body 'bus': expected 1 positive numbers for a sphere, got nothing"},
    {"UnknownClass", R"(childclass="wrist")", R"(childclass="wirst")",
     "expected a class of <default>, got 'wirst', did you mean 'wrist'?"},
    {"NegativeMass", R"(mass="4")", R"(mass="-4")",
     "s.xml:24:35: error: body 'fore': expected a mass of at least 0 kg, got '-4'"},
    {"FreeJointInside", R"(<joint name="reach"/>)", "<freejoint/>",
     "body 'hand': expected a free joint on a body of <worldbody> alone"},
    {"TwoOrientations", R"(axisangle="0 1 0 30")", R"(axisangle="0 1 0 30" euler="1 2 3")",
     "body 'upper': expected one orientation, got 'euler' beside another one"},
    {"ZeroQuaternion", R"(quat="0.9 0.1 -0.2 0.3")", R"(quat="0 0 0 0")",
     "expected a quaternion w x y z other than zero, got '0 0 0 0'"},
    {"EulerSequence", R"(eulerseq="XYz")", R"(eulerseq="XY")",
     "s.xml:2:28: error: compiler: expected 3 letters of xyz and XYZ, got 'XY'"},
    {"GlobalCoordinates", R"(eulerseq="XYz")", R"(coordinate="global")",
     "compiler: expected 'local', got 'global'"},
    {"MeshMass", R"(type="ellipsoid" size="0.1 0.05 0.07")", R"(type="mesh" mesh="none")",
     "body 'hand': expected a mesh of <asset>, got 'none'"},
    {"UnknownMesh", R"(type="cylinder" size="0.05 0.3")", R"(type="mesh" mesh="none")",
     "body 'fore': expected a mesh of <asset>, got 'none'"},
    {"Composite", R"(<joint name="reach"/>)", "<composite/>",
     "expected rigid bodies, joints and geoms, got <composite>"},
    {"MissingInclude", "<default>", "<include file='none.xml'/><default>",
     "s.xml:4:12: error: include: expected a file that can be read, got none.xml"},
    {"RangeInReverse", R"(range="-120 90")", R"(range="120 -90")",
     "joint 'shoulder': expected two rising numbers, got '120 -90'"},
};

class MjcfError : public ::testing::TestWithParam<Misuse> {};

TEST_P(MjcfError, IsReportedAtItsPlace) {
  const std::string errors =
      errors_of(replaced(kSatelliteMjcf, GetParam().old, GetParam().with), "s.xml");
  EXPECT_NE(errors.find(GetParam().message), std::string::npos) << errors;
}

INSTANTIATE_TEST_SUITE_P(Misuse, MjcfError, ::testing::ValuesIn(kMisuses),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(MjcfErrors, FilesThatIncludeThemselvesAreRefused) {
  const testing::TemporaryFolder folder;
  folder.write("b.xml", "<mujocoinclude><include file='a.xml'/></mujocoinclude>");
  const std::string path = folder.write("a.xml", "<mujoco>\n<include file='b.xml'/></mujoco>");
  try {
    load_model(path);
    ADD_FAILURE();
  } catch (const ParseError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("b.xml:1:25: error: include: expected a file that does "
                        "not include itself, got 'a.xml'"),
              std::string::npos)
        << error.what();
  }
}

TEST(MjcfErrors, TheWorldHasNeitherJointNorMass) {
  for (const char* element : {"<joint/>", "<freejoint/>", "<frame><joint type='free'/></frame>",
                              "<inertial mass='1' diaginertia='1 1 1'/>"}) {
    EXPECT_NE(errors_of("<mujoco><worldbody>" + std::string(element) +
                            "<body><geom size='1'/></body></worldbody></mujoco>",
                        "s.xml")
                  .find("in a <body>, got one of the world"),
              std::string::npos)
        << element;
  }
}

TEST(MjcfErrors, AnEmptyWorldIsNamed) {
  EXPECT_EQ(errors_of("<mujoco/>", "s.xml"),
            "s.xml:1:1: error: expected a <body> in <worldbody>, got none");
}

}  // namespace
}  // namespace spacedyn::mjcf_errors_test
