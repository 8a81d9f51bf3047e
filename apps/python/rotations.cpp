#include "spacedyn/math/rotations.hpp"

#include "bindings.hpp"
#include "spacedyn/math/so3.hpp"

namespace spacedyn::python {
namespace {

template <Matrix3 (*kFunction)(const Vector3&)>
void def_from_vector(py::module_& m, const char* name, const char* argument, const char* doc) {
  m.def(
      name,
      [argument](const ArrayLike& x) { return to_array(kFunction(read_vector3(x, argument))); },
      py::arg(argument), doc);
}

template <Vector3 (*kFunction)(const Matrix3&)>
void def_from_matrix(py::module_& m, const char* name, const char* doc) {
  m.def(
      name, [](const ArrayLike& A) { return to_array(kFunction(read_matrix3(A, "A"))); },
      py::arg("A"), doc);
}

template <Matrix3 (*kFunction)(double)>
void def_from_angle(py::module_& m, const char* name, const char* doc) {
  m.def(
      name, [](double angle) { return to_array(kFunction(angle)); }, py::arg("angle"), doc);
}

Eigen::Vector4d w_first(const Quaternion& x) { return {x.w(), x.x(), x.y(), x.z()}; }

void bind_quaternions(py::module_& m) {
  m.def(
      "matrix_from_quaternion",
      [](const ArrayLike& quaternion) {
        const VectorX x = read_vector(quaternion, 4, "quaternion");
        return to_array(matrix_from_quaternion(Quaternion(x(0), x(1), x(2), x(3))));
      },
      py::arg("quaternion"), "(3, 3) of a quaternion (4,), w first, which is normalized.");
  m.def(
      "quaternion_from_matrix",
      [](const ArrayLike& A) {
        return to_array(w_first(quaternion_from_matrix(read_matrix3(A, "A"))));
      },
      py::arg("A"), "Unit quaternion, (4,), w first, w ≥ 0.");
  m.def(
      "orientation_error",
      [](const ArrayLike& A_goal, const ArrayLike& A_now) {
        return to_array(
            orientation_error(read_matrix3(A_goal, "A_goal"), read_matrix3(A_now, "A_now")));
      },
      py::arg("A_goal"), py::arg("A_now"),
      "Rotation vector (3,) that turns A_now into A_goal, rad.");
  m.def(
      "rotation_about",
      [](const ArrayLike& axis, double angle) {
        return to_array(rotation_about(read_vector3(axis, "axis"), angle));
      },
      py::arg("axis"), py::arg("angle"), "Rotation about an axis (3,) by an angle, rad.");
}

}  // namespace

void bind_rotations(py::module_& m) {
  def_from_angle<&rotation_x>(m, "rotation_x", "Rotation about x, rad.");
  def_from_angle<&rotation_y>(m, "rotation_y", "Rotation about y, rad.");
  def_from_angle<&rotation_z>(m, "rotation_z", "Rotation about z, rad.");
  def_from_vector<&matrix_from_rpy>(m, "matrix_from_rpy", "rpy",
                                    "A = R_z(y) R_y(p) R_x(r), angles of URDF and ROS, rad.");
  def_from_matrix<&rpy_from_matrix>(m, "rpy_from_matrix", "Roll, pitch, yaw, (3,), rad.");
  def_from_vector<&matrix_from_twist>(m, "matrix_from_twist", "twist",
                                      "A = R_x(α) R_y(β) R_z(γ), twist angles of the paper, rad.");
  def_from_matrix<&twist_from_matrix>(m, "twist_from_matrix", "Twist angles, (3,), rad.");
  def_from_vector<&matrix_from_euler_313>(m, "matrix_from_euler_313", "angles",
                                          "A = R_z(φ) R_x(θ) R_z(ψ), rad.");
  def_from_matrix<&euler_313_from_matrix>(m, "euler_313_from_matrix", "(φ, θ, ψ), rad.");
  def_from_vector<&exp_so3>(m, "exp_so3", "theta", "Rotation by a rotation vector (3,), rad.");
  def_from_matrix<&log_so3>(m, "log_so3", "Rotation vector (3,) of a rotation, |θ| ≤ π, rad.");
  bind_quaternions(m);
}

}  // namespace spacedyn::python
