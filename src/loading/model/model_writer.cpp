#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>

#include "loading/model/element_writer.hpp"
#include "loading/yaml/numbers.hpp"
#include "loading/yaml/yaml_text.hpp"
#include "spacedyn/collision/body_shape.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/model/base_point.hpp"
#include "spacedyn/model/joint_traits.hpp"

namespace spacedyn {
namespace {

using loading::FlowMapping;
using loading::format_number;
using loading::name_text;
using loading::quoted_text;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Bit by bit, so that a negative zero is written out.
bool is_same(const Matrix3& a, const Matrix3& b) {
  return std::memcmp(a.data(), b.data(), sizeof(double) * 9) == 0;
}

bool is_identity(const Matrix3& matrix) { return is_same(matrix, Matrix3::Identity()); }

/// Adds what was said about a part, if anything.
void add_notes(const Notes& notes, const std::string& part, FlowMapping& mapping) {
  for (const char* key : {"description", "source"}) {
    const auto note = notes.details.find(part + '.' + key);
    if (note != notes.details.end()) mapping.add(key, quoted_text(note->second));
  }
}

std::string pose_text(const Pose& pose, const Notes& notes, const std::string& part) {
  FlowMapping mapping;
  mapping.add("xyz", loading::vector_text(pose.position));
  if (!is_identity(pose.rotation)) mapping.add("matrix", loading::matrix_text(pose.rotation));
  add_notes(notes, part, mapping);
  return mapping.text();
}

std::string inertia_text(const BodyDescription& body) {
  const Matrix3& I = body.inertia;
  // a tensor that is not quite symmetric keeps all its elements
  if (!is_same(I, I.transpose())) return loading::matrix_text(I);
  FlowMapping mapping;
  mapping.add("xx", format_number(I(0, 0)))
      .add("yy", format_number(I(1, 1)))
      .add("zz", format_number(I(2, 2)))
      .add("xy", format_number(I(0, 1)))
      .add("xz", format_number(I(0, 2)))
      .add("yz", format_number(I(1, 2)));
  add_notes(body.notes, "inertia", mapping);
  return mapping.text();
}

std::string visual_text(const Visual& visual, const Notes& notes, const std::string& part) {
  FlowMapping mapping;
  mapping.add("shape", visual.shape);
  if (visual.shape == "box") mapping.add("size", loading::vector_text(visual.size));
  if (visual.shape == "ellipsoid") mapping.add("semi_axes", loading::vector_text(visual.size));
  if (visual.shape == "cylinder" || visual.shape == "sphere") {
    mapping.add("radius", format_number(visual.size.x()));
  }
  if (visual.shape == "cylinder") mapping.add("length", format_number(visual.size.y()));
  if (visual.shape == "mesh") mapping.add("file", quoted_text(visual.mesh));
  if (visual.shape == "mesh" && visual.size != Vector3::Ones() && !visual.size.isZero(0.0)) {
    mapping.add("scale", loading::vector_text(visual.size));
  }
  mapping.add("origin", pose_text(visual.origin, notes, part + ".origin"));
  if (!visual.color.empty()) mapping.add("color", quoted_text(visual.color));
  add_notes(notes, part, mapping);
  return mapping.text();
}

std::string collision_text(const CollisionShape& shape, const Notes& notes,
                           const std::string& part) {
  FlowMapping mapping;
  mapping.add("name", quoted_text(shape.name)).add("shape", std::string(to_string(shape.type)));
  if (shape.type == CollisionType::box) {
    mapping.add("size", loading::vector_text(shape.size));
  } else if (shape.type == CollisionType::ellipsoid) {
    mapping.add("semi_axes", loading::vector_text(shape.size));
  } else if (shape.type == CollisionType::mesh) {
    mapping.add("file", quoted_text(shape.mesh));
    if (shape.size != Vector3::Ones()) mapping.add("scale", loading::vector_text(shape.size));
  } else {
    mapping.add("radius", format_number(shape.size.x()));
  }
  if (shape.type == CollisionType::cylinder || shape.type == CollisionType::capsule) {
    mapping.add("length", format_number(shape.size.y()));
  }
  mapping.add("origin", pose_text(shape.origin, notes, part + ".origin"));
  add_notes(notes, part, mapping);
  return mapping.text();
}

class ModelWriter {
 public:
  explicit ModelWriter(const ModelDescription& model) : model_(model) {}

  std::string write() {
    out_ << "spacedyn: 1\n";
    for (const char* key : {"description", "source"}) {
      const auto note = model_.notes.details.find(std::string("file.") + key);
      if (note != model_.notes.details.end()) entry("", key, quoted_text(note->second));
    }
    out_ << "model:\n";
    entry("  ", "name", name_text(model_.name));
    write_notes("  ", model_.notes);
    out_ << "  base:\n";
    write_body("    ", model_.base);
    if (model_.base.fixed) entry("    ", "fixed", "true");
    if (base_point(model_) == BasePoint::frame) entry("    ", "placed_by", "frame");
    if (!model_.links.empty()) out_ << "  links:\n";
    for (const LinkDescription& link : model_.links) write_link(link);
    if (!model_.frames.empty()) out_ << "  frames:\n";
    for (const FrameDescription& frame : model_.frames) write_frame(frame);
    loading::write_elements(model_, out_);
    return out_.str();
  }

 private:
  void entry(const char* indent, const std::string& key, const std::string& value) {
    out_ << indent << key << ": " << value << '\n';
  }

  void write_notes(const char* indent, const Notes& notes) {
    if (!notes.description.empty()) entry(indent, "description", quoted_text(notes.description));
    if (!notes.source.empty()) entry(indent, "source", quoted_text(notes.source));
  }

  /// What base and links have in common; a link has its name on its first line already.
  void write_body(const char* indent, const BodyDescription& body) {
    if (&body == &model_.base) entry(indent, "name", name_text(body.name));
    write_notes(indent, body.notes);
    entry(indent, "mass", format_number(body.mass));
    entry(indent, "center_of_mass", loading::vector_text(body.center_of_mass));
    entry(indent, "inertia", inertia_text(body));
    if (body.unphysical_inertia) entry(indent, "unphysical_inertia", "true");
    if (body.carries_modes) entry(indent, "carries_modes", "true");
    if (!body.visuals.empty()) out_ << indent << "visual:\n";
    for (std::size_t i = 0; i < body.visuals.size(); ++i) {
      const std::string part = "visual." + std::to_string(i);
      out_ << indent << "  - " << visual_text(body.visuals[i], body.notes, part) << '\n';
    }
    if (!body.collisions.empty()) out_ << indent << "collision:\n";
    for (std::size_t i = 0; i < body.collisions.size(); ++i) {
      const std::string part = "collision." + std::to_string(i);
      out_ << indent << "  - " << collision_text(body.collisions[i], body.notes, part) << '\n';
    }
  }

  void write_link(const LinkDescription& link) {
    entry("    - ", "name", name_text(link.name));
    entry("      ", "parent", name_text(link.parent));
    out_ << "      joint:\n";
    write_joint("        ", link.joint);
    if (link.tank) entry("      ", "tank", "{radius: " + format_number(link.tank->radius) + '}');
    write_body("      ", link);
  }

  void write_joint(const char* indent, const JointDescription& joint) {
    if (!joint.name.empty()) entry(indent, "name", name_text(joint.name));
    write_notes(indent, joint.notes);
    entry(indent, "type", joint_traits(joint.type).name);
    entry(indent, "origin", pose_text(joint.origin, joint.notes, "origin"));
    const JointTraits& traits = joint_traits(joint.type);
    if (traits.size == 0) return;
    if (joint.type == JointType::universal) {
      entry(indent, "axes",
            '[' + loading::vector_text(joint.axis) + ", " +
                loading::vector_text(joint.second_axis) + ']');
    } else if (joint.type != JointType::spherical && joint.type != JointType::free) {
      entry(indent, "axis", loading::vector_text(joint.axis));
    }
    if (traits.size == 1) return write_terms(indent, joint);
    if (joint.coordinates.empty()) return;
    out_ << indent << "coordinates:\n";
    for (std::size_t k = 0; k < joint.coordinates.size(); ++k) {
      // one without terms is an empty mapping
      const std::string name = traits.coordinates[k].suffix + 1;
      const auto before = out_.tellp();
      out_ << indent << "  " << quoted_text(name) << ":\n";
      const auto begun = out_.tellp();
      write_notes((indent + std::string(4, ' ')).c_str(), joint.coordinates[k].notes);
      write_terms((indent + std::string(4, ' ')).c_str(), joint.coordinates[k]);
      if (out_.tellp() != begun) continue;
      out_.seekp(before);
      out_ << indent << "  " << quoted_text(name) << ": {}\n";
    }
  }

  void write_terms(const char* indent, const JointDescription& joint) {
    if (joint.position_lower != -kInfinity || joint.position_upper != kInfinity) {
      entry(indent, "position_limits",
            '[' + format_number(joint.position_lower) + ", " + format_number(joint.position_upper) +
                ']');
    }
    write_unless(indent, "velocity_limit", joint.velocity_limit, kInfinity);
    write_unless(indent, "effort_limit", joint.effort_limit, kInfinity);
    write_unless(indent, "stiffness", joint.stiffness, 0.0);
    write_unless(indent, "damping", joint.damping, 0.0);
    write_unless(indent, "rest_position", joint.rest_position, 0.0);
    write_drive(indent, joint);
  }

  void write_drive(const char* indent, const JointDescription& joint) {
    write_unless(indent, "rotor_inertia", joint.rotor_inertia, 0.0);
    write_unless(indent, "gear_ratio", joint.gear_ratio, 1.0);
    if (joint.rotor_coupling == RotorCoupling::full) entry(indent, "rotor_coupling", "full");
    if (joint.wheel) entry(indent, "reaction_wheel", loading::wheel_drive_text(*joint.wheel));
    const JointFriction& friction = joint.friction;
    if (!friction.is_present()) return;
    FlowMapping mapping;
    mapping.add("coulomb", format_number(friction.coulomb))
        .add("static", format_number(friction.breakaway))
        .add("stribeck_velocity", format_number(friction.stribeck_velocity))
        .add("presliding", format_number(friction.presliding));
    add_notes(joint.notes, "friction", mapping);
    entry(indent, "friction", mapping.text());
  }

  void write_unless(const char* indent, const char* key, double value, double usual) {
    if (value != usual || std::signbit(value)) entry(indent, key, format_number(value));
  }

  void write_frame(const FrameDescription& frame) {
    entry("    - ", "name", name_text(frame.name));
    entry("      ", "link", name_text(frame.link));
    entry("      ", "xyz", loading::vector_text(frame.origin.position));
    if (!is_identity(frame.origin.rotation)) {
      entry("      ", "matrix", loading::matrix_text(frame.origin.rotation));
    }
    if (frame.thruster) entry("      ", "thruster", loading::thruster_drive_text(*frame.thruster));
    write_notes("      ", frame.notes);
  }

  const ModelDescription& model_;
  std::ostringstream out_;
};

}  // namespace

std::string write_model(const Model& model) {
  for (const LoopDescription& loop : model.description().loops) {
    if (loop_traits(loop.type).is_in_files) continue;
    throw DomainError("model '" + model.name() + "' cannot be written: '" + loop.name +
                      "' is a function of a program, which no file holds");
  }
  return ModelWriter(model.description()).write();
}

}  // namespace spacedyn
