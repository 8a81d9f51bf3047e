#include "bindings.hpp"
#include "spacedyn/constraints/closed_chain.hpp"
#include "spacedyn/inertia/base_response.hpp"
#include "spacedyn/inertia/generalized_jacobian.hpp"
#include "spacedyn/inertia/impulse.hpp"
#include "spacedyn/inertia/manipulability.hpp"
#include "spacedyn/inertia/reaction_null_space.hpp"
#include "states.hpp"

namespace spacedyn::python {
namespace {

void bind_base_response(py::module_& m) {
  py::class_<BaseResponse> response(m, "BaseResponse",
                                    "How a floating base answers the joints; read-only views.");
  def_view(response, "H_b_inverse", &BaseResponse::H_b_inverse,
           "(6, 6), base twist per momentum (linear, angular)");
  def_view(response, "D", &BaseResponse::D,
           "(6, n), base twist per joint rate at zero momentum, −H_b⁻¹ H_bm");
  m.def(
      "base_response",
      [](const ModelHandle& model, const State& state) { return base_response(*model, state); },
      py::arg("model"), py::arg("state"), "Base disturbance map and H_b⁻¹ at a state.");

  py::enum_<MomentumPoint>(m, "MomentumPoint", "The point about which L is given.")
      .value("base_centroid", MomentumPoint::base_centroid)
      .value("inertial_origin", MomentumPoint::inertial_origin)
      .value("system_centroid", MomentumPoint::system_centroid);
}

void bind_generalized_jacobian(py::module_& m) {
  m.def(
      "generalized_jacobian",
      [](const ModelHandle& model, const State& state, const FrameArgument& frame,
         const OutputArray& out, const ClosedChain* chain) {
        const Frame point = frame.on(*model);
        return to_array(chain ? generalized_jacobian(*model, state, point, *chain)
                              : generalized_jacobian(*model, state, point),
                        out);
      },
      py::arg("model"), py::arg("state"), py::arg("frame"), py::arg("out") = py::none(),
      py::kw_only(), py::arg("chain") = py::none(),
      "J* = J_m − J_b H_b⁻¹ H_bm, (6, n): inertial twist (linear, angular) of a frame per joint\n"
      "rate while the total momentum is zero. With a ClosedChain J* G, (6, f), per independent "
      "rate.");
  m.def(
      "generalized_jacobian_derivative",
      [](const ModelHandle& model, const State& state, const FrameArgument& frame) {
        return to_array(generalized_jacobian_derivative(*model, state, frame.on(*model)));
      },
      py::arg("model"), py::arg("state"), py::arg("frame"), "J̇*, (6, n).");
  m.def(
      "twist_offset",
      [](const ModelHandle& model, const State& state, const FrameArgument& frame,
         const ArrayLike& momentum, MomentumPoint point) {
        return to_array(twist_offset(*model, state, frame.on(*model),
                                     read_vector6(momentum, "momentum"), point));
      },
      py::arg("model"), py::arg("state"), py::arg("frame"), py::arg("momentum"),
      py::arg("point") = MomentumPoint::base_centroid,
      "What conserved momentum [P; L], (6,), kg m/s and kg m²/s, adds to the twist of a frame,\n"
      "(6,): ẋ_h = J* q̇ + offset.");
}

void bind_null_space(py::module_& m) {
  py::enum_<Reaction>(m, "Reaction", "Which reactions a motion must not cause.")
      .value("angular", Reaction::angular, "the base does not turn, but may translate")
      .value("full", Reaction::full, "the base does not move at all");
  py::class_<ReactionNullSpace> space(m, "ReactionNullSpace",
                                      "Joint motions that leave the base undisturbed.");
  def_view(space, "projector", &ReactionNullSpace::projector,
           "(n, n), any joint rates become q̇ = projector ζ that cause no reaction");
  space.def_property_readonly("dimension", &ReactionNullSpace::dimension, "of the kernel, 0 to n");
  space.def_property_readonly(
      "basis",
      [](const ReactionNullSpace& s) { return to_array(MatrixX(s.coupling.kernel_basis())); },
      "(n, dimension), orthonormal columns");
  space.def_property_readonly(
      "rank", [](const ReactionNullSpace& s) { return s.coupling.rank(); }, "of the coupling");
  m.def(
      "reaction_null_space",
      [](const ModelHandle& model, const State& state, Reaction reaction, double tolerance,
         double damping, double length, const ClosedChain* chain) {
        const ReactionNullSpaceOptions options{tolerance, damping, length};
        return chain ? reaction_null_space(*model, state, reaction, *chain, options)
                     : reaction_null_space(*model, state, reaction, options);
      },
      py::arg("model"), py::arg("state"), py::arg("reaction"), py::kw_only(),
      py::arg("tolerance") = 1e-12, py::arg("damping") = 0.0, py::arg("length") = 1.0,
      py::arg("chain") = py::none(),
      "The kernel of H_ωφ − w r̃_0g J_Tg (angular) or H_bm (full) and its projector; with a\n"
      "ClosedChain that of H̄ G, for independent rates.");
}

void bind_momentum_measures(py::module_& m) {
  py::class_<CouplingMeasures> coupling(m, "CouplingMeasures",
                                        "Singular values of the base disturbance map D.");
  def_view(coupling, "linear", &CouplingMeasures::linear, "(3,), m/s per joint rate, descending");
  def_view(coupling, "angular", &CouplingMeasures::angular, "(3,), rad/s per joint rate");
  coupling.def_property_readonly(
      "volume",
      [](const CouplingMeasures& c) -> py::object {
        return c.volume ? py::object(py::float_(*c.volume)) : py::none();
      },
      "√det(D Dᵀ), or None where n < 6");
  m.def(
      "coupling_measures",
      [](const ModelHandle& model, const State& state) { return coupling_measures(*model, state); },
      py::arg("model"), py::arg("state"), "How strongly the joints disturb the base.");

  py::class_<ImpulseResponse> impulse(m, "ImpulseResponse",
                                      "What an impulse at a frame does; read-only views.");
  def_view(impulse, "H_star", &ImpulseResponse::H_star, "(n, n)");
  def_view(impulse, "J_star", &ImpulseResponse::J_star, "(6, n)");
  def_view(impulse, "velocity_per_impulse", &ImpulseResponse::velocity_per_impulse,
           "(6 + n, 6), change of u per impulse on the frame, N s and N m s");
  def_view(impulse, "inverse_inertia", &ImpulseResponse::inverse_inertia,
           "(6, 6), change of the frame's twist per impulse");
  m.def(
      "impulse_response",
      [](const ModelHandle& model, const State& state, const FrameArgument& frame) {
        return impulse_response(*model, state, frame.on(*model));
      },
      py::arg("model"), py::arg("state"), py::arg("frame"),
      "Change of all velocities per impulse at a frame, joints free to give way.");
}

void bind_manipulability(py::module_& m) {
  py::class_<Manipulability> measures(m, "Manipulability", "Measures of a Jacobian.");
  measures.def_readonly("measure", &Manipulability::measure, "√det(J Jᵀ)")
      .def_readonly("sigma_min", &Manipulability::sigma_min, "smallest singular value")
      .def_readonly("sigma_max", &Manipulability::sigma_max, "largest singular value")
      .def_readonly("rank", &Manipulability::rank, "rank")
      .def_readonly("is_singular", &Manipulability::is_singular, "rank < min(rows, n)");
  m.def(
      "manipulability",
      [](const ArrayLike& J, double length, double tolerance) {
        return manipulability(read_matrix(J, -1, -1, "J"), {length, tolerance});
      },
      py::arg("J"), py::kw_only(), py::arg("length") = 1.0, py::arg("tolerance") = 1e-12,
      "Of any Jacobian (m, n); linear rows of one of 6 rows are divided by length, m.");
  m.def(
      "free_floating_manipulability",
      [](const ModelHandle& model, const State& state, const FrameArgument& frame, double length,
         double tolerance) {
        return free_floating_manipulability(*model, state, frame.on(*model), {length, tolerance});
      },
      py::arg("model"), py::arg("state"), py::arg("frame"), py::kw_only(), py::arg("length") = 1.0,
      py::arg("tolerance") = 1e-12, "Of J* of a frame.");
  m.def(
      "fixed_base_manipulability",
      [](const ModelHandle& model, const State& state, const FrameArgument& frame, double length,
         double tolerance) {
        return fixed_base_manipulability(*model, state, frame.on(*model), {length, tolerance});
      },
      py::arg("model"), py::arg("state"), py::arg("frame"), py::kw_only(), py::arg("length") = 1.0,
      py::arg("tolerance") = 1e-12, "Of J_m of a frame.");
}

}  // namespace

void bind_space_robot(py::module_& m) {
  bind_base_response(m);
  bind_generalized_jacobian(m);
  bind_null_space(m);
  bind_momentum_measures(m);
  bind_manipulability(m);
}

}  // namespace spacedyn::python
