#include <pybind11/complex.h>
#include <pybind11/stl.h>

#include "bindings.hpp"
#include "spacedyn/analysis/base_parameters.hpp"
#include "spacedyn/analysis/equilibrium.hpp"
#include "spacedyn/analysis/linearization.hpp"
#include "spacedyn/analysis/modes.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn::python {
namespace {

Vector3 vector_or_zero(const ArrayLike& source, const char* name) {
  return source.is_none() ? Vector3(Vector3::Zero()) : read_vector3(source, name);
}

void bind_modes(py::module_& m) {
  py::class_<Mode> mode(m, "Mode", "One natural mode, φ of K φ = ω² H φ.");
  mode.def_readonly("omega", &Mode::omega, "undamped, rad/s; 0 for a rigid-body or unstable mode")
      .def_readonly("growth_rate", &Mode::growth_rate, "of an unstable mode, 1/s")
      .def_readonly("damping_ratio", &Mode::damping_ratio, "ζ")
      .def_readonly("modal_mass", &Mode::modal_mass, "φᵀ H φ, kg m² or kg")
      .def_property_readonly("is_rigid", &Mode::is_rigid, "whether it is a rigid-body mode")
      .def_property_readonly("frequency", &Mode::frequency, "Hz");
  def_view(mode, "shape", &Mode::shape, "φ, (6 + n,), unit length");
  def_view(mode, "strain_share", &Mode::strain_share, "(n,), part of each joint in φᵀ K φ");
  def_view(mode, "participation", &Mode::participation, "(6,), of a held base");
  def_view(mode, "effective_mass", &Mode::effective_mass, "(6,), kg and kg m²");
  mode.def("__repr__", [](const Mode& self) {
    return "<spacedyn.Mode at " + std::to_string(self.frequency()) + " Hz>";
  });
  py::class_<Modes>(m, "Modes", "All modes of a system: unstable, rigid, elastic ones.")
      .def_readonly("modes", &Modes::modes, "list of Mode, ascending in ω²; copies")
      .def_readonly("rigid_count", &Modes::rigid_count, "number of rigid-body modes")
      .def_readonly("damping_coupling", &Modes::damping_coupling, "near 1: ratios are rough");
  m.def(
      "compute_modes",
      [](const ModelHandle& model, const State& state, const ArrayLike& gravity,
         std::optional<bool> base_free, bool hold_unsprung) {
        Mobility mobility(*model);
        if (base_free) {
          mobility = Mobility(
              *base_free, std::vector<bool>(static_cast<std::size_t>(model->joint_count()), true));
        }
        if (hold_unsprung) mobility = hold_unsprung_joints(*model, mobility);
        return compute_modes(*model, state, mobility, vector_or_zero(gravity, "gravity"));
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("gravity") = py::none(),
      py::arg("base_free") = py::none(), py::arg("hold_unsprung") = false,
      "Natural modes of a model at a configuration, at rest.\n\n"
      "base_free: as the model says unless given; hold_unsprung: joints without stiffness are "
      "held.");
}

ForcedSystem system_of(const ModelHandle& model, const ArrayLike& gravity) {
  ForcedSystem system;
  system.model = model.pointer();
  if (model->has_fixed_base()) system.base_mode = BaseMode::fixed;
  system.gravity = vector_or_zero(gravity, "gravity");
  return system;
}

void bind_linearization(py::module_& m) {
  py::class_<Linearization> linear(m, "Linearization", "δẋ = A δx + B δτ, δy = C δx; views.");
  linear.def_readonly("time", &Linearization::time, "s")
      .def_readonly("position_count", &Linearization::position_count,
                    "the first states; as many velocities follow")
      .def_readonly("state_names", &Linearization::state_names, "base.position.x, …")
      .def_readonly("input_names", &Linearization::input_names, "elbow.torque, …")
      .def_readonly("output_names", &Linearization::output_names, "hand.position.x, …")
      .def_readonly("rough", &Linearization::rough, "states along which loads bend sharply");
  def_view(linear, "A", &Linearization::A, "(states, states)");
  def_view(linear, "B", &Linearization::B, "(states, inputs)");
  def_view(linear, "C", &Linearization::C, "(outputs, states)");
  def_view(linear, "rate", &Linearization::rate, "(states,), ẋ at the point itself");
  def_view(linear, "H", &Linearization::H, "(6 + n, 6 + n)");
  def_view(linear, "D", &Linearization::D, "(6 + n, 6 + n)");
  def_view(linear, "K", &Linearization::K, "(6 + n, 6 + n)");
  m.def(
      "linearize",
      [](const ModelHandle& model, const State& state, const ArrayLike& gravity) {
        return linearize(system_of(model, gravity), state);
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("gravity") = py::none(),
      "Linear equations of motion of a model about a state.");
  m.def(
      "linearize",
      [](const std::shared_ptr<Scenario>& scenario, const State* state, double time) {
        const State at = state != nullptr ? *state : scenario->initial;
        return linearize(scenario->setup, at, time);
      },
      py::arg("scenario"), py::arg("state") = py::none(), py::arg("time") = 0.0,
      "The same with all forces and controllers of a scenario, its initial state by default.");
}

void bind_eigenmodes(py::module_& m) {
  py::class_<EigenMode>(m, "EigenMode", "One eigenvalue λ, or a conjugate pair, Im λ ≥ 0.")
      .def_readonly("eigenvalue", &EigenMode::eigenvalue, "1/s")
      .def_readonly("omega", &EigenMode::omega, "|λ|, rad/s")
      .def_readonly("damping_ratio", &EigenMode::damping_ratio, "−Re λ/|λ|")
      .def_property_readonly("is_rigid", &EigenMode::is_rigid, "whether λ is zero")
      .def_property_readonly("frequency", &EigenMode::frequency, "|Im λ|/2π, Hz")
      .def_property_readonly(
          "shape",
          [](const EigenMode& self) {
            py::array_t<std::complex<double>> shape(Sizes{self.shape.size()});
            std::copy(self.shape.begin(), self.shape.end(), shape.mutable_data());
            return shape;
          },
          "complex, unit length, a copy");
  m.def(
      "eigenmodes", [](const ArrayLike& A) { return eigenmodes(read_matrix(A, -1, -1, "A")); },
      py::arg("A"), "Eigenvalues and eigenvectors of a square matrix, ascending in |λ|.");
}

void bind_base_parameters(py::module_& m) {
  py::class_<BaseParameters> base(m, "BaseParameters",
                                  "β = K π: what measurements determine of inertial parameters.");
  base.def_readonly("columns", &BaseParameters::columns,
                    "of each the first inertial parameter in it, from 0; its coefficient is 1")
      .def_readonly("without_effect", &BaseParameters::without_effect,
                    "inertial parameters that change nothing that is measured")
      .def_readonly("names", &BaseParameters::names, "combinations: arm.zz + 0.25 * hand.mass")
      .def_property_readonly("count", &BaseParameters::count, "number of base parameters")
      .def("__repr__", [](const BaseParameters& self) {
        return "<spacedyn.BaseParameters: " + std::to_string(self.count()) + ">";
      });
  def_view(base, "combination", &BaseParameters::combination, "(count, parameters), K");
  m.def(
      "base_parameters",
      [](const ModelHandle& model, const ArrayLike& gravity, bool support_reactions,
         unsigned seed) {
        IdentifiabilityOptions options;
        options.gravity = vector_or_zero(gravity, "gravity");
        options.support_reactions = support_reactions;
        options.seed = seed;
        return base_parameters(*model, options);
      },
      py::arg("model"), py::kw_only(), py::arg("gravity") = py::none(),
      py::arg("support_reactions") = false, py::arg("seed") = 1,
      "Base parameters of a robot under random motion, from all forces on a floating base, from\n"
      "those of the joints on a fixed one, unless the reactions of its support are measured, too.");
  m.def(
      "base_parameters",
      [](const ArrayLike& stack, const std::vector<std::string>& names, double tolerance) {
        return base_parameters(read_matrix(stack, -1, -1, "stack"), names, tolerance);
      },
      py::arg("stack"), py::arg("names"), py::arg("tolerance") = 1e-8,
      "Base parameters that a stack of regressors determines, a name for each of its columns.");
}

void bind_equilibrium(py::module_& m) {
  py::class_<Equilibrium>(m, "Equilibrium", "What a search for an equilibrium came to.")
      .def_readonly("state", &Equilibrium::state, "at rest; a copy")
      .def_readonly("found", &Equilibrium::found, "whether nothing accelerates")
      .def_readonly("residual", &Equilibrium::residual,
                    "largest unbalanced generalized force, N or N m")
      .def_readonly("weight", &Equilibrium::weight,
                    "what that is compared with: weight and sum of the loads, N")
      .def_readonly("iterations", &Equilibrium::iterations, "number of steps of the search")
      .def_readonly("unbalanced", &Equilibrium::unbalanced,
                    "the coordinate with the largest residual");
  m.def(
      "find_equilibrium",
      [](const ModelHandle& model, const State& state, const ArrayLike& gravity,
         const std::vector<IndexArgument>& hold) {
        return find_equilibrium(system_of(model, gravity), state, joints_of(hold, *model));
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("gravity") = py::none(),
      py::arg("hold") = std::vector<IndexArgument>(),
      "The static equilibrium of a model with its springs to which heavily damped motion leads\n"
      "from a configuration; joints under hold keep their positions.");
  m.def(
      "find_equilibrium",
      [](const std::shared_ptr<Scenario>& scenario, const State* state,
         const std::vector<IndexArgument>& hold) {
        return find_equilibrium(scenario->setup, state != nullptr ? *state : scenario->initial,
                                joints_of(hold, *scenario->setup.model));
      },
      py::arg("scenario"), py::arg("state") = py::none(), py::kw_only(),
      py::arg("hold") = std::vector<IndexArgument>(),
      "The same with all forces and controllers of a scenario, as they act at t = 0, from its\n"
      "initial state by default.");
}

}  // namespace

void bind_analysis(py::module_& m) {
  bind_modes(m);
  bind_linearization(m);
  bind_equilibrium(m);
  bind_eigenmodes(m);
  bind_base_parameters(m);
}

}  // namespace spacedyn::python
