// How the instants of events move with numbers.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "integration/sensitivities/flight_tangents.hpp"

namespace spacedyn {
namespace {

/// Changes, of coordinates of size 1 and of time, over which the rate of a function is taken that
/// does not say it; of fourth order.
constexpr double kPartOfRate = 1e-3;
/// Events of one step happen together if their instants move alike, s per unit, relative.
constexpr double kSameShift = 1e-6;
/// Part of a segment by which instants may part that coincide at its end.
constexpr double kMostApart = 1e-2;
/// Each takes the square of what is left.
constexpr int kMostLandings = 4;

std::size_t count_events(const SimulationResult& result) {
  return static_cast<std::size_t>(
      std::count_if(result.events.begin(), result.events.end(),
                    [](const EventRecord& event) { return !event.is_warning; }));
}

/// What of a discrete state differs for other reasons than small changes of numbers.
const char* first_difference(const DiscreteState& one, const DiscreteState& other) {
  if (one.locked != other.locked || one.stops != other.stops) return "joints that are held differ";
  if (one.tank_is_empty != other.tank_is_empty) return "tanks that are empty differ";
  for (std::size_t i = 0; i < one.connections.size(); ++i) {
    if (one.connections[i].active != other.connections[i].active) {
      return "connections that hold differ";
    }
  }
  for (std::size_t i = 0; i < one.contact_points.size(); ++i) {
    const auto &a = one.contact_points[i], &b = other.contact_points[i];
    if (a.mode != b.mode || a.is_carried != b.is_carried) return "what contacts do differs";
  }
  for (std::size_t i = 0; i < one.controllers.size(); ++i) {
    if (one.controllers[i].on != other.controllers[i].on ||
        one.controllers[i].next_sample != other.controllers[i].next_sample) {
      return "controllers that command differ";
    }
  }
  return nullptr;
}

}  // namespace

void FlightTangents::check_agreement(const TangentColumn& column, double time) const {
  const std::size_t events = count_events(run_.account.result());
  for (const Run* own : {column.above.get(), column.below.get()}) {
    if (count_events(own->parts().account.result()) != events ||
        own->parts().account.result().stopped_by != run_.account.result().stopped_by) {
      refuse_course(column.name, time, "events differ on its sides");
    }
    const char* why =
        first_difference(own->parts().equations.discrete(), run_.equations.discrete());
    if (why != nullptr) refuse_course(column.name, time, why);
  }
}

double FlightTangents::rate_of(std::size_t event) {
  const Step& step = run_.step;
  EquationsOfMotion& equations = run_.equations;
  const std::vector<Event>& events = run_.setup.events;
  const bool knows_rate = event < events.size() && events[event].rate;
  if (knows_rate && equations.update_kinematics(step.x_new, step.t_new)) {
    return events[event].rate(equations.context());
  }
  // along the motion, by two central differences
  const double fastest =
      (step.rate_new.array().abs() / step.x_new.array().abs().max(1.0)).maxCoeff();
  const double h = kPartOfRate * run_.unit() / std::max(1.0, fastest);
  const auto value = [&](double later) {
    placed_ = step.x_new + later * step.rate_new;
    return run_.events.level_at(event, equations, placed_, step.t_new + later);
  };
  const double narrow = (value(0.5 * h) - value(-0.5 * h)) / h;
  const double wide = (value(h) - value(-h)) / (2.0 * h);
  return (4.0 * narrow - wide) / 3.0;
}

/// Where loads bend at an event of an element, rates of both sides must be those of one side of it.
void FlightTangents::look_ahead(bool ends_on_event) {
  const Step& step = run_.step;
  const std::vector<Event>& events = run_.setup.events;
  for (TangentColumn& column : columns_) {
    column.next_offset = column.apart;
    column.next_instant =
        column.apart != 0.0 ? run_.breakpoint.time : std::numeric_limits<double>::infinity();
  }
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].owner == nullptr || !run_.events.guard(i).moves(run_.equations)) continue;
    const double end = run_.events.level_at(i, run_.equations, step.x_new, step.t_new);
    const double begin = run_.events.level_at(i, run_.equations, step.x_old, step.t_old);
    const double rate = (end - begin) / step.size();
    const std::vector<std::size_t>& fired = run_.events.fired();
    const bool is_here = ends_on_event && std::binary_search(fired.begin(), fired.end(), i);
    const double ahead = is_here ? 0.0 : -end / rate;  // s, of the end of the step
    if (!(ahead >= 0.0)) continue;
    for (TangentColumn& column : columns_) {
      if (!column.acts || !column.has_setups) continue;
      double change = 0.0;
      on_sides(column, step.t_new, [&](RunParts& own, double sign) {
        const double at = step.t_new + sign * column.step * equation_.shift(column, step.t_new);
        own.equations.failure().clear();
        change += sign * own.events.level_at(i, own.equations, step.x_new, at);
      });
      const double offset = change / (2.0 * column.step) / rate;
      if (!(ahead < column.reach(offset))) continue;
      if (std::abs(offset) <= std::abs(column.next_offset)) continue;
      column.next_offset = offset;
      column.next_instant = step.t_new + ahead;
    }
  }
}

void FlightTangents::move_instant(bool at_breakpoint) {
  const Step& step = run_.step;
  moving_.clear();
  for (const std::size_t function : run_.events.fired()) {
    if (run_.events.guard(function).moves(run_.equations)) moving_.push_back(function);
  }
  const auto name = [&](std::size_t k) {
    return '\'' + run_.events.guard(moving_[k]).name(run_.equations) + '\'';
  };
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    TangentColumn& column = columns_[j];
    auto tangent = tangents_.col(static_cast<Eigen::Index>(j));
    const VectorX before = tangent;
    const double shift = moved_[j];
    for (std::size_t k = 0; k < moving_.size(); ++k) {
      const double rate = rate_of(moving_[k]);
      double total = 0.0;
      on_sides(column, step.t_new, [&](RunParts& own, double sign) {
        const double at = step.t_new + sign * column.step * shift;
        own.equations.failure().clear();
        place(column, sign, step.x_new, before, placed_);
        const double value = own.events.level_at(moving_[k], own.equations, placed_, at);
        total += sign * value / (2.0 * column.step);
      });
      const double moved = total == 0.0 ? 0.0 : -total / rate;
      if (!std::isfinite(moved)) {
        refuse_course(column.name, step.t_new, name(k) + " grazes its level");
      }
      const double instant = shift + moved;
      if (k > 0 && std::abs(instant - moved_[j]) > kSameShift * (1.0 + std::abs(instant))) {
        refuse_course(column.name, step.t_new,
                      name(0) + " and " + name(k) + " happen at one instant, which parts with it");
      }
      if (at_breakpoint && std::abs(moved) > kSameShift * (1.0 + std::abs(shift))) {
        refuse_course(column.name, step.t_new,
                      name(k) + " happens at an instant of another kind, which parts with it");
      }
      if (k > 0 || at_breakpoint) continue;
      moved_[j] = instant;
      tangent = before + moved * step.rate_new.head(before.size());
    }
  }
}

void FlightTangents::check_forces() const {
  const RigidDynamics* rigid = run_.equations.rigid();
  if (rigid == nullptr || !RigidContacts::needs_forces(run_.equations)) return;
  if (!rigid->is_redundant()) return;
  throw NotDifferentiableError(fmt::format(
      "rigid contacts at t = {:.6g} s hold at more points than determine their forces, which then "
      "have no derivatives that differences can tell",
      run_.step.t_old));
}

double FlightTangents::parted_instants(const TangentColumn& column) const {
  const double begin = run_.step.t_old, end = run_.breakpoint.time;
  double farthest = 0.0;
  for (const Run* own : {column.above.get(), column.below.get()}) {
    farthest = std::max(farthest, std::abs(own->parts().breakpoint.time - end));
  }
  EquationsOfMotion& equations = run_.equations;
  const bool samples = std::isfinite(equations.samplers().next(equations.discrete()));
  if (samples || end >= run_.duration || farthest > kMostApart * (end - begin)) {
    refuse_course(column.name, begin,
                  fmt::format("another instant comes next than that of t = {:.6g} s", end));
  }
  return farthest / column.step;
}

void FlightTangents::pass_instants(const TangentColumn& column, Run& side, double time) {
  RunParts& own = side.parts();
  const double next = 0.5 * (time + run_.breakpoint.time);
  double passed = own.step.t_old;
  own.equations(own.step.x_old, rate_, passed);
  // rates at one state: what they change within so short a time is of second order
  VectorX change = (passed - time) * rate_;
  for (bool is_last = false; !is_last; passed = own.step.t_old) {
    const std::string before = bytes_of(own.equations.discrete());
    side.instants().leave_step(side.instants().settle());
    if (own.happened || bytes_of(own.equations.discrete()) != before) {
      refuse_course(column.name, time, "instants part with it at which more than loads changes");
    }
    is_last = own.breakpoint.time > next;
    own.step.t_old = is_last ? own.step.t_old : own.breakpoint.time;
    change += ((is_last ? time : own.step.t_old) - passed) * own.step.rate_old;
  }
  own.step.x_old += change;
}

/// Puts both sides as far behind the event as the flight is.
void FlightTangents::land_sides(TangentColumn& column) {
  const Step& step = run_.step;
  const std::size_t event = moving_.front();
  const double rate = rate_of(event);
  const double wanted = run_.events.level_at(event, run_.equations, step.x_new, step.t_new);
  const double resolution = root_tolerance(step.t_new, run_.unit());
  on_sides(column, step.t_new, [&](RunParts& own, double) {
    own.equations.failure().clear();
    const auto move = [&](double later) {
      if (!std::isfinite(later)) own.account.fail_at(step.t_new);
      own.step.x_old += later * step.rate_new;
      own.step.t_old += later;
    };
    // what is left of their distance is of second order
    for (int i = 0; i < kMostLandings; ++i) {
      const double value =
          own.events.level_at(event, own.equations, own.step.x_old, own.step.t_old);
      const double late = (wanted - value) / rate;
      move(late);
      if (std::abs(late) < resolution) break;
    }
    // both as little later, so that roundings do not put one before the event
    move(resolution);
  });
}

}  // namespace spacedyn
