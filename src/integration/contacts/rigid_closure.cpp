// Keeping the points of rigid contacts that hold on each other from step to step.

#include <algorithm>
#include <cmath>
#include <limits>

#include "integration/contacts/rigid_contacts.hpp"
#include "integration/contacts/rigid_tolerances.hpp"
#include "integration/equations/displacement.hpp"
#include "integration/equations/free_groups.hpp"

namespace spacedyn {
namespace {

using PointMode = DiscreteState::ContactPointState::Mode;

/// Newton's method ends when gaps are this multiple of rounding, or nearly and shrink no more.
constexpr int kMostGapIterations = 12;
constexpr double kClosedGap = 4.0;
constexpr double kNearlyClosedGap = 5e5;

/// Rows of points that hold, with what closes them.
class HoldingRows {
 public:
  /// @param tangents  whether tangents of points that stick are rows, too
  /// @param touching  whether points that touch without a force are
  HoldingRows(EquationsOfMotion& equations, const RigidPoints& points, bool tangents,
              bool touching) {
    const EvaluationContext context = equations.context();
    const auto& states = equations.discrete().contact_points;
    std::vector<VectorX> columns;
    VectorX column(equations.model().velocity_size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (!states[i].holds() && !(touching && states[i].mode == PointMode::touching)) continue;
      const RigidPointMotion motion = points.motion(context, i);
      const bool straight = tangents && RigidDynamics::goes_straight(states[i]);
      const int count = tangents && states[i].mode == PointMode::sticking ? 3 : straight ? 2 : 1;
      for (int k = 0; k < count; ++k) {
        const bool is_across = straight && k == 1;
        const Vector3 axis =
            is_across ? RigidDynamics::across(motion, states[i]) : Vector3(motion.axes.col(k));
        points.column(context, i, motion.at.point, axis, column);
        columns.push_back(column);
        rates.conservativeResize(rates.size() + 1);
        rates(rates.size() - 1) = is_across ? axis.dot(motion.sliding()) : motion.velocity(k);
        gaps.conservativeResize(gaps.size() + 1);
        gaps(gaps.size() - 1) = motion.gap();
        rounding = std::max(rounding, gap_rounding(points, motion.at.point));
        owner.push_back(points.points()[i].contact_index);
      }
    }
    K_T_.resize(column.size(), static_cast<Eigen::Index>(columns.size()));
    responses_.resize(K_T_.rows(), K_T_.cols());
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const auto row = static_cast<Eigen::Index>(k);
      K_T_.col(row) = columns[k];
      equations.respond(K_T_.col(row), responses_.col(row));
    }
  }

  /// H⁻¹ Kᵀ λ that changes the rates by so much.
  VectorX answer(const VectorX& change) const {
    const MatrixX G = K_T_.transpose() * responses_;
    return responses_ * (inverse_of_delassus(G, G.diagonal()) * change);
  }

  VectorX gaps, rates;
  double rounding = 0.0;  // of gaps
  std::vector<std::size_t> owner;

 private:
  MatrixX K_T_, responses_;
};

}  // namespace

bool RigidContacts::close(EquationsOfMotion& equations, VectorX& x, double time, bool touching) {
  const auto& states = equations.discrete().contact_points;
  const bool any_touches = touching && std::any_of(states.begin(), states.end(), [](auto& state) {
                             return state.mode == PointMode::touching;
                           });
  if (is_idle() || (!any_touches && !RigidDynamics::any_holds(equations.discrete()))) return true;
  if (!equations.update_kinematics(x, time)) return false;
  FreeGroups robots(equations.model(), equations.active_loops(), true);
  robots.note(equations);
  return close_positions(equations, x, time, touching) &&
         robots.restore_momentum(equations, x, time) &&
         close_velocities(equations, x, time, touching);
}

bool RigidContacts::close_positions(EquationsOfMotion& equations, VectorX& x, double time,
                                    bool touching) {
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kMostGapIterations; ++i) {
    if (!equations.update_loops()) return false;
    const HoldingRows rows(equations, *points_, false, touching);
    Eigen::Index row = 0;
    const double largest = rows.gaps.cwiseAbs().maxCoeff(&row);
    if (largest <= kClosedGap * rows.rounding) return true;
    if (!(largest < 0.5 * before)) {
      if (largest <= kNearlyClosedGap * rows.rounding) return true;
      return equations.fail(
          Failure::Cause::contact_not_kept,
          *points_->contacts()[rows.owner[static_cast<std::size_t>(row)]].element);
    }
    before = largest;
    VectorX change = rows.answer(-rows.gaps);
    add_displacement(equations, change, x);
    if (!equations.update_kinematics(x, time)) return false;
  }
  return true;
}

bool RigidContacts::close_velocities(EquationsOfMotion& equations, VectorX& x, double time,
                                     bool touching) {
  if (!equations.update_loops()) return false;
  const HoldingRows rows(equations, *points_, true, touching);
  if (rows.rates.isZero(0.0)) return true;
  const VectorX change = rows.answer(-rows.rates);
  x.segment(equations.layout().v_0(), change.size()) += change;
  if (!equations.update_kinematics(x, time)) return false;
  const EvaluationContext context = equations.context();
  for (std::size_t i = 0; i < point_count_; ++i) {
    const auto& state = equations.discrete().contact_points[i];
    if (!state.holds()) continue;
    const RigidPointMotion motion = points_->motion(context, i);
    const double left =
        state.mode == PointMode::sticking ? motion.velocity.norm() : std::abs(motion.velocity(0));
    accounts_[points_->points()[i].contact_index].leave(left);
  }
  return true;
}

}  // namespace spacedyn
