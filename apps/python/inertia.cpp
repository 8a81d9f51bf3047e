#include <pybind11/stl.h>

#include "bindings.hpp"
#include "spacedyn/dynamics/tree_dynamics.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/inertia/inertia_rates.hpp"
#include "spacedyn/inertia/inertial_parameters.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/inertia/reduced_inertia.hpp"
#include "spacedyn/inertia/regressor.hpp"
#include "spacedyn/inertia/regularity.hpp"
#include "states.hpp"

namespace spacedyn::python {
namespace {

void bind_matrices(py::module_& m) {
  m.def(
      "inertia_matrix",
      [](ModelHandle& model, const State& state, const OutputArray& out) {
        state.check(*model);
        MatrixX H(model->velocity_size(), model->velocity_size());
        composite_rigid_body(state, model.dynamics().workspace, H);
        return to_array(H, out);
      },
      py::arg("model"), py::arg("state"), py::arg("out") = py::none(),
      "H of (18), (6 + n, 6 + n): rows and columns [base linear; base angular; joints],\n"
      "inertial axes, SI units.");
  m.def(
      "inertia_matrix_derivative",
      [](const ModelHandle& model, const State& state) {
        return to_array(inertia_matrix_derivative(*model, state));
      },
      py::arg("model"), py::arg("state"), "Ḣ along the motion, (6 + n, 6 + n).");
  m.def(
      "coriolis_matrix",
      [](const ModelHandle& model, const State& state) {
        return to_array(coriolis_matrix(*model, state));
      },
      py::arg("model"), py::arg("state"),
      "C with C u = c without gravity and Ḣ − 2C skew-symmetric, (6 + n, 6 + n).");
  m.def(
      "reduced_inertia",
      [](const ModelHandle& model, const State& state) {
        return to_array(reduced_inertia(*model, state));
      },
      py::arg("model"), py::arg("state"),
      "H* = H_m − H_bmᵀ H_b⁻¹ H_bm, (n, n): what the joints feel while the base floats.");
  m.def(
      "find_singularity",
      [](const ModelHandle& model, const State& state, bool base_free) -> py::object {
        state.check(*model);
        const auto what = find_singularity(*model, state, base_free);
        return what ? py::object(py::str(*what)) : py::none();
      },
      py::arg("model"), py::arg("state"), py::arg("base_free") = true,
      "What can move without resistance, for instance \"the base\"; None if H is positive\n"
      "definite.");
}

void bind_blocks(py::module_& m) {
  py::class_<InertiaBlocks> blocks(m, "InertiaBlocks",
                                   "H by its blocks, (19) to (24) of the paper; read-only views.");
  blocks.def_readonly("w", &InertiaBlocks::w, "total mass, kg");
  def_view(blocks, "r_0g", &InertiaBlocks::r_0g, "(3,), base centroid to system centroid, m");
  def_view(blocks, "H_omega", &InertiaBlocks::H_omega, "(3, 3), (21)");
  def_view(blocks, "J_Tw", &InertiaBlocks::J_Tw, "(3, n), Σ m_i J_Ti (24)");
  def_view(blocks, "H_omega_phi", &InertiaBlocks::H_omega_phi, "(3, n), (22)");
  def_view(blocks, "H_b", &InertiaBlocks::H_b, "(6, 6), (19)");
  def_view(blocks, "H_bm", &InertiaBlocks::H_bm, "(6, n), (20)");
  def_view(blocks, "H_m", &InertiaBlocks::H_m, "(n, n), (23)");
  m.def("compute_inertia_blocks", &blocks_of, py::arg("model"), py::arg("state"),
        "All blocks of H at a state.");

  py::class_<CentroidalQuantities> centroidal(m, "CentroidalQuantities",
                                              "Matrices about the system centroid; views.");
  def_view(centroidal, "J_g", &CentroidalQuantities::J_g, "(3, 6 + n): v_g = J_g u");
  def_view(centroidal, "J_g_dot", &CentroidalQuantities::J_g_dot, "(3, 6 + n)");
  def_view(centroidal, "A_g", &CentroidalQuantities::A_g, "(6, 6 + n): [P; L_g] = A_g u");
  def_view(centroidal, "A_g_dot", &CentroidalQuantities::A_g_dot, "(6, 6 + n)");
  m.def(
      "centroidal_quantities",
      [](const ModelHandle& model, const State& state) {
        return centroidal_quantities(*model, state);
      },
      py::arg("model"), py::arg("state"),
      "Centre-of-mass Jacobian and centroidal momentum matrix with their derivatives.");
}

void bind_momentum(py::module_& m) {
  py::class_<Momentum> momentum_class(m, "Momentum", "Momentum of a system; inertial axes, views.");
  def_view(momentum_class, "linear", &Momentum::linear, "(3,), P, kg m/s");
  def_view(momentum_class, "angular_base", &Momentum::angular_base,
           "(3,), L_0 about the base centroid, kg m²/s");
  def_view(momentum_class, "angular_origin", &Momentum::angular_origin,
           "(3,), about the inertial origin, kg m²/s");
  def_view(momentum_class, "angular_centroid", &Momentum::angular_centroid,
           "(3,), about the system centroid, kg m²/s");
  m.def(
      "momentum",
      [](const ModelHandle& model, const State& state) {
        const LinkFrames frames = frames_of(model, state);
        return momentum(*model, frames, velocities_of(model, state, frames));
      },
      py::arg("model"), py::arg("state"), "Linear momentum, and angular momentum about 3 points.");
}

void bind_scalars(py::module_& m) {
  m.def(
      "center_of_mass",
      [](const ModelHandle& model, const State& state) {
        return to_array(center_of_mass(*model, frames_of(model, state)));
      },
      py::arg("model"), py::arg("state"), "Centroid of the system, (3,), inertial, m.");
  m.def(
      "center_of_mass_velocity",
      [](const ModelHandle& model, const State& state) {
        const LinkFrames frames = frames_of(model, state);
        return to_array(center_of_mass_velocity(*model, velocities_of(model, state, frames)));
      },
      py::arg("model"), py::arg("state"), "Its velocity, (3,), inertial, m/s.");
  m.def(
      "kinetic_energy",
      [](const ModelHandle& model, const State& state) {
        const LinkFrames frames = frames_of(model, state);
        return kinetic_energy(*model, frames, velocities_of(model, state, frames));
      },
      py::arg("model"), py::arg("state"), "T = ½ uᵀ H u, J.");
  m.def(
      "gravity_potential",
      [](const ModelHandle& model, const State& state, const ArrayLike& gravity) {
        return gravity_potential(*model, frames_of(model, state), read_vector3(gravity, "gravity"));
      },
      py::arg("model"), py::arg("state"), py::arg("gravity"), "−w g·r_g, J; gravity (3,), m/s².");
  m.def(
      "elastic_energy",
      [](const ModelHandle& model, const State& state) {
        state.check(*model);
        return elastic_energy(*model, state.q);
      },
      py::arg("model"), py::arg("state"), "Energy in the springs of the joints, J.");
}

Vector3 gravity_or_zero(const ArrayLike& source) {
  return source.is_none() ? Vector3(Vector3::Zero()) : read_vector3(source, "gravity");
}

InertialParameters read_parameters(const ArrayLike& source) {
  return read_vector(source, kInertialParameters, "parameters", Numbers::any);
}

void bind_inertial_parameters(py::module_& m) {
  m.def(
      "inertial_parameters",
      [](const ModelHandle& model) { return to_array(inertial_parameters(*model)); },
      py::arg("model"),
      "π of all bodies, (10 (1 + n),), base first: mass; mass × centroid (3); xx, xy, xz, yy, yz,\n"
      "zz of the inertia about the origin of the body's frame, in the axes of its file.");
  m.def(
      "inertial_parameter_names",
      [](const ModelHandle& model) { return inertial_parameter_names(*model); }, py::arg("model"),
      "Their names: arm.mass, arm.mx, …, arm.zz.");
  m.def(
      "pseudo_inertia",
      [](const ArrayLike& parameters) {
        return to_array(pseudo_inertia(read_parameters(parameters)));
      },
      py::arg("parameters"),
      "P = [Σ, m c; m cᵀ, m], (4, 4), Σ = ∫ x xᵀ dm, of the ten parameters of one body.");
  m.def(
      "inertial_parameters_of",
      [](const ArrayLike& P) {
        return to_array(inertial_parameters_of(read_matrix(P, 4, 4, "pseudo_inertia")));
      },
      py::arg("pseudo_inertia"), "The ten parameters of a pseudo-inertia, (10,).");
  m.def(
      "is_physically_consistent",
      [](const ArrayLike& parameters) {
        return is_physically_consistent(read_parameters(parameters));
      },
      py::arg("parameters"),
      "Whether positive mass that fills a volume can have these ten parameters.");
  m.def(
      "nearest_consistent_parameters",
      [](const ArrayLike& parameters, double length, double margin) {
        return to_array(nearest_consistent_parameters(read_parameters(parameters), length, margin));
      },
      py::arg("parameters"), py::arg("length"), py::arg("margin") = 1e-6,
      "The nearest ten parameters whose pseudo-inertia has no eigenvalue below margin times the\n"
      "largest, lengths in units of length, a size of the body in m.");
}

void bind_regressors(py::module_& m) {
  m.def(
      "inverse_dynamics_regressor",
      [](const ModelHandle& model, const State& state, const ArrayLike& acceleration,
         const ArrayLike& gravity, const OutputArray& out) {
        return to_array(
            inverse_dynamics_regressor(
                *model, state, read_vector(acceleration, model->velocity_size(), "acceleration"),
                gravity_or_zero(gravity)),
            out);
      },
      py::arg("model"), py::arg("state"), py::arg("acceleration"), py::arg("gravity") = py::none(),
      py::arg("out") = py::none(),
      "Y with Y π = [F_0; N_0; τ] of inverse dynamics, (6 + n, 10 (1 + n)), π those of\n"
      "inertial_parameters(), without wrenches and armature. Columns are formed with the base's\n"
      "frame and r_0 where they are.");
  m.def(
      "momentum_regressor",
      [](const ModelHandle& model, const State& state, const OutputArray& out) {
        return to_array(momentum_regressor(*model, state), out);
      },
      py::arg("model"), py::arg("state"), py::arg("out") = py::none(),
      "Y with Y π = [P; L_0], L_0 about r_0, (6, 10 (1 + n)).");
  m.def(
      "energy_regressor",
      [](const ModelHandle& model, const State& state, const ArrayLike& gravity,
         const OutputArray& out) {
        return to_array(energy_regressor(*model, state, gravity_or_zero(gravity)), out);
      },
      py::arg("model"), py::arg("state"), py::arg("gravity") = py::none(),
      py::arg("out") = py::none(),
      "Y with Y π = [T; V], kinetic energy and potential in gravity (3,), (2, 10 (1 + n)).");
}

}  // namespace

void bind_inertia(py::module_& m) {
  bind_matrices(m);
  bind_blocks(m);
  bind_momentum(m);
  bind_scalars(m);
  bind_inertial_parameters(m);
  bind_regressors(m);
}

}  // namespace spacedyn::python
