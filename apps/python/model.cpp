#include <pybind11/stl.h>

#include <fstream>

#include "bindings.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/model/joint_traits.hpp"

namespace spacedyn::python {
namespace {

void bind_parts(py::module_& m) {
  py::class_<Frame> frame(m, "Frame",
                          "A point with axes on a body: an endpoint, a sensor, a material point.");
  frame.def(
      py::init([](const std::string& name, int body, const ArrayLike& position,
                  const ArrayLike& rotation) {
        return Frame{
            name, body,
            position.is_none() ? Vector3(Vector3::Zero()) : read_vector3(position, "position"),
            rotation.is_none() ? Matrix3(Matrix3::Identity()) : read_matrix3(rotation, "rotation")};
      }),
      py::arg("name") = "", py::arg("body") = 0, py::arg("position") = py::none(),
      py::arg("rotation") = py::none());
  frame.def_readwrite("name", &Frame::name, "name, may be empty");
  frame.def_readwrite("body", &Frame::body, "index of the body, 0 (base) to n");
  def_writable_view(frame, "position", &Frame::position,
                    "(3,), from the origin of the link frame, its axes, m");
  def_writable_view(frame, "rotation", &Frame::rotation, "(3, 3), frame axes in the link frame");
  frame.def("__repr__", [](const Frame& f) {
    return "<spacedyn.Frame '" + f.name + "' on body " + std::to_string(f.body) + ">";
  });

  py::class_<Body> body(m, "Body", "Mass properties of a body in its link frame.");
  body.def_readonly("name", &Body::name, "name");
  body.def_readonly("mass", &Body::mass, "m_i, kg");
  def_view(body, "center_of_mass", &Body::center_of_mass, "(3,), from the frame origin, m");
  def_view(body, "inertia", &Body::inertia_L, "(3, 3), I_i about the centroid, link axes, kg m²");

  py::class_<Joint> joint(m, "Joint", "Joint i, between link B_i and link i.");
  joint.def_readonly("name", &Joint::name, "name");
  joint.def_property_readonly(
      "type", [](const Joint& j) { return joint_traits(j.type).name; },
      "revolute, prismatic or screw");
  joint.def_readonly("turn", &Joint::turn, "about the axis per unit of q, rad");
  joint.def_readonly("slide", &Joint::slide, "along the axis per unit of q, m");
  def_view(joint, "origin", &Joint::origin, "(3,), in the frame of link B_i, m");
  def_view(joint, "rotation", &Joint::rotation, "(3, 3), link frame at q = 0 in that of link B_i");
  joint.def_readonly("position_lower", &Joint::position_lower, "rad or m");
  joint.def_readonly("position_upper", &Joint::position_upper, "rad or m");
  joint.def_readonly("velocity_limit", &Joint::velocity_limit, "rad/s or m/s");
  joint.def_readonly("effort_limit", &Joint::effort_limit, "N m or N");
  joint.def_readonly("stiffness", &Joint::stiffness, "K_i, N m/rad or N/m");
  joint.def_readonly("damping", &Joint::damping, "D_i, N m s/rad or N s/m");
  joint.def_readonly("rest_position", &Joint::rest_position, "q_i,rest, rad or m");
  joint.def_readonly("armature", &Joint::armature, "part of H_ii that no body has");
  joint.def_readonly("spherical", &Joint::spherical,
                     "which of the 3 coordinates of a spherical joint this is; 0 for all others");
}

py::list names(const Model& model, bool bodies) {
  py::list list;
  for (int i = bodies ? 0 : 1; i <= model.joint_count(); ++i) {
    list.append(bodies ? model.body(i).name : model.joint(i).name);
  }
  return list;
}

py::list texts(const std::vector<Diagnostic>& warnings) {
  py::list list;
  for (const Diagnostic& warning : warnings) list.append(to_string(warning));
  return list;
}

void bind_structure(py::class_<ModelHandle, std::shared_ptr<ModelHandle>>& model) {
  model.def_property_readonly(
      "connection", [](const ModelHandle& m) { return m->topology().connection(); },
      "B: index of the lower link of each link, n numbers");
  model.def(
      "children",
      [](const ModelHandle& m, const IndexArgument& body) {
        const LinkList links = m->topology().children(body.body_of(*m));
        return std::vector<int>(links.begin(), links.end());
      },
      py::arg("body"), "Links that a body carries, ascending.");
  model.def(
      "path",
      [](const ModelHandle& m, const IndexArgument& body) {
        return m->topology().path(body.body_of(*m));
      },
      py::arg("body"), "Links from the base (not included) to a body (included).");
  model.def(
      "body",
      [](const ModelHandle& m, const IndexArgument& body) { return m->body(body.body_of(*m)); },
      py::arg("body"), "A body by its index, 0 (base) to n, or its name.");
  model.def(
      "joint",
      [](const ModelHandle& m, const IndexArgument& joint) { return m->joint(joint.joint_of(*m)); },
      py::arg("joint"), "A joint by its index, 1 to n, or its name.");
  model.def(
      "body_index",
      [](const ModelHandle& m, const std::string& name) {
        return IndexArgument{py::str(name)}.body_of(*m);
      },
      py::arg("name"), "Index of a body, 0 (base) to n.");
  model.def(
      "joint_index",
      [](const ModelHandle& m, const std::string& name) {
        return IndexArgument{py::str(name)}.joint_of(*m);
      },
      py::arg("name"), "Index of a joint, 1 to n; it has element index − 1 of joint vectors.");
  model.def(
      "frame", [](const ModelHandle& m, const std::string& name) { return m->frame(name); },
      py::arg("name"), "A frame, a link (its user frame) or `<link>.com` by name.");
}

void bind_properties(py::class_<ModelHandle, std::shared_ptr<ModelHandle>>& model) {
  model.def_property_readonly(
      "name", [](const ModelHandle& m) { return m->name(); }, "name of the robot");
  model.def_property_readonly(
      "joint_count", [](const ModelHandle& m) { return m->joint_count(); },
      "n, the number of joints and of links besides the base");
  model.def_property_readonly(
      "velocity_size", [](const ModelHandle& m) { return m->velocity_size(); }, "6 + n");
  model.def_property_readonly(
      "body_count", [](const ModelHandle& m) { return m->body_count(); }, "n + 1");
  model.def_property_readonly(
      "total_mass", [](const ModelHandle& m) { return m->total_mass(); }, "w, kg");
  model.def_property_readonly(
      "has_fixed_base", [](const ModelHandle& m) { return m->has_fixed_base(); },
      "whether the base is nailed to the inertial frame");
  model.def_property_readonly(
      "body_names", [](const ModelHandle& m) { return names(*m, true); }, "the base first");
  model.def_property_readonly(
      "joint_names", [](const ModelHandle& m) { return names(*m, false); },
      "in the order of joint vectors");
  model.def_property_readonly(
      "coordinates",
      [](const ModelHandle& m) {
        py::list list;
        for (const int joint : m->coordinates()) list.append(m->joint(joint).name);
        return list;
      },
      "names of the joints that follow no other, as files and results list them");
  model.def_property_readonly(
      "frames", [](const ModelHandle& m) { return m->frames(); }, "the named frames");
  model.def_property_readonly(
      "frame_names",
      [](const ModelHandle& m) {
        py::list list;
        for (const Frame& frame : m->frames()) list.append(frame.name);
        return list;
      },
      "names of the frames");
  model.def_property_readonly(
      "warnings",
      [](const ModelHandle& m) {
        py::list list;
        for (const Problem& p : m->warnings()) list.append(p.path + ": " + p.message);
        return list;
      },
      "what was noticed while building");
  model.def("__repr__", [](const ModelHandle& m) {
    return "<spacedyn.Model '" + m->name() + "', " + std::to_string(m->joint_count()) + " joints>";
  });
}

ModelHandle loaded(const LoadedModel& file, py::object* warnings) {
  if (warnings != nullptr) *warnings = texts(file.warnings);
  return ModelHandle(file.model);
}

}  // namespace

void bind_model(py::module_& m) {
  bind_parts(m);
  py::class_<ModelHandle, std::shared_ptr<ModelHandle>> model(
      m, "Model",
      "The immutable, validated robot that every function takes.\n\n"
      "Bodies have indices 0 (base) to n, joint i carries link i and is element i − 1 of joint\n"
      "vectors. Made by load_model(), parse_model() or ModelBuilder.");
  bind_properties(model);
  bind_structure(model);
  model.def(py::pickle([](const ModelHandle& model_) { return write_model(*model_); },
                       [](const std::string& text) {
                         return std::make_shared<ModelHandle>(parse_model(text, "<pickle>").model);
                       }));

  m.def(
      "load_model", [](const PathArgument& path) { return loaded(load_model(path.text), nullptr); },
      py::arg("path"), "Reads a model file and those it includes. Raises ParseError, IoError.");
  m.def(
      "parse_model",
      [](const std::string& text, const std::string& file) {
        return loaded(parse_model(text, file), nullptr);
      },
      py::arg("text"), py::arg("file") = "<text>",
      "Reads a model from text; file names it in messages.");
  m.def(
      "write_model", [](const ModelHandle& model_) { return write_model(*model_); },
      py::arg("model"), "The model as YAML; reading it gives a model that computes the same bits.");
  m.def("model_schema", &model_schema, "JSON Schema of model files, as text.");
  m.def("scenario_schema", &scenario_schema, "JSON Schema of scenario files, as text.");
}

}  // namespace spacedyn::python
