/// @file
/// A motion together with its tangents, as one differential equation.
#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "integration/run/run.hpp"
#include "integration/sensitivities/chart_turns.hpp"
#include "integration/steppers/implicit_solver.hpp"
#include "spacedyn/integration/sensitivities.hpp"

namespace spacedyn {

/// What tangents know of a variation in the segment in work.
struct TangentColumn {
  std::string name;
  double step = 0.0;
  std::unique_ptr<Run> above, below;
  bool has_setups = false;
  /// Whether rates depend on the number, or on what both sides hold.
  bool acts = true;
  /// @name Derivatives of instants by the number: of the segment's beginning and its breakpoint
  /// @{
  double begin = 0.0, end = 0.0;
  double slope = 0.0;  ///< of those between, by time
  /// @}
  /// Between what begins for both sides where the segment begins, and for the flight, with the
  /// state fixed, s per unit.
  double offset = 0.0;
  /// The same of what happens next, and when it does, s.
  double next_offset = 0.0, next_instant = std::numeric_limits<double>::infinity();

  /// How far inside, s, both sides are in the same segment for sure.
  double reach(double of) const { return 2.0 * step * std::abs(of); }
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
  void add_number(TangentColumn& column, double time, Eigen::Ref<VectorX> rate);
  /// Half the difference of the rates of both sides, per unit, a time later along the motion.
  const VectorX& difference(TangentColumn& column, double time, double later);

  EquationsOfMotion& equations_;
  std::vector<TangentColumn>& columns_;
  MotionJacobian jacobian_;
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
