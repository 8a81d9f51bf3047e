#include <pybind11/stl.h>

#include "bindings.hpp"
#include "descriptions.hpp"
#include "spacedyn/model/elastic_drive.hpp"

namespace spacedyn::python {
namespace {

/// A property of any size that is copied in and out.
template <typename Class, typename Value>
void def_sized(py::class_<Class>& type, const char* name, Value Class::*member, const char* doc) {
  type.def_property(
      name, [member](const Class& self) { return to_array(self.*member); },
      [member, name](Class& self, const ArrayLike& value) {
        if constexpr (Value::ColsAtCompileTime == 1) {
          self.*member = read_vector(value, -1, name);
        } else {
          self.*member = read_matrix(value, -1, -1, name);
        }
      },
      doc);
}

void bind_coupling(py::module_& m) {
  using D = JointCouplingDescription;
  py::class_<D> coupling(m, "JointCouplingDescription",
                         "Springs and dampers between joints: τ = −K (q − q_rest) − D q̇.");
  def_keywords(coupling, "JointCouplingDescription");
  coupling.def_readwrite("name", &D::name, "name")
      .def_readwrite("joints", &D::joints, "names of m joints")
      .def_readwrite("notes", &D::notes, "Notes");
  def_sized(coupling, "stiffness", &D::stiffness, "K, (m, m), symmetric, or empty; a copy");
  def_sized(coupling, "damping", &D::damping, "D, (m, m), symmetric, or empty; a copy");
  def_sized(coupling, "rest_position", &D::rest_position, "q_rest, (m,), or empty; a copy");
}

void bind_transmission(py::module_& m) {
  using D = TransmissionDescription;
  py::class_<D> transmission(m, "TransmissionDescription",
                             "An elastic transmission between the joint of a rotor and another.");
  def_keywords(transmission, "TransmissionDescription");
  transmission.def_readwrite("name", &D::name, "name")
      .def_readwrite("motor", &D::motor, "joint of the rotor")
      .def_readwrite("joint", &D::joint, "driven joint")
      .def_readwrite("gear_ratio", &D::gear_ratio, "turns of the motor per turn of the joint")
      .def_readwrite("stiffness", &D::stiffness, "k, at the joint, N m/rad")
      .def_readwrite("damping", &D::damping, "c, at the joint, N m s/rad")
      .def_readwrite("backlash", &D::backlash, "whole play, at the joint, rad")
      .def_readwrite("notes", &D::notes, "Notes");
}

}  // namespace

void bind_drive_trains(py::module_& m) {
  bind_coupling(m);
  bind_transmission(m);
  m.def(
      "separate_rotor",
      [](const LinkDescription& link, double stiffness, double damping, double backlash) {
        LinkDescription driven = link;
        ElasticDrive drive = separate_rotor(driven, stiffness, damping, backlash);
        return py::make_tuple(driven, drive.rotor, drive.transmission);
      },
      py::arg("link"), py::arg("stiffness"), py::arg("damping"), py::arg("backlash") = 0.0,
      "A link on a revolute joint without its rotor, the rotor as a link of its own, and the\n"
      "TransmissionDescription between the two. Raises DomainError without a rotor_inertia.");
}

}  // namespace spacedyn::python
