#include <pybind11/stl.h>

#include "instants.hpp"
#include "spacedyn/control/rheonomic_distance.hpp"
#include "spacedyn/forces/point_constraint.hpp"
#include "spacedyn/terrain/terrain.hpp"

namespace spacedyn::python {
namespace {

std::shared_ptr<RollingConstraint> rolling(const std::string& name, const Frame& body,
                                           double radius, const ArrayLike& axis,
                                           const ArrayLike& normal, double height) {
  RollingConstraint::Settings settings;
  settings.center = body;
  settings.radius = radius;
  if (!axis.is_none()) settings.axis = read_vector3(axis, "axis");
  const Vector3 up = normal.is_none() ? Vector3::UnitZ() : read_vector3(normal, "normal");
  settings.terrain = std::make_shared<PlaneTerrain>(up, height);
  return std::make_shared<RollingConstraint>(name, settings);
}

/// Numbers of what a function in Python returned, in another shape.
MatrixX shaped(const py::handle& source, py::ssize_t rows, py::ssize_t columns, const char* name) {
  const py::object flat = py::module_::import("numpy").attr("ravel")(source);
  const VectorX numbers = read_vector({flat}, rows * columns, name, Numbers::any);
  return numbers.reshaped<Eigen::RowMajor>(rows, columns);
}

/// Points as rows, as Python has them.
Array rows_of(const PointConstraint::Points& points) {
  return to_array(MatrixX(points.transpose()));
}

/// A constraint whose function, in Python, returns its value, its gradient and perhaps its rate.
std::shared_ptr<PointConstraint> point_constraint(const std::string& name,
                                                  std::vector<Frame> points,
                                                  const py::object& function, int rows,
                                                  const py::object& bias) {
  PointConstraint::Settings settings;
  settings.points = std::move(points);
  settings.rows = rows;
  const SharedObject law = keep(function);
  settings.function = [law](const PointConstraint::Points& at, double time,
                            PointConstraint::Values& values) {
    const py::gil_scoped_acquire lock;
    const auto found = py::cast<py::tuple>((*law)(rows_of(at), time));
    if (found.size() != 2 && found.size() != 3) {
      throw py::value_error("function: expected (value, gradient) or (value, gradient, rate)");
    }
    const py::ssize_t count = values.value.size();
    values.value = shaped(found[0], count, 1, "value");
    values.gradient = shaped(found[1], count, 3 * at.cols(), "gradient");
    if (found.size() == 3) values.rate = shaped(found[2], count, 1, "rate");
  };
  if (!bias.is_none()) {
    const SharedObject second = keep(bias);
    settings.bias = [second](const PointConstraint::Points& at, const PointConstraint::Points& v,
                             double time, PointConstraint::Rows& result) {
      const py::gil_scoped_acquire lock;
      result = shaped((*second)(rows_of(at), rows_of(v), time), result.size(), 1, "bias");
    };
  }
  return std::make_shared<PointConstraint>(name, std::move(settings));
}

}  // namespace

void bind_motions(py::module_& m) {
  py::class_<MotionConstraint, ForceElement, std::shared_ptr<MotionConstraint>>(
      m, "MotionConstraint",
      "Rows K u = b(t) on velocities, whose forces a simulation finds; listed among the forces.");
  py::class_<RollingConstraint, MotionConstraint, std::shared_ptr<RollingConstraint>>(
      m, "RollingConstraint",
      "A ball about a frame or, with an axis in its axes, a thin disc that rolls without slip on "
      "a\n"
      "plane, normal · r = height: the material point at the contact is at rest.")
      .def(py::init(&rolling), py::arg("name"), py::arg("body"), py::arg("radius"),
           py::arg("axis") = py::none(), py::kw_only(), py::arg("normal") = py::none(),
           py::arg("height") = 0.0);
  py::class_<KnifeEdge, MotionConstraint, std::shared_ptr<KnifeEdge>>(
      m, "KnifeEdge", "A point without velocity along a direction that is fixed in its body.")
      .def(py::init([](const std::string& name, const Frame& at, const ArrayLike& normal) {
             return std::make_shared<KnifeEdge>(
                 name, KnifeEdge::Settings{at, read_vector3(normal, "normal")});
           }),
           py::arg("name"), py::arg("at"), py::arg("normal"));
  py::class_<PointConstraint, MotionConstraint, std::shared_ptr<PointConstraint>>(
      m, "PointConstraint",
      "φ(p, t) = 0 of one to three rows on the positions p (m, 3) of one to four points, inertial\n"
      "axes, m. function(p, t) returns φ (rows), ∂φ/∂p (rows, m, 3) and, where φ depends on time,\n"
      "∂φ/∂t (rows); it must be smooth. bias(p, v, t), φ̈ of points at constant velocities v, "
      "saves\n"
      "differences of the function. Forces λ ∂φ/∂p act at the points.")
      .def(py::init(&point_constraint), py::arg("name"), py::arg("points"), py::arg("function"),
           py::kw_only(), py::arg("rows") = 1, py::arg("bias") = py::none());
  py::class_<RheonomicDistance, MotionConstraint, std::shared_ptr<RheonomicDistance>>(
      m, "RheonomicDistance", "Two points of two bodies whose distance follows a Reference, m.")
      .def(py::init([](const std::string& name, const Frame& start, const Frame& end,
                       std::shared_ptr<Reference> length) {
             return std::make_shared<RheonomicDistance>(
                 name, RheonomicDistance::Settings{start, end, std::move(length)});
           }),
           py::arg("name"), py::arg("start"), py::arg("end"), py::arg("length"));
}

}  // namespace spacedyn::python
