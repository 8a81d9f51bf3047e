#include "integration/sensitivities/flight_tangents.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "spacedyn/math/so3.hpp"

namespace spacedyn {
namespace {

/// Changes beyond which both sides of a number are no small ones, of coordinates of size 1.
constexpr double kLargestChange = 1e-2;
/// Of a tangent, times the size of its number, an error may be so many times that of a state. Steps
/// are cut once for it, and again where it is still so many times too large.
constexpr double kErrorFactor = 100.0, kTooLarge = 1e3;
constexpr int kMostCuts = 6;
/// Of a number, in steps to its sides.
constexpr double kSizeOfNumber = 1e5;
/// How unequal both sides of an instant may be, of what it moves by.
constexpr double kUneven = 1e-3;

std::string bytes_of(EventTimes events) {
  Archive archive;
  for (std::vector<double>& instants : events.instants) archive(instants);
  for (auto& pulses : events.pulses) {
    for (ThrusterPulse& pulse : pulses) archive(pulse.from, pulse.until);
  }
  return archive.bytes();
}

}  // namespace

std::string bytes_of(const DiscreteState& state) {
  DiscreteState discrete = state;
  Archive archive;
  archive(discrete);
  return archive.bytes() + bytes_of(state.events);
}

FlightTangents::FlightTangents(RunParts& leader, std::vector<TangentColumn> columns,
                               SensitivityObserver* observer)
    : run_(leader),
      columns_(std::move(columns)),
      observer_(observer),
      equation_(leader.equations, columns_),
      norm_(leader.equations.layout(), leader.setup.integrator),
      stepper_(make_stepper(leader.setup, norm_, leader.equations)),
      step_(static_cast<int>(equation_.size())),
      tangents_(MatrixX::Zero(leader.equations.layout().integrals(),
                              static_cast<Eigen::Index>(columns_.size()))),
      moved_(columns_.size(), 0.0),
      rate_(VectorX::Zero(leader.equations.layout().size())),
      y_(VectorX::Zero(equation_.size())) {
  for (TangentColumn& column : columns_) {
    column.scope = scope_of(leader.equations, column.above->parts().equations,
                            column.below->parts().equations);
  }
}

void FlightTangents::place(const TangentColumn& column, double sign, const VectorX& x,
                           const VectorX& tangent, VectorX& placed) const {
  placed = x;
  placed.head(tangent.size()) += sign * column.step * tangent;
}

VectorX FlightTangents::begin_sides(TangentColumn& column, const RunParts& run,
                                    const RunInstants& instants) {
  on_sides(column, 0.0, [&](RunParts& own, double sign) {
    RunInstants& followers = side(column, sign).instants();
    followers.prepare_start();
    followers.leave_start();
    followers.follow(instants);
    own.rigid.measure_by(run.equations.rigid());
    own.equations.charts().adopt(run.equations.charts(), own.step.x_old);
  });
  return (column.above->parts().step.x_old - column.below->parts().step.x_old)
             .head(run.equations.layout().integrals()) /
         (2.0 * column.step);
}

void FlightTangents::begin(const RunInstants& leader) {
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    tangents_.col(static_cast<Eigen::Index>(j)) = begin_sides(columns_[j], run_, leader);
    check_agreement(columns_[j], 0.0);
  }
  begin_segments();
  in_charts_ = tangents_;
  equation_.turns().take_from(run_.step.x_old, true, in_charts_);
  hand_out(0.0, run_.step.x_old);
}

void FlightTangents::begin_segments() {
  check_forces();
  const double begin = run_.step.t_old, end = run_.breakpoint.time;
  equation_.begin_segment(begin, run_.happened);
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    TangentColumn& column = columns_[j];
    const double above = column.above->parts().breakpoint.time - end;
    const double below = end - column.below->parts().breakpoint.time;
    const bool is_even =
        std::abs(above - below) <= kUneven * std::abs(above + below) + 1e-13 * (1.0 + end);
    column.apart = is_even ? 0.0 : parted_instants(column);
    column.begin = moved_[j];
    column.end = is_even ? (above + below) / (2.0 * column.step) : 0.0;
    column.slope = end > begin ? (column.end - column.begin) / (end - begin) : 0.0;
    const DiscreteState& one = column.above->parts().equations.discrete();
    const DiscreteState& other = column.below->parts().equations.discrete();
    column.shares_events = bytes_of(one.events) == bytes_of(other.events);
    column.shares_memory = bytes_of(one) == bytes_of(other);
    column.acts =
        column.has_setups || column.begin != 0.0 || column.slope != 0.0 || !column.shares_memory;
  }
  has_rate_ = false;
}

void FlightTangents::attempt(bool ends_on_event) {
  const Step& step = run_.step;
  const Eigen::Index states = step.x_old.size();
  step_.t_old = step.t_old;
  step_.t_new = step.t_new;
  if (!has_rate_) {
    step_.x_old.head(states) = step.x_old;
    equation_.tangents(step_.x_old) = in_charts_;
  }
  for (TangentColumn& column : columns_) {
    if (!column.acts && run_.equations.rigid() == nullptr) continue;
    for (const double sign : kSides) {
      RunParts& own = side(column, sign).parts();
      own.equations.begin_step(own.step.x_old, own.step.t_old);
    }
  }
  equation_.begin_step(step, ends_on_event);
  look_ahead(ends_on_event);
  if (!has_rate_) equation_(step_.x_old, step_.rate_old, step.t_old);
  has_rate_ = true;
  step_.x_old.head(states) = step.x_old;
  step_.rate_old.head(states) = step.rate_old;
  run_.equations.failure().clear();
  const Uncounted pause(run_.equations.watch());
  stepper_->attempt(equation_, step_);
  is_made_ = true;
}

double FlightTangents::longest_end(bool ends_on_event) {
  const Step& step = run_.step;
  attempt(ends_on_event);
  const int order = stepper_->error_order();
  if (order == 0) return step.t_new;
  // a tangent times the size of its number is judged as a state
  const auto errors = equation_.tangents(step_.error);
  const auto ends = equation_.tangents(step_.x_new);
  VectorX error = VectorX::Zero(step.x_new.size()), end = error;
  double worst = 0.0;
  const std::string* name = nullptr;
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    const auto own = static_cast<Eigen::Index>(j);
    const double size = kSizeOfNumber * columns_[j].step;
    error.head(tangents_.rows()) = size * errors.col(own);
    end.head(tangents_.rows()) = size * ends.col(own);
    const double found = norm_(error, end, end).value / kErrorFactor;
    if (found <= worst) continue;  // what is not a number goes on
    worst = found;
    name = &columns_[j].name;
  }
  if (worst <= 1.0 || (worst <= kTooLarge && cuts_ > 0)) return step.t_new;
  if (++cuts_ > kMostCuts) {
    refuse_course(*name, step.t_old, "steps of the method are too long for it; limit 'max_step'");
  }
  is_made_ = false;
  const double part = std::isfinite(worst) ? 0.9 * std::pow(worst, -1.0 / order) : 0.1;
  return step.t_old + std::clamp(part, 0.2, 0.9) * step.size();
}

void FlightTangents::take_step() {
  const Step& step = run_.step;
  if (!is_made_) attempt(run_.happened);
  is_made_ = false;
  cuts_ = 0;
  if (run_.equations.has_failed() ||
      step_.x_new.head(tangents_.rows()) != step.x_new.head(tangents_.rows())) {
    throw NotDifferentiableError(fmt::format(
        "the step from t = {:.6g} s cannot be made again with its derivatives", step.t_old));
  }
  tangents_ = equation_.tangents(step_.x_new);
  equation_.turns().add_to(step.x_new, tangents_);
  if (!tangents_.allFinite()) {
    throw NotDifferentiableError(
        fmt::format("derivatives are not finite after t = {:.6g} s", step.t_old));
  }
  const Uncounted pause(run_.equations.watch());
  run_.equations(step.x_new, rate_, step.t_new);
}

void FlightTangents::correct_end() {
  const VectorX& x = run_.step.x_new;
  const double time = run_.step.t_new;
  const Eigen::Index motion = tangents_.rows();
  const VectorX computed = step_.x_new.head(x.size());
  if (!run_.corrections.centroid_path().moves_steps()) return;
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    TangentColumn& column = columns_[j];
    auto tangent = tangents_.col(static_cast<Eigen::Index>(j));
    const VectorX before = tangent;
    on_sides(column, time, [&](RunParts& own, double sign) {
      place(column, sign, computed, before, placed_);
      const double at = time + sign * column.step * equation_.shift(column, time);
      if (!own.equations.update_kinematics(placed_, at)) own.account.fail_at(at);
      const VectorX uncorrected = placed_;
      own.corrections.centroid_path().apply(own.equations, own.equations.audit_point(), placed_,
                                            at);
      tangent += sign * (placed_ - uncorrected).head(motion) / (2.0 * column.step);
    });
    // the rate of the next step's beginning, where time may be stretched as well
    const int v_0 = run_.equations.layout().v_0();
    equation_.tangents(step_.rate_new)
        .col(static_cast<Eigen::Index>(j))
        .segment<3>(StateLayout::r_0) += (tangent - before).segment<3>(v_0);
  }
}

void FlightTangents::show(double time) {
  const Uncounted pause(run_.equations.watch());
  stepper_->interpolate(equation_, step_, time, y_);
  const VectorX x = y_.head(run_.step.x_old.size());
  tangents_.swap(at_end_);
  tangents_ = equation_.tangents(y_);
  equation_.turns().add_to(x, tangents_);
  run_.equations(x, rate_, time);
  for (std::size_t j = 0; j < columns_.size(); ++j) moved_[j] = equation_.shift(columns_[j], time);
  show_state(time, x, rate_, true);
  tangents_.swap(at_end_);
}

void FlightTangents::show_state(double time, const VectorX& x, const VectorX& rate,
                                bool is_inside) {
  stretched_ = tangents_;
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    TangentColumn& column = columns_[j];
    auto tangent = tangents_.col(static_cast<Eigen::Index>(j));
    if (moved_[j] != 0.0) tangent -= moved_[j] * rate.head(tangent.size());
    on_sides(column, time, [&](RunParts& own, double sign) {
      place(column, sign, x, tangent, own.inside);
      own.equations.failure().clear();
      if (is_inside) return own.show_inside(time);
      if (!own.equations.evaluate_inside(own.inside, time)) own.account.fail_at(time);
      own.account.emit(time, own.inside);
    });
  }
  hand_out(time, x);
  tangents_.swap(stretched_);
}

void FlightTangents::hand_out(double time, const VectorX& x) {
  if (observer_ == nullptr) return;
  EquationsOfMotion& equations = run_.equations;
  by_ = tangents_;
  equation_.turns().to_displacements(x, by_);
  // what follows references has no tangent of its own
  const StateLayout& layout = equations.layout();
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    const TangentColumn& column = columns_[j];
    const State& above = column.above->parts().equations.state();
    const State& below = column.below->parts().equations.state();
    auto by = by_.col(static_cast<Eigen::Index>(j));
    const double part = 0.5 / column.step;
    if (!equations.mobility().base_free()) {
      by.segment<3>(StateLayout::r_0) = part * (above.r_0 - below.r_0);
      by.segment<3>(StateLayout::theta) = part * log_so3(above.A_0 * below.A_0.transpose());
      by.segment<3>(layout.v_0()) = part * (above.v_0 - below.v_0);
      by.segment<3>(layout.omega_0()) = part * (above.omega_0 - below.omega_0);
    }
    for (const PrescribedJoint& prescribed : run_.setup.prescribed_joints) {
      const int i = prescribed.joint - 1;
      by(layout.qd() + i) = part * (above.qd(i) - below.qd(i));
      if (equations.model().joint(prescribed.joint).spherical > 1) continue;
      if (equations.model().joint(prescribed.joint).spherical == 0) {
        by(StateLayout::q + i) = part * (above.q(i) - below.q(i));
        continue;
      }
      // a turn in the axes of the carried link
      by.segment<3>(StateLayout::q + i) =
          part * log_so3(exp_so3(Vector3(below.q.segment<3>(i))).transpose() *
                         exp_so3(Vector3(above.q.segment<3>(i))));
    }
  }
  if (!equations.update_kinematics(x, time)) return;
  observer_->on_sensitivities(time, equations.state(), by_);
}

void FlightTangents::reach_end() {
  const Step& step = run_.step;
  const bool at_breakpoint = step.t_new == run_.breakpoint.time;
  at_instant_ = at_breakpoint || run_.happened;
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    TangentColumn& column = columns_[j];
    moved_[j] = at_breakpoint ? column.end : equation_.shift(column, step.t_new);
    if (at_instant_) column.offset = run_.happened ? column.next_offset : column.apart;
  }
  const VectorX& x = step.x_new;
  if (run_.happened) move_instant(at_breakpoint);
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    TangentColumn& column = columns_[j];
    const VectorX tangent = tangents_.col(static_cast<Eigen::Index>(j));
    const double largest =
        (column.step * tangent.array().abs() / x.head(tangent.size()).array().abs().max(1.0))
            .maxCoeff();
    if (largest > kLargestChange) {
      refuse_course(column.name, step.t_new,
                    "the motion is so sensitive to it that no small change stays small");
    }
    for (const double sign : kSides) {
      RunParts& own = side(column, sign).parts();
      place(column, sign, x, tangent, own.step.x_old);
      own.step.t_old =
          at_breakpoint ? own.breakpoint.time : step.t_new + sign * column.step * moved_[j];
      own.happened = run_.happened;
    }
    if (run_.happened && !at_breakpoint && !moving_.empty()) land_sides(column);
  }
}

void FlightTangents::leave_end(bool is_shown) {
  const double time = run_.step.t_old;
  const Eigen::Index motion = tangents_.rows();
  const bool follows = at_instant_ || run_.equations.held().loops() != nullptr ||
                       run_.equations.held().motions() != nullptr ||
                       RigidContacts::needs_forces(run_.equations) ||
                       run_.setup.integrator.project_momentum;
  bool has_moved = false;  // charts
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    TangentColumn& column = columns_[j];
    auto tangent = tangents_.col(static_cast<Eigen::Index>(j));
    on_sides(column, time, [&](RunParts& own, double sign) {
      placed_ = own.step.x_old;
      has_moved |= !(own.equations.charts() == run_.equations.charts());
      if (follows) {
        own.equations.failure().clear();
        if (column.apart != 0.0 && !run_.happened) {
          pass_instants(column, side(column, sign), time);
        } else {
          RunInstants& instants = side(column, sign).instants();
          instants.leave_step(instants.settle());
        }
      } else {
        own.equations.charts().adopt(run_.equations.charts(), own.step.x_old);
      }
      tangent += sign * (own.step.x_old - placed_).head(motion) / (2.0 * column.step);
    });
    if (at_instant_) check_agreement(column, time);
  }
  has_rate_ = !follows && !has_moved;
  in_charts_ = tangents_;
  equation_.turns().take_from(run_.step.x_old, has_moved, in_charts_);
  if (at_instant_) begin_segments();
  if (has_rate_) {
    step_.advance();
    equation_.tangents(step_.x_old) = in_charts_;
  }
  if (!is_shown) return;
  show_state(time, run_.step.x_old, run_.step.rate_old, false);
}

void FlightTangents::finish(SensitivityResult& result) {
  for (TangentColumn& column : columns_) {
    on_sides(column, run_.step.t_old, [&](RunParts& own, double sign) {
      own.outputs = run_.outputs;
      (sign > 0.0 ? result.above : result.below).push_back(side(column, sign).finish());
    });
  }
  result.evaluations = equation_.evaluations();
}

}  // namespace spacedyn
