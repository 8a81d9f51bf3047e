#include <pybind11/stl.h>

#include "bindings.hpp"
#include "descriptions.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/attachment.hpp"
#include "spacedyn/model/locking.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "spacedyn/model/rerooting.hpp"
#include "spacedyn/model/submodel.hpp"

namespace spacedyn::python {
namespace {

void bind_pose(py::module_& m) {
  py::class_<Pose> pose(m, "Pose", "Position and orientation of one frame in another.");
  pose.def(py::init([](const ArrayLike& position, const ArrayLike& rotation, const ArrayLike& rpy) {
             Pose result;
             if (!rotation.is_none() && !rpy.is_none()) {
               throw py::type_error("rotation and rpy: expected one of them, got both");
             }
             if (!position.is_none()) result.position = read_vector3(position, "position");
             if (!rotation.is_none()) result.rotation = read_matrix3(rotation, "rotation");
             if (!rpy.is_none()) result.rotation = matrix_from_rpy(read_vector3(rpy, "rpy"));
             return result;
           }),
           py::arg("position") = py::none(), py::kw_only(), py::arg("rotation") = py::none(),
           py::arg("rpy") = py::none());
  def_copied(pose, "position", &Pose::position, "(3,), m");
  def_copied(pose, "rotation", &Pose::rotation, "(3, 3), placed frame to the other");

  py::class_<Notes> notes(m, "Notes", "Free text that is kept with what it describes.");
  def_keywords(notes, "Notes");
  notes.def_readwrite("description", &Notes::description, "what it is")
      .def_readwrite("source", &Notes::source, "provenance of the numbers")
      .def_readwrite("details", &Notes::details, "of parts inside, by key path");

  py::class_<JointFriction> friction(m, "JointFriction", "Dry friction of a joint.");
  def_keywords(friction, "JointFriction");
  friction.def_readwrite("coulomb", &JointFriction::coulomb, "at speed, N m or N")
      .def_readwrite("breakaway", &JointFriction::breakaway, "at rest, N m or N")
      .def_readwrite("stribeck_velocity", &JointFriction::stribeck_velocity, "rad/s or m/s")
      .def_readwrite("presliding", &JointFriction::presliding, "rad or m");
}

template <typename Class>
void bind_body(py::class_<Class>& body, const char* name) {
  def_keywords(body, name);
  body.def_readwrite("name", &Class::name, "name");
  body.def_readwrite("mass", &Class::mass, "kg");
  def_copied(body, "center_of_mass", &Class::center_of_mass, "(3,), user frame, m");
  def_copied(body, "inertia", &Class::inertia, "(3, 3), about the centroid, user axes, kg m²");
  body.def_readwrite("unphysical_inertia", &Class::unphysical_inertia,
                     "accept an indefinite tensor as it is");
  def_list(body, "visuals", &Class::visuals, "list of Visual, a copy");
  def_list(body, "collisions", &Class::collisions, "list of CollisionShape, a copy");
  body.def_readwrite("notes", &Class::notes, "Notes");
}

void bind_joint(py::module_& m) {
  py::enum_<JointType> type(m, "JointType", "How a joint moves.");
  type.value("revolute", JointType::revolute)
      .value("prismatic", JointType::prismatic)
      .value("screw", JointType::screw)
      .value("fixed", JointType::fixed)
      .value("spherical", JointType::spherical)
      .value("universal", JointType::universal)
      .value("cylindrical", JointType::cylindrical)
      .value("planar", JointType::planar)
      .value("free", JointType::free);
  py::enum_<RotorCoupling>(m, "RotorCoupling", "What the spin of a geared rotor acts on.")
      .value("reflected", RotorCoupling::reflected)
      .value("full", RotorCoupling::full);
  py::class_<MimicDescription> mimic(m, "MimicDescription",
                                     "What a joint follows: q = ratio · q_joint + offset.");
  def_keywords(mimic, "MimicDescription");
  mimic.def_readwrite("joint", &MimicDescription::joint, "name of a joint with one coordinate")
      .def_readwrite("ratio", &MimicDescription::ratio, "not 0")
      .def_readwrite("offset", &MimicDescription::offset, "rad or m");
  py::class_<JointDescription> joint(m, "JointDescription", "A joint and what it has.");
  def_keywords(joint, "JointDescription");
  using D = JointDescription;
  joint.def_readwrite("name", &D::name, "empty: the name of the link")
      .def_readwrite("type", &D::type, "JointType")
      .def_readwrite("origin", &D::origin, "Pose of the joint frame in the parent's user frame")
      .def_readwrite("pitch", &D::pitch, "of a screw: travel along the axis per turn, m")
      .def_readwrite("position_lower", &D::position_lower, "rad or m")
      .def_readwrite("position_upper", &D::position_upper, "rad or m")
      .def_readwrite("velocity_limit", &D::velocity_limit, "rad/s or m/s")
      .def_readwrite("effort_limit", &D::effort_limit, "N m or N")
      .def_readwrite("stiffness", &D::stiffness, "K, N m/rad or N/m")
      .def_readwrite("damping", &D::damping, "D, N m s/rad or N s/m")
      .def_readwrite("rest_position", &D::rest_position, "rad or m")
      .def_readwrite("rotor_inertia", &D::rotor_inertia, "of the motor about its axis, kg m²")
      .def_readwrite("gear_ratio", &D::gear_ratio, "turns of the rotor per turn of the joint")
      .def_readwrite("rotor_coupling", &D::rotor_coupling, "RotorCoupling")
      .def_readwrite("friction", &D::friction, "JointFriction")
      .def_readwrite("angle_limit", &D::angle_limit, "of a spherical joint, rad")
      .def_readwrite("notes", &D::notes, "Notes");
  joint.def_property(
      "mimic",
      [](const D& self) { return self.mimic ? py::cast(*self.mimic) : py::object(py::none()); },
      [](D& self, const py::object& value) {
        self.mimic.reset();
        if (!value.is_none()) self.mimic = py::cast<MimicDescription>(value);
      },
      "MimicDescription of a joint that follows another, or None; a copy");
  def_list(joint, "coordinates", &D::coordinates,
           "list of JointDescription: limits and passive terms of each coordinate of a joint that "
           "has several; a copy");
  def_copied(joint, "axis", &D::axis, "(3,), in the joint frame");
  def_copied(joint, "second_axis", &D::second_axis, "(3,), of a universal joint");
}

void bind_bodies(py::module_& m) {
  py::class_<BaseDescription> base(m, "BaseDescription", "The base, link 0.");
  bind_body(base, "BaseDescription");
  base.def_readwrite("fixed", &BaseDescription::fixed, "nailed to the inertial frame");

  py::class_<LinkDescription> link(m, "LinkDescription", "A link and the joint that carries it.");
  bind_body(link, "LinkDescription");
  link.def_readwrite("parent", &LinkDescription::parent, "name of the base or of another link");
  link.def_readwrite("joint", &LinkDescription::joint, "JointDescription");

  py::class_<FrameDescription> frame(m, "FrameDescription", "A named frame on a body.");
  def_keywords(frame, "FrameDescription");
  frame.def_readwrite("name", &FrameDescription::name, "name")
      .def_readwrite("link", &FrameDescription::link, "name of the body")
      .def_readwrite("origin", &FrameDescription::origin, "Pose in the body's user frame")
      .def_readwrite("notes", &FrameDescription::notes, "Notes");
}

void bind_model_description(py::module_& m) {
  py::class_<ModelDescription> model(m, "ModelDescription",
                                     "A whole robot as its user describes it; lists are copies:\n"
                                     "assign to change them.");
  def_keywords(model, "ModelDescription");
  model.def_readwrite("name", &ModelDescription::name, "name")
      .def_readwrite("notes", &ModelDescription::notes, "Notes")
      .def_readwrite("base", &ModelDescription::base, "BaseDescription");
  def_list(model, "links", &ModelDescription::links, "list of LinkDescription, a copy");
  def_list(model, "couplings", &ModelDescription::couplings,
           "list of JointCouplingDescription, a copy");
  def_list(model, "transmissions", &ModelDescription::transmissions,
           "list of TransmissionDescription, a copy");
  def_list(model, "loops", &ModelDescription::loops, "list of LoopDescription, a copy");
  def_list(model, "frames", &ModelDescription::frames, "list of FrameDescription, a copy");

  py::class_<ModelBuilder>(m, "ModelBuilder",
                           "Collects bodies in any order, checks them all and numbers them.")
      .def(py::init<std::string>(), py::arg("name"))
      .def(py::init<ModelDescription>(), py::arg("description"))
      .def("set_base", &ModelBuilder::set_base, py::arg("base"),
           py::return_value_policy::reference_internal, "Sets the base; returns the builder.")
      .def("add_link", &ModelBuilder::add_link, py::arg("link"),
           py::return_value_policy::reference_internal, "Adds a link; returns the builder.")
      .def("add_frame", &ModelBuilder::add_frame, py::arg("frame"),
           py::return_value_policy::reference_internal, "Adds a frame; returns the builder.")
      .def_property_readonly(
          "description", [](const ModelBuilder& b) { return ModelDescription(b.description()); },
          "what has been collected, a copy")
      .def(
          "build", [](const ModelBuilder& b) { return ModelHandle(b.build()); },
          "The finished Model. Raises ModelError listing every problem.");
  m.def(
      "description", [](const ModelHandle& model_) { return model_->description(); },
      py::arg("model"), "What the user said about a model, a copy.");
}

}  // namespace

void bind_description(py::module_& m) {
  bind_pose(m);
  bind_joint(m);
  bind_parts_of_descriptions(m);
  bind_bodies(m);
  bind_drive_trains(m);
  bind_model_description(m);
}

}  // namespace spacedyn::python
