// Responses of robots to impulses against H⁻¹ Kᵀ of the whole system.
#include "integration/impulses/robot_inertias.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/kinematics/jacobians.hpp"
#include "spacedyn/math/so3.hpp"
#include "support/random_robots.hpp"

namespace spacedyn::testing::robot_inertias_test {
namespace {

using Columns = Eigen::Matrix<double, Eigen::Dynamic, 3>;

TEST(RobotInertias, RespondLikeTheInverseOfTheInertiaMatrix) {
  for_random_robots(6, [](RandomRobot& robot) {
    const Model& model = robot.model;
    RobotInertias inertias(model);
    const auto joints = static_cast<std::size_t>(model.joint_count());
    inertias.update(model, robot.frames, Mobility(true, std::vector<bool>(joints, true)), nullptr);
    Matrix6X J_m(6, model.joint_count());
    frame_jacobian(model, robot.frames, robot.point, J_m);
    MatrixX J(3, model.velocity_size());
    J << base_jacobian(robot.frames, robot.point).topRows<3>(), J_m.topRows<3>();
    const Matrix3 axes = exp_so3(Vector3(0.3, -0.4, 0.5));
    Columns columns = Columns::Zero(model.velocity_size(), 3);
    inertias.add_columns(robot.point.body, frame_position(robot.frames, robot.point), axes, 1.0,
                         columns);
    const MatrixX expected = J.transpose() * axes;
    require_near(columns, expected, 1e-13, "columns of a point");
    require_true(inertias.respond(0, columns), "an inertia that is positive definite");
    // compared as impulses: as velocities they have the condition of H
    require_near(inertia_matrix(model, robot.state) * columns, expected, 1e-10, "responses");
  });
}

}  // namespace
}  // namespace spacedyn::testing::robot_inertias_test
