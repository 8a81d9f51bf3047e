#include "integration/contacts/rigid_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "integration/contacts/impact.hpp"
#include "integration/contacts/tolerances.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

using PointState = DiscreteState::ContactPointState;
using PointMode = PointState::Mode;

/// Impacts that one sets off one after another, as along a row of balls; then all that touch
/// collide together.
constexpr int kMostStages = 256;

/// So many decisions, and so many more for each point, are contacts that find no end: within a part
/// of the time in which the system moves by its length.
constexpr long kMostDecisions = 4096;
constexpr long kMostDecisionsPerPoint = 64;
constexpr double kShortTime = 1e-3;

}  // namespace

RigidContacts::RigidContacts(const SimulationSetup& setup, EquationsOfMotion& equations)
    : setup_(setup),
      points_(equations.rigid() != nullptr ? &equations.rigid()->points() : nullptr) {
  if (points_ == nullptr) return;
  point_count_ = points_->size();
  for (const RigidPoints::Contact& contact : points_->contacts()) {
    accounts_.emplace_back();
    accounts_.back().told.name = contact.element->name();
    accounts_.back().told.is_rigid = true;
  }
}

void RigidContacts::measure_speed(const ContactInstant& now, const Indices& near) const {
  EquationsOfMotion& equations = now.equations;
  if (measured_by_ != nullptr) return equations.rigid()->set_speed(measured_by_->speed());
  const Model& model = equations.model();
  const Loads& loads = equations.loads();
  const double length = points_->length();
  double force = loads.force.lpNorm<1>() + loads.F_b.head<3>().lpNorm<1>();
  double moment = loads.moment.lpNorm<1>() + loads.F_b.tail<3>().lpNorm<1>();
  for (int joint = 1; joint <= model.joint_count(); ++joint) {
    const bool turns = model.joint(joint).type != JointType::prismatic;
    (turns ? moment : force) += std::abs(loads.tau(joint - 1));
  }
  // of mean energy, in flight about the centroid, and of a fall over the length
  const bool in_flight = equations.held().is_unsupported() &&
                         std::none_of(near.begin(), near.end(), [&](std::size_t i) {
                           return points_->points()[i].pair->on_ground;
                         });
  const double mass = model.total_mass();
  double square = length * loads.gravity.norm();
  if (mass > 0.0) {
    const double whole = in_flight ? equations.momentum().linear.squaredNorm() / mass : 0.0;
    const double inside = std::max(0.0, 2.0 * equations.audit_point().energy.kinetic - whole);
    square += (inside + length * force + moment) / mass;
  }
  const EvaluationContext context = equations.context();
  for (const std::size_t i : near) {
    square = std::max(square, points_->motion(context, i).velocity.squaredNorm());
  }
  equations.rigid()->set_speed(std::sqrt(square));
}

bool RigidContacts::holds(const EquationsOfMotion& equations, std::size_t contact) const {
  const RigidPoints::Contact& own = points_->contacts()[contact];
  for (std::size_t i = own.first; i < own.end; ++i) {
    if (equations.discrete().contact_points[i].holds()) return true;
  }
  return false;
}

bool RigidContacts::resolve(const ContactInstant& now, bool must_decide) {
  if (is_idle() || !now.equations.update_kinematics(now.x, now.time)) return false;
  rest_time_ = now.time;
  const Indices near = near_points(now);
  if (near.empty()) {
    tell(now, now.time);
    return false;
  }
  measure_speed(now, near);
  const Aftermath aftermath = collide(now, near);
  bool changes = !aftermath.struck.empty();
  if (!aftermath.low.empty()) lay_down(now, aftermath.low);
  now.evaluate();
  if (changes || must_decide || needs_decision(now, near)) {
    choose_modes(now, near);
    watch_progress(now);
    changes = true;
  }
  tell(now, rest_time_);
  watch(now.equations);
  return changes;
}

void RigidContacts::choose_modes(const ContactInstant& now, const Indices& near) {
  std::vector<PointState>& states = now.equations.discrete().contact_points;
  const Indices begun = decide(now, near);
  // what begins to slide does so from rest
  for (const std::size_t i : begun) states[i].mode = PointMode::sticking;
  settle(now, near.front());
  for (const std::size_t i : begun) states[i].mode = PointMode::sliding;
  straighten(now, begun);
  now.evaluate();
  release_turning(now);
  leave_out_carried(now);
  yield(now);
}

void RigidContacts::watch_progress(const ContactInstant& now) {
  const double passed = now.time - watched_since_;
  if (passed * now.equations.rigid()->speed() > kShortTime * points_->length()) {
    watched_since_ = now.time;
    decisions_ = 0;
  }
  const auto points = static_cast<long>(point_count_);
  if (++decisions_ <= kMostDecisions + kMostDecisionsPerPoint * points) return;
  throw NumericalError(
      fmt::format("integration stopped at t = {:.9g} s: rigid contacts change {} times within "
                  "{:.3g} s and find no end; time_stepping (integrator.method) or a compliant law "
                  "is needed",
                  now.time, decisions_, passed),
      now.time, 0, "rigid contacts");
}

RigidContacts::Indices RigidContacts::near_points(const ContactInstant& now) const {
  Indices near;
  const EvaluationContext context = now.equations.context();
  for (std::size_t i = 0; i < point_count_; ++i) {
    const bool is_closed = now.equations.discrete().contact_points[i].mode != PointMode::apart;
    const ContactPoint at = points_->locate(context.frames, i);
    if (is_closed || at.depth >= -touching_gap(*points_, at.point)) near.push_back(i);
  }
  return near;
}

RigidContacts::Aftermath RigidContacts::collide(const ContactInstant& now, const Indices& near) {
  const VectorX before = now.x;
  const std::vector<ContactAccount> accounts = accounts_;
  Aftermath aftermath;
  aftermath.struck = collide_in_stages(now, near, {});
  if (aftermath.struck.empty()) return aftermath;
  land(now, near, aftermath);
  if (!aftermath.rest.empty()) {
    now.x = before;
    accounts_ = accounts;
    collide_in_stages(now, near, aftermath.rest);
    rest_time_ = now.time + aftermath.remaining;
  }
  note_touches(now, aftermath.struck);
  now.equations.update_kinematics(now.x, now.time);
  return aftermath;
}

void RigidContacts::lay_down(const ContactInstant& now, const Indices& low) {
  const double slow = stick_speed(*now.equations.rigid(), false);
  for (const std::size_t i : low) {
    PointState& state = now.equations.discrete().contact_points[i];
    // an impact elsewhere sets it sliding: the hop that is not followed does not end that
    const RigidPointMotion motion = points_->motion(now.equations.context(), i);
    const bool slips = state.mode == PointMode::sticking && motion.sliding().norm() > slow;
    if (slips || state.mode == PointMode::apart) state.mode = PointMode::touching;
  }
  settle(now, low.front());
}

void RigidContacts::settle(const ContactInstant& now, std::size_t point) {
  EquationsOfMotion& equations = now.equations;
  if (!equations.update_kinematics(now.x, now.time)) fail(now);
  const AuditPoint before = equations.audit_point();
  if (!close(equations, now.x, now.time, true)) fail(now);
  const AuditPoint after = equations.audit_point();
  AuditIntegrals integrals;
  integrals.impulse = after.momentum.linear - before.momentum.linear;
  integrals.angular_impulse = after.momentum.angular_centroid - before.momentum.angular_centroid;
  equations.balance().add(integrals, now.x);
  const double lost = before.energy.total() - after.energy.total();
  const std::size_t contact = points_->points()[point].contact_index;
  equations.balance().add_contact_loss(contact, {0.0, 0.0, lost}, now.x);
  accounts_[contact].told.energy_lost += lost;
}

RigidContacts::Indices RigidContacts::collide_in_stages(const ContactInstant& now,
                                                        const Indices& near,
                                                        const Indices& plastic) {
  Indices struck;
  for (int stage = 0; stage <= kMostStages; ++stage) {
    if (!now.equations.update_kinematics(now.x, now.time)) break;
    const EvaluationContext context = now.equations.context();
    Impact impact;
    bool any_approaches = false;
    for (const std::size_t i : near) {
      const RigidPointMotion motion = points_->motion(context, i);
      const bool approaches =
          motion.approach() > resting_speed(*now.equations.rigid(), kNoApproach, motion.at.point);
      any_approaches = any_approaches || approaches;
      if (!approaches && stage < kMostStages) continue;
      const RigidContact::Settings& settings = points_->points()[i].contact->settings();
      const bool is_plastic = stage == kMostStages || is_among(plastic, i);
      impact.points.push_back({i, is_plastic ? 0.0 : settings.restitution, settings.impact});
      if (approaches && !is_among(struck, i)) struck.push_back(i);
    }
    if (!any_approaches) break;
    const ImpactOutcome outcome = strike(impact, now.equations, now.stops, now.x, now.time);
    if (outcome.failed) fail(now);
    for (const Impact::PointArrival& point : impact.points) {
      accounts_[points_->points()[point.point].contact_index].leave(outcome.residual);
    }
    for (std::size_t i = 0; i < outcome.lost.size(); ++i) {
      accounts_[i].told.energy_lost += outcome.lost[i];
    }
  }
  return struck;
}

void RigidContacts::note_touches(const ContactInstant& now, const Indices& struck) {
  for (std::size_t i = 0; i < accounts_.size(); ++i) {
    const bool is_struck = std::any_of(struck.begin(), struck.end(), [&](std::size_t point) {
      return points_->points()[point].contact_index == i;
    });
    if (!is_struck || holds(now.equations, i)) continue;
    accounts_[i].begin(now.time);
    accounts_[i].told.last = now.time;
    now.note(now.time, points_->contacts()[i].element->name() + " touches");
  }
}

void RigidContacts::tell(const ContactInstant& now, double rest_time) {
  for (std::size_t i = 0; i < accounts_.size(); ++i) {
    ContactAccount& account = accounts_[i];
    const bool rests = holds(now.equations, i);
    if (rests == account.holds) continue;
    if (rests && account.told.count == 0) account.begin(now.time);
    account.holds = rests;
    account.told.last = now.time;
    now.note(rests ? rest_time : now.time,
             points_->contacts()[i].element->name() + (rests ? " rests" : " lifts"));
  }
}

void RigidContacts::watch(const EquationsOfMotion& equations) {
  for (std::size_t i = 0; i < accounts_.size(); ++i) {
    accounts_[i].press(equations.rigid()->normal_force(i));
  }
}

std::vector<ContactSummary> RigidContacts::summaries(double time, ConstVectorRef integrals) const {
  std::vector<ContactSummary> list;
  for (std::size_t i = 0; i < accounts_.size(); ++i) {
    const RigidPoints::Contact& contact = points_->contacts()[i];
    list.push_back(accounts_[i].completed(time, integrals.segment<2>(contact.first_integral)));
  }
  return list;
}

void RigidContacts::read(const EquationsOfMotion& equations,
                         std::vector<ContactReading>& readings) const {
  readings.clear();
  const EvaluationContext context = equations.context();
  for (const RigidPoints::Contact& contact :
       is_idle() ? std::vector<RigidPoints::Contact>() : points_->contacts()) {
    ContactReading reading;
    reading.depth = -std::numeric_limits<double>::infinity();
    Vector3 weighted = Vector3::Zero(), friction = Vector3::Zero();
    for (std::size_t i = contact.first; i < contact.end; ++i) {
      const RigidPointMotion motion = points_->motion(context, i);
      if (motion.at.depth > reading.depth) {
        reading.depth = motion.at.depth;
        reading.point = motion.at.point;
      }
      if (!equations.discrete().contact_points[i].holds()) continue;
      const Vector3& force = equations.rigid()->force(i);
      reading.normal_force += force(0);
      weighted += force(0) * motion.at.point;
      friction += motion.axes.rightCols<2>() * force.tail<2>();
      reading.slip_velocity = std::max(reading.slip_velocity, motion.sliding().norm());
    }
    if (reading.normal_force > 0.0) reading.point = weighted / reading.normal_force;
    reading.friction = friction.norm();
    readings.push_back(reading);
  }
}

void RigidContacts::transfer(Archive& archive) {
  for (ContactAccount& account : accounts_) archive(account);
  archive(watched_since_, decisions_);
}

}  // namespace spacedyn
