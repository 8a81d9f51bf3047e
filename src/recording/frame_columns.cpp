#include <algorithm>

#include "recording/derived_columns.hpp"
#include "spacedyn/dynamics/momentum_maps.hpp"
#include "spacedyn/inertia/generalized_jacobian.hpp"
#include "spacedyn/kinematics/points.hpp"
#include "spacedyn/math/singular_values.hpp"

namespace spacedyn {
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
