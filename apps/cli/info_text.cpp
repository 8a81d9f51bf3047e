#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "info.hpp"
#include "spacedyn/model/joint_traits.hpp"
#include "text_table.hpp"

namespace spacedyn::cli {
namespace {

constexpr int kMaxTreeLinks = 200;

std::string text(const Vector3& vector) {
  // + 0.0 makes zeros of negative zeros
  return fmt::format("[{:g}, {:g}, {:g}]", vector.x() + 0.0, vector.y() + 0.0, vector.z() + 0.0);
}

/// What rounding leaves beside numbers of some size is shown as zero.
std::string text(const Vector3& vector, double size) {
  constexpr double kRounding = 1e-14;
  return text(Vector3((vector.array().abs() < kRounding * size).select(0.0, vector)));
}

/// Of the places in a model, m: how far centroids, joints and frames are from the origins of
/// theirs.
double size_of(const Model& model) {
  double size = 0.0;
  for (int i = 0; i < model.body_count(); ++i) {
    size = std::max(size, model.body(i).center_of_mass.norm());
  }
  for (int i = 1; i <= model.joint_count(); ++i) {
    size = std::max(size, model.joint(i).origin.norm());
  }
  for (const Frame& frame : model.frames()) size = std::max(size, frame.position.norm());
  return size;
}

Vector3 products(const Matrix3& inertia) { return {inertia(0, 1), inertia(0, 2), inertia(1, 2)}; }

/// A sum over all bodies, with their roundings.
std::string inertia_line(const Matrix3& inertia) {
  const double size = 100.0 * inertia.norm();
  return fmt::format("  inertia about it    xx, yy, zz {}, xy, xz, yz {} kg m²\n",
                     text(inertia.diagonal(), size), text(products(inertia), size));
}

std::string overview(const Model& model) {
  const InfoTotals totals = info_totals(model);
  std::string description = model.description().notes.description;
  description.erase(description.find_last_not_of(" \n") + 1);
  std::string text = model.name() + (description.empty() ? "" : ": " + description) + '\n';
  text += fmt::format("  base                {}, {}\n", model.body(0).name,
                      model.has_fixed_base() ? "fixed" : "floating");
  text += fmt::format("  degrees of freedom  {} ({} of the base, {} joints)\n",
                      totals.degrees_of_freedom, model.has_fixed_base() ? 0 : 6,
                      model.coordinates().size());
  text += fmt::format("  total mass          {:g} kg\n", model.total_mass());
  text += fmt::format("  center of mass      {} m from the base centroid, joints at zero\n",
                      cli::text(totals.center_of_mass, size_of(model)));
  if (totals.inertia) text += inertia_line(*totals.inertia);
  if (totals.condition_number) {
    text += fmt::format("  condition of H      {:.3g}\n", *totals.condition_number);
  }
  return text;
}

void append_branch(const Model& model, int body, const std::string& indent, std::string& text) {
  const LinkList children = model.topology().children(body);
  for (const int carried : children) {
    const bool is_last = carried == children.back();
    int child = carried;
    while (model.is_carrier(child)) ++child;  // to the link on a joint with several coordinates
    const auto compound =
        std::find_if(model.compound_joints().begin(), model.compound_joints().end(),
                     [&](const CompoundJoint& each) { return each.first == carried; });
    const bool is_compound = compound != model.compound_joints().end();
    const Joint& joint = model.joint(child);
    text += fmt::format("  {}{}{} {}  ({} joint {}, {:g} kg)\n", indent, is_last ? "└─ " : "├─ ",
                        child, model.body(child).name,
                        joint_traits(is_compound ? compound->type : joint.type).name,
                        is_compound ? compound->name : joint.name, model.body(child).mass);
    append_branch(model, child, indent + (is_last ? "   " : "│  "), text);
  }
}

std::string drawn_tree(const Model& model) {
  std::string text = "\nTree\n";
  if (model.joint_count() > kMaxTreeLinks) {
    return text + fmt::format("  not drawn for more than {} links\n", kMaxTreeLinks);
  }
  text += fmt::format("  0 {}  ({:g} kg)\n", model.body(0).name, model.body(0).mass);
  append_branch(model, 0, "", text);
  return text;
}

template <typename Numbers>
std::string row_of(const Numbers& numbers) {
  std::string text;
  for (const int number : numbers) text += fmt::format(" {:2d}", number);
  return text + '\n';
}

std::string topology(const Model& model, bool matrices) {
  const Topology& topology = model.topology();
  const int n = model.joint_count();
  if (n == 0) return {};
  std::string text = "\nTopology (paper, section III.A)\n";
  if (!matrices && n > kMaxSmallLinks) {
    return text + fmt::format("  B, S0, Se and S of {} links are printed with --matrices\n", n);
  }
  text += "  B   " + row_of(topology.connection());
  text += "  S0  " + row_of(topology.base_incidence());
  text += "  Se  " + row_of(topology.terminal_incidence());
  if (n > Topology::kMaxDenseLinks) {
    return text +
           fmt::format("  S   not formed for more than {} links\n", Topology::kMaxDenseLinks);
  }
  const Topology::IntMatrix S = topology.incidence_matrix();
  for (int i = 0; i < n; ++i) {
    text += (i == 0 ? "  S   " : "      ") + row_of(Eigen::VectorXi(S.row(i).transpose()));
  }
  return text;
}

std::string range(const Joint& joint) {
  if (std::isinf(joint.position_lower) && std::isinf(joint.position_upper)) return "none";
  return fmt::format("{:g} … {:g} {}", joint.position_lower, joint.position_upper,
                     position_unit(joint));
}

std::string bodies(const Model& model) {
  std::vector<std::vector<std::string>> rows{
      {"body", "mass", "center of mass", "inertia xx, yy, zz", "xy, xz, yz"}};
  const double size = size_of(model);
  for (int i = 0; i < model.body_count(); ++i) {
    if (model.is_carrier(i)) continue;
    const Body& body = model.body(i);
    const Matrix3 inertia = body.user_axes.transpose() * body.inertia_L * body.user_axes;
    rows.push_back({body.name, fmt::format("{:g} kg", body.mass),
                    text(body.user_axes.transpose() * body.center_of_mass, size) + " m",
                    text(inertia.diagonal(), inertia.norm()) + " kg m²",
                    text(products(inertia), inertia.norm())});
  }
  return "\nBodies (in their own axes, as the file gives them)\n" + text_table(rows);
}

/// That of a reaction wheel is the limit of its motor.
double effort_limit(const Model& model, int joint) {
  const WheelDrive* wheel = model.wheel(joint);
  return wheel == nullptr ? model.joint(joint).effort_limit : wheel->torque_limit;
}

std::string joints(const Model& model) {
  if (model.joint_count() == 0) return {};
  std::vector<std::vector<std::string>> rows{{"joint", "position limits", "velocity limit",
                                              "effort limit", "stiffness", "damping",
                                              "rest position"}};
  for (int i = 1; i <= model.joint_count(); ++i) {
    const Joint& joint = model.joint(i);
    const std::string position = position_unit(joint);
    const std::string effort = effort_unit(joint);
    const Follower* follower = model.follower(i);
    const std::string limits =
        follower == nullptr
            ? range(joint)
            : fmt::format("follows {}: {:g} q {:+g} {}", model.joint(follower->followed).name,
                          follower->ratio, follower->offset, position);
    rows.push_back({joint.name, limits, limit_text(joint.velocity_limit, position + "/s"),
                    limit_text(effort_limit(model, i), effort),
                    fmt::format("{:g} {}/{}", joint.stiffness, effort, position),
                    fmt::format("{:g} {} s/{}", joint.damping, effort, position),
                    fmt::format("{:g} {}", joint.rest_position, position)});
  }
  return "\nJoints\n" + text_table(rows);
}

std::string frames(const Model& model) {
  if (model.frames().empty()) return {};
  std::vector<std::vector<std::string>> rows{{"frame", "on", "position"}};
  const double size = size_of(model);
  for (const Frame& frame : model.frames()) {
    const Body& body = model.body(frame.body);
    rows.push_back(
        {frame.name, body.name, text(body.user_axes.transpose() * frame.position, size) + " m"});
  }
  return "\nFrames\n" + text_table(rows);
}

}  // namespace

const char* position_unit(const Joint& joint) { return coordinate_units(joint.type).position; }

const char* effort_unit(const Joint& joint) { return coordinate_units(joint.type).effort; }

std::string limit_text(double value, const std::string& unit) {
  return std::isinf(value) ? "none" : fmt::format("{:g} {}", value, unit);
}

std::string info_text(const Model& model, bool matrices) {
  return overview(model) + drawn_tree(model) + topology(model, matrices) + bodies(model) +
         joints(model) + info_drives(model) + frames(model);
}

}  // namespace spacedyn::cli
