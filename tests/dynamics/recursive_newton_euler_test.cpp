// The recursion of [Carius] (28)–(38) and [RBDL] (1), (5) on the spatial layer, against the paper's
// own way in inertial 3-vectors, which shares none of its formulas.
#include "spacedyn/dynamics/recursive_newton_euler.hpp"

#include "spacedyn/dynamics/inverse_dynamics.hpp"
#include "spacedyn/math/spatial/cross.hpp"
#include "support/case_name.hpp"
#include "support/random_models.hpp"
#include "support/reference_data.hpp"
#include "textbook/body_point.hpp"

namespace spacedyn::testing::recursive_newton_euler_test {
namespace {

constexpr double kTolerance = 1e-12;  // twenty bodies, forces of order 100

class RecursiveNewtonEuler : public ::testing::TestWithParam<unsigned> {
 protected:
  RecursiveNewtonEuler()
      : random_(GetParam()),
        model_(random_.model(TreeShape{20, 5, 0.3, true})),
        state_(random_.state(model_)),
        loads_(random_.loads(model_)),
        acceleration_(random_.vector(model_.velocity_size(), 3.0)),
        motion_(model_),
        forces_(model_.velocity_size()),
        frames_(model_),
        velocities_(model_),
        accelerations_(model_) {
    recursive_newton_euler(model_, link_inertias(model_), state_, acceleration_, loads_, motion_,
                           forces_);
    compute_link_frames(model_, state_, frames_);
    compute_link_velocities(model_, state_, frames_, velocities_);
    compute_link_accelerations(model_, state_, frames_, velocities_, acceleration_, accelerations_);
  }

  RandomModels random_;
  Model model_;
  State state_;
  Loads loads_;
  VectorX acceleration_;
  SpatialMotion motion_;
  VectorX forces_;
  LinkFrames frames_;
  LinkVelocities velocities_;
  LinkAccelerations accelerations_;
};

TEST_P(RecursiveNewtonEuler, CariusEquations28And29) {
  for (int link = 1; link <= model_.joint_count(); ++link) {
    const auto i = static_cast<std::size_t>(link);
    const auto lower = static_cast<std::size_t>(model_.topology().connection(link));
    const MotionVector relative = motion_.v[i] - motion_.X[i] * motion_.v[lower];
    const MotionVector joint = motion_.S[i] * state_.qd(link - 1);
    EXPECT_LE((relative - joint).coordinates().norm(), 1e-13);
  }
}

TEST_P(RecursiveNewtonEuler, CariusEquations30And31) {
  const Vector3 c = model_.body(0).center_of_mass;
  const Matrix3& A = state_.A_0;
  EXPECT_LE((A * point_velocity(motion_.v[0], c) - state_.v_0).norm(), 1e-13);
  const Vector3 felt = A * point_acceleration(motion_.a[0], motion_.v[0], c);
  EXPECT_LE((felt - (acceleration_.head<3>() - loads_.gravity)).norm(), 1e-12);
}

TEST_P(RecursiveNewtonEuler, CariusEquations32And34) {
  for (int body = 0; body < model_.body_count(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    const Vector3 centroid = model_.body(body).center_of_mass;
    const Vector3 v = motion_.A[i] * point_velocity(motion_.v[i], centroid);
    EXPECT_LE((v - velocities_.v[i]).norm(), kTolerance) << body;
    EXPECT_LE((motion_.A[i] * motion_.v[i].angular - velocities_.omega[i]).norm(), kTolerance);
    EXPECT_LE((motion_.A[i] - frames_.A[i]).norm(), kTolerance);
  }
}

TEST_P(RecursiveNewtonEuler, CariusEquations33And35) {
  // every body feels −g besides its own acceleration
  for (int body = 0; body < model_.body_count(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    const Vector3 centroid = model_.body(body).center_of_mass;
    const Vector3 felt = motion_.A[i] * point_acceleration(motion_.a[i], motion_.v[i], centroid);
    EXPECT_LE((felt + loads_.gravity - accelerations_.vd[i]).norm(), 100.0 * kTolerance) << body;
    EXPECT_LE((motion_.A[i] * motion_.a[i].angular - accelerations_.omegad[i]).norm(),
              100.0 * kTolerance);
  }
}

TEST_P(RecursiveNewtonEuler, CariusEquations36And37) {
  const std::vector<RigidInertia> inertias = link_inertias(model_);
  for (int body = 0; body < model_.body_count(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    const ForceVector net =
        inertias[i] * motion_.a[i] + cross_star(motion_.v[i], inertias[i] * motion_.v[i]);
    const Vector3 f = motion_.A[i].transpose() * loads_.force.col(body);
    const Vector3 n = motion_.A[i].transpose() * loads_.moment.col(body);
    ForceVector acting = motion_.f[i];
    acting += ForceVector{n + model_.body(body).center_of_mass.cross(f), f};
    for (const int child : model_.topology().children(body)) {
      const auto j = static_cast<std::size_t>(child);
      acting -= motion_.X[j].transpose() * motion_.f[j];
    }
    EXPECT_LE((net - acting).coordinates().norm(), 1e-10) << body;
  }
}

TEST_P(RecursiveNewtonEuler, CariusEquation38) {
  const VectorX expected = inverse_dynamics(model_, state_, acceleration_, loads_);
  EXPECT_LE(relative_difference(forces_, expected), kTolerance);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RecursiveNewtonEuler, ::testing::Range(300u, 310u), NamedByValue());

class RecursiveNewtonEulerReference : public ::testing::TestWithParam<std::string> {};

TEST_P(RecursiveNewtonEulerReference, Agrees) {
  const nlohmann::json& data = reference(GetParam());
  const Model model = reference_model(data.at("model"));
  SpatialMotion motion(model);
  VectorX forces(model.velocity_size());
  for (const nlohmann::json& entry : data.at("states")) {
    const ReferenceInputs inputs = reference_inputs(model, entry.at("inputs"));
    recursive_newton_euler(model, link_inertias(model), inputs.state, inputs.acceleration,
                           inputs.wrenches, motion, forces);
    const VectorX expected = vector_of(entry.at("inverse_dynamics").at("endpoint_wrench_on_robot"));
    EXPECT_LE(relative_difference(forces, expected), 1e-11);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, RecursiveNewtonEulerReference,
                         ::testing::ValuesIn(reference_names()),
                         [](const auto& row) { return row.param; });

}  // namespace
}  // namespace spacedyn::testing::recursive_newton_euler_test
