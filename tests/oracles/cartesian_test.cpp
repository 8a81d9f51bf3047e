// A hub with a spinning body and one with sliding masses, as Basilisk has them, against Newton's
// and Euler's equations of each body by itself with multipliers for what joins them.
#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/Geometry>
#include <Eigen/LU>

#include "oracles/appendages.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing::cartesian_test {
namespace {

/// A free rigid body about its centroid, inertial axes.
struct Body {
  double mass = 0.0;
  Vector3 inertia = Vector3::Ones();
  Vector3 r = Vector3::Zero(), v = Vector3::Zero(), omega = Vector3::Zero();
  Matrix3 A = Matrix3::Identity();
};

/// The hub, its centroid at the origin, and what it carries.
using Bodies = std::vector<Body>;

/// M a = Q + Gᵀ λ, G a = γ; a has six rows for each body.
class Equations {
 public:
  Equations(const Bodies& bodies, int rows)
      : size_(6 * static_cast<int>(bodies.size())),
        matrix_(MatrixX::Zero(size_ + rows, size_ + rows)),
        right_(VectorX::Zero(size_ + rows)) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const Body& body = bodies[i];
      const Matrix3 inertia = body.A * body.inertia.asDiagonal() * body.A.transpose();
      const auto at = static_cast<Eigen::Index>(6 * i);
      matrix_.block<3, 3>(at, at) = body.mass * Matrix3::Identity();
      matrix_.block<3, 3>(at + 3, at + 3) = inertia;
      right_.segment<3>(at + 3) = -body.omega.cross(inertia * body.omega);
    }
  }

  void push(int body, const Vector3& force, const Vector3& torque) {
    right_.segment<3>(6 * body) += force;
    right_.segment<3>(6 * body + 3) += torque;
  }

  /// Another row of G for the hub and one more body.
  void constrain(int body, const Vector6& of_hub, const Vector6& of_body, double gamma) {
    const int row = size_ + rows_++;
    matrix_.block<1, 6>(row, 0) = of_hub.transpose();
    matrix_.block<1, 6>(row, 6 * body) = of_body.transpose();
    right_(row) = gamma;
  }

  VectorX accelerations() {
    matrix_.topRightCorner(size_, rows_) = -matrix_.bottomLeftCorner(rows_, size_).transpose();
    return matrix_.partialPivLu().solve(right_).head(size_);
  }

 private:
  int size_, rows_ = 0;
  MatrixX matrix_;
  VectorX right_;
};

Vector6 row(const Vector3& linear, const Vector3& angular) {
  Vector6 result;
  result << linear, angular;
  return result;
}

const Vector3 kHinge(0.5, -1.5, -1.5), kCenter(1.0, 0.0, -1.0), kAxis(0.0, -1.0, 0.0);

/// R = A_0ᵀ A turns by it about −y.
double hinge_angle(const Bodies& bodies) {
  const Matrix3 turned = bodies[0].A.transpose() * bodies[1].A;
  return std::atan2(-turned(0, 2), turned(2, 2));
}

/// r_0 + d_0 = r + d, and no rate across the axis.
VectorX spinning_body_accelerations(const Bodies& bodies) {
  const Body &hub = bodies[0], &body = bodies[1];
  Equations equations(bodies, 5);
  const Vector3 axis = hub.A * kAxis, torque = -100.0 * hinge_angle(bodies) * axis;
  equations.push(0, Vector3::Zero(), -torque);
  equations.push(1, Vector3::Zero(), torque);
  const Vector3 d_0 = hub.A * kHinge, d = -(body.A * kCenter);
  const Vector3 bias =
      body.omega.cross(body.omega.cross(d)) - hub.omega.cross(hub.omega.cross(d_0));
  for (int k = 0; k < 3; ++k) {
    const Vector3 e = Vector3::Unit(k);
    equations.constrain(1, row(e, d_0.cross(e)), -row(e, d.cross(e)), bias(k));
  }
  for (const int k : {0, 2}) {
    const Vector3 e = hub.A.col(k);
    equations.constrain(1, row(Vector3::Zero(), -e), row(Vector3::Zero(), e),
                        -(body.omega - hub.omega).dot(hub.omega.cross(e)));
  }
  return equations.accelerations();
}

const Vector3 kSlide(0.1, 0.0, -1.1);

double slide(const Bodies& bodies, int i) {
  const Body& body = bodies[static_cast<std::size_t>(i)];
  return (bodies[0].A.transpose() * (body.r - bodies[0].r) - kSlide)(i - 1);
}

/// Mass i stays on the i-th axis of the hub: e·(r_i − r_0) is constant for the two others.
VectorX sliding_masses_accelerations(const Bodies& bodies) {
  const Body& hub = bodies[0];
  Equations equations(bodies, 6);
  for (int i = 1; i <= 3; ++i) {
    const Body& mass = bodies[static_cast<std::size_t>(i)];
    const Vector3 D = mass.r - hub.r, relative = mass.v - hub.v;
    const Vector3 force = -100.0 * slide(bodies, i) * hub.A.col(i - 1);
    equations.push(i, force, Vector3::Zero());
    equations.push(0, -force, -D.cross(force));
    for (int k = 0; k < 3; ++k) {
      if (k == i - 1) continue;
      const Vector3 e = hub.A.col(k), turning = hub.omega.cross(e);
      equations.constrain(i, row(-e, e.cross(D)), row(e, Vector3::Zero()),
                          -2.0 * turning.dot(relative) - hub.omega.cross(turning).dot(D));
    }
  }
  return equations.accelerations();
}

using Accelerations = VectorX (*)(const Bodies&);

/// The bodies a step on along rates; attitudes follow Ȧ = ω̃ A.
Bodies moved(Bodies bodies, const Bodies& rate, const VectorX& accelerations, double step) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(6 * i);
    Body& body = bodies[i];
    body.r += step * rate[i].v;
    for (int k = 0; k < 3; ++k) {
      body.A.col(k) += step * rate[i].omega.cross(Vector3(rate[i].A.col(k)));
    }
    body.v += step * accelerations.segment<3>(at);
    body.omega += step * accelerations.segment<3>(at + 3);
  }
  return bodies;
}

/// Classical Runge–Kutta at 1 ms for 10 s: with frequencies ω ≤ 3.3 rad/s it leaves
/// (h ω)⁴ ω t/120 ≈ 3e-11 of what moves.
Bodies flown(Bodies bodies, Accelerations accelerations) {
  const double h = 1e-3;
  for (int i = 0; i < 10000; ++i) {
    const VectorX a_1 = accelerations(bodies);
    const Bodies b_2 = moved(bodies, bodies, a_1, h / 2);
    const VectorX a_2 = accelerations(b_2);
    const Bodies b_3 = moved(bodies, b_2, a_2, h / 2);
    const VectorX a_3 = accelerations(b_3);
    const Bodies b_4 = moved(bodies, b_3, a_3, h);
    const VectorX a_4 = accelerations(b_4);
    Bodies next = moved(bodies, bodies, a_1, h / 6);
    next = moved(std::move(next), b_2, a_2, h / 3);
    next = moved(std::move(next), b_3, a_3, h / 3);
    bodies = moved(std::move(next), b_4, a_4, h / 6);
  }
  return bodies;
}

/// With the hub's ω_0 of the examples; what it carries moves along as if it were rigid.
Bodies at_start(std::vector<Body> carried) {
  Body hub;
  hub.mass = 750.0;
  hub.inertia = {900, 800, 600};
  hub.omega = {0.1, -0.1, 0.1};
  Bodies bodies{hub};
  for (Body& body : carried) {
    body.omega = hub.omega;
    body.v = hub.omega.cross(body.r);
    bodies.push_back(body);
  }
  return bodies;
}

State library_flight(const ModelDescription& description, const std::vector<double>& start,
                     Vector3& from) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(ModelBuilder(description).build());
  setup.integrator = dopri5(1e-13);
  State initial(*setup.model);
  initial.omega_0 = {0.1, -0.1, 0.1};
  initial.q = Eigen::Map<const VectorX>(start.data(), setup.model->joint_count());
  from = initial.r_0;
  return simulate(setup, initial, 10.0).state;
}

TEST(Appendages, SpinningBodyMovesAsNewtonAndEulerSayOfEachBody) {
  Vector3 from;
  const State end = library_flight(spinning_body(), {kAppendageStart}, from);

  Body body;
  body.mass = 50.0;
  body.inertia = {50, 30, 40};
  body.A = Eigen::AngleAxisd(kAppendageStart, kAxis).toRotationMatrix();
  body.r = kHinge + body.A * kCenter;
  const Bodies expected = flown(at_start({body}), spinning_body_accelerations);

  EXPECT_NEAR((end.r_0 - from - expected[0].r).norm(), 0.0, 1e-10);
  EXPECT_NEAR((end.A_0 - expected[0].A).norm(), 0.0, 1e-10);
  EXPECT_NEAR((end.omega_0 - expected[0].omega).norm(), 0.0, 1e-10);
  EXPECT_NEAR(end.q(0), hinge_angle(expected), 1e-10);
  EXPECT_GT(std::abs(end.q(0) - kAppendageStart), 1e-2) << "the body should turn";
}

TEST(Appendages, SlidingMassesMoveAsNewtonAndEulerSayOfEachBody) {
  const std::vector<double> start{0.05, -0.025, -0.015};
  Vector3 from;
  const State end = library_flight(sliding_masses(), start, from);

  std::vector<Body> masses(3);
  for (int i = 0; i < 3; ++i) {
    Body& mass = masses[static_cast<std::size_t>(i)];
    mass.mass = std::vector<double>{10, 20, 15}[static_cast<std::size_t>(i)];
    mass.r = kSlide + start[static_cast<std::size_t>(i)] * Vector3::Unit(i);
  }
  const Bodies expected = flown(at_start(masses), sliding_masses_accelerations);

  EXPECT_NEAR((end.r_0 - from - expected[0].r).norm(), 0.0, 1e-10);
  EXPECT_NEAR((end.A_0 - expected[0].A).norm(), 0.0, 1e-10);
  EXPECT_NEAR((end.omega_0 - expected[0].omega).norm(), 0.0, 1e-10);
  for (int i = 1; i <= 3; ++i) EXPECT_NEAR(end.q(i - 1), slide(expected, i), 1e-10);
  EXPECT_GT((expected[0].r).norm(), 1e-3) << "the hub should move";
}

}  // namespace
}  // namespace spacedyn::testing::cartesian_test
