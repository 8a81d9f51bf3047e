#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <sstream>

#include "loading/foreign/mesh_files.hpp"
#include "loading/yaml/yaml_text.hpp"
#include "spacedyn/collision/body_shape.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/loading/foreign.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {
namespace {

constexpr double kNoBound = std::numeric_limits<double>::infinity();
// what URDF is told where it wants a bound and there is none
constexpr double kLargeBound = 1e9;

std::string xml_text(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&') {
      escaped += "&amp;";
    } else if (c == '<') {
      escaped += "&lt;";
    } else if (c == '"') {
      escaped += "&quot;";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

/// ` key="value"`
std::string attribute(const char* key, const std::string& value) {
  return std::string(" ") + key + "=\"" + xml_text(value) + '"';
}

std::string attribute(const char* key, double value) {
  return attribute(key, loading::format_number(value));
}

std::string attribute(const char* key, const Vector3& v) {
  return attribute(key, loading::format_number(v.x()) + ' ' + loading::format_number(v.y()) + ' ' +
                            loading::format_number(v.z()));
}

std::string origin_text(const Pose& pose) {
  const Vector3 rpy = rpy_from_matrix(pose.rotation);
  return "<origin" + attribute("xyz", pose.position) +
         (rpy.isZero(0.0) ? "" : attribute("rpy", rpy)) + "/>";
}

class UrdfWriter {
 public:
  /// @param ground  origin of the base's frame where the model is at rest
  UrdfWriter(const ModelDescription& model, const Vector3& ground, std::string source_folder,
             std::string target_folder)
      : model_(model),
        ground_(ground),
        source_folder_(std::move(source_folder)),
        target_folder_(std::move(target_folder)) {
    names_.insert(model.base.name);
    for (const LinkDescription& link : model.links) {
      names_.insert(link.name);
      joint_names_.insert(name_of(link));
    }
    for (const FrameDescription& frame : model.frames) names_.insert(frame.name);
  }

  UrdfExport write() {
    out_ << "<?xml version=\"1.0\"?>\n<robot" << attribute("name", model_.name) << ">\n";
    if (model_.base.fixed) write_ground();
    write_link(model_.base);
    for (const LinkDescription& link : model_.links) {
      write_link(link);
      write_joint(link);
    }
    for (const FrameDescription& frame : model_.frames) write_frame(frame);
    out_ << "</robot>\n";
    report_elements();
    return {out_.str(), losses_};
  }

 private:
  static const std::string& name_of(const LinkDescription& link) {
    return link.joint.name.empty() ? link.name : link.joint.name;
  }

  void lose(const std::string& what) { losses_.push_back(what); }

  static std::string free_name(std::string name, const std::set<std::string>& taken) {
    while (taken.count(name) > 0) name += '_';
    return name;
  }

  /// What readers of URDF take for the inertial frame.
  void write_ground() {
    const bool has_mass = model_.base.mass != 0.0 || !model_.base.inertia.isZero(0.0);
    if (model_.base.name == "world" && ground_.isZero(0.0) && !has_mass) return;
    const std::string world = free_name("world", names_);
    if (world != "world") {
      lose("the name 'world', which would say that the base is fixed, is taken by a part");
    }
    out_ << "  <link" << attribute("name", world) << "/>\n";
    write_fixed_joint(free_name("world_joint", joint_names_), world, model_.base.name,
                      {ground_, Matrix3::Identity()});
  }

  void write_fixed_joint(const std::string& name, const std::string& parent,
                         const std::string& child, const Pose& origin) {
    out_ << "  <joint" << attribute("name", name) << " type=\"fixed\">\n    <parent"
         << attribute("link", parent) << "/>\n    <child" << attribute("link", child) << "/>\n    "
         << origin_text(origin) << "\n  </joint>\n";
  }

  void write_link(const BodyDescription& body) {
    out_ << "  <link" << attribute("name", body.name);
    const bool has_mass = body.mass != 0.0 || !body.inertia.isZero(0.0);
    if (!has_mass && body.visuals.empty() && body.collisions.empty()) {
      out_ << "/>\n";
      return;
    }
    out_ << ">\n";
    if (has_mass) write_inertial(body);
    for (const Visual& visual : body.visuals) {
      if (visual.shape == "ellipsoid") {
        lose("the ellipsoid that '" + body.name + "' is drawn with");
      } else {
        write_visual(visual);
      }
    }
    for (const CollisionShape& shape : body.collisions) write_collision(shape);
    out_ << "  </link>\n";
  }

  void write_inertial(const BodyDescription& body) {
    const Matrix3 I = 0.5 * (body.inertia + body.inertia.transpose());
    if (I != body.inertia) lose("link '" + body.name + "': its tensor is written symmetric");
    if (body.carries_modes) {
      lose("link '" + body.name + "': what remains of it beside modes is no body by itself");
    }
    out_ << "    <inertial>\n      <origin" << attribute("xyz", body.center_of_mass)
         << "/>\n      <mass" << attribute("value", body.mass) << "/>\n      <inertia"
         << attribute("ixx", I(0, 0)) << attribute("ixy", I(0, 1)) << attribute("ixz", I(0, 2))
         << attribute("iyy", I(1, 1)) << attribute("iyz", I(1, 2)) << attribute("izz", I(2, 2))
         << "/>\n    </inertial>\n";
  }

  void write_visual(const Visual& visual) {
    out_ << "    <visual>\n      " << origin_text(visual.origin) << "\n      ";
    write_geometry(visual.shape, visual.size, visual.mesh);
    if (!visual.color.empty()) write_color(visual.color);
    out_ << "    </visual>\n";
  }

  void write_collision(const CollisionShape& shape) {
    if (shape.type == CollisionType::ellipsoid) {
      lose("the ellipsoid '" + shape.name + "' for contacts");
      return;
    }
    out_ << "    <collision>\n      " << origin_text(shape.origin) << "\n      ";
    write_geometry(std::string(to_string(shape.type)), shape.size, shape.mesh);
    out_ << "    </collision>\n";
  }

  void write_geometry(const std::string& shape, const Vector3& size, const std::string& mesh) {
    out_ << "<geometry><" << shape;
    if (shape == "box") out_ << attribute("size", size);
    if (shape == "mesh") {
      out_ << attribute("filename",
                        loading::foreign::moved_path(mesh, source_folder_, target_folder_));
      if (size != Vector3::Ones() && !size.isZero(0.0)) out_ << attribute("scale", size);
    }
    const bool has_length = shape == "cylinder" || shape == "capsule";
    if (has_length || shape == "sphere") out_ << attribute("radius", size.x());
    if (has_length) out_ << attribute("length", size.y());
    out_ << "/></geometry>\n";
  }

  void write_color(const std::string& color) {
    out_ << "      <material" << attribute("name", color.substr(1)) << "><color rgba=\"";
    for (std::size_t i = 1; i < 7; i += 2) {
      // rounded to what reads back as the same byte
      const double part = std::stoi(color.substr(i, 2), nullptr, 16) / 255.0;
      out_ << loading::format_number(std::round(part * 1e4) / 1e4) << ' ';
    }
    out_ << "1\"/></material>\n";
  }

  void write_joint(const LinkDescription& link) {
    const JointDescription& joint = link.joint;
    if (joint.type == JointType::fixed) {
      write_fixed_joint(name_of(link), link.parent, link.name, joint.origin);
      return;
    }
    const bool slides = joint.type == JointType::prismatic;
    if (!slides && joint.type != JointType::revolute) {
      throw DomainError(
          "joint '" + name_of(link) + "' cannot be written as URDF: it " +
          (joint.type == JointType::screw ? "is a screw" : "has several coordinates") +
          ", where readers expect one that turns or slides");
    }
    const JointDescription limits = joint.mimic ? limits_of(*joint.mimic) : joint;
    const bool is_bounded = limits.position_lower != -kNoBound || limits.position_upper != kNoBound;
    const char* type = slides ? "prismatic" : is_bounded ? "revolute" : "continuous";
    out_ << "  <joint" << attribute("name", name_of(link)) << attribute("type", std::string(type))
         << ">\n    <parent" << attribute("link", link.parent) << "/>\n    <child"
         << attribute("link", link.name) << "/>\n    " << origin_text(joint.origin) << "\n    <axis"
         << attribute("xyz", joint.axis) << "/>\n";
    write_limit(limits, name_of(link), slides || is_bounded);
    if (joint.mimic) {
      out_ << "    <mimic" << attribute("joint", joint.mimic->joint)
           << attribute("multiplier", joint.mimic->ratio)
           << attribute("offset", joint.mimic->offset) << "/>\n";
    } else if (const LoopDescription* gear = gear_of(name_of(link))) {
      out_ << "    <mimic" << attribute("joint", gear->joints[0])
           << attribute("multiplier", gear->ratio) << attribute("offset", gear->offset) << "/>\n";
    }
    if (joint.damping != 0.0 || joint.friction.is_present()) {
      out_ << "    <dynamics" << attribute("damping", joint.damping)
           << attribute("friction", joint.friction.coulomb) << "/>\n";
    }
    out_ << "  </joint>\n";
    report_joint(joint, name_of(link));
  }

  /// Those that the joint that is followed sets.
  JointDescription limits_of(const MimicDescription& mimic) const {
    JointDescription limits;
    for (const LinkDescription& link : model_.links) {
      if (name_of(link) != mimic.joint) continue;
      limits.position_lower = mimic.ratio * link.joint.position_lower + mimic.offset;
      limits.position_upper = mimic.ratio * link.joint.position_upper + mimic.offset;
      limits.velocity_limit = std::abs(mimic.ratio) * link.joint.velocity_limit;
    }
    if (mimic.ratio < 0.0) std::swap(limits.position_lower, limits.position_upper);
    return limits;
  }

  /// The first gear by which a joint follows another one; a joint has one <mimic>.
  const LoopDescription* gear_of(const std::string& joint) const {
    const auto follows = [&](const LinkDescription& link) {
      return name_of(link) == joint && link.joint.mimic;
    };
    if (std::any_of(model_.links.begin(), model_.links.end(), follows)) return nullptr;
    for (const LoopDescription& loop : model_.loops) {
      if (loop.type == LoopType::gear && loop.joints[1] == joint) return &loop;
    }
    return nullptr;
  }

  /// Types with a range want all four numbers.
  void write_limit(const JointDescription& joint, const std::string& name, bool has_range) {
    const bool has_rates = joint.effort_limit != kNoBound || joint.velocity_limit != kNoBound;
    if (!has_range && !has_rates) return;
    const auto bounded = [](double value) { return std::clamp(value, -kLargeBound, kLargeBound); };
    out_ << "    <limit";
    if (has_range) {
      out_ << attribute("lower", bounded(joint.position_lower))
           << attribute("upper", bounded(joint.position_upper));
      if (joint.position_lower == -kNoBound || joint.position_upper == kNoBound) {
        lose("joint '" + name + "': a position without limit has the limit 1e9");
      }
    }
    out_ << attribute("effort", bounded(joint.effort_limit))
         << attribute("velocity", bounded(joint.velocity_limit)) << "/>\n";
  }

  void report_joint(const JointDescription& joint, const std::string& name) {
    const std::string path = "joint '" + name + "': ";
    if (joint.stiffness != 0.0) lose(path + "stiffness and rest_position");
    if (joint.rotor_inertia != 0.0) lose(path + "rotor_inertia and gear_ratio, which H contains");
    if (joint.friction.is_present()) {
      lose(path + "all of its friction but the Coulomb friction");
    }
    if (joint.wheel) lose(path + "limits and friction of a reaction wheel");
  }

  void write_frame(const FrameDescription& frame) {
    out_ << "  <link" << attribute("name", frame.name) << "/>\n";
    const std::string joint = free_name(frame.name + "_frame", joint_names_);
    joint_names_.insert(joint);
    write_fixed_joint(joint, frame.link, frame.name, frame.origin);
    if (frame.thruster) lose("frame '" + frame.name + "': its thruster");
  }

  void report_elements() {
    for (const JointCouplingDescription& coupling : model_.couplings) {
      lose("coupling '" + coupling.name + "'");
    }
    for (const LoopDescription& loop : model_.loops) {
      const bool is_kept = loop.type == LoopType::gear && gear_of(loop.joints[1]) == &loop;
      if (!is_kept) lose("loop '" + loop.name + "'");
    }
    for (const TransmissionDescription& drive : model_.transmissions) {
      lose("transmission '" + drive.name + "'");
    }
  }

  const ModelDescription& model_;
  Vector3 ground_;
  std::string source_folder_, target_folder_;
  std::set<std::string> names_, joint_names_;
  std::ostringstream out_;
  std::vector<std::string> losses_;
};

}  // namespace

UrdfExport export_urdf(const Model& model, const std::string& source_folder,
                       const std::string& target_folder) {
  const Vector3 ground = State(model).r_0 - model.body(0).center_of_mass;
  return UrdfWriter(model.description(), ground, source_folder, target_folder).write();
}

}  // namespace spacedyn
