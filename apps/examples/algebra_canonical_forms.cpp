// The canonical equations of [RBDA] 3.1 and an integrator of one's own; docs/algebra.md shows the
// output.
#include "print.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "textbook/canonical_forms.hpp"

using namespace spacedyn;
using example::print;

namespace {

Model robot() {
  BaseDescription base;
  base.name = "base";
  base.mass = 50.0;
  base.inertia = Vector3(8.0, 10.0, 12.0).asDiagonal();
  LinkDescription upper;
  upper.name = "upper";
  upper.parent = "base";
  upper.mass = 5.0;
  upper.center_of_mass = {0.4, 0.0, 0.0};
  upper.inertia = Vector3(0.05, 0.3, 0.3).asDiagonal();
  upper.joint.origin.position = {0.5, 0.0, 0.2};
  LinkDescription lower = upper;
  lower.name = "lower";
  lower.parent = "upper";
  lower.joint.origin.position = {0.8, 0.0, 0.0};
  lower.joint.axis = Vector3::UnitY();
  return ModelBuilder("robot").set_base(base).add_link(upper).add_link(lower).build();
}

State tumbling(const Model& model) {
  State state(model);
  state.A_0 = matrix_from_twist({0.2, 0.4, -0.1});
  state.q << 0.3, -0.5;
  state.omega_0 << 0.1, 0.2, -0.3;
  state.qd << 0.4, 0.2;
  return state;
}

void equations(const Model& model) {
  CanonicalForm form(model, AttitudeCoordinates::quaternion);
  const State state = tumbling(model);
  const VectorX q = form.position(state), alpha = state.velocity();
  VectorX tau = VectorX::Zero(8);
  tau.tail<2>() << 1.0, -0.5;
  const VectorX alpha_rate = form.FD(q, alpha, tau);  // (3.3)
  print("joints of FD", alpha_rate.tail<2>().transpose());
  print("ID(FD)  (3.4)", form.ID(q, alpha, alpha_rate).tail<2>().transpose());
  const VectorX left = form.H(q) * alpha_rate + form.C(q, alpha);
  print("H a'+C  (3.5)", left.tail<2>().transpose());
  print("T       (3.2)", 0.5 * alpha.dot(form.H(q) * alpha));
  print("power", tau.dot(alpha));
  print("qdfn    (3.7)", form.qdfn(q, alpha).segment<4>(3).transpose());
  print("Q alpha (3.6)", (form.Q(q) * alpha).segment<4>(3).transpose());
}

/// The classical Runge–Kutta method on ẋ = FDx(x, τ), (3.9).
State integrate(const Model& model, AttitudeCoordinates kind, double duration, int steps) {
  CanonicalForm form(model, kind);
  VectorX x = form.state_vector(tumbling(model));
  const VectorX tau = VectorX::Zero(form.velocity_size());
  const double h = duration / steps;
  for (int step = 0; step < steps; ++step) {
    const VectorX k1 = form.FDx(x, tau);
    const VectorX k2 = form.FDx(x + 0.5 * h * k1, tau);
    const VectorX k3 = form.FDx(x + 0.5 * h * k2, tau);
    const VectorX k4 = form.FDx(x + h * k3, tau);
    x += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  return form.state(x.head(form.position_size()), x.tail(form.velocity_size()));
}

}  // namespace

int main() {
  const Model model = robot();
  equations(model);
  std::puts("");

  using Kind = AttitudeCoordinates;
  const State a = integrate(model, Kind::quaternion, 1.0, 500);
  const State b = integrate(model, Kind::rotation_vector, 1.0, 500);
  const State c = integrate(model, Kind::twist_angles, 1.0, 500);
  const State d = integrate(model, Kind::euler_313, 1.0, 500);
  print("quaternion", twist_from_matrix(a.A_0).transpose());
  print("rotation vec.", twist_from_matrix(b.A_0).transpose());
  print("twist angles", twist_from_matrix(c.A_0).transpose());
  print("Euler 3-1-3", twist_from_matrix(d.A_0).transpose());
  std::puts("");

  try {
    attitude_rate(Kind::euler_313, Vector3::Zero(), Vector3::UnitX());
  } catch (const DomainError& error) {
    std::printf("%s\n", error.what());
  }
}
