/// @file
/// What a report shows of one result: shapes, motion, series and facts. Plain data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// A body as the report lists and draws it.
struct ReportBody {
  std::string name;
  int parent = -1;  ///< index of the body that carries it; −1 for the base
  std::string joint;
  std::string joint_type;                    ///< revolute | prismatic | screw; base: empty
  double screw_slide = 0.0;                  ///< of a screw, along the axis, m/rad
  std::string compound_joint;                ///< `wrist, spherical`: of the link on such a joint
  bool is_carrier = false;                   ///< only stands between two coordinates of a joint
  double mass = 0.0;                         ///< kg
  Vector3 center_of_mass = Vector3::Zero();  ///< in the link frame, m
  Pose joint_pose;                           ///< link frame at q = 0 in that of the parent
  double position_lower = 0.0;               ///< limits of the joint, rad or m; may be infinite
  double position_upper = 0.0;
  Vector3 rotation_axis = Vector3::Zero();  ///< of a coordinate of a spherical joint: its part of
                                            ///< the rotation vector, in axes of the joint
  std::optional<double> rest_position;      ///< of a joint with a spring, rad or m
  bool is_driven = false;  ///< a controller, a load or an imposed motion acts on its joint
  bool is_wheel = false;   ///< a reaction wheel
};

enum class ShapeKind { box, cylinder, sphere, ellipsoid, mesh };

/// What a shape stands for: what the user drew, or what is drawn in its place.
enum class ShapeRole { visual, inertia, bone, joint };

/// A solid fixed to a body; centred on its pose, a cylinder along its z.
struct ReportShape {
  int body = 0;
  ShapeKind kind = ShapeKind::box;
  ShapeRole role = ShapeRole::visual;
  Vector3 size = Vector3::Zero();  ///< box: edges; cylinder: radius, length; sphere: radius;
                                   ///< ellipsoid: semi-axes; m
  std::vector<float> triangles;    ///< mesh: corners, nine numbers each, m
  Pose pose;                       ///< in the link frame of the body
  std::string color;               ///< `\#rrggbb`, empty: chosen by the page
};

/// A vector that moves with the system, for instance a force at its point of action.
struct ReportArrow {
  std::string name;
  std::string kind;  ///< linear_momentum | angular_momentum | force | moment
  std::string unit;
  Matrix3X origin;  ///< inertial, m; one column per instant of the motion
  Matrix3X vector;  ///< inertial, in the unit
};

/// A tether or a spring: straight lines from point to point.
struct ReportLine {
  std::string name;
  std::vector<Frame> points;
};

/// Positions and attitudes of all bodies at some instants, enough for a smooth animation.
struct ReportMotion {
  std::vector<double> times;  ///< s
  MatrixX poses;              ///< 7(n+1) rows: link frame origin (3), quaternion x, y, z, w (4)
  Matrix3X center_of_mass;    ///< of the system, m
  MatrixX joint_efforts;      ///< n rows: torque or force in each joint, N m or N; may be empty
  std::vector<ReportArrow> arrows;
};

/// Heights of the ground on a grid.
struct ReportRelief {
  Eigen::Vector2d origin = Eigen::Vector2d::Zero();   ///< of the first height, m
  Eigen::Vector2d spacing = Eigen::Vector2d::Ones();  ///< along x and y, m
  MatrixX heights;                                    ///< a row along x for each y, m
};

/// Where a wheel has rolled: the two edges of its track on the surface.
struct ReportTrack {
  std::string name;
  Matrix3X left, right;  ///< inertial, m; one column per instant of the motion
  VectorX sinkage;       ///< m; not positive where the wheel is in the air
};

/// A natural mode, swinging once.
struct ReportMode {
  int number = 0;              ///< from 1, rigid-body modes counted
  double frequency = 0.0;      ///< Hz
  double damping_ratio = 0.0;  ///< ζ
  double growth_rate = 0.0;    ///< of an unstable mode, 1/s
  std::string strain;          ///< the joints that hold its strain energy
  ReportMotion motion;
};

/// One number as a function of time.
struct ReportSeries {
  std::string column;  ///< name in the result file; empty for a derived one
  std::string group;   ///< series of one group share a picture, for instance `Joint positions`
  std::string label;   ///< within the group, for instance `elbow`
  std::string unit;
  VectorX values;  ///< one per time of the report
  /// The name by which channels find a series that is no column, for instance `base_attitude_yaw`.
  std::string derived = {};
  std::string dataset = {};  ///< of the column, for instance `/joints/q`; empty if it has none
};

/// A line of the summary.
struct ReportFact {
  std::string group;
  std::string label;
  std::string value;
};

/// A figure of the conservation audit, and the limit it had to keep if there is one.
struct ReportCheck {
  std::string label;
  double value = 0.0;
  std::optional<double> limit;
};

/// A text the result was computed from.
struct ReportText {
  std::string name;
  std::string text;
};

/// Something that happened in the run.
struct ReportEvent {
  double time = 0.0;  ///< s
  std::string name;
  std::string action;  ///< what it did, for instance `locks elbow`; empty where that is not known
};

/// What numbers of a run compare to: differences of some 1e-13 of these are rounding.
struct ReportScales {
  double energy = 0.0;            ///< J: the larger of ∫ |power| dt and the energies themselves
  double linear_momentum = 0.0;   ///< kg m/s: greatest Σ m |v|
  double angular_momentum = 0.0;  ///< kg m²/s: the same of angular momentum
};

/// What is smaller than so much of its scale is shown as 0, here and in the summary of a run.
inline constexpr double kRoundingFraction = 1e-13;

/// Everything a report shows of one result.
struct ReportData {
  std::string title;
  std::string description;  ///< of the scenario, as its author wrote it
  std::string source;       ///< where the numbers of the scenario come from
  std::string path;         ///< of the result; tells results of one title apart
  std::string identity;     ///< of the result, see result_identity(); empty without one
  std::string model;
  std::string status;  ///< complete | interrupted | failed | running
  std::string message;
  std::string generator;  ///< program and version that computed it
  std::vector<ReportBody> bodies;
  std::vector<ReportShape> shapes;
  std::vector<Frame> frames;
  std::vector<ReportLine> lines;
  ReportMotion motion;
  ReportRelief relief;              ///< empty without ground
  std::vector<ReportTrack> tracks;  ///< of wheels
  CelestialScene surroundings;
  std::vector<ReportMode>
      modes;                ///< to pick from, instead of a run; the motion is that of the first
  VectorX joint_positions;  ///< of a robot whose joints one moves on the page; empty for a run
  std::vector<Loop> gears;  ///< that tie two joints to each other while one moves them
  VectorX times;            ///< of the series, s
  std::vector<ReportSeries> series;
  /// Rows of the result where the series hold least and greatest values in turn instead of all; 0
  /// if they are whole.
  long thinned_from = 0;
  Vector3 gravity = Vector3::Zero();  ///< m/s², inertial
  ReportScales scales;
  std::vector<ReportEvent> events;  ///< in order
  std::vector<ReportFact> facts;
  std::vector<ReportCheck> audit;
  std::vector<ReportText> inputs;
  std::vector<std::string> warnings;
};

/// What the series of a report are for, and whether extremes may stand for all rows.
enum class ReportDetail {
  numbers,  ///< all rows, as comparisons need them
  picture,  ///< at most kMaxReportPoints
  page      ///< as many as a page of the result alone draws
};

/// Most instants of an animation; between them poses are interpolated.
inline constexpr int kMaxReportFrames = 2000;
/// Most points of a drawn series; extremes are kept.
inline constexpr int kMaxReportPoints = 5000;

}  // namespace spacedyn
