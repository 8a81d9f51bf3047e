#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "math/decompositions.hpp"
#include "recording/column_names.hpp"
#include "reporting/facts/report_motion.hpp"
#include "reporting/results/series_names.hpp"
#include "spacedyn/collision/convex_hull.hpp"
#include "spacedyn/forces/reaction_wheels.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/joint_traits.hpp"
#include "spacedyn/recording/channels.hpp"
#include "spacedyn/reporting/build_info.hpp"
#include "spacedyn/reporting/derived_series.hpp"
#include "spacedyn/reporting/report.hpp"
#include "state/spherical.hpp"

namespace spacedyn {
namespace {

/// Thickness of rods and joints of bodies that have no visuals, as a fraction of the longest rod.
constexpr double kRodRadius = 0.035;
/// A flat or thin body is still drawn with some thickness, as a fraction of its longest edge.
constexpr double kLeastEdge = 0.04;

Pose compose(const Frame& frame, const Pose& inner) {
  return {frame.position + frame.rotation * inner.position, frame.rotation * inner.rotation};
}

bool is_drawn(const Visual& visual) { return visual.shape != "mesh"; }

ReportShape shape_of(const Visual& visual, const Frame& user_frame) {
  ReportShape shape;
  shape.body = user_frame.body;
  shape.role = ShapeRole::visual;
  shape.kind = visual.shape == "box"         ? ShapeKind::box
               : visual.shape == "cylinder"  ? ShapeKind::cylinder
               : visual.shape == "ellipsoid" ? ShapeKind::ellipsoid
                                             : ShapeKind::sphere;
  shape.size = visual.size;
  shape.pose = compose(user_frame, visual.origin);
  shape.color = visual.color;
  return shape;
}

/// The triangles of a convex polyhedron.
std::vector<float> corners_of(const ConvexHull& hull) {
  std::vector<float> corners;
  for (const ConvexHull::Face& face : hull.faces()) {
    for (std::size_t k = 2; k < face.corners.size(); ++k) {
      for (const int number : {face.corners[0], face.corners[k - 1], face.corners[k]}) {
        for (const double x : hull.corners()[static_cast<std::size_t>(number)]) {
          corners.push_back(static_cast<float>(x));
        }
      }
    }
  }
  return corners;
}

/// What a body without pictures touches others with; a capsule is drawn in three parts.
void add_collision(const CollisionShape& given, const Frame& user_frame,
                   std::vector<ReportShape>& shapes) {
  ReportShape shape;
  shape.body = user_frame.body;
  shape.role = ShapeRole::visual;
  shape.kind = given.type == CollisionType::box         ? ShapeKind::box
               : given.type == CollisionType::sphere    ? ShapeKind::sphere
               : given.type == CollisionType::mesh      ? ShapeKind::mesh
               : given.type == CollisionType::ellipsoid ? ShapeKind::ellipsoid
                                                        : ShapeKind::cylinder;
  shape.size = given.size;
  if (given.type == CollisionType::mesh) shape.triangles = corners_of(*given.hull);
  shape.pose = compose(user_frame, given.origin);
  shapes.push_back(shape);
  if (given.type != CollisionType::capsule) return;
  shape.kind = ShapeKind::sphere;
  const Vector3 end = 0.5 * given.size.y() * shape.pose.rotation.col(2);
  shape.pose.position += end;
  shapes.push_back(shape);
  shape.pose.position -= 2.0 * end;
  shapes.push_back(shape);
}

/// The uniform box with a body's mass and inertia: edge_k² = 12 ∫x_k² dm / m along principal axes.
ReportShape inertia_box(const Body& body, int index) {
  const PrincipalAxes principal = principal_axes(body.inertia_L);
  Matrix3 axes = principal.axes;
  if (axes.determinant() < 0.0) axes.col(2) = -axes.col(2);
  const Vector3 moments = principal.moments;
  ReportShape shape;
  shape.body = index;
  shape.role = ShapeRole::inertia;
  shape.pose = {body.center_of_mass, axes};
  // identified tensors may break the triangle inequality; then an edge has no real length
  const Vector3 second = Vector3::Constant(moments.sum() / 2.0) - moments;
  shape.size = (12.0 / body.mass * second.cwiseMax(0.0)).cwiseSqrt();
  shape.size = shape.size.cwiseMax(kLeastEdge * shape.size.maxCoeff());
  return shape;
}

using Points = std::vector<Vector3>;

/// Where rods of each body end: at the joints it carries and at its frames, else at its centroid.
std::vector<Points> rod_ends(const Model& model) {
  std::vector<Points> ends(static_cast<std::size_t>(model.body_count()));
  for (int j = 1; j <= model.joint_count(); ++j) {
    ends[static_cast<std::size_t>(model.topology().connection(j))].push_back(model.joint(j).origin);
  }
  for (const Frame& frame : model.frames()) {
    ends[static_cast<std::size_t>(frame.body)].push_back(frame.position);
  }
  for (int i = 0; i < model.body_count(); ++i) {
    Points& own = ends[static_cast<std::size_t>(i)];
    if (own.empty()) own.push_back(model.body(i).center_of_mass);
  }
  return ends;
}

/// Of the links; those of the base have no rods.
double longest_rod(const std::vector<Points>& ends) {
  double longest = 0.0;
  for (std::size_t i = 1; i < ends.size(); ++i) {
    for (const Vector3& end : ends[i]) longest = std::max(longest, end.norm());
  }
  return longest > 0.0 ? longest : 1.0;
}

void add_skeleton(const Model& model, int body, const Points& ends, double radius,
                  std::vector<ReportShape>& shapes) {
  ReportShape hub;
  hub.body = body;
  hub.role = ShapeRole::joint;
  const bool slides = model.joint(body).type == JointType::prismatic;
  hub.kind = slides ? ShapeKind::box : ShapeKind::cylinder;
  hub.size = slides ? Vector3(2.4, 2.4, 4.0) * radius : Vector3(1.6 * radius, 4.0 * radius, 0.0);
  shapes.push_back(hub);
  for (const Vector3& end : ends) {
    if (end.norm() < radius) continue;
    ReportShape rod;
    rod.body = body;
    rod.role = ShapeRole::bone;
    rod.kind = ShapeKind::cylinder;
    rod.size = {radius, end.norm(), 0.0};
    rod.pose = {end / 2.0, rotation_from_z_to(end)};
    shapes.push_back(rod);
  }
}

/// Whether a joint is that of the base of one of several robots, which is not drawn.
bool stands_on_inertial_frame(const Model& model, int joint) {
  return std::any_of(model.robots().begin(), model.robots().end(), [&](const Robot& robot) {
    return joint >= robot.first && joint < robot.first_joint();
  });
}

}  // namespace

std::vector<ReportShape> report_shapes(const Model& model) {
  std::vector<ReportShape> shapes;
  std::vector<bool> has_visual(static_cast<std::size_t>(model.body_count()), false);
  const auto add_visuals = [&](const BodyDescription& body) {
    const Frame user_frame = model.frame(body.name);
    for (const Visual& visual : body.visuals) {
      if (!is_drawn(visual)) continue;
      shapes.push_back(shape_of(visual, user_frame));
      has_visual[static_cast<std::size_t>(user_frame.body)] = true;
    }
    if (!body.visuals.empty()) return;
    for (const CollisionShape& shape : body.collisions) {
      add_collision(shape, user_frame, shapes);
      has_visual[static_cast<std::size_t>(user_frame.body)] = true;
    }
  };
  add_visuals(model.description().base);
  for (const LinkDescription& link : model.description().links) add_visuals(link);

  const std::vector<Points> ends = rod_ends(model);
  const double radius = kRodRadius * longest_rod(ends);
  for (int i = 0; i < model.body_count(); ++i) {
    if (has_visual[static_cast<std::size_t>(i)]) continue;
    const Body& body = model.body(i);
    if (body.mass > 0.0 && body.inertia_L.trace() > 0.0) shapes.push_back(inertia_box(body, i));
    if (i > 0 && !stands_on_inertial_frame(model, i)) {
      add_skeleton(model, i, ends[static_cast<std::size_t>(i)], radius, shapes);
    }
  }
  return shapes;
}

namespace {

using Names = std::map<std::string, SeriesName>;

/// Columns of the layout that hold numbers of joints or frames, and how to name their series.
Names own_names(const Model& model) {
  Names names;
  const auto add = [&](Channel channel, int width, int first, int count, const auto& rename) {
    const std::vector<Column> columns = RowLayout(model, {channel}).columns();
    for (int i = 0; i < width * count; ++i) {
      const Column& column = columns[static_cast<std::size_t>(first + i)];
      names[column.name] = rename(series_name(column), i / width);
    }
  };
  const std::vector<int> joints = recorded_joints(model);
  const auto joint = [&](const SeriesName& name, int i) {
    return SeriesName{name.group, model.joint(joints[static_cast<std::size_t>(i)]).name};
  };
  const auto frame = [&](const SeriesName& name, int i) {
    const std::string start = name.group.substr(0, name.group.find(" of ") + 4);
    return SeriesName{start + model.frames()[static_cast<std::size_t>(i)].name, name.label};
  };
  const int n = static_cast<int>(joints.size());
  const int robots = static_cast<int>(model.robots().size());
  // after time, position and quaternion of the base, and after its velocities; after all bases
  const int q = robots > 0 ? 1 + kBaseWidth * robots : 8;
  const int qd = robots > 0 ? q + n : 14 + n;
  add(Channel::state, 1, q, n, joint);
  add(Channel::state, 1, qd, n, joint);
  add(Channel::joint_torque, 1, 1, n, joint);
  add(Channel::frames, 7, 1, static_cast<int>(model.frames().size()), frame);
  return names;
}

}  // namespace

std::vector<ReportBody> report_bodies(const Model& model) {
  std::vector<ReportBody> bodies;
  for (int i = 0; i < model.body_count(); ++i) {
    ReportBody body;
    body.name = model.body(i).name;
    body.mass = model.body(i).mass;
    body.center_of_mass = model.body(i).center_of_mass;
    if (i > 0) {
      body.parent = model.topology().connection(i);
      const Joint& joint = model.joint(i);
      body.joint = joint.name;
      body.joint_type = joint_traits(joint.type).name;
      if (joint.type == JointType::screw) body.screw_slide = joint.slide;
      body.is_carrier = model.is_carrier(i);
      body.joint_pose = {joint.origin, joint.rotation};
      body.position_lower = joint.position_lower;
      body.position_upper = joint.position_upper;
      if (joint.spherical > 0) {
        const Matrix3 turn = exp_so3(Vector3::Unit(joint.spherical - 1));
        body.rotation_axis = log_so3(turned_by(Joint{}, turn));
      }
      if (joint.stiffness > 0.0) body.rest_position = joint.rest_position;
    }
    bodies.push_back(std::move(body));
  }
  for (const CompoundJoint& compound : model.compound_joints()) {
    bodies[static_cast<std::size_t>(compound.first + compound.size - 1)].compound_joint =
        compound.name + ", " + joint_traits(compound.type).name;
  }
  for (const int wheel : wheel_joints(model))
    bodies[static_cast<std::size_t>(wheel)].is_wheel = true;
  return bodies;
}

void add_model_facts(ReportData& report, const Model& model) {
  const auto add = [&](const char* label, std::string value) {
    report.facts.push_back({"Model", label, std::move(value)});
  };
  add("Name", model.name());
  int bodies = 0;
  for (int i = 0; i < model.body_count(); ++i) bodies += model.is_carrier(i) ? 0 : 1;
  add("Bodies", fmt::format("{}", bodies));
  add("Degrees of freedom", fmt::format("{}", static_cast<int>(model.coordinates().size()) +
                                                  (model.has_fixed_base() ? 0 : 6)));
  add("Total mass", fmt::format("{:.6g} kg", model.total_mass()));
}

ReportData robot_report(const Model& model) {
  ReportData report;
  report.model = model.name();
  report.generator = "spacedyn " + build_info().spacedyn;
  report.bodies = report_bodies(model);
  report.shapes = report_shapes(model);
  report.frames = model.frames();
  add_model_facts(report, model);
  return report;
}

std::vector<ReportSeries> report_series(const ResultTable& result) {
  std::vector<ReportSeries> series;
  for (std::size_t i = 1; i < result.columns.size(); ++i) {
    const Column& column = result.columns[i];
    SeriesName name = series_name(column);
    series.push_back({column.name,
                      std::move(name.group),
                      std::move(name.label),
                      column.unit,
                      result.values.col(static_cast<Eigen::Index>(i)),
                      {},
                      column.dataset});
  }
  for (ReportSeries& derived : derived_series(result)) series.push_back(std::move(derived));
  return series;
}

void use_model_names(ReportData& report, const Model& model) {
  const Names names = own_names(model);
  for (ReportSeries& series : report.series) {
    const auto found = names.find(series.column);
    if (found == names.end()) continue;
    series.group = found->second.group;
    series.label = found->second.label;
  }
}

}  // namespace spacedyn
