#include <pybind11/stl.h>

#include "bindings.hpp"
#include "spacedyn/constraints/closed_chain.hpp"
#include "spacedyn/constraints/constrained_derivatives.hpp"
#include "spacedyn/constraints/constrained_dynamics.hpp"
#include "spacedyn/constraints/explicit_form.hpp"

namespace spacedyn::python {
namespace {

Loads checked(const ModelHandle& model, const State& state, const Loads* loads) {
  state.check(*model);
  if (loads == nullptr) return Loads(*model);
  loads->check(*model);
  return *loads;
}

/// Names or numbers of joints as an argument.
using JointArguments = std::vector<IndexArgument>;

std::vector<int> all_joints(const Model& model) {
  std::vector<int> indices;
  for (int i = 1; i <= model.joint_count(); ++i) indices.push_back(i);
  return indices;
}

void bind_chain(py::module_& m) {
  py::class_<ClosedChain> chain(m, "ClosedChain",
                                "A robot with loops in the rates ẏ of f independent joints.");
  chain.def_readonly("independent", &ClosedChain::independent, "joints 1 to n, ascending");
  def_view(chain, "G", &ClosedChain::G, "(n, f), q̇ = G ẏ");
  def_view(chain, "g", &ClosedChain::g, "(n,), q̈ = G ÿ + g");
  def_view(chain, "H_star", &ClosedChain::H_star,
           "(f, f), what the independent joints feel while the base floats");
  m.def(
      "closed_chain",
      [](const ModelHandle& model, const State& state,
         const std::optional<JointArguments>& joints) {
        return joints ? closed_chain(*model, state, joints_of(*joints, *model))
                      : closed_chain(*model, state);
      },
      py::arg("model"), py::arg("state"), py::arg("independent") = py::none(),
      "The chain at a state that is on the loops. Independent joints, names or numbers, are\n"
      "chosen so that the others are best determined, or given. Raises DomainError if the loops\n"
      "relate those that are given.");
}

void bind_inverse_dynamics(py::module_& m) {
  py::class_<ClosedInverseDynamics> inverse(m, "ClosedInverseDynamics",
                                            "What moves a robot with loops as demanded.");
  def_view(inverse, "acceleration", &ClosedInverseDynamics::acceleration,
           "(6 + n,), u̇ that satisfies the loops");
  def_view(inverse, "F_b", &ClosedInverseDynamics::F_b, "(6,), force and moment on the base");
  def_view(inverse, "tau", &ClosedInverseDynamics::tau, "(n,), 0 for joints not actuated");
  def_view(inverse, "multipliers", &ClosedInverseDynamics::multipliers,
           "λ of least norm, H u̇ + c = [F_b; τ] + Kᵀ λ");
  m.def(
      "closed_inverse_dynamics",
      [](const ModelHandle& model, const State& state, const ArrayLike& acceleration,
         const Loads* loads, const std::optional<JointArguments>& actuated) {
        const VectorX wanted = read_vector(acceleration, model->velocity_size(), "acceleration");
        return closed_inverse_dynamics(
            *model, state, closed_chain(*model, state), wanted, checked(model, state, loads),
            actuated ? joints_of(*actuated, *model) : all_joints(*model));
      },
      py::arg("model"), py::arg("state"), py::arg("acceleration"), py::arg("loads") = py::none(),
      py::kw_only(), py::arg("actuated") = py::none(),
      "Torques of the actuated joints, names or numbers, with the least Σ τ² that give u̇,\n"
      "(6 + n,); of it base and independent joints count. Raises DomainError if they cannot.");
}

void bind_motion(py::module_& m) {
  using M = ConstrainedMotion;
  py::class_<M> motion(m, "ConstrainedMotion",
                       "Accelerations of a robot with loops, and what holds them.");
  def_view(motion, "acceleration", &M::acceleration, "(6 + n,), u̇");
  def_view(motion, "multipliers", &M::multipliers, "λ of least norm, H u̇ + c = τ + Kᵀ λ");
  def_view(motion, "K", &M::K, "(rows, 6 + n), K u̇ = k");
  def_view(motion, "k", &M::k, "(rows,)");
  motion.def_readonly("rank", &M::rank, "of the columns of K that are free");
  motion.def_readonly("degrees_of_freedom", &M::degrees_of_freedom,
                      "free coordinates less the rank");
  m.def(
      "constrained_motion",
      [](const ModelHandle& model, const State& state, const Loads* loads) {
        return constrained_motion(*model, state, checked(model, state, loads));
      },
      py::arg("model"), py::arg("state"), py::arg("loads") = py::none(),
      "Forward dynamics with the loops of the model at a state that is on them.");
}

void bind_explicit_form(py::module_& m) {
  using E = ExplicitForm;
  py::class_<E> form(m, "ExplicitForm",
                     "A robot with loops in f independent velocities: u = G ẏ, u̇ = G ÿ + g.");
  def_view(form, "G", &E::G, "(6 + n, f), orthonormal columns");
  def_view(form, "g", &E::g, "(6 + n,)");
  def_view(form, "H_G", &E::H_G, "(f, f), Gᵀ H G");
  def_view(form, "C_G", &E::C_G, "(f,), Gᵀ (c + H g)");
  def_view(form, "force", &E::force, "(f,), Gᵀ τ");
  def_view(form, "rate", &E::rate, "(f,), ẏ");
  def_view(form, "rate_change", &E::rate_change, "(f,), ÿ");
  def_view(form, "constraint_force", &E::constraint_force,
           "(6 + n,), τ_c = H u̇ + c − τ, what constraints exert; Gᵀ τ_c = 0");
  form.def("kinetic_energy", &E::kinetic_energy, "½ ẏᵀ H_G ẏ, J.")
      .def("power", &E::power, "Of the forces, W.")
      .def(
          "acceleration", [](const E& self) { return to_array(self.acceleration()); },
          "u̇ = G ÿ + g, (6 + n,).");
  m.def(
      "explicit_form",
      [](const ModelHandle& model, const State& state, const Loads* loads) {
        return explicit_form(*model, state, checked(model, state, loads));
      },
      py::arg("model"), py::arg("state"), py::arg("loads") = py::none(),
      "The projection of the dynamics on what the loops leave free, at a state that is on them.");
}

void bind_constrained_derivatives(py::module_& m) {
  using D = ConstrainedDerivatives;
  py::class_<D> derivatives(m, "ConstrainedDerivatives",
                            "Derivatives of u̇ and λ of a robot with loops; read-only views.");
  derivatives.def_readonly("motion", &D::motion, "ForwardDynamicsDerivatives");
  def_view(derivatives, "multipliers", &D::multipliers, "λ, 0 for rows that follow from others");
  def_view(derivatives, "multipliers_configuration", &D::multipliers_configuration,
           "(rows, 6 + n), by x = [r_0; θ; q]");
  def_view(derivatives, "multipliers_velocity", &D::multipliers_velocity, "(rows, 6 + n), by u");
  def_view(derivatives, "multipliers_force", &D::multipliers_force, "(rows, 6 + n), by [F_b; τ]");
  def_view(derivatives, "K", &D::K, "(rows, 6 + n)");
  def_view(derivatives, "rate_configuration", &D::rate_configuration, "∂(K u)/∂x");
  def_view(derivatives, "force_configuration", &D::force_configuration, "∂(Kᵀ λ)/∂x");
  m.def(
      "constrained_derivatives",
      [](const ModelHandle& model, const State& state, const Loads* loads) {
        return constrained_derivatives(*model, state, checked(model, state, loads));
      },
      py::arg("model"), py::arg("state"), py::arg("loads") = py::none(),
      "Derivatives of constrained_motion() at a state that is on the loops.");
}

}  // namespace

void bind_constraints(py::module_& m) {
  bind_motion(m);
  bind_explicit_form(m);
  bind_constrained_derivatives(m);
  bind_chain(m);
  bind_inverse_dynamics(m);
}

}  // namespace spacedyn::python
