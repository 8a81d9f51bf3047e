// How bodies move and what moves them: accelerations, places of links, reactions of joints.
#include <algorithm>

#include "dynamics/tree/tree_sums.hpp"
#include "recording/column_names.hpp"
#include "recording/derived_columns.hpp"
#include "sensing/loop_reactions.hpp"
#include "spacedyn/dynamics/momentum_maps.hpp"
#include "spacedyn/inertia/generalized_jacobian.hpp"
#include "spacedyn/kinematics/link_motion.hpp"
#include "spacedyn/kinematics/points.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/singular_values.hpp"

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
    // which moves in its base as tanks empty
    if (point.model.robots().empty()) points_[0].position = point.model.body(0).center_of_mass;
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

namespace {

/// What a joint rate is the rate of: all rad, all m, or both.
std::string joint_unit(const Model& model) {
  bool turns = false, slides = false;
  for (const int i : model.coordinates()) {
    (model.joint(i).type == JointType::prismatic ? slides : turns) = true;
  }
  return turns && slides ? "(rad or m)" : slides ? "m" : "rad";
}

class FrameTwists final : public DerivedColumns {
 public:
  FrameTwists(const Model& model, const std::vector<std::string>& stems) : model_(model) {
    for (const std::string& stem : stems) {
      add_vectors({stem, group_of("frames", stem)}, kTwistColumns);
    }
  }

  void fill(const SimulationPoint& point, VectorRef values) override {
    Eigen::Index next = 0;
    for (const Frame& frame : model_.frames()) {
      values.segment<3>(next) = point_velocity(point.frames, point.velocities, frame);
      values.segment<3>(next + 3) = point.velocities.omega[static_cast<std::size_t>(frame.body)];
      next += 6;
    }
  }

 private:
  const Model& model_;
};

std::vector<bool> all_free(const Model& model) {
  return std::vector<bool>(static_cast<std::size_t>(model.joint_count()), true);
}

using MatrixX3 = Eigen::Matrix<double, Eigen::Dynamic, 3>;

/// R of A = Q R by the modified Gram–Schmidt process, whose R is as good as that of reflections.
/// A becomes Q. Allocates nothing.
void triangularize(MatrixX3& A, MatrixX& R) {
  R.setZero();
  for (int j = 0; j < 3; ++j) {
    R(j, j) = A.col(j).norm();
    if (R(j, j) == 0.0) continue;
    A.col(j) /= R(j, j);
    for (int k = j + 1; k < 3; ++k) {
      R(j, k) = A.col(j).dot(A.col(k));
      A.col(k) -= R(j, k) * A.col(j);
    }
  }
}

class JacobianSingularValues final : public DerivedColumns {
 public:
  JacobianSingularValues(const Model& model, BaseMode base_mode,
                         const std::vector<std::string>& stems)
      : model_(model),
        workspace_(model, Mobility(base_mode == BaseMode::floating, all_free(model))),
        response_(model),
        J_m_(Matrix6X::Zero(6, model.joint_count())),
        J_star_(Matrix6X::Zero(6, model.joint_count())),
        transposed_(MatrixX3::Zero(std::max(3, model.joint_count()), 3)),
        decomposition_(3, 3),
        count_(std::min<Eigen::Index>(3, static_cast<Eigen::Index>(model.coordinates().size()))) {
    const auto count = static_cast<std::size_t>(count_);
    std::vector<Suffix> suffixes = singular_value_suffixes();
    for (std::size_t i = 0; i < suffixes.size(); ++i) {
      suffixes[i].second = (i < 3 ? "m/" : "rad/") + joint_unit(model);
    }
    for (const std::string& stem : stems) {
      add(group_of("frames", stem) + "/linear_singular_values", "",
          columns_of(stem, suffixes, 0, count));
      add(group_of("frames", stem) + "/angular_singular_values", "",
          columns_of(stem, suffixes, 3, count));
    }
  }

  void fill(const SimulationPoint& point, VectorRef values) override {
    if (values.size() == 0) return;
    update_tank_masses(workspace_, point.model);
    update_poses(point.state, workspace_);
    // where H_b is singular the response is that of a fixed base
    static_cast<void>(compute_base_response(workspace_, response_));
    Eigen::Index next = 0;
    for (const Frame& frame : model_.frames()) {
      frame_jacobian(workspace_, frame, J_m_);
      generalized_jacobian(J_m_, base_jacobian(point.frames, frame), response_, J_star_);
      next = append(0, values, next);
      next = append(3, values, next);
    }
  }

 private:
  Eigen::Index append(Eigen::Index first_row, VectorRef values, Eigen::Index next) {
    // J = Rᵀ Qᵀ has the singular values of R: O(n), where those of J itself bring n × n vectors
    transposed_.topRows(J_star_.cols()) = J_star_.middleRows<3>(first_row).transpose();
    for (const Follower& each : model_.followers()) {
      transposed_.row(each.followed - 1) += each.ratio * transposed_.row(each.joint - 1);
      transposed_.row(each.joint - 1).setZero();
    }
    triangularize(transposed_, decomposition_.matrix());
    decomposition_.decompose(0.0);
    values.segment(next, count_) = decomposition_.sigma().head(count_);
    return next + count_;
  }

  const Model& model_;
  TreeWorkspace workspace_;
  BaseResponse response_;
  Matrix6X J_m_, J_star_;
  MatrixX3 transposed_;  // with rows of zeros where there are fewer than three joints
  SingularValues decomposition_;
  const Eigen::Index count_;
};

}  // namespace

const std::vector<Suffix>& singular_value_suffixes() {
  static const std::vector<Suffix> suffixes{{"_linear_sigma_1", ""},  {"_linear_sigma_2", ""},
                                            {"_linear_sigma_3", ""},  {"_angular_sigma_1", ""},
                                            {"_angular_sigma_2", ""}, {"_angular_sigma_3", ""}};
  return suffixes;
}

std::unique_ptr<DerivedColumns> frame_twists(const Model& model,
                                             const std::vector<std::string>& stems) {
  return std::make_unique<FrameTwists>(model, stems);
}

std::unique_ptr<DerivedColumns> singular_values(const Model& model, BaseMode base_mode,
                                                const std::vector<std::string>& stems) {
  return std::make_unique<JacobianSingularValues>(model, base_mode, stems);
}

}  // namespace spacedyn
