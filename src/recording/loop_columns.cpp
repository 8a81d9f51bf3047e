#include <cmath>

#include "recording/derived_columns.hpp"
#include "spacedyn/forces/rigid_contact.hpp"
#include "spacedyn/math/so3.hpp"
#include "system/motion_of.hpp"
#include "system/system_elements.hpp"

namespace spacedyn {
namespace {

/// Of loops that join points, beside the wrench.
const std::vector<Suffix>& point_suffixes() {
  static const std::vector<Suffix> suffixes{{"_position_residual_m", "m"},
                                            {"_angle_residual_rad", "rad"},
                                            {"_velocity_residual_m_s", "m/s"},
                                            {"_rate_residual_rad_s", "rad/s"}};
  return suffixes;
}

/// Of a point against the inertial frame, in whose axes the force is.
const std::vector<Suffix>& ground_suffixes() {
  static const std::vector<Suffix> suffixes{{"_position_residual_m", "m"},
                                            {"_velocity_residual_m_s", "m/s"},
                                            {"_force_x_N", "N"},
                                            {"_force_y_N", "N"},
                                            {"_force_z_N", "N"}};
  return suffixes;
}

/// Of couplings of joints, whose residual and multiplier are in the units of the joints.
const std::vector<Suffix>& coupling_suffixes() {
  static const std::vector<Suffix> suffixes{
      {"_residual", ""}, {"_rate_residual", ""}, {"_multiplier", ""}};
  return suffixes;
}

class LoopColumns final : public DerivedColumns {
 public:
  LoopColumns(const ForcedSystem& system, ColumnNames& names)
      : system_(system),
        model_loops_(system.model->loops().size()),
        followed_(system_),
        seen_(*system.model) {
    for (const Loop& loop : system.model->loops()) {
      if (!loop.is_mimic) append(loop, names);
    }
    for (const Connection& connection : system.connections) {
      const MotionConstraint* motion = motion_of(system_, connection);
      motions_.push_back({motion, motion != nullptr ? first_row(*motion) : 0});
      if (is_on_ground(motion)) {
        append_ground(connection.loop.name, names);
      } else {
        append(connection.loop, names);
      }
    }
  }

  void fill(const SimulationPoint& point, VectorRef values) override {
    const LoopEquations& loops = followed_.at(point.discrete);
    phi_.resize(loops.rows());
    rate_.resize(loops.rows());
    seen_.compute(point.model, point.state);
    loops.residual(seen_.frames, seen_.state, phi_);
    loops.velocity(seen_.frames, seen_.velocities, seen_.state, rate_);
    Eigen::Index next = 0;
    for (std::size_t i = 0; i < model_loops_; ++i) {
      if (loops.loops()[i].is_mimic) continue;
      next += fill_loop(loops, i, point, values.tail(values.size() - next));
    }
    std::size_t active = model_loops_;
    for (std::size_t i = 0; i < system_.connections.size(); ++i) {
      const Connection& connection = system_.connections[i];
      VectorRef rest = values.tail(values.size() - next);
      const MotionConstraint* motion = motions_[i].element;
      if (!point.discrete.connections[i].active) {
        // what does not hold has no residual
        const auto width = is_on_ground(motion)
                               ? static_cast<Eigen::Index>(ground_suffixes().size())
                               : width_of(connection.loop);
        next += width;
        rest.head(width).setZero();
      } else if (motion != nullptr) {
        next += fill_motion(connection, motions_[i], point, rest);
      } else if (connection.is_rigid()) {
        next += fill_loop(loops, active++, point, rest);
      } else {
        next += fill_bushing(connection, point, rest);
      }
    }
  }

 private:
  /// The motion constraint of a connection, and the first of its multipliers among those of all.
  struct Motion {
    const MotionConstraint* element;
    Eigen::Index first;
  };

  static bool is_on_ground(const MotionConstraint* motion) {
    return motion != nullptr && motion->is_on_ground();
  }

  Eigen::Index first_row(const MotionConstraint& motion) const {
    Eigen::Index rows = 0;
    for (const auto& force : system_.forces) {
      if (force.get() == &motion) break;
      const MotionConstraint* other = declarations_of(*force).motion;
      rows += other != nullptr ? other->row_count() : 0;
    }
    return rows;
  }

  static Eigen::Index width_of(const Loop& loop) {
    return loop_traits(loop.type).joins_points ? 10 : 3;
  }

  void append(const Loop& loop, ColumnNames& names) {
    const bool joins_points = loop_traits(loop.type).joins_points;
    std::vector<Suffix> suffixes = joins_points ? point_suffixes() : coupling_suffixes();
    const std::vector<Suffix> wrench = suffixes_of(kWrenchColumns);
    if (joins_points) suffixes.insert(suffixes.end(), wrench.begin(), wrench.end());
    const std::string stem = names.reserve("constraints", loop.name, suffixes);
    const std::string group = group_of("constraints", stem);
    const std::vector<Column> all = columns_of(stem, suffixes);
    if (!joins_points) {
      for (const Column& column : all) add(group + column.name.substr(stem.size()), "", {column});
      return;
    }
    const char* const datasets[] = {"/position_residual", "/angle_residual", "/velocity_residual",
                                    "/rate_residual"};
    for (std::size_t i = 0; i < 4; ++i) add(group + datasets[i], "", {all[i]});
    // the axes of the wrench are those of its first point
    add_vectors({stem, group}, kWrenchColumns, loop.from.name);
  }

  void append_ground(const std::string& name, ColumnNames& names) {
    const std::string stem = names.reserve("constraints", name, ground_suffixes());
    const std::string group = group_of("constraints", stem);
    const std::vector<Column> all = columns_of(stem, ground_suffixes());
    add(group + "/position_residual", "", {all[0]});
    add(group + "/velocity_residual", "", {all[1]});
    add(group + "/force", "inertial", {all.begin() + 2, all.end()});
  }

  /// @param index  among the active loops @returns numbers written
  Eigen::Index fill_loop(const LoopEquations& loops, std::size_t index,
                         const SimulationPoint& point, VectorRef values) {
    const Loop& loop = loops.loops()[index];
    const LoopTraits& traits = loop_traits(loop.type);
    const int first = loops.first_row(static_cast<int>(index));
    if (!traits.joins_points) {
      values.head<3>() << phi_(first), rate_(first), point.multipliers(first);
      return 3;
    }
    const int turns = first + traits.translations;
    values(0) = phi_.segment(first, traits.translations).norm();
    values(1) = phi_.segment(turns, traits.rotations).norm();
    values(2) = rate_.segment(first, traits.translations).norm();
    values(3) = rate_.segment(turns, traits.rotations).norm();
    values.segment<6>(4) = loops.wrench(static_cast<int>(index), seen_.frames, point.multipliers);
    return 10;
  }

  /// Of multipliers those of loops come first. @returns numbers written
  Eigen::Index fill_motion(const Connection& connection, const Motion& motion,
                           const SimulationPoint& point, VectorRef values) const {
    MotionRows rows;
    motion.element->rows(context_of(point), rows);
    double gap = 0.0, rate = 0.0;
    Vector3 force = Vector3::Zero();
    for (int i = 0; i < motion.element->row_count(); ++i) {
      const MotionRow& row = rows.rows[static_cast<std::size_t>(i)];
      gap = std::hypot(gap, row.gap.value_or(0.0));
      rate = std::hypot(rate, row.rate);
      force += point.multipliers(phi_.size() + motion.first + i) * row.directions[0];
    }
    if (is_on_ground(motion.element)) {
      values.head<5>() << gap, rate, force;
      return 5;
    }
    // it acts along the line through both points, so that its moment about the first is zero
    values.head<10>() << gap, 0.0, rate, 0.0,
        frame_orientation(point.frames, connection.loop.from).transpose() * force, Vector3::Zero();
    return 10;
  }

  /// How far a bushing is stretched, and the wrench on its second body about its first point.
  Eigen::Index fill_bushing(const Connection& connection, const SimulationPoint& point,
                            VectorRef values) const {
    const ForceElement& bushing = *system_.forces[static_cast<std::size_t>(connection.force)];
    const Frame &from = connection.loop.from, &to = connection.loop.to;
    const Matrix3 A_T = frame_orientation(point.frames, from).transpose();
    const Vector3 arm = frame_position(point.frames, to) - frame_position(point.frames, from);
    const Vector6 before = frame_velocity(point.frames, point.velocities, from);
    const Vector6 after = frame_velocity(point.frames, point.velocities, to);
    const Vector3 omega = before.tail<3>();
    values(0) = arm.norm();
    values(1) = log_so3(A_T * frame_orientation(point.frames, to)).norm();
    values(2) = (after.head<3>() - before.head<3>() - omega.cross(arm)).norm();
    values(3) = (after.tail<3>() - before.tail<3>()).norm();
    Vector6 wrench = Vector6::Zero();
    bushing.wrench_between(context_of(point), wrench);
    const Vector3 force = wrench.head<3>();
    values.segment<3>(4) = A_T * force;
    values.segment<3>(7) = A_T * (wrench.tail<3>() + arm.cross(force));
    return 10;
  }

  const ForcedSystem system_;
  const std::size_t model_loops_;
  std::vector<Motion> motions_;  // one for each connection
  FollowedLoops followed_;
  LoopMotion seen_;
  VectorX phi_, rate_;
};

const std::vector<Suffix>& contact_suffixes() {
  static const std::vector<Suffix> suffixes{{"_depth_m", "m"},
                                            {"_normal_force_N", "N"},
                                            {"_friction_N", "N"},
                                            {"_point_x_m", "m"},
                                            {"_point_y_m", "m"},
                                            {"_point_z_m", "m"},
                                            {"_slip_velocity_m_s", "m/s"}};
  return suffixes;
}

class ContactColumns final : public DerivedColumns {
 public:
  ContactColumns(const ForcedSystem& system, ColumnNames& names)
      : system_(system), elements_(system_) {
    for (const SystemElements::Slot& slot : elements_.slots()) {
      const ContactForce* contact = slot.declared.contact;
      if (contact == nullptr && slot.declared.rigid == nullptr) continue;
      contacts_.push_back({contact, slot.slice});
      const std::string stem = names.reserve("contacts", slot.element().name(), contact_suffixes());
      const std::string group = group_of("contacts", stem);
      const std::vector<Column> all = columns_of(stem, contact_suffixes());
      add(group + "/depth", all[0]);
      add(group + "/normal_force", all[1]);
      add(group + "/friction", all[2]);
      add(group + "/point", "inertial", {all.begin() + 3, all.begin() + 6});
      add(group + "/slip_velocity", all[6]);
    }
  }

  void fill(const SimulationPoint& point, VectorRef values) override {
    const EvaluationContext context = context_of(point);
    Eigen::Index next = 0;
    std::size_t rigid = 0;
    for (const Contact& contact : contacts_) {
      const ContactReading now = contact.element != nullptr
                                     ? contact.element->reading(slice_of(context, contact.slice))
                                     : point.rigid_contacts[rigid++];
      values.segment<7>(next) << now.depth, now.normal_force, now.friction, now.point,
          now.slip_velocity;
      next += 7;
    }
  }

 private:
  struct Contact {
    const ContactForce* element;  // null of rigid ones, which the run knows
    AuxiliarySlice slice;
  };
  const ForcedSystem system_;
  const SystemElements elements_;
  std::vector<Contact> contacts_;
};

}  // namespace

std::unique_ptr<DerivedColumns> loop_columns(const ForcedSystem& system, ColumnNames& names) {
  return std::make_unique<LoopColumns>(system, names);
}

std::unique_ptr<DerivedColumns> contact_columns(const ForcedSystem& system, ColumnNames& names) {
  return std::make_unique<ContactColumns>(system, names);
}

}  // namespace spacedyn
