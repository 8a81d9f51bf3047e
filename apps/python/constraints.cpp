#include <pybind11/stl.h>

#include "bindings.hpp"
#include "spacedyn/constraints/closed_chain.hpp"

namespace spacedyn::python {
namespace {

/// Names or numbers of joints as an argument.
using JointArguments = std::vector<IndexArgument>;

std::vector<int> joints_of(const Model& model, const JointArguments& joints) {
  std::vector<int> indices;
  for (const IndexArgument& joint : joints) indices.push_back(joint.joint_of(model));
  return indices;
}

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
        return joints ? closed_chain(*model, state, joints_of(*model, *joints))
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
            *model, state, closed_chain(*model, state), wanted, loads ? *loads : Loads(*model),
            actuated ? joints_of(*model, *actuated) : all_joints(*model));
      },
      py::arg("model"), py::arg("state"), py::arg("acceleration"), py::arg("loads") = py::none(),
      py::kw_only(), py::arg("actuated") = py::none(),
      "Torques of the actuated joints, names or numbers, with the least Σ τ² that give u̇,\n"
      "(6 + n,); of it base and independent joints count. Raises DomainError if they cannot.");
}

}  // namespace

void bind_constraints(py::module_& m) {
  bind_chain(m);
  bind_inverse_dynamics(m);
}

}  // namespace spacedyn::python
