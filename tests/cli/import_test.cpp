// Foreign models at the command line: read like YAML models, written as YAML and as URDF.
#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "support/temporary_directory.hpp"

namespace spacedyn::import_test {
namespace {

using ::testing::HasSubstr;
using testing::Outcome;
using testing::read_text;
using testing::run_program;
using testing::Surroundings;
using testing::TemporaryDirectory;
using testing::write_text;

const std::string kDef =
    "###Parameters_for_MODEL\n###LINK_NUMBER 2\nBB[ 0 ]\nJ_type[ 0 ]\nEE[ 1 ]\nrpy1[ 0 90 0 ]\n"
    "CtoJ_0_1[ 1 0 0 ]\nJtoC_1_1[ 0.5 0 0 ]\nCtoE_1[ 0.5 0 0 ]\nrpyE_1[ 0 0 0 ]\nmass[ 10 2 ]\n"
    "I11= 1\nI22= 1\nI33= 1\nI12= 0\nI13= 0\nI23= 0\nI11= 1\nI22= 1\nI33= -0.1\nI12= 0\nI13= 0\n"
    "I23= 0\n###EOF 777\n";

class ImportCommand : public ::testing::Test {
 protected:
  Outcome run(const std::vector<std::string>& arguments) {
    Surroundings here;
    here.directory = folder_.path().string();
    return run_program(arguments, here);
  }

  TemporaryDirectory folder_;
};

TEST_F(ImportCommand, WritesYamlThatIsTheSameModel) {
  write_text(folder_ / "arm.def", kDef);
  const Outcome outcome = run({"import", "arm.def", "-o", "arm.yaml"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "arm.yaml\n");
  EXPECT_THAT(outcome.err, HasSubstr("arm.def:18:6: warning: link 'link_1': expected a positive"));
  EXPECT_EQ(read_text(folder_ / "arm.yaml"), run({"import", "arm.def", "-q"}).out);
  write_text(folder_ / "state.yaml", "q: [0.3]\n");
  EXPECT_EQ(run({"evaluate", "arm.def", "state.yaml"}).out,
            run({"evaluate", "arm.yaml", "state.yaml"}).out);
}

TEST_F(ImportCommand, KeepsExistingFilesAndRefusesWhatIsNoForeignModel) {
  write_text(folder_ / "arm.def", kDef);
  write_text(folder_ / "arm.yaml", "mine");
  EXPECT_EQ(run({"import", "arm.def", "-o", "arm.yaml"}).exit_code, 6);
  EXPECT_EQ(read_text(folder_ / "arm.yaml"), "mine");
  EXPECT_EQ(run({"import", "arm.def", "-o", "arm.yaml", "--force"}).exit_code, 0);
  const Outcome yaml = run({"import", "arm.yaml"});
  EXPECT_EQ(yaml.exit_code, 3);
  EXPECT_THAT(yaml.err, HasSubstr("arm.yaml:1:1: error: expected URDF, MJCF or .def"));
  EXPECT_EQ(run({"import", "no.def"}).exit_code, 3);
  EXPECT_EQ(run({"import", "arm.def", "--strict"}).exit_code, 3);
  EXPECT_EQ(run({"import", "arm.def", "-o", "no/folder/arm.yaml"}).exit_code, 6);
}

TEST_F(ImportCommand, ExportsUrdfAndSaysWhatIsLost) {
  write_text(folder_ / "arm.yaml",
             "spacedyn: 1\nmodel:\n  name: arm\n  base: {name: b, mass: 3, inertia: [1, 1, 1]}\n"
             "  links:\n    - {name: l, parent: b, joint: {name: j, type: revolute, stiffness: 4}, "
             "mass: 1, inertia: [1, 1, 1]}\n");
  const Outcome outcome = run({"export", "arm.yaml", "arm.urdf"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "arm.urdf\n");
  EXPECT_EQ(outcome.err,
            "arm.yaml: warning: URDF cannot say: joint 'j': stiffness and rest_position\n");
  EXPECT_EQ(run({"export", "arm.yaml", "arm.urdf"}).exit_code, 6);
  EXPECT_EQ(run({"export", "arm.yaml", "arm.sdf"}).exit_code, 2);
  EXPECT_EQ(run({"export", "arm.yaml", "arm.urdf", "--force", "--strict"}).exit_code, 3);
  const Outcome json = run({"export", "arm.yaml", "arm.urdf", "--force", "--json"});
  EXPECT_EQ(nlohmann::json::parse(json.out).at("losses").size(), 1u);
  EXPECT_THAT(read_text(folder_ / "arm.urdf"), HasSubstr("<joint name=\"j\" type=\"continuous\">"));
}

}  // namespace
}  // namespace spacedyn::import_test
