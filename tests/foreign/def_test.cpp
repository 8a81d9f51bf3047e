// SpaceDyn .def files: each number in its place, and what is wrong at its line and column.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <gtest/gtest.h>

#include "foreign/foreign_texts.hpp"
#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn::def_test {
namespace {

using testing::errors_of;
using testing::has_warning;
using testing::replaced;

const std::string kTree = R"(###Parameters_for_MODEL
###LINK_NUMBER 4

###LINK_CONNECTIVITY
BB[ 0 1 0 ]
###Joint_Type
J_type[ 0 1 0 ]
###EE
EE[ 0 1 2 ]
rpy1[ 90 -30  15 ]
rpy2[ 10 20 -90 ]
rpy3[ 0 0 0 ]

CtoJ_0_1[ 0.5 0.1 -0.2 ]
JtoC_1_1[ 0.3 0.05 0.02 ]
CtoJ_1_2[ 0.2 -0.1 0.4 ]
CtoJ_2_2[ 0.01 0.02 0.25 ]
CtoJ_0_3[ -0.5 0 0 ]
JtoC_3_3[ 0 0 -0.1 ]
CtoE_1[ 0 0 0.3 ]
CtoE_2[ 0.1 0.2 0.3 ]
rpyE_1[ 45 0 0 ]
rpyE_2[ 0 -60 30 ]
mass[ 100 10 5 2.5 ]
###Link0
I11= 10
I22= 12
I33= 14
I12= 0.5
I13= -0.25
I23= 0.125
I11= 1
I22= 1.5
I33= 2
I12= 0
I13= 0
I23= 0.25
I11= 0.25
I22= 0.25
I33= 0.375
I12= 0
I13= 0
I23= 0
I11= 0.5
I22= 0.5
I33= 0.5
I12= 0
I13= 0
I23= 0
###EOF 777
)";

Vector3 degrees(double x, double y, double z) {
  return Vector3(x, y, z) * (3.14159265358979323846 / 180.0);
}

TEST(Def, GivesTheBodiesThatTheRecursionOfThePaperGives) {
  const auto loaded = parse_model(kTree, "tree.def").model;
  const Model& model = *loaded;
  ASSERT_EQ(model.joint_count(), 3);
  EXPECT_EQ(model.total_mass(), 117.5);
  State state(model);
  state.q << 0.4, 0.15, -0.7;
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  // r_i = r_B + A_B c_Bi − A_i c_ii, with k_i q_i where joint i is prismatic; JtoC is −c_ii
  const Matrix3 A1 = matrix_from_twist(degrees(90, -30, 15)) * rotation_z(0.4);
  const Vector3 r1 = Vector3(0.5, 0.1, -0.2) + A1 * Vector3(0.3, 0.05, 0.02);
  const Matrix3 A2 = A1 * matrix_from_twist(degrees(10, 20, -90));
  const Vector3 r2 = r1 + A1 * Vector3(0.2, -0.1, 0.4) + A2 * Vector3(0.01, 0.02, 0.25 + 0.15);
  const Matrix3 A3 = rotation_z(-0.7);
  const Vector3 r3 = Vector3(-0.5, 0, 0) + A3 * Vector3(0, 0, -0.1);
  const Vector3 expected[] = {r1, r2, r3};
  for (int i = 1; i <= 3; ++i) {
    EXPECT_LT((frames.r[static_cast<std::size_t>(i)] - expected[i - 1]).norm(), 1e-15) << i;
  }
  EXPECT_LT(
      (frame_position(frames, model.frame("endpoint_1")) - (r2 + A2 * Vector3(0, 0, 0.3))).norm(),
      1e-15);
  EXPECT_LT((model.frame("endpoint_2").rotation - matrix_from_twist(degrees(0, -60, 30))).norm(),
            1e-15);
  const BaseDescription& base = model.description().base;
  Matrix3 tensor;
  tensor << 10, 0.5, -0.25, 0.5, 12, 0.125, -0.25, 0.125, 14;
  EXPECT_EQ(base.inertia, tensor);
  EXPECT_EQ(model.description().links.at(0).inertia(1, 2), 0.25);
}

TEST(Def, IsKnownByItsBeginningAndWrittenAsYaml) {
  EXPECT_EQ(parse_model(kTree, "anything").model->joint_count(), 3);
  const std::string path =
      (std::filesystem::temp_directory_path() / "spacedyn_def_test.def").string();
  std::ofstream(path) << kTree;
  const std::string yaml = import_model(path).yaml;
  std::filesystem::remove(path);
  EXPECT_NE(yaml.find("twist: [90.0 deg, -30.0 deg, 15.0 deg]"), std::string::npos) << yaml;
  const auto model = parse_model(kTree, "tree.def").model,
             again = parse_model(yaml, "t.yaml").model;
  EXPECT_EQ(inertia_matrix(*model, testing::bent_state(*model)),
            inertia_matrix(*again, testing::bent_state(*again)));
}

TEST(Def, ABaseAloneIsARobot) {
  const std::string text =
      "###P\n###LINK_NUMBER 1\nmass[ 3 ]\nI11= 1\nI22= 1\nI33= 1\nI12= 0\nI13= 0\nI23= 0\n"
      "###EOF 777\n";
  EXPECT_EQ(parse_model(text, "b.def").model->joint_count(), 0);
}

struct Misuse {
  const char* name;
  const char* old;
  const char* with;
  const char* message;
};

void PrintTo(const Misuse& misuse, std::ostream* stream) { *stream << misuse.name; }

const Misuse kMisuses[] = {
    {"LoopInBB", "BB[ 0 1 0 ]", "BB[ 0 2 0 ]",
     "t.def:5:7: error: expected the number of the link below link 2, from 0 to 1, got '2'"},
    {"TooFewInBB", "BB[ 0 1 0 ]", "BB[ 0 1 ]", "t.def:5:9: error: expected the number of the link"},
    {"TooManyInBB", "BB[ 0 1 0 ]", "BB[ 0 1 0 0 ]", "t.def:5:11: error: expected ']', got '0'"},
    {"UnknownType", "J_type[ 0 1 0 ]", "J_type[ 0 3 0 ]",
     "t.def:7:11: error: expected a type of joint, 0 (revolute) or 1 (prismatic), from 0 to 1"},
    {"GapInEndpoints", "EE[ 0 1 2 ]", "EE[ 0 1 3 ]",
     "expected endpoints numbered from 1, each on one link, got number 3 on link 3"},
    {"MissingRpy", "rpy2[ 10 20 -90 ]\nrpy3[ 0 0 0 ]\n", "",
     "t.def:12:1: error: expected 'rpy2[', got 'CtoJ_0_1['"},
    {"NoNumber", "rpy3[ 0 0 0 ]", "rpy3[ 0 x 0 ]",
     "t.def:12:9: error: expected a number of rpy3[ ]"},
    {"NegativeMass", "mass[ 100 10 5 2.5 ]", "mass[ 100 -10 5 2.5 ]",
     "t.def:24:11: error: expected a mass of at least 0 kg, got a negative one"},
    {"WrongOrder", "I22= 12\nI33= 14", "I33= 14\nI22= 12",
     "t.def:27:1: error: expected 'I22=', got 'I33='"},
    {"NoEnd", "###EOF 777\n", "", "expected '###EOF', got the end of the file"},
    {"NoBeginning", "###LINK_NUMBER 4", "", "expected '###LINK_NUMBER', got 'BB['"},
    {"TooManyLinks", "###LINK_NUMBER 4", "###LINK_NUMBER 1000000", "from 1 to 100000"},
};

class DefError : public ::testing::TestWithParam<Misuse> {};

TEST_P(DefError, IsReportedAtItsPlace) {
  const std::string errors = errors_of(replaced(kTree, GetParam().old, GetParam().with), "t.def");
  EXPECT_NE(errors.find(GetParam().message), std::string::npos) << errors;
}

INSTANTIATE_TEST_SUITE_P(Misuse, DefError, ::testing::ValuesIn(kMisuses),
                         [](const auto& one) { return std::string(one.param.name); });

/// The files of the original release lie beside the source tree, or where SPACEDYN_SHARED says.
std::string reference(const std::string& name) {
  const char* given = std::getenv("SPACEDYN_SHARED");
  const std::string shared = given != nullptr ? given : std::string(SPACEDYN_ROOT) + "/../shared";
  return shared + "/reference/def/" + name;
}

class OriginalDef : public ::testing::TestWithParam<std::pair<const char*, int>> {};

TEST_P(OriginalDef, IsReadAndItsTensorsAreNamed) {
  const auto& [name, joints] = GetParam();
  const std::string path = reference(std::string(name) + ".def");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there: set SPACEDYN_SHARED";
  const LoadedModel loaded = load_model(path);
  EXPECT_EQ(loaded.model->joint_count(), joints);
  const bool is_measured = std::string(name) != "DEOS";
  const std::string link = std::string(name) == "JustinS" ? "link_5" : "link_1";
  EXPECT_EQ(has_warning(loaded.warnings, "warning: link '" + link + "': expected a positive"),
            is_measured);
  // total mass against the plain text of its list
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::istringstream list(text.substr(text.find("\nmass[") + 6));
  double total = 0.0;
  for (double mass = 0.0; list >> mass;) total += mass;
  EXPECT_NEAR(loaded.model->total_mass(), total, 1e-12 * total);
}

INSTANTIATE_TEST_SUITE_P(File, OriginalDef,
                         ::testing::Values(std::pair("DEOS", 7), std::pair("TECSAS", 7),
                                           std::pair("JustinS", 18)),
                         [](const auto& one) { return std::string(one.param.first); });

}  // namespace
}  // namespace spacedyn::def_test
