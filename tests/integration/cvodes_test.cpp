// Derivatives of smooth flights beside those of CVODES (SUNDIALS), which integrates a flight and
// its variational equations by Adams's methods of orders up to 12. What it is given are equations
// of motion with quaternions, and their differences: neither derivatives nor integrators of ours.
#include <array>
#include <memory>
#include <vector>

#include <cvodes/cvodes.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "integration/sensitivity_flights.hpp"
#include "spacedyn/dynamics/forward_dynamics.hpp"
#include "spacedyn/forces/passive_joints.hpp"
#include "spacedyn/math/rotations.hpp"
#include "support/random_models.hpp"

namespace spacedyn::testing::cvodes_test {
namespace {

constexpr double kTolerance = 1e-12;  ///< of CVODES
constexpr double kEnd = 2.0;          ///< s

/// What flights depend on: a mass, a stiffness and a component of gravity.
using Numbers = std::array<double, 3>;
constexpr Numbers kNumbers = {4.0, 6.0, 1.5};

/// A tree of four links with springs and dampers that tumbles.
Flight tumbling(const Numbers& numbers) {
  RandomModels random(5);
  ModelDescription robot = random.description(TreeShape{4, 2, 0.3, true});
  for (LinkDescription& link : robot.links) link.joint.damping = 0.3;
  robot.links[3].mass = numbers[0];
  robot.links[1].joint.stiffness = numbers[1];
  Flight flight;
  flight.setup.model = std::make_shared<const Model>(ModelBuilder(robot).build());
  flight.setup.gravity = {0.4, numbers[2], -0.7};
  flight.setup.integrator = adaptive(IntegrationMethod::dop853, 1e-13);
  flight.initial = random.state(*flight.setup.model);
  return flight;
}

/// y = [r, quaternion (scalar first), q, v, ω, q̇].
VectorX packed(const State& state) {
  const Eigen::Quaterniond attitude(state.A_0);
  VectorX y(7 + state.q.size() + 6 + state.q.size());
  y << state.r_0, attitude.w(), attitude.vec(), state.q, state.v_0, state.omega_0, state.qd;
  return y;
}

/// The quaternion of ½ rotation ⊗ quaternion: what a rotation vector on the left changes.
Eigen::Vector4d half_product(const Vector3& rotation, const Eigen::Vector4d& quaternion) {
  const Vector3 v = quaternion.tail<3>();
  Eigen::Vector4d product;
  product << -rotation.dot(v), quaternion(0) * rotation + rotation.cross(v);
  return 0.5 * product;
}

/// The equations of motion of one flight.
class Equations {
 public:
  explicit Equations(const Numbers& numbers) : flight_(tumbling(numbers)) {}

  VectorX operator()(const VectorX& y) const {
    const Model& model = *flight_.setup.model;
    const int n = model.joint_count();
    State state(model);
    const Eigen::Vector4d attitude = y.segment<4>(3);
    state.r_0 = y.head<3>();
    state.A_0 = Eigen::Quaterniond(attitude(0), attitude(1), attitude(2), attitude(3))
                    .normalized()
                    .toRotationMatrix();
    state.q = y.segment(7, n);
    state.v_0 = y.segment<3>(7 + n);
    state.omega_0 = y.segment<3>(10 + n);
    state.qd = y.tail(n);
    Loads loads(model);
    loads.gravity = flight_.setup.gravity;
    loads.tau = passive_torque(model, state);
    VectorX rate(y.size());
    rate << state.v_0, half_product(state.omega_0, attitude), state.qd,
        forward_dynamics(model, state, loads);
    return rate;
  }

 private:
  Flight flight_;
};

/// One number more or less: of the start (its derivative) or of the set-up (its index).
struct Direction {
  VectorX start;
  int number = -1;
};

/// The flight that CVODES integrates, and the directions of its derivatives.
struct Problem {
  explicit Problem(std::vector<Direction> all) : directions(std::move(all)) {
    for (const Direction& direction : directions) {
      sides.emplace_back();
      for (const int k : {-2, -1, 1, 2}) {
        Numbers numbers = kNumbers;
        if (direction.number >= 0) numbers[static_cast<std::size_t>(direction.number)] += k * kStep;
        sides.back().emplace_back(numbers);
      }
    }
  }

  /// ∂f/∂y s + ∂f/∂p by differences of fourth order, which leave some 11 digits.
  VectorX rate(std::size_t direction, const VectorX& y, const VectorX& s) const {
    const std::vector<Equations>& f = sides[direction];
    const double h = kStep;
    return (8.0 * (f[2](y + h * s) - f[1](y - h * s)) -
            (f[3](y + 2.0 * h * s) - f[0](y - 2.0 * h * s))) /
           (12.0 * h);
  }

  static constexpr double kStep = 1e-4;
  Equations equations{kNumbers};
  std::vector<Direction> directions;
  std::vector<std::vector<Equations>> sides;
};

Eigen::Map<VectorX> map(N_Vector vector) {
  return {N_VGetArrayPointer(vector), N_VGetLength_Serial(vector)};
}

int flight_rate(double /*time*/, N_Vector y, N_Vector rate, void* data) {
  map(rate) = static_cast<const Problem*>(data)->equations(map(y));
  return 0;
}

int derivative_rate(int /*count*/, double /*time*/, N_Vector y, N_Vector /*rate*/, int direction,
                    N_Vector s, N_Vector s_rate, void* data, N_Vector, N_Vector) {
  map(s_rate) =
      static_cast<const Problem*>(data)->rate(static_cast<std::size_t>(direction), map(y), map(s));
  return 0;
}

/// The end of a flight and its derivatives, as columns, all of them packed.
MatrixX integrate(const VectorX& start, const Problem& problem) {
  const int count = static_cast<int>(problem.directions.size());
  SUNContext context = nullptr;
  EXPECT_EQ(SUNContext_Create(nullptr, &context), 0);
  const N_Vector y = N_VNew_Serial(start.size(), context);
  N_Vector* s = N_VCloneVectorArray(count, y);
  map(y) = start;
  for (int i = 0; i < count; ++i) map(s[i]) = problem.directions[static_cast<std::size_t>(i)].start;
  void* solver = CVodeCreate(CV_ADAMS, context);
  const SUNNonlinearSolver alone = SUNNonlinSol_FixedPoint(y, 0, context);
  const SUNNonlinearSolver together = SUNNonlinSol_FixedPointSens(count + 1, y, 0, context);
  std::vector<double> absolute(static_cast<std::size_t>(count), kTolerance);
  double reached = 0.0;
  EXPECT_EQ(CVodeInit(solver, flight_rate, 0.0, y), CV_SUCCESS);
  EXPECT_EQ(CVodeSetUserData(solver, const_cast<Problem*>(&problem)), CV_SUCCESS);
  EXPECT_EQ(CVodeSStolerances(solver, kTolerance, kTolerance), CV_SUCCESS);
  EXPECT_EQ(CVodeSetNonlinearSolver(solver, alone), CV_SUCCESS);
  EXPECT_EQ(CVodeSetMaxNumSteps(solver, 20000), CV_SUCCESS);
  EXPECT_EQ(CVodeSensInit1(solver, count, CV_SIMULTANEOUS, derivative_rate, s), CV_SUCCESS);
  EXPECT_EQ(CVodeSensSStolerances(solver, kTolerance, absolute.data()), CV_SUCCESS);
  EXPECT_EQ(CVodeSetSensErrCon(solver, 1), CV_SUCCESS);
  EXPECT_EQ(CVodeSetNonlinearSolverSensSim(solver, together), CV_SUCCESS);
  EXPECT_EQ(CVodeSetStopTime(solver, kEnd), CV_SUCCESS);
  EXPECT_EQ(CVode(solver, kEnd, y, &reached, CV_NORMAL), CV_SUCCESS);
  EXPECT_EQ(CVodeGetSens(solver, &reached, s), CV_SUCCESS);
  EXPECT_EQ(reached, kEnd);
  MatrixX all(start.size(), 1 + count);
  all.col(0) = map(y);
  for (int i = 0; i < count; ++i) all.col(1 + i) = map(s[i]);
  CVodeFree(&solver);
  SUNNonlinSolFree(together);
  SUNNonlinSolFree(alone);
  N_VDestroyVectorArray(s, count);
  N_VDestroy(y);
  SUNContext_Free(&context);
  return all;
}

/// Where packed derivatives have the rows of sensitivities.
VectorX unpacked(const VectorX& y, const VectorX& s, int n) {
  // q* on the right turns ½ θ ⊗ q back
  const Eigen::Quaterniond q(y(3), y(4), y(5), y(6)), dq(s(3), s(4), s(5), s(6));
  VectorX rows(12 + 2 * n);
  rows << s.head<3>(), 2.0 * (dq * q.inverse()).vec(), s.tail(6 + 2 * n);
  return rows;
}

TEST(Cvodes, FindsTheDerivativesOfASmoothFlight) {
  const Flight flight = tumbling(kNumbers);
  const Model& model = *flight.setup.model;
  const int n = model.joint_count();
  const VectorX start = packed(flight.initial);
  std::vector<FlightVariation> variations;
  std::vector<Direction> directions;
  // the attitude about y, joints 2 and 4, ω_z, the rate of joint 1
  const std::vector<FlightVariation> all = initial_variations(model, flight.initial);
  for (const int row : {4, 7, 9, 6 + n + 5, 6 + n + 6}) {
    variations.push_back(all[static_cast<std::size_t>(row)]);
    VectorX s = VectorX::Zero(start.size());
    if (row == 4) {
      s.segment<4>(3) = half_product(Vector3::UnitY(), start.segment<4>(3));
    } else {
      s(row + 1) = 1.0;
    }
    directions.push_back({s});
  }
  for (int number = 0; number < 3; ++number) {
    const auto k = static_cast<std::size_t>(number);
    const Family family = [&](double value) {
      Numbers numbers = kNumbers;
      numbers[k] = value;
      return tumbling(numbers);
    };
    variations.push_back(variation_of(family, kNumbers[k], 1e-5 * kNumbers[k]));
    directions.push_back({VectorX::Zero(start.size()), number});
  }
  Kept kept;
  SimulationObserver silent;
  const SensitivityResult ours =
      fly_with_sensitivities(flight.setup, flight.initial, {kEnd, kEnd}, variations, silent, &kept);
  const MatrixX theirs = integrate(start, Problem(directions));
  const VectorX end = packed(ours.flight.state);
  const double sign = end(3) * theirs(3, 0) < 0.0 ? -1.0 : 1.0;
  for (int row = 0; row < end.size(); ++row) {
    EXPECT_NEAR(theirs(row, 0), row >= 3 && row < 7 ? sign * end(row) : end(row), 1e-9) << row;
  }
  for (int i = 0; i < kept.all.back().cols(); ++i) {
    const VectorX expected = unpacked(theirs.col(0), theirs.col(1 + i), n);
    const double error = (kept.all.back().col(i) - expected).norm() / (1.0 + expected.norm());
    // 1e-10 from both tolerances; of numbers of the set-up we have differences ourselves
    EXPECT_LE(error, 1e-9) << variations[static_cast<std::size_t>(i)].name;
    EXPECT_GT(expected.norm(), 0.05);
  }
}

}  // namespace
}  // namespace spacedyn::testing::cvodes_test
