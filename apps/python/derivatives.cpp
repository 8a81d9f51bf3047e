#include "spacedyn/dynamics/derivatives.hpp"

#include "bindings.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn::python {
namespace {

Loads zero_or(const ModelHandle& model, const Loads* loads) {
  if (loads == nullptr) return Loads(*model);
  loads->check(*model);
  return *loads;
}

NumericalError singular() {
  return {"the inertia matrix is not positive definite at this state", 0.0, 0, "inertia matrix"};
}

ForwardDynamicsDerivatives differentiate(ModelHandle& model, const State& state,
                                         const Loads* loads) {
  state.check(*model);
  const Loads all = zero_or(model, loads);
  ForwardDynamicsDerivatives derivatives(*model);
  derivatives.acceleration.setZero();
  if (forward_dynamics_derivatives(state, all, model.dynamics().workspace.mobility(),
                                   model.derivatives(), derivatives) != DynamicsStatus::ok) {
    throw singular();
  }
  return derivatives;
}

Array invert_inertia(ModelHandle& model, const State& state) {
  state.check(*model);
  MatrixX H_inverse(model->velocity_size(), model->velocity_size());
  if (inverse_inertia(state, model.dynamics().workspace.mobility(), model.derivatives(),
                      H_inverse) != DynamicsStatus::ok) {
    throw singular();
  }
  return to_array(H_inverse);
}

}  // namespace

void bind_derivatives(py::module_& m) {
  py::class_<InverseDynamicsDerivatives> inverse(m, "InverseDynamicsDerivatives",
                                                 "∂[F_b; τ] of inverse dynamics; read-only views.");
  def_view(inverse, "configuration", &InverseDynamicsDerivatives::configuration,
           "(6 + n, 6 + n), by x = [r_0; θ; q], θ a rotation vector on the left");
  def_view(inverse, "velocity", &InverseDynamicsDerivatives::velocity, "(6 + n, 6 + n), by u");
  def_view(inverse, "acceleration", &InverseDynamicsDerivatives::acceleration,
           "(6 + n, 6 + n), by u̇: H");

  py::class_<ForwardDynamicsDerivatives> forward_class(m, "ForwardDynamicsDerivatives",
                                                       "u̇ and its derivatives; read-only views.");
  def_view(forward_class, "acceleration", &ForwardDynamicsDerivatives::acceleration, "(6 + n,), u̇");
  def_view(forward_class, "configuration", &ForwardDynamicsDerivatives::configuration,
           "(6 + n, 6 + n), by x = [r_0; θ; q], θ a rotation vector on the left");
  def_view(forward_class, "velocity", &ForwardDynamicsDerivatives::velocity,
           "(6 + n, 6 + n), by u");
  def_view(forward_class, "force", &ForwardDynamicsDerivatives::force,
           "(6 + n, 6 + n), by [F_b; τ]: H⁻¹ of the free coordinates");

  m.def(
      "inverse_dynamics_derivatives",
      [](const ModelHandle& model, const State& state, const ArrayLike& acceleration,
         const Loads* loads) {
        return inverse_dynamics_derivatives(
            *model, state, read_vector(acceleration, model->velocity_size(), "acceleration"),
            zero_or(model, loads));
      },
      py::arg("model"), py::arg("state"), py::arg("acceleration"), py::arg("loads") = py::none(),
      "Derivatives of inverse_dynamics() at u̇, (6 + n,).");
  m.def("forward_dynamics_derivatives", &differentiate, py::arg("model"), py::arg("state"),
        py::arg("loads") = py::none(),
        "u̇ and its derivatives by configuration, velocity and force.");
  m.def("inverse_inertia", &invert_inertia, py::arg("model"), py::arg("state"),
        "H⁻¹ of the free coordinates, (6 + n, 6 + n), zero for the others, in O(n²).");
}

}  // namespace spacedyn::python
