// A floating base with a single link: model, closed form, simulation, comparison. Section 6.2 of
// [Carius], announced there and worked out here; docs/algebra.md shows the output.
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "print.hpp"
#include "spacedyn/dynamics/forward_dynamics.hpp"
#include "spacedyn/dynamics/recursive_newton_euler.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/model/model_builder.hpp"

using namespace spacedyn;
using example::print;

namespace {

const double kPi = 4.0 * std::atan(1.0);

Model one_link_robot() {
  BaseDescription base;
  base.name = "base";
  base.mass = 100.0;                                      // m0
  base.inertia = Vector3(10.0, 10.0, 20.0).asDiagonal();  // I0 = 20 about z
  LinkDescription link;
  link.name = "link";
  link.parent = "base";
  link.joint.origin.position = {0.5, 0.0, 0.0};        // a
  link.mass = 10.0;                                    // m1
  link.center_of_mass = {0.75, 0.0, 0.0};              // b
  link.inertia = Vector3(0.1, 2.0, 2.0).asDiagonal();  // I1 = 2 about z
  FrameDescription tip;
  tip.name = "tip";
  tip.link = "link";
  tip.origin.position = {1.5, 0.0, 0.0};
  return ModelBuilder("one_link_robot").set_base(base).add_link(link).add_frame(tip).build();
}

/// What can be said of the planar robot without integrating.
struct ClosedForm {
  double m0 = 100.0, I0 = 20.0, a = 0.5, m1 = 10.0, I1 = 2.0, b = 0.75;
  double M = m0 + m1, mu = m0 * m1 / M;
  double A = I1 + mu * b * b, B = mu * a * b, D = I0 + I1 + mu * (a * a + b * b);

  /// Base rate per joint rate without angular momentum.
  double slope(double q) const { return -(A + B * std::cos(q)) / (D + 2.0 * B * std::cos(q)); }
  /// Base attitude after turning the joint from 0 to q, |q| < π, without angular momentum.
  double attitude(double q) const {
    const double root = std::sqrt(D * D - 4.0 * B * B);
    const double ratio = std::sqrt((D - 2.0 * B) / (D + 2.0 * B));
    return -0.5 * q - (2.0 * A - D) / root * std::atan(ratio * std::tan(0.5 * q));
  }
  /// Inertia that the joint feels: h q̈ + ½ h′ q̇² = τ.
  double h(double q) const { return A + slope(q) * (A + B * std::cos(q)); }
  double h_slope(double q) const {
    const double c = A + B * std::cos(q), d = D + 2.0 * B * std::cos(q), s = B * std::sin(q);
    return 2.0 * s * c / d - 2.0 * s * c * c / (d * d);
  }
  /// Base centroid from the system centroid at base attitude θ.
  Vector3 base_centroid(double theta, double q) const {
    const Vector3 e(std::cos(theta), std::sin(theta), 0.0);
    const Vector3 link(std::cos(theta + q), std::sin(theta + q), 0.0);
    return -(m1 / M) * (a * e + b * link);
  }
};

/// Rows and columns x, y, θ, q of a planar system.
Eigen::Matrix4d planar(const MatrixX& H) {
  constexpr std::array<int, 4> rows{0, 1, 5, 6};
  Eigen::Matrix4d part;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      part(static_cast<int>(i), static_cast<int>(j)) = H(rows[i], rows[j]);
    }
  }
  return part;
}

State at(const Model& model, const ClosedForm& closed, double q, double rate) {
  State state(model);
  state.q[0] = q;
  state.qd[0] = rate;
  state.omega_0.z() = closed.slope(q) * rate;
  // the system centroid rests at the origin
  state.r_0 = closed.base_centroid(0.0, q);
  const Vector3 turn(0.0, 0.0, state.omega_0.z() + rate);
  const Vector3 link(closed.b * std::cos(q), closed.b * std::sin(q), 0.0);
  state.v_0 = -(closed.m1 / closed.M) *
              (state.omega_0.cross(Vector3(closed.a, 0.0, 0.0)) + turn.cross(link));
  return state;
}

void parameters(const ClosedForm& closed) {
  print("A", closed.A);
  print("B", closed.B);
  print("D", closed.D);
  print("h(0)", closed.h(0.0));
  print("h(pi/2)", closed.h(kPi / 2.0));
  print("theta(pi/6)", closed.attitude(kPi / 6.0));
  print("theta(pi/2)", closed.attitude(kPi / 2.0));
}

void equation_of_motion(const Model& model, const ClosedForm& closed) {
  const State state = at(model, closed, kPi / 2.0, 1.0);
  print("H", planar(inertia_matrix(model, state)));

  Loads loads(model);
  loads.tau[0] = 1.0;
  const VectorX acceleration = forward_dynamics(model, state, loads);
  const double expected = (1.0 - 0.5 * closed.h_slope(kPi / 2.0)) / closed.h(kPi / 2.0);
  print("base rate", state.omega_0.z());
  print("q'' by (29)", acceleration[6]);
  print("q'' closed", expected);

  // (30)–(38): the recursion gives the torque back, and nothing on the free base
  SpatialMotion motion(model);
  VectorX forces(model.velocity_size());
  recursive_newton_euler(model, link_inertias(model), state, acceleration, loads, motion, forces);
  print("torque    (38)", forces[6]);
  print("f_0 on base", forces.head<6>().norm());
}

void impulse_at_the_tip(const Model& model) {
  State state(model);
  state.q[0] = kPi / 2.0;
  const Frame tip = model.frame("tip");
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  Matrix6X J_m(6, 1);
  frame_jacobian(model, frames, tip, J_m);
  VectorX impulse(7);
  const Vector6 unit = Vector6::Unit(0);
  impulse << base_jacobian(frames, tip).transpose() * unit, J_m.transpose() * unit;
  const VectorX jump = inertia_matrix(model, state).ldlt().solve(impulse);
  print("dv_0x", jump[0]);
  print("  -1.45/313", -1.45 / 313.0);
  print("dq'", jump[6]);
  print("  -63/313", -63.0 / 313.0);
  print("dtheta'", jump[5]);
}

/// Prints simulated against closed values at each output.
class Comparison final : public SimulationObserver {
 public:
  Comparison(const ClosedForm& closed, double torque) : closed_(closed), torque_(torque) {
    std::printf("%6s %12s %13s %13s %13s %13s\n", "t", "q", "theta", "closed", "q'", "closed");
  }
  void on_output(const SimulationPoint& point) override {
    const double q = point.state.q[0], rate = point.state.qd[0];
    const double theta = std::atan2(point.state.A_0(1, 0), point.state.A_0(0, 0));
    if (point.time == 0.0) {
      start_ = q;
      twice_energy_ = closed_.h(q) * rate * rate;
    }
    // ½ h q̇² grows by the work of the torque
    const double grown = twice_energy_ + 2.0 * torque_ * (q - start_);
    const double closed_rate = std::sqrt(grown / closed_.h(q));
    const double closed_theta = closed_.attitude(q);
    std::printf("%6.2f %12.9f %13.9f %13.9f %13.9f %13.9f\n", point.time, q,
                example::rounded(theta), example::rounded(closed_theta), rate, closed_rate);
    const Vector3 where = closed_.base_centroid(closed_theta, q);
    worst_ = std::max({worst_, std::abs(theta - closed_theta), std::abs(rate - closed_rate),
                       (point.state.r_0 - where).norm()});
  }
  double worst() const { return worst_; }

 private:
  ClosedForm closed_;
  double torque_;
  double start_ = 0.0, twice_energy_ = 0.0;
  double worst_ = 0.0;
};

void simulate(const Model& model, const ClosedForm& closed, double rate, double torque) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(model);
  setup.integrator.relative_tolerance = 1e-12;
  setup.integrator.absolute_tolerance = {1e-13, 1e-13, 1e-13, 1e-13, 1e-13, 1e-13, 1e-13};
  if (torque != 0.0) {
    const auto schedule = TimeTable::constant(VectorX::Constant(1, torque));
    setup.forces.push_back(std::make_shared<AppliedJointTorque>("motor", 1, schedule));
  }
  Comparison comparison(closed, torque);
  Simulator(setup).run(at(model, closed, 0.0, rate), 2.5, 0.5, comparison);
  std::printf("largest difference below 1e-10: %s\n", comparison.worst() < 1e-10 ? "yes" : "no");
}

}  // namespace

int main() {
  const Model model = one_link_robot();
  const ClosedForm closed;
  parameters(closed);
  std::puts("");
  equation_of_motion(model, closed);
  std::puts("");
  impulse_at_the_tip(model);
  std::puts("");
  simulate(model, closed, 1.0, 0.0);
  std::puts("");
  simulate(model, closed, 0.0, 2.0);
}
