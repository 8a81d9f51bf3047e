// Kinematics against the numbers of the original toolbox: 1e-12 relative to max(1, |largest|),
// which is what two independent implementations of these sums can promise on these models.
#include "spacedyn/kinematics/jacobians.hpp"
#include "spacedyn/kinematics/link_motion.hpp"
#include "support/reference_data.hpp"

namespace spacedyn::testing::kinematics_reference_test {
namespace {

constexpr double kTolerance = 1e-12;
constexpr double kAccelerationTolerance = 1e-11;

class KinematicsReference : public ::testing::TestWithParam<std::string> {
 protected:
  KinematicsReference()
      : data_(reference(GetParam())), model_(reference_model(data_.at("model"))) {}

  /// Runs a check on every reference state.
  template <typename Check>
  void for_each_state(Check check) {
    for (const nlohmann::json& entry : data_.at("states")) {
      const ReferenceInputs inputs = reference_inputs(model_, entry.at("inputs"));
      LinkFrames frames(model_);
      LinkVelocities velocities(model_);
      LinkAccelerations accelerations(model_);
      compute_link_frames(model_, inputs.state, frames);
      compute_link_velocities(model_, inputs.state, frames, velocities);
      compute_link_accelerations(model_, inputs.state, frames, velocities, inputs.acceleration,
                                 accelerations);
      check(entry, frames, velocities, accelerations);
    }
  }

  const nlohmann::json& data_;
  Model model_;
};

TEST_P(KinematicsReference, LinkPosesAgree) {
  for_each_state([&](const nlohmann::json& entry, const LinkFrames& frames, const auto&,
                     const auto&) {
    const nlohmann::json& links = entry.at("links");
    for (std::size_t i = 1; i < frames.r.size(); ++i) {
      EXPECT_LE(relative_difference(frames.A[i], matrix_of(links.at("AA").at(i - 1))), kTolerance);
      EXPECT_LE(relative_difference(frames.r[i], vector_of(links.at("RR").at(i - 1))), kTolerance);
    }
  });
}

TEST_P(KinematicsReference, MotionAgrees) {
  for_each_state([&](const nlohmann::json& entry, const LinkFrames& frames,
                     const LinkVelocities& velocities, const LinkAccelerations& accelerations) {
    const nlohmann::json& links = entry.at("links");
    for (std::size_t i = 1; i < frames.r.size(); ++i) {
      const auto at = [&](const char* key) { return vector_of(links.at(key).at(i - 1)); };
      EXPECT_LE(relative_difference(velocities.v[i], at("vv")), kTolerance);
      EXPECT_LE(relative_difference(velocities.omega[i], at("ww")), kTolerance);
      EXPECT_LE(relative_difference(accelerations.vd[i], at("vd")), kAccelerationTolerance);
      EXPECT_LE(relative_difference(accelerations.omegad[i], at("wd")), kAccelerationTolerance);
    }
  });
}

TEST_P(KinematicsReference, JacobiansAgree) {
  for_each_state(
      [&](const nlohmann::json& entry, const LinkFrames& frames, const auto&, const auto&) {
        Matrix3X J(3, model_.joint_count());
        for (int i = 1; i <= model_.joint_count(); ++i) {
          const auto row = static_cast<std::size_t>(i - 1);
          translational_jacobian(model_, frames, i, J);
          EXPECT_LE(relative_difference(J, matrix_of(entry.at("JJ_t").at(row))), kTolerance);
          rotational_jacobian(model_, frames, i, J);
          EXPECT_LE(relative_difference(J, matrix_of(entry.at("JJ_r").at(row))), kTolerance);
        }
      });
}

TEST_P(KinematicsReference, EndpointsAgree) {
  for_each_state([&](const nlohmann::json& entry, const LinkFrames& frames,
                     const LinkVelocities& velocities, const LinkAccelerations& accelerations) {
    ASSERT_EQ(model_.frames().size(), entry.at("endpoints").size());
    for (const nlohmann::json& endpoint : entry.at("endpoints")) {
      const Frame frame = model_.frame("endpoint_" + endpoint.at("link").dump());
      const auto agrees = [&](const MatrixX& actual, const char* key, double tolerance) {
        const nlohmann::json& list = endpoint.at(key);
        const MatrixX expected =
            list.front().is_array() ? matrix_of(list) : MatrixX(vector_of(list));
        EXPECT_LE(relative_difference(actual, expected), tolerance) << key;
      };
      const Vector6 twist = frame_velocity(frames, velocities, frame);
      const Vector6 acceleration = frame_acceleration(frames, velocities, accelerations, frame);
      Matrix6X J_m(6, model_.joint_count());
      frame_jacobian(model_, frames, frame, J_m);
      agrees(frame_position(frames, frame), "POS_e", kTolerance);
      agrees(frame_orientation(frames, frame), "ORI_e", kTolerance);
      agrees(twist.head<3>(), "v_e", kTolerance);
      agrees(twist.tail<3>(), "w_e", kTolerance);
      agrees(acceleration.head<3>(), "vd_e", kAccelerationTolerance);
      agrees(acceleration.tail<3>(), "wd_e", kAccelerationTolerance);
      agrees(J_m, "JJ_e", kTolerance);
      agrees(base_jacobian(frames, frame), "J_base", kTolerance);
    }
  });
}

TEST_P(KinematicsReference, PathJointsAgree) {
  for_each_state(
      [&](const nlohmann::json& entry, const LinkFrames& frames, const auto&, const auto&) {
        for (const nlohmann::json& endpoint : entry.at("endpoints")) {
          const auto joints = endpoint.at("joints").get<std::vector<std::size_t>>();
          const int link = endpoint.at("link").get<int>();
          const std::vector<int> path = model_.topology().path(link);
          ASSERT_TRUE(
              std::equal(path.begin(), path.end(), joints.begin(), joints.end(),
                         [](int a, std::size_t b) { return static_cast<std::size_t>(a) == b; }));
          for (std::size_t k = 0; k < joints.size(); ++k) {
            const Vector3 expected = vector3_of(endpoint.at("POS_j").at(k));
            EXPECT_LE(relative_difference(frames.p[joints[k]], expected), kTolerance);
          }
        }
      });
}

INSTANTIATE_TEST_SUITE_P(AllModels, KinematicsReference, ::testing::ValuesIn(reference_names()),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace spacedyn::testing::kinematics_reference_test
