// How bodies move and what moves them: accelerations, places of links, reactions of joints.
#include "recording/column_names.hpp"
#include "recording/derived_columns.hpp"
#include "recording/followed_loops.hpp"
#include "sensing/loop_reactions.hpp"
#include "spacedyn/kinematics/link_motion.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {
namespace {

/// A body with the origin and the axes that the file gives it.
Frame link_frame(const Model& model, int body) {
  return {model.body(body).name, body, Vector3::Zero(), model.body(body).user_axes};
}

class AccelerationColumns final : public DerivedColumns {
 public:
  AccelerationColumns(const Model& model, const std::vector<ColumnPlace>& bases,
                      const std::vector<std::string>& stems)
      : accelerations_(model) {
    if (model.robots().empty()) {
      points_.push_back({"", 0, model.body(0).center_of_mass, Matrix3::Identity()});
    }
    for (const Robot& robot : model.robots()) points_.push_back(robot.base);
    for (const ColumnPlace& base : bases) add_vectors(base, kAccelerationColumns);
    for (const std::string& stem : stems) {
      add_vectors({stem, group_of("frames", stem)}, kAccelerationColumns);
    }
    points_.insert(points_.end(), model.frames().begin(), model.frames().end());
  }

  void fill(const SimulationPoint& point, VectorRef values) override {
    compute_link_accelerations(point.model, point.state, point.frames, point.velocities,
                               point.mean_acceleration, accelerations_);
    Eigen::Index next = 0;
    for (const Frame& at : points_) {
      values.segment<6>(next) =
          frame_acceleration(point.frames, point.velocities, accelerations_, at);
      next += 6;
    }
  }

 private:
  std::vector<Frame> points_;
  LinkAccelerations accelerations_;
};

/// Whether a body is the base of one of several robots, which the channel `state` has.
bool is_base(const Model& model, int body) {
  for (const Robot& robot : model.robots()) {
    if (robot.base.body == body) return true;
  }
  return body == 0;
}

class LinkColumns final : public DerivedColumns {
 public:
  LinkColumns(const Model& model, ColumnNames& names) {
    for (int body = 1; body < model.body_count(); ++body) {
      if (model.is_carrier(body) || is_base(model, body)) continue;
      links_.push_back(link_frame(model, body));
      const std::string stem =
          names.reserve("links", model.body(body).name, suffixes_of(kPoseColumns));
      add_vectors({stem, group_of("links", stem)}, kPoseColumns);
    }
  }

  void fill(const SimulationPoint& point, VectorRef values) override {
    Eigen::Index next = 0;
    for (const Frame& link : links_) {
      const Quaternion attitude = quaternion_from_matrix(frame_orientation(point.frames, link));
      values.segment<3>(next) = point.frames.r[static_cast<std::size_t>(link.body)];
      values.segment<4>(next + 3) << attitude.w(), attitude.x(), attitude.y(), attitude.z();
      next += 7;
    }
  }

 private:
  std::vector<Frame> links_;
};

class ReactionColumns final : public DerivedColumns {
 public:
  ReactionColumns(const ForcedSystem& system, const std::vector<std::string>& stems,
                  ColumnNames& names)
      : system_(system),
        followed_(system_),
        accelerations_(*system.model),
        loads_(*system.model),
        wrenches_(6, system.model->body_count()) {
    const Model& model = *system.model;
    for (const int joint : joints_of_robots(model)) {
      const CompoundJoint* whole = compound_of(model, joint);
      if (whole == nullptr) {
        append(model, joint, stems[static_cast<std::size_t>(joint - 1)]);
      } else if (joint == whole->first) {
        append(model, joint + whole->size - 1,
               names.reserve("joints", whole->name, suffixes_of(kReactionColumns)));
      }
    }
  }

  void fill(const SimulationPoint& point, VectorRef values) override {
    compute_link_accelerations(point.model, point.state, point.frames, point.velocities,
                               point.acceleration, accelerations_);
    loads_ = point.loads;
    const LoopEquations& loops = followed_.at(point.discrete);
    if (!loops.empty()) add_to_loads({loops, point.frames, point.multipliers}, loads_);
    add_up(point);
    Eigen::Index next = 0;
    for (const Frame& link : links_) {
      const Matrix3 axes = frame_orientation(point.frames, link).transpose();
      const Vector3 force = wrenches_.col(link.body).head<3>();
      const Vector3 arm =
          point.frames.r[static_cast<std::size_t>(link.body)] - frame_position(point.frames, link);
      values.segment<3>(next) = axes * force;
      values.segment<3>(next + 3) = axes * (wrenches_.col(link.body).tail<3>() + arm.cross(force));
      next += 6;
    }
  }

 private:
  static const CompoundJoint* compound_of(const Model& model, int joint) {
    for (const CompoundJoint& each : model.compound_joints()) {
      if (joint >= each.first && joint < each.first + each.size) return &each;
    }
    return nullptr;
  }

  void append(const Model& model, int body, const std::string& stem) {
    links_.push_back(link_frame(model, body));
    add("/joints/reaction" + group_of("joints", stem).substr(std::string("/joints").size()),
        model.body(body).name, columns_of(stem, suffixes_of(kReactionColumns)));
  }

  /// Sums over each body and all beyond it, about its centroid, from the tips inwards.
  void add_up(const SimulationPoint& point) {
    const EvaluationContext motion = context_of(point);
    for (int body = 0; body < point.model.body_count(); ++body) {
      wrenches_.col(body) = wrench_of_neighbours(motion, accelerations_, loads_, body);
    }
    for (int body = point.model.joint_count(); body > 0; --body) {
      const int below = point.model.topology().connection(body);
      const Vector3 force = wrenches_.col(body).head<3>();
      const Vector3 arm = point.frames.r[static_cast<std::size_t>(body)] -
                          point.frames.r[static_cast<std::size_t>(below)];
      wrenches_.col(below) += wrenches_.col(body);
      wrenches_.col(below).tail<3>() += arm.cross(force);
    }
  }

  const ForcedSystem system_;
  FollowedLoops followed_;
  LinkAccelerations accelerations_;
  Loads loads_;
  Matrix6X wrenches_;  // a column per body
  std::vector<Frame> links_;
};

}  // namespace

std::unique_ptr<DerivedColumns> acceleration_columns(const Model& model,
                                                     const std::vector<ColumnPlace>& bases,
                                                     const std::vector<std::string>& stems) {
  return std::make_unique<AccelerationColumns>(model, bases, stems);
}

std::unique_ptr<DerivedColumns> link_columns(const Model& model, ColumnNames& names) {
  return std::make_unique<LinkColumns>(model, names);
}

std::unique_ptr<DerivedColumns> reaction_columns(const ForcedSystem& system,
                                                 const std::vector<std::string>& stems,
                                                 ColumnNames& names) {
  return std::make_unique<ReactionColumns>(system, stems, names);
}

}  // namespace spacedyn
