#include <algorithm>

#include "recording/column_names.hpp"
#include "recording/derived_columns.hpp"
#include "spacedyn/assert.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/recording/channels.hpp"
#include "spacedyn/state/followers.hpp"
#include "spacedyn/state/robot_state.hpp"

namespace spacedyn {
namespace {

enum JointColumn { kPosition, kVelocity, kEffort };

const std::vector<Suffix>& joint_suffixes(JointType type) {
  static const std::vector<Suffix> revolute{
      {"_rad", "rad"}, {"_rad_s", "rad/s"}, {"_torque_N_m", "N m"}};
  static const std::vector<Suffix> prismatic{{"_m", "m"}, {"_m_s", "m/s"}, {"_force_N", "N"}};
  return type == JointType::prismatic ? prismatic : revolute;
}

/// Several lists of endings as one.
std::vector<Suffix> joined(std::initializer_list<std::vector<Suffix>> lists) {
  std::vector<Suffix> suffixes;
  for (const auto& list : lists) suffixes.insert(suffixes.end(), list.begin(), list.end());
  return suffixes;
}

/// Everything that a column of a frame may end in.
std::vector<Suffix> frame_suffixes() {
  return joined({suffixes_of(kPoseColumns), suffixes_of(kTwistColumns), singular_value_suffixes(),
                 suffixes_of(kAccelerationColumns)});
}

const VectorList kMomenta{
    {"linear", "linear_momentum", "_kg_m_s", "kg m/s"},
    {"angular_base", "angular_momentum_base", "_kg_m2_s", "kg m^2/s"},
    {"angular_origin", "angular_momentum_origin", "_kg_m2_s", "kg m^2/s"},
    {"angular_centroid", "angular_momentum_centroid", "_kg_m2_s", "kg m^2/s"}};
constexpr const char* kEnergies[] = {"kinetic", "gravity", "elastic", "total"};

/// The same of one of several robots.
std::vector<Suffix> robot_suffixes() {
  std::vector<Suffix> suffixes =
      joined({suffixes_of(kPoseColumns, "_base"), suffixes_of(kTwistColumns, "_base"),
              suffixes_of(kAccelerationColumns, "_base"), suffixes_of(kMomenta)});
  for (const char* energy : kEnergies) {
    suffixes.emplace_back(std::string("_energy_") + energy + "_J", "J");
  }
  return suffixes;
}

constexpr std::string_view kJointsPrefix = "joints";  // the underscore stays

/// Collects the columns of a layout, channel by channel.
class ColumnList {
 public:
  explicit ColumnList(const Model& model) : model_(model), recorded_(recorded_joints(model)) {
    for (const Robot& robot : model.robots()) {
      const std::string stem = names_.reserve("robots", robot.name, robot_suffixes());
      robots_.push_back({stem, group_of("robots", stem)});
      bases_.push_back({stem + "_base", robots_.back().group + "/base"});
    }
    if (robots_.empty()) bases_.push_back({"base", "/base"});
    for (int i = 1; i <= model.joint_count(); ++i) {
      const Joint& joint = model.joint(i);
      joints_.push_back(
          names_.reserve("joints", joint.name,
                         joined({joint_suffixes(joint.type), suffixes_of(kReactionColumns)})));
    }
    for (const Frame& frame : model.frames()) {
      frames_.push_back(names_.reserve("frames", frame.name, frame_suffixes()));
    }
  }

  void add(Channel channel) {
    switch (channel) {
      case Channel::state:
        return add_state();
      case Channel::momentum:
        return add_momentum();
      case Channel::energy:
        return add_energy();
      case Channel::frames:
        return add_frames();
      case Channel::joint_torque:
        return add_joints("/joints/tau", kEffort);
      default:
        return;  // derived, see below
    }
  }

  /// The computation of a derived channel, nothing for a plain one.
  std::unique_ptr<DerivedColumns> derive(Channel channel, const SimulationSetup& setup,
                                         const State& initial) {
    switch (channel) {
      case Channel::frame_twists:
        return frame_twists(model_, frames_);
      case Channel::singular_values:
        refuse_robots(channel);
        return singular_values(model_, setup.base_mode, frames_);
      case Channel::modal_energy:
        refuse_robots(channel);
        return modal_energy(model_, setup.base_mode, initial);
      case Channel::element_energy:
        return element_energy(setup, names_);
      case Channel::element_forces:
        return element_forces(setup, effort_suffixes(), names_);
      case Channel::constraints:
        return loop_columns(setup, names_);
      case Channel::wheels:
        return declared_columns(setup, std::string(to_string(channel)), names_);
      case Channel::contacts:
        return contact_columns(setup, names_);
      case Channel::actuators:
        return actuator_columns(setup, names_);
      case Channel::sensors:
        return sensor_columns(setup, names_);
      case Channel::accelerations:
        return acceleration_columns(model_, bases_, frames_);
      case Channel::links:
        return link_columns(model_, names_);
      case Channel::joint_reactions:
        return reaction_columns(setup, joints_, names_);
      default:
        return nullptr;
    }
  }

  std::vector<Column> columns{{"time_s", "s", "/time"}};

 private:
  /// Of channels that are about a single base.
  void refuse_robots(Channel channel) const {
    if (model_.robots().empty()) return;
    throw DomainError("channel '" + std::string(to_string(channel)) +
                      "' is not available with several robots");
  }

  void add_vectors(const ColumnPlace& place, const VectorList& vectors) {
    append_vectors(place, vectors, kInertialAxes, columns);
  }

  void add_joints(const std::string& dataset, JointColumn which) {
    int index = 0;
    for (const int i : recorded_) {
      const Suffix& suffix = joint_suffixes(model_.joint(i).type)[which];
      columns.push_back({joints_[static_cast<std::size_t>(i - 1)] + suffix.first, suffix.second,
                         dataset, index++});
    }
  }

  /// Ends of the columns of torques in all joints, `_elbow_torque_N_m` and so on.
  std::vector<Suffix> effort_suffixes() const {
    std::vector<Suffix> suffixes;
    for (const int i : model_.coordinates()) {
      const std::string& stem = joints_[static_cast<std::size_t>(i - 1)];
      const Suffix& effort = joint_suffixes(model_.joint(i).type)[kEffort];
      suffixes.emplace_back(stem.substr(kJointsPrefix.size()) + effort.first, effort.second);
    }
    return suffixes;
  }

  void add_state() {
    if (!robots_.empty()) {
      for (const ColumnPlace& base : bases_) {
        add_vectors(base, kPoseColumns);
        add_vectors(base, kTwistColumns);
      }
      add_joints("/joints/q", kPosition);
      add_joints("/joints/qd", kVelocity);
      return;
    }
    add_vectors(bases_.front(), kPoseColumns);
    add_joints("/joints/q", kPosition);
    add_vectors(bases_.front(), kTwistColumns);
    add_joints("/joints/qd", kVelocity);
  }

  void add_momentum() {
    add_vectors({"", "/momentum"}, kMomenta);
    for (const auto& [stem, group] : robots_) add_vectors({stem, group + "/momentum"}, kMomenta);
  }

  void add_energies(const ColumnPlace& place) {
    for (const std::string name : kEnergies) {
      columns.push_back(
          {place.name("energy_" + name + "_J"), "J", place.group + "/energy/" + name});
    }
  }

  void add_energy() {
    add_energies({"", ""});
    for (const std::string name : {"work", "dissipated"}) {
      columns.push_back({name + "_J", "J", "/energy/" + name});
    }
    for (const ColumnPlace& robot : robots_) add_energies(robot);
  }

  void add_frames() {
    for (const std::string& stem : frames_) {
      add_vectors({stem, group_of("frames", stem)}, kPoseColumns);
    }
  }

  const Model& model_;
  const std::vector<int> recorded_;
  ColumnNames names_;
  std::vector<ColumnPlace> robots_, bases_;  // robots if there are several; all bases
  std::vector<std::string> joints_;
  std::vector<std::string> frames_;
};

/// Writes values one after the other into a row.
class RowWriter {
 public:
  explicit RowWriter(const VectorRef& row) : row_(row) {}

  void add(double value) { row_(next_++) = value; }
  void add(const Vector3& value) {
    row_.segment<3>(next_) = value;
    next_ += 3;
  }
  void add(const ConstVectorRef& values) {
    row_.segment(next_, values.size()) = values;
    next_ += values.size();
  }
  void add_rotation(const Matrix3& A) {
    const Quaternion quaternion = quaternion_from_matrix(A);
    add(quaternion.w());
    add(Vector3(quaternion.vec()));
  }
  /// The next values, to be written by another function.
  VectorRef next(Eigen::Index count) {
    next_ += count;
    return row_.segment(next_ - count, count);
  }
  Eigen::Index size() const { return next_; }

 private:
  VectorRef row_;
  Eigen::Index next_ = 0;
};

/// No forces, the base as free as the model says.
SimulationSetup default_setup(const Model& model) {
  SimulationSetup setup;
  // it is not kept: the caller's model outlives the layout
  setup.model = std::shared_ptr<const Model>(&model, [](const Model*) {});
  setup.base_mode = model.has_fixed_base() ? BaseMode::fixed : BaseMode::floating;
  return setup;
}

/// Elements of a joint vector that are recorded.
void add_joints(const Model& model, const ConstVectorRef& values, RowWriter& row) {
  for_each_recorded_joint(model, [&](int joint) { row.add(values(joint - 1)); });
}

void add_efforts(const Model& model, const ConstVectorRef& tau, RowWriter& row) {
  for_each_recorded_joint(model, [&](int joint) { row.add(own_force(model, tau, joint)); });
}

void add_robot_states(const Model& model, const State& state, RowWriter& row) {
  for (const Robot& robot : model.robots()) {
    const BaseMotion base = base_motion(model, robot, state);
    row.add(base.r_0);
    row.add_rotation(base.A_0);
    row.add(base.v_0);
    row.add(base.omega_0);
  }
  add_joints(model, state.q, row);
  add_joints(model, state.qd, row);
}

void add_state(const Model& model, const State& state, RowWriter& row) {
  if (!model.robots().empty()) return add_robot_states(model, state, row);
  row.add(state.r_0);
  row.add_rotation(state.A_0);
  add_joints(model, state.q, row);
  row.add(state.v_0);
  row.add(state.omega_0);
  add_joints(model, state.qd, row);
}

void add_momentum(const Momentum& momentum, RowWriter& row) {
  row.add(momentum.linear);
  row.add(momentum.angular_base);
  row.add(momentum.angular_origin);
  row.add(momentum.angular_centroid);
}

void add_energy(const Energy& energy, const AuditIntegrals& integrals, RowWriter& row) {
  row.add(energy.kinetic);
  row.add(energy.gravity);
  row.add(energy.elastic);
  row.add(energy.total());
  row.add(integrals.work);
  row.add(integrals.dissipated);
}

void add_robot_momenta(const SimulationPoint& point, RowWriter& row) {
  for (const Robot& robot : point.model.robots()) {
    add_momentum(robot_sums(point.model, robot, point.frames, point.velocities).momentum, row);
  }
}

void add_robot_energies(const SimulationPoint& point, const Vector3& gravity, RowWriter& row) {
  for (const Robot& robot : point.model.robots()) {
    const RobotSums sums = robot_sums(point.model, robot, point.frames, point.velocities);
    const double potential = -sums.mass * gravity.dot(sums.r_g);
    const double elastic = elastic_energy(point.model, robot, point.state.q);
    row.add(sums.kinetic_energy);
    row.add(potential);
    row.add(elastic);
    row.add(sums.kinetic_energy + potential + elastic);
  }
}

void add_frames(const SimulationPoint& point, RowWriter& row) {
  for (const Frame& frame : point.model.frames()) {
    row.add(frame_position(point.frames, frame));
    row.add_rotation(frame_orientation(point.frames, frame));
  }
}

}  // namespace

RowLayout::RowLayout(const Model& model, std::vector<Channel> channels)
    : RowLayout(model, default_setup(model), State(model), std::move(channels)) {}

RowLayout::RowLayout(const SimulationSetup& setup, const State& initial,
                     std::vector<Channel> channels)
    : RowLayout(*setup.model, setup, initial, std::move(channels)) {}

RowLayout::RowLayout(const Model& model, const SimulationSetup& setup, const State& initial,
                     std::vector<Channel> channels)
    : channels_(std::move(channels)), gravity_(setup.gravity) {
  for (const Channel channel : channels_) {
    if (std::count(channels_.begin(), channels_.end(), channel) > 1) {
      throw DomainError("channel '" + std::string(to_string(channel)) +
                        "' is given more than once; name each channel once");
    }
  }
  ColumnList list(model);
  for (const Channel channel : channels_) {
    list.add(channel);
    derived_.push_back(list.derive(channel, setup, initial));
    if (derived_.back() == nullptr) continue;
    const std::vector<Column>& columns = derived_.back()->columns();
    list.columns.insert(list.columns.end(), columns.begin(), columns.end());
  }
  columns_ = std::move(list.columns);
}

RowLayout::~RowLayout() = default;
RowLayout::RowLayout(RowLayout&&) noexcept = default;
RowLayout& RowLayout::operator=(RowLayout&&) noexcept = default;

void RowLayout::fill(const SimulationPoint& point, VectorRef row) {
  RowWriter writer(row);
  writer.add(point.time);
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    switch (channels_[i]) {
      case Channel::state:
        add_state(point.model, point.state, writer);
        break;
      case Channel::momentum:
        add_momentum(point.momentum, writer);
        add_robot_momenta(point, writer);
        break;
      case Channel::energy:
        add_energy(point.energy, point.integrals, writer);
        add_robot_energies(point, gravity_, writer);
        break;
      case Channel::frames:
        add_frames(point, writer);
        break;
      case Channel::joint_torque:
        add_efforts(point.model, point.forces.tail(point.model.joint_count()), writer);
        break;
      default:
        derived_[i]->fill(point,
                          writer.next(static_cast<Eigen::Index>(derived_[i]->columns().size())));
    }
  }
  SPACEDYN_ASSERT(writer.size() == row.size());
}

}  // namespace spacedyn
