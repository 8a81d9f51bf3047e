#include "bindings.hpp"
#include "spacedyn/dynamics/articulated_body.hpp"
#include "spacedyn/dynamics/composite_rigid_body.hpp"
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

/// The numbers of forward_dynamics(), in memory that is kept.
Array forward(ModelHandle& model, const State& state, const Loads* given, const OutputArray& out,
              const ArrayLike& tau, const ArrayLike& gravity) {
  state.check(*model);
  DynamicsMemory& memory = model.dynamics();
  const Loads& loads = loads_of(model, memory, given, tau, gravity);
  memory.acceleration.setZero();
  update_kinematics(*model, state, memory.workspace);
  check_status(hybrid_dynamics(*model, state, loads, memory.mobility, memory.workspace,
                               memory.acceleration, memory.forces));
  return to_array(memory.acceleration, out);
}

void bind_plain(py::module_& m) {
  m.def("forward_dynamics", &forward, py::arg("model"), py::arg("state"),
        py::arg("loads") = py::none(), py::arg("out") = py::none(), py::kw_only(),
        py::arg("tau") = py::none(), py::arg("gravity") = py::none(),
        "u̇ = H⁻¹ ([F_b; τ] + Σ Jᵀ F − c), (6 + n,): [v̇_0; ω̇_0; q̈], m/s², rad/s².\n\n"
        "Springs and dampers of joints act only as far as τ contains them: see passive_torque().\n"
        "Instead of loads, joint torques tau (n,) and gravity (3,) may be given. A fixed base\n"
        "keeps zero acceleration. Raises NumericalError if H is not positive definite.");
  m.def(
      "inverse_dynamics",
      [](ModelHandle& model, const State& state, const ArrayLike& acceleration, const Loads* loads,
         const ArrayLike& gravity) {
        return to_array(inverse_dynamics(
            *model, state, read_vector(acceleration, model->velocity_size(), "acceleration"),
            loads_of(model, model.dynamics(), loads, {py::none()}, gravity)));
      },
      py::arg("model"), py::arg("state"), py::arg("acceleration"), py::arg("loads") = py::none(),
      py::kw_only(), py::arg("gravity") = py::none(),
      "[F_0; N_0; τ] needed for u̇, both (6 + n,), N and N m. Of the loads gravity and external\n"
      "wrenches count; F_b and τ are not read.");
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

/// The workspace of the O(n) algorithms with the model it was made for.
struct TreeMemory {
  explicit TreeMemory(std::shared_ptr<ModelHandle> owner)
      : model(std::move(owner)),
        workspace(**model),
        x(VectorX::Zero((*model)->velocity_size())),
        forces(x),
        H(MatrixX::Zero(x.size(), x.size())) {}
  std::shared_ptr<ModelHandle> model;
  TreeWorkspace workspace;
  VectorX x, forces;
  MatrixX H;
};

Array articulated(const State& state, const Loads& loads, TreeMemory& memory,
                  const OutputArray& out) {
  const Model& model = **memory.model;
  state.check(model);
  loads.check(model);
  memory.x.setZero();
  check_status(articulated_body(state, loads, memory.workspace, memory.x, memory.forces));
  return to_array(memory.x, out);
}

void bind_tree(py::module_& m) {
  py::class_<TreeMemory>(m, "TreeWorkspace",
                         "Memory of the O(n) algorithms for one model; one thread at a time.")
      .def(py::init<std::shared_ptr<ModelHandle>>(), py::arg("model"))
      .def_property_readonly(
          "model", [](const TreeMemory& memory) { return memory.model; }, "the model");
  m.def("articulated_body", &articulated, py::arg("state"), py::arg("loads"), py::arg("workspace"),
        py::arg("out") = py::none(),
        "u̇, (6 + n,), by the articulated-body algorithm: the numbers of forward_dynamics() but\n"
        "for rounding, in O(n).");
  m.def(
      "newton_euler",
      [](const State& state, const ArrayLike& acceleration, const Loads& loads, TreeMemory& memory,
         const OutputArray& out) {
        const Model& model = **memory.model;
        state.check(model);
        loads.check(model);
        memory.x = read_vector(acceleration, model.velocity_size(), "acceleration");
        newton_euler(state, memory.x, loads, memory.workspace, memory.forces);
        return to_array(memory.forces, out);
      },
      py::arg("state"), py::arg("acceleration"), py::arg("loads"), py::arg("workspace"),
      py::arg("out") = py::none(), "[F_0; N_0; τ] for u̇, both (6 + n,), in O(n).");
  m.def(
      "composite_rigid_body",
      [](const State& state, TreeMemory& memory, const OutputArray& out) {
        state.check(**memory.model);
        composite_rigid_body(state, memory.workspace, memory.H);
        return to_array(memory.H, out);
      },
      py::arg("state"), py::arg("workspace"), py::arg("out") = py::none(),
      "H, (6 + n, 6 + n), by composite rigid bodies.");
  m.def(
      "solve_inertia",
      [](const State& state, const ArrayLike& b, TreeMemory& memory, const OutputArray& out) {
        const Model& model = **memory.model;
        state.check(model);
        memory.forces = read_vector(b, model.velocity_size(), "b");
        check_status(solve_inertia(state, memory.forces, memory.workspace, memory.x));
        return to_array(memory.x, out);
      },
      py::arg("state"), py::arg("b"), py::arg("workspace"), py::arg("out") = py::none(),
      "x = H⁻¹ b, both (6 + n,), without forming H.");
}

}  // namespace

void bind_dynamics(py::module_& m) {
  bind_plain(m);
  bind_tree(m);
}

}  // namespace spacedyn::python
