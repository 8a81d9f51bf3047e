// Equations (3.1)–(3.9) of [RBDA] in each kind of attitude coordinates.
#include "textbook/canonical_forms.hpp"

#include "spacedyn/error.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/math/rotations.hpp"
#include "support/random_models.hpp"
#include "support/reference_data.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::canonical_forms_test {
namespace {

const std::vector<AttitudeCoordinates>& all_kinds() {
  static const std::vector<AttitudeCoordinates> kinds{
      AttitudeCoordinates::quaternion, AttitudeCoordinates::rotation_vector,
      AttitudeCoordinates::twist_angles, AttitudeCoordinates::euler_313};
  return kinds;
}

std::string name_of(AttitudeCoordinates kind) {
  static const char* const names[] = {"quaternion", "rotation_vector", "twist_angles", "euler_313"};
  return names[static_cast<std::size_t>(kind)];
}

// A robot in a random state; its attitude lies away from every singularity.
class Rbda : public ::testing::TestWithParam<AttitudeCoordinates> {
 protected:
  Rbda()
      : random_(77),
        model_(random_.model(TreeShape{8, 3, 0.3, true})),
        state_(random_.state(model_)),
        form_(model_, GetParam()) {
    state_.A_0 = matrix_from_twist({0.4, 0.7, -0.3});
    q_ = form_.position(state_);
    alpha_ = state_.velocity();
    tau_ = random_.vector(model_.velocity_size(), 5.0);
  }

  double kinetic_energy_at(const VectorX& x) {
    const int split = form_.position_size();
    const State state = form_.state(x.head(split), x.tail(form_.velocity_size()));
    LinkFrames frames(model_);
    LinkVelocities velocities(model_);
    compute_link_frames(model_, state, frames);
    compute_link_velocities(model_, state, frames, velocities);
    return kinetic_energy(model_, frames, velocities);
  }

  RandomModels random_;
  Model model_;
  State state_;
  CanonicalForm form_;
  VectorX q_, alpha_, tau_;
};

TEST_P(Rbda, Equations31And35Hold) {
  form_.set_environment(random_.loads(model_));
  const VectorX alpha_rate = form_.FD(q_, alpha_, tau_);
  const VectorX left = form_.H(q_) * alpha_rate + form_.C(q_, alpha_);
  EXPECT_LE(relative_difference(left, tau_), 1e-11);
}

TEST_P(Rbda, Equation32EnergyIsThatOfBodies) {
  VectorX x(form_.state_size());
  x << q_, alpha_;
  const double expected = kinetic_energy_at(x);
  EXPECT_NEAR(0.5 * alpha_.dot(form_.H(q_) * alpha_), expected, 1e-12 * expected);
}

TEST_P(Rbda, Equation32PowerIsTheEnergyRate) {
  VectorX x(form_.state_size());
  x << q_, alpha_;
  const VectorX rate = form_.FDx(x, tau_);
  const double h = 1e-5;
  const double energy_rate =
      (kinetic_energy_at(x + h * rate) - kinetic_energy_at(x - h * rate)) / (2.0 * h);
  const double power = tau_.dot(alpha_);
  EXPECT_GT(std::abs(power), 0.1);
  EXPECT_NEAR(energy_rate, power, 1e-6 * (1.0 + std::abs(power)));
}

TEST_P(Rbda, Equations33And34AreInverse) {
  form_.set_environment(random_.loads(model_));
  const VectorX alpha_rate = form_.FD(q_, alpha_, tau_);
  EXPECT_LE(relative_difference(form_.ID(q_, alpha_, alpha_rate), tau_), 1e-11);
  const VectorX given = random_.vector(model_.velocity_size(), 2.0);
  const VectorX needed = form_.ID(q_, alpha_, given);
  EXPECT_LE(relative_difference(form_.FD(q_, alpha_, needed), given), 1e-10);
}

TEST_P(Rbda, Equation33IsForwardDynamics) {
  Loads loads = random_.loads(model_);
  form_.set_environment(loads);
  const VectorX expected_without = forward_dynamics(model_, state_, loads);
  const VectorX zero = VectorX::Zero(model_.velocity_size());
  EXPECT_LE(relative_difference(form_.FD(q_, alpha_, zero), expected_without), 1e-11);
  loads.F_b += tau_.head<6>();
  loads.tau += tau_.tail(model_.joint_count());
  const VectorX expected = forward_dynamics(model_, state_, loads);
  EXPECT_LE(relative_difference(form_.FD(q_, alpha_, tau_), expected), 1e-11);
}

TEST_P(Rbda, Equations36And37AreLinearInAlpha) {
  EXPECT_LE(relative_difference(form_.Q(q_) * alpha_, form_.qdfn(q_, alpha_)), 1e-14);
  EXPECT_EQ(form_.Q(q_).rows(), form_.position_size());
  EXPECT_EQ(form_.Q(q_).cols(), form_.velocity_size());
}

TEST_P(Rbda, Equation37RateMovesTheState) {
  const VectorX rate = form_.qdfn(q_, alpha_);
  const double h = 1e-6;
  const State after = form_.state(q_ + h * rate, alpha_);
  const State before = form_.state(q_ - h * rate, alpha_);
  EXPECT_LE(((after.r_0 - before.r_0) / (2.0 * h) - state_.v_0).norm(), 1e-8);
  const Matrix3 A_rate = (after.A_0 - before.A_0) / (2.0 * h);
  EXPECT_LE((A_rate - tilde(state_.omega_0) * state_.A_0).norm(), 1e-8);
  EXPECT_LE(((after.q - before.q) / (2.0 * h) - state_.qd).norm(), 1e-8);
}

TEST_P(Rbda, Equations38And39StackBoth) {
  form_.set_environment(random_.loads(model_));
  VectorX x(form_.state_size());
  x << q_, alpha_;
  VectorX expected(form_.state_size());
  const VectorX solved = form_.H(q_).ldlt().solve(tau_ - form_.C(q_, alpha_));  // H⁻¹ (τ − C)
  expected << form_.Q(q_) * alpha_, solved;
  EXPECT_LE(relative_difference(form_.FDx(x, tau_), expected), 1e-10);
}

TEST_P(Rbda, PositionAndStateRoundTrip) {
  const State back = form_.state(q_, alpha_);
  EXPECT_LE((back.A_0 - state_.A_0).norm(), 1e-15 * 10);
  EXPECT_EQ(back.r_0, state_.r_0);
  EXPECT_EQ(back.q, state_.q);
  EXPECT_EQ(back.velocity(), alpha_);
  VectorX x(form_.state_size());
  x << q_, alpha_;
  EXPECT_EQ(form_.state_vector(state_), x);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Rbda, ::testing::ValuesIn(all_kinds()),
                         [](const auto& row) { return name_of(row.param); });

// An integrator of the user's own: the classical Runge–Kutta method on x.
State integrate(const Model& model, AttitudeCoordinates kind, const State& start, double duration,
                int steps) {
  CanonicalForm form(model, kind);
  VectorX x = form.state_vector(start), tau = VectorX::Zero(model.velocity_size());
  tau.tail(model.joint_count()).setConstant(0.2);
  const double h = duration / steps;
  for (int step = 0; step < steps; ++step) {
    const VectorX k1 = form.FDx(x, tau), k2 = form.FDx(x + 0.5 * h * k1, tau);
    const VectorX k3 = form.FDx(x + 0.5 * h * k2, tau), k4 = form.FDx(x + h * k3, tau);
    x += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  return form.state(x.head(form.position_size()), x.tail(form.velocity_size()));
}

TEST(CanonicalForm, AnyCoordinatesReachTheSameState) {
  RandomModels random(78);
  const Model model = random.model(TreeShape{4, 2, 0.3, true});
  State start = random.state(model);
  start.A_0 = matrix_from_twist({0.4, 0.7, -0.3});
  const State expected = integrate(model, AttitudeCoordinates::quaternion, start, 0.25, 400);
  EXPECT_GT((expected.A_0 - start.A_0).norm(), 0.05);
  for (const AttitudeCoordinates kind : all_kinds()) {
    const State end = integrate(model, kind, start, 0.25, 400);
    // truncation of order h⁴
    EXPECT_LE((end.A_0 - expected.A_0).norm(), 1e-9) << name_of(kind);
    EXPECT_LE((end.q - expected.q).norm(), 1e-9) << name_of(kind);
    EXPECT_LE((end.velocity() - expected.velocity()).norm(), 1e-8) << name_of(kind);
  }
}

TEST(CanonicalForm, FixedBaseStaysAndItsRowsOfIdAreTheSupportReaction) {
  ModelDescription description = one_link_description();
  description.base.fixed = true;
  const Model model = ModelBuilder(description).build();
  CanonicalForm form(model, AttitudeCoordinates::quaternion);
  const State state(model);
  const VectorX tau = VectorX::Constant(7, 2.0);
  const VectorX alpha_rate = form.FD(form.position(state), state.velocity(), tau);
  EXPECT_EQ(alpha_rate.head<6>(), Vector6::Zero());
  // I₁ + m₁ b² about the joint
  EXPECT_NEAR(alpha_rate(6), 2.0 / (2.0 + 10.0 * 0.75 * 0.75), 1e-15);
  const VectorX forces = form.ID(form.position(state), state.velocity(), alpha_rate);
  EXPECT_NEAR(forces(1), 10.0 * 0.75 * alpha_rate(6), 1e-14);
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(CanonicalForm, RefusesColumnsOfWrongSize) {
  const Model model = one_link();
  CanonicalForm form(model, AttitudeCoordinates::quaternion);
  const VectorX q = form.position(State(model)), alpha = VectorX::Zero(7);
  const VectorX longer = VectorX::Zero(9);
  EXPECT_EQ(message_of([&] { form.FD(longer, alpha, alpha); }), "q has 9 elements, expected 8");
  EXPECT_EQ(message_of([&] { form.FD(q, q, alpha); }), "α has 8 elements, expected 7");
  EXPECT_EQ(message_of([&] { form.FD(q, alpha, q); }), "τ has 8 elements, expected 7");
  EXPECT_EQ(message_of([&] { form.ID(q, alpha, q); }), "α̇ has 8 elements, expected 7");
  EXPECT_EQ(message_of([&] { form.qdfn(q, q); }), "α has 8 elements, expected 7");
  EXPECT_EQ(message_of([&] { form.Q(alpha); }), "q has 7 elements, expected 8");
  EXPECT_EQ(message_of([&] { form.FDx(q, alpha); }), "x has 8 elements, expected 15");
  VectorX rate(3);
  EXPECT_EQ(message_of([&] { form.FDx(VectorX::Zero(15), alpha, rate); }),
            "ẋ has 3 elements, expected 15");
  EXPECT_EQ(message_of([&] { form.set_environment(Loads(planar_two_link())); }),
            "loads are sized for 2 joints and 3 bodies, expected 1 and 2");
}

TEST(CanonicalForm, RefusesSingularAttitudes) {
  const Model model = one_link();
  State state(model);
  state.omega_0 = Vector3::UnitX();
  CanonicalForm euler(model, AttitudeCoordinates::euler_313);
  const VectorX alpha = state.velocity();
  EXPECT_EQ(message_of([&] { euler.qdfn(euler.position(state), alpha); }),
            "3-1-3 Euler angles have no rate at θ = 0 rad, where the axes of φ and ψ coincide "
            "(θ = 0 or π); use a quaternion or a rotation vector");
  CanonicalForm quaternion(model, AttitudeCoordinates::quaternion);
  EXPECT_EQ(message_of([&] { quaternion.FD(VectorX::Zero(8), alpha, alpha); }),
            "quaternion (w, x, y, z) = (0, 0, 0, 0) is no attitude; give four finite numbers that "
            "are not all zero");
}

TEST(CanonicalForm, SaysWhenTheInertiaMatrixIsSingular) {
  ModelDescription description = one_link_description();
  description.links[0].mass = 0.0;
  description.links[0].inertia.setZero();
  description.links[0].unphysical_inertia = true;
  const Model model = ModelBuilder(description).build();
  CanonicalForm form(model, AttitudeCoordinates::quaternion);
  const VectorX alpha = VectorX::Zero(7);
  EXPECT_EQ(message_of([&] { form.FD(form.position(State(model)), alpha, alpha); }),
            "the inertia matrix is not positive definite at this state");
}

}  // namespace
}  // namespace spacedyn::testing::canonical_forms_test
