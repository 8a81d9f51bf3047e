#include <pybind11/stl.h>

#include "instants.hpp"
#include "spacedyn/control/rheonomic_distance.hpp"
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
