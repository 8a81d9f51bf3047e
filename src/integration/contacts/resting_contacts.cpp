#include "integration/contacts/resting_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "integration/contacts/acceleration_decision.hpp"
#include "integration/contacts/impact.hpp"

namespace spacedyn {
namespace {

constexpr double kRounding = 64.0 * std::numeric_limits<double>::epsilon();

/// The action of an event that lets a joint rest; nothing if it has none.
const BounceAction* resting_bounce(const Event& event) {
  for (const EventAction& action : event.actions) {
    const auto* bounce = std::get_if<BounceAction>(&action);
    if (bounce != nullptr && bounce->rests) return bounce;
  }
  return nullptr;
}

}  // namespace

RestingContacts::RestingContacts(const SimulationSetup& setup, EquationsOfMotion& equations)
    : setup_(setup), contacts_(equations.discrete().stops), landing_(setup) {
  if (!method_traits(setup.integrator).imposes_motion) return;
  for (std::size_t i = 0; i < setup.events.size(); ++i) {
    const BounceAction* bounce = resting_bounce(setup.events[i]);
    if (bounce == nullptr) continue;
    const bool is_upper = setup.events[i].direction == CrossingDirection::rising;
    stops_.push_back({i, bounce->joint, is_upper ? 1.0 : -1.0, bounce->restitution});
  }
  contacts_.assign(stops_.size(), Contact::none);
  was_at_rest_.assign(stops_.size(), false);
}

const RestingContacts::Stop* RestingContacts::stop_of(std::size_t event) const {
  const auto stop = std::find_if(stops_.begin(), stops_.end(),
                                 [&](const Stop& other) { return other.event == event; });
  return stop == stops_.end() ? nullptr : &*stop;
}

bool RestingContacts::is_at_rest(const Stop& stop) const {
  return contacts_[static_cast<std::size_t>(&stop - stops_.data())] != Contact::none;
}

bool RestingContacts::any_held() const { return is_among(contacts_, Contact::held); }

std::vector<std::size_t> RestingContacts::held() const {
  std::vector<std::size_t> held;
  for (std::size_t i = 0; i < stops_.size(); ++i) {
    if (is_held(i)) held.push_back(i);
  }
  return held;
}

double RestingContacts::margin(const EquationsOfMotion& equations, std::size_t stop) const {
  if (contacts_[stop] != Contact::held) return 1.0;
  const double rounding = kRounding * (equations.forces().lpNorm<Eigen::Infinity>() +
                                       equations.loads().tau.lpNorm<Eigen::Infinity>());
  return rounding - stops_[stop].outward * equations.holding_force(stops_[stop].joint);
}

bool RestingContacts::lock(int joint) {
  for (std::size_t i = 0; i < stops_.size(); ++i) {
    if (stops_[i].joint != joint || contacts_[i] == Contact::none) continue;
    contacts_[i] = Contact::locked;
    return true;
  }
  return false;
}

bool RestingContacts::release(int joint) {
  for (std::size_t i = 0; i < stops_.size(); ++i) {
    if (stops_[i].joint != joint || contacts_[i] == Contact::none) continue;
    if (contacts_[i] == Contact::locked) contacts_[i] = Contact::held;
    return true;
  }
  return false;
}

Mobility RestingContacts::released(const EquationsOfMotion& equations) const {
  std::vector<bool> free;
  for (int joint = 1; joint <= equations.model().joint_count(); ++joint) {
    free.push_back(equations.mobility().joint_free(joint));
  }
  for (std::size_t i = 0; i < stops_.size(); ++i) {
    if (is_held(i)) free[static_cast<std::size_t>(stops_[i].joint - 1)] = true;
  }
  return {equations.mobility().base_free(), free};
}

double RestingContacts::value(const EquationsOfMotion& equations, const Stop& stop) const {
  return setup_.events[stop.event].value(equations.context());
}

std::vector<std::size_t> RestingContacts::touched(EquationsOfMotion& equations, const VectorX& x,
                                                  double time) const {
  std::vector<std::size_t> events;
  if (stops_.empty() || !equations.update_kinematics(x, time)) return events;
  const EvaluationContext context = equations.context();
  for (const Stop& stop : stops_) {
    const double distance = std::abs(setup_.events[stop.event].value(context));
    if (distance <= kRounding * std::abs(context.state.q(stop.joint - 1))) {
      events.push_back(stop.event);
    }
  }
  return events;
}

std::vector<std::size_t> RestingContacts::arrive(const ContactInstant& now,
                                                 const std::vector<std::size_t>& events) {
  std::vector<std::size_t> struck;
  for (std::size_t i = 0; i < stops_.size(); ++i) {
    const Stop& stop = stops_[i];
    if (contacts_[i] != Contact::none) continue;
    if (!is_among(events, stop.event)) continue;
    const bool rests_elsewhere = std::any_of(stops_.begin(), stops_.end(), [&](const Stop& other) {
      return other.joint == stop.joint && is_at_rest(other);
    });
    if (rests_elsewhere) continue;
    if (now.equations.is_locked(stop.joint)) {
      contacts_[i] = Contact::locked;
    } else {
      struck.push_back(i);
    }
    place_on(now.equations, stop, now.x, now.time);
  }
  return struck;
}

void RestingContacts::place_on(EquationsOfMotion& equations, const Stop& stop, VectorX& x,
                               double time) const {
  double& q = x(StateLayout::q + stop.joint - 1);
  for (int i = 0; i < 8; ++i) {
    if (!equations.update_kinematics(x, time)) return;
    const double before = q;
    q -= value(equations, stop);
    if (q == before) return;
  }
}

bool RestingContacts::resolve(const ContactInstant& now, const std::vector<std::size_t>& arrived) {
  if (stops_.empty()) return false;
  bool changes = !arrived.empty();
  const std::vector<std::size_t> struck = arrive(now, arrived);
  if (!struck.empty()) landing_.come_to_rest(now, struck);
  if (changes) now.evaluate();
  changes = exchange(now) || changes;
  for (std::size_t i = 0; i < stops_.size(); ++i) {
    const std::string& name = setup_.events[stops_[i].event].name;
    const bool holds = contacts_[i] != Contact::none;
    if (holds != was_at_rest_[i]) now.note(now.time, name + (holds ? " rests" : " leaves"));
    was_at_rest_[i] = holds;
  }
  return changes;
}

std::vector<std::size_t> RestingContacts::pulling(const EquationsOfMotion& equations) const {
  std::vector<std::size_t> stops;
  for (std::size_t i = 0; i < stops_.size(); ++i) {
    if (contacts_[i] == Contact::held && margin(equations, i) < 0.0) stops.push_back(i);
  }
  return stops;
}

bool RestingContacts::exchange(const ContactInstant& now) {
  if (!any_held()) return false;
  const std::vector<std::size_t> pulling = this->pulling(now.equations);
  if (pulling.empty()) return false;
  std::vector<std::size_t> points;
  const auto& states = now.equations.discrete().contact_points;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (states[i].holds()) points.push_back(i);
  }
  AccelerationDecision decision(now.equations, *this);
  const bool is_solved = decision.solve(now.x, now.time, points);
  if (is_solved && !release_pulled(now.equations, decision) && decision.all_points_press()) {
    // forces that have just passed zero: what the decision says of them is rounding
    for (const std::size_t i : pulling) set_held(now.equations, i, false);
  }
  now.evaluate();
  return true;
}

bool RestingContacts::release_pulled(EquationsOfMotion& equations,
                                     const AccelerationDecision& decision) {
  bool any_released = false;
  for (const AccelerationDecision::Stop& stop : decision.stops()) {
    if (stop.pushes) continue;
    set_held(equations, stop.index, false);
    any_released = true;
  }
  return any_released;
}

void RestingContacts::set_held(EquationsOfMotion& equations, std::size_t i, bool held) {
  contacts_[i] = held ? Contact::held : Contact::none;
  equations.set_locked(stops_[i].joint, held);
}

void RestingContacts::transfer(Archive& archive) {
  landing_.transfer(archive, stops_.size());
  for (std::size_t i = 0; i < stops_.size(); ++i) was_at_rest_[i] = contacts_[i] != Contact::none;
}

}  // namespace spacedyn
