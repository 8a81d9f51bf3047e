// URDF out: what is read back is the same robot, and what URDF cannot say is named.
#include <gtest/gtest.h>

#include "foreign/foreign_texts.hpp"
#include "loading/temporary_folder.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/case_name.hpp"
#include "support/shipped.hpp"

namespace spacedyn::urdf_export_test {
namespace {

using testing::bent_state;

/// Without the inertia of rotors, which URDF cannot say and reports.
std::shared_ptr<const Model> without_rotors(const Model& model) {
  ModelDescription description = model.description();
  for (LinkDescription& link : description.links) {
    link.joint.rotor_inertia = 0.0;
    link.joint.rotor_coupling = RotorCoupling::reflected;
  }
  return std::make_shared<const Model>(ModelBuilder(description).build());
}

bool has_modes(const Model& model) {
  bool found = model.description().base.carries_modes;
  for (const LinkDescription& link : model.description().links) found = found || link.carries_modes;
  return found;
}

/// Whether a joint has several coordinates.
bool has_compound(const Model& model) {
  bool found = false;
  for (const LinkDescription& link : model.description().links) {
    const JointType type = link.joint.type;
    found = found || (type != JointType::revolute && type != JointType::prismatic &&
                      type != JointType::fixed);
  }
  return found;
}

class UrdfRoundTrip : public ::testing::TestWithParam<std::string> {};

TEST_P(UrdfRoundTrip, HasTheSameInertiaMatrix) {
  const auto shipped = testing::shipped_robot(GetParam());
  if (has_compound(*shipped)) {
    EXPECT_THROW(export_urdf(*shipped), DomainError);
    return;
  }
  const UrdfExport exported = export_urdf(*shipped);
  if (has_modes(*shipped)) {
    // masses without a body: told, and not readable as one
    EXPECT_NE(exported.losses.front().find("no body by itself"), std::string::npos);
    return;
  }
  const auto model = without_rotors(*shipped);
  const LoadedModel loaded = parse_model(exported.urdf, "robot.urdf");
  const Model& back = *loaded.model;
  ASSERT_EQ(back.joint_count(), model->joint_count());
  EXPECT_EQ(back.has_fixed_base(), model->has_fixed_base());
  State state = bent_state(*model), back_state = bent_state(back);
  // the order of joints may differ where links stand before their parents
  for (int i = 1; i <= model->joint_count(); ++i) {
    EXPECT_EQ(back.joint(i).name, model->joint(i).name);
  }
  const MatrixX H = inertia_matrix(*model, state), G = inertia_matrix(back, back_state);
  // rpy angles round once more than matrices
  EXPECT_LT((H - G).cwiseAbs().maxCoeff(), 1e-12 * H.cwiseAbs().maxCoeff());
}

INSTANTIATE_TEST_SUITE_P(Robot, UrdfRoundTrip,
                         ::testing::ValuesIn(testing::shipped_names("robots")),
                         [](const auto& one) { return testing::identifier(one.param); });

TEST(UrdfExport, HoldsAtAPitchOfARightAngle) {
  for (const double pitch : {90.0, -90.0, 89.9999999, 45.0}) {
    const std::string text =
        "spacedyn: 1\nmodel:\n  name: r\n  base: {name: b, mass: 5, inertia: [1, 2, 2.5]}\n"
        "  links:\n    - name: l\n      parent: b\n      joint: {type: revolute, origin: {xyz: [1, "
        "2, 3], "
        "rpy: [0.4, " +
        std::to_string(pitch) +
        " deg, -1.1]}}\n"
        "      mass: 3\n      center_of_mass: [0.1, 0.2, 0.3]\n      inertia: [1, 1.5, 0.8]\n";
    const auto model = parse_model(text, "r.yaml").model;
    const auto back = parse_model(export_urdf(*model).urdf, "r.urdf").model;
    const MatrixX H = inertia_matrix(*model, bent_state(*model));
    EXPECT_LT((H - inertia_matrix(*back, bent_state(*back))).cwiseAbs().maxCoeff(),
              1e-13 * H.norm())
        << pitch;
  }
}

TEST(UrdfExport, KeepsWhatUrdfHas) {
  const auto model = parse_model(testing::kServicerUrdf, "servicer.urdf").model;
  const UrdfExport exported = export_urdf(*model);
  EXPECT_EQ(exported.losses, std::vector<std::string>{
                                 "joint 'shoulder': all of its friction but the Coulomb friction"});
  // a second trip changes nothing more
  const auto back = parse_model(exported.urdf, "servicer.urdf").model;
  EXPECT_EQ(export_urdf(*back).urdf, exported.urdf);
  for (const char* part :
       {R"(<limit lower="-2.0" upper="1.5" effort="40.0" velocity="0.5"/>)",
        R"(<dynamics damping="0.7" friction="0.25"/>)", R"(type="continuous")",
        R"(<cylinder radius="0.05" length="0.8"/>)", R"(<color rgba="0.2 0.4 0.6 1"/>)"}) {
    EXPECT_NE(exported.urdf.find(part), std::string::npos) << part << exported.urdf;
  }
}

TEST(UrdfExport, SaysWhatIsLost) {
  const std::string text = R"(spacedyn: 1
model:
  name: "a & <b>"
  base: {name: b, mass: 5, inertia: [1, 1, 1], fixed: true}
  links:
    - name: l
      parent: b
      joint: {name: j, type: prismatic, stiffness: 3, rotor_inertia: 0.1, gear_ratio: 10}
      mass: 3
      inertia: [1, 1, 1]
  frames:
    - {name: tip, link: l, xyz: [0, 0, 1], rpy: [0.1, 0.2, 0.3]}
)";
  const auto model = parse_model(text, "r.yaml").model;
  const UrdfExport exported = export_urdf(*model);
  EXPECT_EQ(exported.losses, (std::vector<std::string>{
                                 "joint 'j': a position without limit has the limit 1e9",
                                 "joint 'j': stiffness and rest_position",
                                 "joint 'j': rotor_inertia and gear_ratio, which H contains"}));
  const auto back = parse_model(exported.urdf, "r.urdf").model;
  EXPECT_EQ(back->name(), "a & <b>");
  EXPECT_TRUE(back->has_fixed_base());
  EXPECT_LT((back->frame("tip").rotation - model->frame("tip").rotation).norm(), 1e-15);
}

}  // namespace
}  // namespace spacedyn::urdf_export_test
