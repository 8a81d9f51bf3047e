/// @file
/// Loads given as functions of time.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/element.hpp"

namespace spacedyn {

/// Axes in which a wrench is given.
enum class WrenchAxes { inertial, body };

/// A function of time given by rows, linear between them, zero outside.
///
/// Continuous from the right: it has the first row's value at the first time and is zero from the
/// last time on. Its jumps (at the ends) and kinks (at the rows) are discontinuities. One that
/// starts at an event is zero before it, and counts its times from there.
class SPACEDYN_EXPORT TimeTable : public Schedule {
 public:
  /// @param times   s, strictly increasing, at least two; the last may be infinite, then the value
  ///                of the row before it holds for ever
  /// @param values  one column per time
  /// @throws DimensionError, DomainError if a rule is broken or another number is not finite
  TimeTable(std::vector<double> times, MatrixX values);

  /// A value that holds from one time until another (until excluded), zero outside.
  /// @throws DomainError if until ≤ from or a number is not finite (until may be infinite)
  static TimeTable constant(const VectorX& value, double from = 0.0,
                            double until = std::numeric_limits<double>::infinity());

  int size() const { return static_cast<int>(values_.rows()); }
  const std::vector<double>& times() const { return times_; }

  /// The same rows, with times counted from the first time that an event happens.
  /// @param event  in ForcedSystem::awaited; negative: times are those of the run
  TimeTable starting_at(int event) const;
  /// Negative: none.
  int start_event() const { return start_.event(); }

  /// Value at an instant; allocates nothing.
  void evaluate(const Instant& now, VectorRef value) const;
  /// Its slope from an instant on; allocates nothing.
  void slope(const Instant& now, VectorRef value) const;
  void append_discontinuities(std::vector<double>& times) const override;
  void append_event_discontinuities(const EventTimes& events,
                                    std::vector<double>& times) const override;

 private:
  std::vector<double> times_;
  MatrixX values_;
  EventStart start_;
};

/// A force and a torque on a point of a body, on a schedule.
class SPACEDYN_EXPORT AppliedWrench final : public ForceElement {
 public:
  /// @param at        where it acts; force through its origin
  /// @param axes      inertial, or those of the frame @p at
  /// @param schedule  6 rows: force (N), torque (N m)
  /// @throws DimensionError if the schedule has another number of rows
  AppliedWrench(std::string name, Frame at, WrenchAxes axes, TimeTable schedule);

  void check(const Model& model) const override;
  void apply(const EvaluationContext& context, Loads& loads) const override;
  bool differentiate(const EvaluationContext& context, LoadDerivatives& derivatives) const override;
  std::vector<const Schedule*> schedules() const override { return {&schedule_}; }

 private:
  /// Force and moment at the frame of what the schedule gives, inertial axes.
  struct Wrench;
  Wrench wrench(const LinkFrames& frames, const Vector6& scheduled) const;

  Frame at_;
  WrenchAxes axes_;
  TimeTable schedule_;
};

/// A torque (or force, prismatic) on a joint, on a schedule.
class SPACEDYN_EXPORT AppliedJointTorque final : public ForceElement {
 public:
  /// @param joint     1…n
  /// @param schedule  1 row: N m or N
  /// @throws DimensionError if the schedule has another number of rows
  AppliedJointTorque(std::string name, int joint, TimeTable schedule);

  bool uses_links() const override { return false; }
  void check(const Model& model) const override;
  void declare(Declarations& declared) const override;
  void apply(const EvaluationContext& context, Loads& loads) const override;
  bool differentiate(const EvaluationContext& context, LoadDerivatives& derivatives) const override;
  std::vector<const Schedule*> schedules() const override { return {&schedule_}; }

 private:
  int joint_;
  TimeTable schedule_;
};

}  // namespace spacedyn
