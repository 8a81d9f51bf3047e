#include "bindings.hpp"
#include "spacedyn/dynamics/tree_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/passive_joints.hpp"
#include "states.hpp"

namespace spacedyn::python {
namespace {

void check_status(DynamicsStatus status) {
  if (status == DynamicsStatus::ok) return;
  throw NumericalError("the inertia matrix is not positive definite at this state", 0.0, 0,
                       "inertia matrix");
}

/// The loads of a call: given as such, or as τ and gravity.
const Loads& loads_of(const ModelHandle& model, DynamicsMemory& memory, const Loads* loads,
                      const ArrayLike& tau, const ArrayLike& gravity) {
  if (loads != nullptr) {
    if (!tau.is_none() || !gravity.is_none()) {
      throw py::type_error("loads: expected either loads or tau and gravity, got both");
    }
    loads->check(*model);
    return *loads;
  }
  memory.loads.tau.setZero();
  memory.loads.gravity.setZero();
  if (!tau.is_none()) memory.loads.tau = read_vector(tau, model->joint_count(), "tau");
  if (!gravity.is_none()) memory.loads.gravity = read_vector3(gravity, "gravity");
  return memory.loads;
}

Array forward(ModelHandle& model, const State& state, const Loads* given, const OutputArray& out,
              const ArrayLike& tau, const ArrayLike& gravity) {
  state.check(*model);
  DynamicsMemory& memory = model.dynamics();
  const Loads& loads = loads_of(model, memory, given, tau, gravity);
  memory.acceleration.setZero();
  check_status(
      forward_dynamics(state, loads, memory.workspace, memory.acceleration, memory.forces));
  return to_array(memory.acceleration, out);
}

Array inverse(ModelHandle& model, const State& state, const ArrayLike& acceleration,
              const Loads* given, const OutputArray& out, const ArrayLike& gravity) {
  state.check(*model);
  DynamicsMemory& memory = model.dynamics();
  const Loads& loads = loads_of(model, memory, given, {py::none()}, gravity);
  memory.acceleration = read_vector(acceleration, model->velocity_size(), "acceleration");
  inverse_dynamics(state, memory.acceleration, loads, memory.workspace, memory.forces);
  return to_array(memory.forces, out);
}

Array solve(ModelHandle& model, const State& state, const ArrayLike& b, const OutputArray& out) {
  state.check(*model);
  DynamicsMemory& memory = model.dynamics();
  memory.forces = read_vector(b, model->velocity_size(), "b");
  check_status(solve_inertia(state, memory.forces, memory.workspace, memory.acceleration));
  return to_array(memory.acceleration, out);
}

}  // namespace

void bind_dynamics(py::module_& m) {
  m.def("forward_dynamics", &forward, py::arg("model"), py::arg("state"),
        py::arg("loads") = py::none(), py::arg("out") = py::none(), py::kw_only(),
        py::arg("tau") = py::none(), py::arg("gravity") = py::none(),
        "u̇ = H⁻¹ ([F_b; τ] + Σ Jᵀ F − c), (6 + n,): [v̇_0; ω̇_0; q̈], m/s², rad/s², by the\n"
        "articulated-body algorithm, in O(n).\n\n"
        "Springs and dampers of joints act only as far as τ contains them: see passive_torque().\n"
        "Instead of loads, joint torques tau (n,) and gravity (3,) may be given. A fixed base\n"
        "keeps zero acceleration. Raises NumericalError if H is not positive definite.");
  m.def("inverse_dynamics", &inverse, py::arg("model"), py::arg("state"), py::arg("acceleration"),
        py::arg("loads") = py::none(), py::arg("out") = py::none(), py::kw_only(),
        py::arg("gravity") = py::none(),
        "[F_0; N_0; τ] needed for u̇, both (6 + n,), N and N m, in O(n). Of the loads gravity and\n"
        "external wrenches count; F_b and τ are not read.");
  m.def("solve_inertia", &solve, py::arg("model"), py::arg("state"), py::arg("b"),
        py::arg("out") = py::none(),
        "x = H⁻¹ b, both (6 + n,), in O(n): accelerations that forces b cause in a robot at rest,\n"
        "or changes of velocity that impulses b cause. Zero at a fixed base.");
  m.def(
      "bias_forces",
      [](const ModelHandle& model, const State& state, const ArrayLike& gravity) {
        const Vector3 g =
            gravity.is_none() ? Vector3(Vector3::Zero()) : read_vector3(gravity, "gravity");
        return to_array(bias_forces(*model, state, g));
      },
      py::arg("model"), py::arg("state"), py::arg("gravity") = py::none(),
      "c of (18), (6 + n,): velocity-dependent forces and gravity (3,), m/s².");
  m.def(
      "passive_torque",
      [](const ModelHandle& model, const State& state) {
        state.check(*model);
        return to_array(passive_torque(*model, state));
      },
      py::arg("model"), py::arg("state"), "Torques of springs and dampers of the joints, (n,).");
  m.def(
      "stiffness_matrix",
      [](const ModelHandle& model) { return to_array(stiffness_matrix(*model)); }, py::arg("model"),
      "K of all springs together, (n, n), N m/rad.");
  m.def(
      "damping_matrix", [](const ModelHandle& model) { return to_array(damping_matrix(*model)); },
      py::arg("model"), "D of all dampers together, (n, n), N m s/rad.");
}

}  // namespace spacedyn::python
