#include <pybind11/stl.h>

#include "bindings.hpp"
#include "descriptions.hpp"
#include "spacedyn/model/description.hpp"

namespace spacedyn::python {
namespace {

void bind_shapes(py::module_& m) {
  py::class_<Visual> visual(m, "Visual", "A shape for pictures; does not affect dynamics.");
  def_keywords(visual, "Visual");
  visual.def_readwrite("shape", &Visual::shape, "box, cylinder, sphere, mesh or ellipsoid")
      .def_readwrite("mesh", &Visual::mesh, "file of a mesh")
      .def_readwrite("origin", &Visual::origin, "Pose in the body's user frame")
      .def_readwrite("color", &Visual::color, "#rrggbb, may be empty");
  def_copied(visual, "size", &Visual::size, "(3,), as in model files, m");

  py::enum_<CollisionType>(m, "CollisionType", "What touches others.")
      .value("sphere", CollisionType::sphere)
      .value("box", CollisionType::box)
      .value("cylinder", CollisionType::cylinder)
      .value("capsule", CollisionType::capsule)
      .value("mesh", CollisionType::mesh)
      .value("ellipsoid", CollisionType::ellipsoid);
  py::class_<CollisionShape> shape(m, "CollisionShape", "A shape of a body that touches others.");
  def_keywords(shape, "CollisionShape");
  shape.def_readwrite("name", &CollisionShape::name, "name")
      .def_readwrite("type", &CollisionShape::type, "CollisionType")
      .def_readwrite("origin", &CollisionShape::origin, "Pose of its centre, in the user frame")
      .def_readonly("mesh", &CollisionShape::mesh, "file of a mesh; meshes come from files");
  def_copied(shape, "size", &CollisionShape::size, "(3,), as in model files, m");
}

void bind_loops(py::module_& m) {
  py::enum_<LoopType> type(m, "LoopType", "How a loop holds points together or couples joints.");
  for (const LoopType each : all_loop_types()) {
    type.value(std::string(loop_traits(each).name).c_str(), each);
  }
  using D = LoopDescription;
  py::class_<D> loop(m, "LoopDescription", "A loop between two points, or a coupling of joints.");
  def_keywords(loop, "LoopDescription");
  loop.def_readwrite("name", &D::name, "name")
      .def_readwrite("type", &D::type, "LoopType")
      .def_readwrite("from_", &D::from, "name of the first point; `from` is a word of Python")
      .def_readwrite("to", &D::to, "name of the second point")
      .def_readwrite("length", &D::length, "distance of the points, m")
      .def_readwrite("joints", &D::joints, "names of the joints that are coupled")
      .def_readwrite("coefficients", &D::coefficients, "of a linear coupling")
      .def_readwrite("ratio", &D::ratio, "of a gear: q_b = ratio · q_a + offset")
      .def_readwrite("offset", &D::offset, "of a gear or linear coupling, rad or m")
      .def_readwrite("notes", &D::notes, "Notes");
  def_copied(loop, "axis", &D::axis, "(3,), in the axes of both points");
  def_copied(loop, "second_axis", &D::second_axis, "(3,), of a universal joint, fixed in `to`");
}

}  // namespace

void bind_parts_of_descriptions(py::module_& m) {
  bind_shapes(m);
  bind_loops(m);
}

}  // namespace spacedyn::python
