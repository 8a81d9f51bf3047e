/// @file
/// A motion together with its tangents, as one differential equation.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "integration/equations/layout.hpp"
#include "integration/sensitivities/load_differences.hpp"
#include "integration/steppers/implicit_solver.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// A change of an attitude in its chart, Exp(θ) A_ref, is one of θ, or a turn ρ of the reference,
/// Exp(θ) Exp(ρ) A_ref = Exp(θ + dexp⁻¹(−θ) ρ) A_ref to first order. Flights that begin apart, or
/// whose charts have moved on, differ in references. Inverse attitudes of spherical joints are kept
/// at −θ.
class ChartTurns {
 public:
  /// @param columns  of changes; no references are turned
  ChartTurns(const Model& model, Eigen::Index columns) : rows_(1, {StateLayout::theta, 1.0}) {
    for (const int first : model.spherical_joints()) {
      rows_.push_back({StateLayout::q + first - 1, -1.0});
    }
    turns_ = MatrixX::Zero(3 * static_cast<Eigen::Index>(rows_.size()), columns);
  }

  /// Adds what the turns are as changes of x.
  void add_to(const VectorX& x, Eigen::Ref<MatrixX> changes) const {
    for_each([&](int row, double sign, Eigen::Index own) {
      changes.middleRows<3>(row) +=
          sign * dexp_inverse_so3(-sign * x.segment<3>(row)) * turns_.middleRows<3>(own);
    });
  }
  /// Takes the turns out of whole changes of x.
  /// @param has_moved  whether charts have: those at their references are turned by all of it then
  void take_from(const VectorX& x, bool has_moved, Eigen::Ref<MatrixX> changes) {
    for_each([&](int row, double sign, Eigen::Index own) {
      if (has_moved && x.segment<3>(row).isZero(0.0)) {
        turns_.middleRows<3>(own) = sign * changes.middleRows<3>(row);
        changes.middleRows<3>(row).setZero();
        return;
      }
      changes.middleRows<3>(row) -=
          sign * dexp_inverse_so3(-sign * x.segment<3>(row)) * turns_.middleRows<3>(own);
    });
  }
  /// The transpose of add_to(): adds what covectors of whole changes are for the turns.
  void add_transposed(const VectorX& x, const MatrixX& covectors) {
    for_each([&](int row, double sign, Eigen::Index own) {
      turns_.middleRows<3>(own) += sign * dexp_inverse_so3(-sign * x.segment<3>(row)).transpose() *
                                   covectors.middleRows<3>(row);
    });
  }
  /// The transpose of take_from() where references have moved, and of that before.
  /// @param now, before  the same attitudes in the charts after and before
  void give_back(const VectorX& now, const VectorX& before, MatrixX& covectors) {
    for_each([&](int row, double sign, Eigen::Index own) {
      if (!now.segment<3>(row).isZero(0.0)) return;
      covectors.middleRows<3>(row) = sign * turns_.middleRows<3>(own);
      const Vector3 theta = sign * before.segment<3>(row);
      covectors.middleRows<3>(row) =
          (dexp_so3(theta).transpose() * covectors.middleRows<3>(row)).eval();
      turns_.middleRows<3>(own) =
          sign * dexp_inverse_so3(-theta).transpose() * covectors.middleRows<3>(row);
    });
  }
  /// Rotation vectors of the attitudes themselves, on the left, of spherical joints on the right.
  void to_displacements(const VectorX& x, Eigen::Ref<MatrixX> changes) const {
    for_each([&](int row, double sign, Eigen::Index) {
      changes.middleRows<3>(row) =
          (dexp_so3(sign * x.segment<3>(row)) * changes.middleRows<3>(row)).eval();
    });
  }
  /// Its transpose.
  void from_displacements(const VectorX& x, Eigen::Ref<MatrixX> covectors) const {
    for_each([&](int row, double sign, Eigen::Index) {
      covectors.middleRows<3>(row) =
          (dexp_so3(sign * x.segment<3>(row)).transpose() * covectors.middleRows<3>(row)).eval();
    });
  }
  /// Calls with the first row of each, its side and its first turn.
  template <typename Call>
  void for_each(const Call& call) const {
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      call(rows_[k].first, rows_[k].second, 3 * static_cast<Eigen::Index>(k));
    }
  }

 private:
  std::vector<std::pair<int, double>> rows_;
  MatrixX turns_;
};

/// ẋ and ṡ of all tangents s, in a time that is stretched so that instants stay where they are.
///
/// The vector is [x; s_1; …; s_m], where each s has the rows of x that determine the motion; how
/// references of attitudes turn is constant and beside it.
class TangentEquation final : public DifferentialEquation {
 public:
  TangentEquation(EquationsOfMotion& equations, std::vector<TangentColumn>& columns);

  void operator()(const VectorX& y, VectorX& rate, double time) override;
  bool has_failed() const override { return equations_.has_failed(); }

  Eigen::Index size() const { return states_ + motion_ * count(); }
  /// The tangents in such a vector, a column each.
  Eigen::Map<MatrixX> tangents(VectorX& y) const { return {y.data() + states_, motion_, count()}; }
  /// Near the ends of segments what depends on numbers is seen from inside.
  void begin_segment(double time, bool begins_on_event) {
    segment_begin_ = time;
    begins_on_event_ = begins_on_event;
  }
  void begin_step(const Step& step, bool ends_on_event) {
    step_begin_ = step.t_old;
    step_end_ = step.t_new;
    ends_on_event_ = ends_on_event;
  }
  /// Derivative of an instant of the segment.
  double shift(const TangentColumn& column, double time) const {
    return column.begin + column.slope * (time - segment_begin_);
  }
  long evaluations() const { return evaluations_; }
  /// What of the tangents is not in the vector.
  ChartTurns& turns() { return turns_; }

 private:
  Eigen::Index count() const { return static_cast<Eigen::Index>(columns_.size()); }
  /// Rates along the motion a time later.
  void fill_later(double time, double later, const Eigen::Ref<const MatrixX>& in_charts,
                  Eigen::Ref<MatrixX> rates);
  void fill_by_differences(double time, const Eigen::Ref<const MatrixX>& in_charts,
                           Eigen::Ref<MatrixX> rates);
  /// Adds what rates depend on numbers themselves.
  /// @param is_at_motion  whether the Jacobian is that of the motion at the time
  void add_numbers(double time, bool is_at_motion, Eigen::Ref<MatrixX> rates);
  /// Half the difference of the rates of both sides, per unit, a time later along the motion.
  const VectorX& difference(TangentColumn& column, double time, double later);

  EquationsOfMotion& equations_;
  std::vector<TangentColumn>& columns_;
  MotionJacobian jacobian_;
  LoadDifferences loads_;
  ChartTurns turns_;
  MatrixX whole_;  // tangents with the turns of references
  MatrixX later_;
  Eigen::Index states_, motion_;
  double segment_begin_ = 0.0, step_begin_ = 0.0, step_end_ = 0.0;
  bool begins_on_event_ = false, ends_on_event_ = false;
  long evaluations_ = 0;
  VectorX x_, here_, f_, moved_, above_, below_, sum_;
};

/// @throws NotDifferentiableError: both sides of a variation are no small changes of the flight
[[noreturn]] void refuse_course(const std::string& name, double time, const std::string& why);

}  // namespace spacedyn
