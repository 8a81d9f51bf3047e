#include "bindings.hpp"
#include "spacedyn/math/attitude_coordinates.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/so3.hpp"

namespace spacedyn::python {
namespace {

VectorX read_attitude(AttitudeCoordinates kind, const ArrayLike& attitude) {
  return read_vector(attitude, attitude_size(kind), "attitude");
}

void bind_coordinates(py::module_& m) {
  py::enum_<AttitudeCoordinates>(m, "AttitudeCoordinates",
                                 "How an attitude is written as numbers.\n\n"
                                 "quaternion: (w, x, y, z); rotation_vector: θ of exp_so3();\n"
                                 "twist_angles: A = R_x(α) R_y(β) R_z(γ); euler_313:\n"
                                 "A = R_z(φ) R_x(θ) R_z(ψ).")
      .value("quaternion", AttitudeCoordinates::quaternion)
      .value("rotation_vector", AttitudeCoordinates::rotation_vector)
      .value("twist_angles", AttitudeCoordinates::twist_angles)
      .value("euler_313", AttitudeCoordinates::euler_313);
  m.def(
      "matrix_from_attitude",
      [](AttitudeCoordinates kind, const ArrayLike& attitude) {
        return to_array(matrix_from_attitude(kind, read_attitude(kind, attitude)));
      },
      py::arg("kind"), py::arg("attitude"), "(3, 3) of an attitude, (4,) or (3,).");
  m.def(
      "attitude_from_matrix",
      [](AttitudeCoordinates kind, const ArrayLike& A) {
        return to_array(attitude_from_matrix(kind, read_matrix3(A, "A")));
      },
      py::arg("kind"), py::arg("A"), "(4,) or (3,): w ≥ 0, |θ| ≤ π, angles in their ranges.");
  m.def(
      "attitude_rate",
      [](AttitudeCoordinates kind, const ArrayLike& attitude, const ArrayLike& omega) {
        return to_array(
            attitude_rate(kind, read_attitude(kind, attitude), read_vector3(omega, "omega")));
      },
      py::arg("kind"), py::arg("attitude"), py::arg("omega"),
      "Rate of an attitude at angular velocity ω (3,), inertial. Raises DomainError where it has\n"
      "none: at singular angles and beyond |θ| = 3π/2.");
  m.def(
      "attitude_rate_matrix",
      [](AttitudeCoordinates kind, const ArrayLike& attitude) {
        return to_array(attitude_rate_matrix(kind, read_attitude(kind, attitude)));
      },
      py::arg("kind"), py::arg("attitude"), "(4, 3) or (3, 3), which takes ω to the rate.");
}

}  // namespace

void bind_attitudes(py::module_& m) {
  bind_coordinates(m);
  m.def(
      "dexp_so3",
      [](const ArrayLike& theta) { return to_array(dexp_so3(read_vector3(theta, "theta"))); },
      py::arg("theta"), "(3, 3), ω = dexp(θ) θ̇ of A = exp_so3(θ).");
  m.def(
      "dexp_inverse_so3",
      [](const ArrayLike& theta) {
        return to_array(dexp_inverse_so3(read_vector3(theta, "theta")));
      },
      py::arg("theta"), "(3, 3), θ̇ = dexp⁻¹(θ) ω. Raises DomainError if |θ| > 3π/2.");
  m.def(
      "nearest_rotation",
      [](const ArrayLike& matrix) {
        return to_array(nearest_rotation(read_matrix3(matrix, "matrix")));
      },
      py::arg("matrix"), "The rotation (3, 3) that is nearest to a matrix.");
}

}  // namespace spacedyn::python
