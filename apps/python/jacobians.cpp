#include "spacedyn/kinematics/jacobians.hpp"

#include "bindings.hpp"
#include "spacedyn/inertia/generalized_jacobian.hpp"
#include "spacedyn/kinematics/jacobian_derivatives.hpp"
#include "states.hpp"

namespace spacedyn::python {
namespace {

using BodyJacobian = void (*)(const Model&, const LinkFrames&, int, Eigen::Ref<Matrix3X>);

template <BodyJacobian kFunction>
Array body_jacobian(const ModelHandle& model, const State& state, const IndexArgument& body) {
  Matrix3X J = Matrix3X::Zero(3, model->joint_count());
  kFunction(*model, frames_of(model, state), body.body_of(*model), J);
  return to_array(J);
}

void bind_plain(py::module_& m) {
  m.def("translational_jacobian", &body_jacobian<&translational_jacobian>, py::arg("model"),
        py::arg("state"), py::arg("body"),
        "J_Ti (25), (3, n): velocity of the centroid of a body per joint rate, base at rest.");
  m.def("rotational_jacobian", &body_jacobian<&rotational_jacobian>, py::arg("model"),
        py::arg("state"), py::arg("body"),
        "J_Ri (26), (3, n): angular velocity of a body per joint rate, base at rest.");
  m.def(
      "frame_jacobian",
      [](const ModelHandle& model, const State& state, const FrameArgument& frame,
         const OutputArray& out) {
        Matrix6X J(6, model->joint_count());
        frame_jacobian(*model, frames_of(model, state), frame.on(*model), J);
        return to_array(J, out);
      },
      py::arg("model"), py::arg("state"), py::arg("frame"), py::arg("out") = py::none(),
      "J_m of (16), (6, n): twist (linear, angular) of a frame per joint rate, inertial axes.");
  m.def(
      "base_jacobian",
      [](const ModelHandle& model, const State& state, const FrameArgument& frame) {
        return to_array(base_jacobian(frames_of(model, state), frame.on(*model)));
      },
      py::arg("model"), py::arg("state"), py::arg("frame"),
      "J_b of (16), (6, 6): twist of a frame per base twist at the base centroid.");
}

void bind_derivatives_in_time(py::module_& m) {
  py::class_<FrameJacobians> all(m, "FrameJacobians",
                                 "Jacobians of one frame and their time derivatives, views.");
  def_view(all, "J_m", &FrameJacobians::J_m, "(6, n)");
  def_view(all, "J_m_dot", &FrameJacobians::J_m_dot, "(6, n)");
  def_view(all, "J_b", &FrameJacobians::J_b, "(6, 6)");
  def_view(all, "J_b_dot", &FrameJacobians::J_b_dot, "(6, 6)");
  m.def(
      "frame_jacobians",
      [](const ModelHandle& model, const State& state, const FrameArgument& frame) {
        return frame_jacobians(*model, state, frame.on(*model));
      },
      py::arg("model"), py::arg("state"), py::arg("frame"),
      "ẋ_h = J_m q̇ + J_b x_b (16), ẍ_h = J_m q̈ + J̇_m q̇ + J_b ẋ_b + J̇_b x_b (17).");
}

template <typename Matrices>
py::list arrays(const Matrices& matrices) {
  py::list list;
  for (const auto& matrix : matrices) list.append(to_array(matrix));
  return list;
}

void bind_gradient(py::module_& m) {
  py::class_<JacobianGradient>(m, "JacobianGradient",
                               "∂J/∂x_j for each coordinate of x = [δr_0; δθ; q]: lists of 6 + n\n"
                               "arrays, copies.")
      .def_property_readonly(
          "J_m", [](const JacobianGradient& g) { return arrays(g.J_m); }, "(6, n) each")
      .def_property_readonly(
          "J_b", [](const JacobianGradient& g) { return arrays(g.J_b); }, "(6, 6) each")
      .def_property_readonly(
          "J_star", [](const JacobianGradient& g) { return arrays(g.J_star); }, "(6, n) each");
  m.def(
      "jacobian_gradient",
      [](const ModelHandle& model, const State& state, const FrameArgument& frame) {
        return jacobian_gradient(*model, state, frame.on(*model));
      },
      py::arg("model"), py::arg("state"), py::arg("frame"),
      "Derivatives of J_m, J_b and J* of a frame with respect to the configuration.");
}

}  // namespace

void bind_jacobians(py::module_& m) {
  bind_plain(m);
  bind_derivatives_in_time(m);
  bind_gradient(m);
}

}  // namespace spacedyn::python
