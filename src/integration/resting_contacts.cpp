#include "integration/resting_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "integration/event_actions.hpp"
#include "integration/root_tolerance.hpp"

namespace spacedyn {
namespace {

constexpr double kRounding = 64.0 * std::numeric_limits<double>::epsilon();

/// More exchanges than the rule of Murty needs for stops that touch at one instant.
constexpr int kMostExchanges = 1000;

/// The joint of an event that lets it rest; 0 if it has none.
int resting_joint(const Event& event) {
  for (const EventAction& action : event.actions) {
    const auto* bounce = std::get_if<BounceAction>(&action);
    if (bounce != nullptr && bounce->rests) return bounce->joint;
  }
  return 0;
}

/// Bounces that take less time are not resolved.
double shortest_flight(const IntegratorOptions& options, double time) {
  const bool is_first_order = options.method == IntegrationMethod::euler ||
                              options.method == IntegrationMethod::euler_rodrigues;
  // steps of first order go straight on, and come down as fast as in a fall of one step
  return is_first_order ? 2.0 * options.step : 64.0 * root_tolerance(time);
}

}  // namespace

RestingContacts::RestingContacts(const SimulationSetup& setup) : setup_(setup) {
  if (setup.integrator.method == IntegrationMethod::variational) return;
  for (std::size_t i = 0; i < setup.events.size(); ++i) {
    const int joint = resting_joint(setup.events[i]);
    if (joint == 0) continue;
    const bool is_upper = setup.events[i].direction == CrossingDirection::rising;
    stops_.push_back({i, joint, is_upper ? 1.0 : -1.0});
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

bool RestingContacts::any_held() const {
  return std::find(contacts_.begin(), contacts_.end(), Contact::held) != contacts_.end();
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

bool RestingContacts::change_at_impulse(
    EquationsOfMotion& equations, const std::function<double(int)>& jump,
    const std::function<std::pair<double, double>(int)>& reaction) {
  for (std::size_t i = 0; i < stops_.size(); ++i) {
    const Stop& stop = stops_[i];
    if (contacts_[i] == Contact::held) {
      const auto [impulse, size] = reaction(stop.joint);
      if (stop.outward * impulse <= kRounding * size) continue;
    } else if (contacts_[i] != Contact::touching || stop.outward * jump(stop.joint) <= 0.0) {
      continue;
    }
    set_held(equations, i, contacts_[i] != Contact::held);
    return true;
  }
  return false;
}

std::vector<std::size_t> RestingContacts::touched(EquationsOfMotion& equations, const VectorX& x,
                                                  double time) const {
  std::vector<std::size_t> events;
  if (stops_.empty() || !equations.place(x, time)) return events;
  const Situation situation = equations.situation();
  for (const Stop& stop : stops_) {
    const double distance = std::abs(setup_.events[stop.event].value(situation));
    if (distance <= kRounding * std::abs(situation.state.q(stop.joint - 1))) {
      events.push_back(stop.event);
    }
  }
  return events;
}

bool RestingContacts::comes_to_rest(const EquationsOfMotion& equations, const Stop& stop,
                                    const VectorX& x, const VectorX& rate, double time) const {
  const StateLayout& layout = equations.layout();
  const double speed = -stop.outward * x(layout.qd() + stop.joint - 1);
  const double pressing = stop.outward * rate(layout.qd() + stop.joint - 1);
  if (speed < 0.0 || pressing < 0.0) return false;
  // it would lift by v²/2a, for the time 2 v/a
  const IntegratorOptions& options = setup_.integrator;
  const double tolerance =
      options.absolute_tolerance.joint +
      options.relative_tolerance * std::abs(x(StateLayout::q + stop.joint - 1));
  return speed * speed <= 2.0 * pressing * tolerance ||
         2.0 * speed <= pressing * shortest_flight(options, time);
}

void RestingContacts::arrive(EquationsOfMotion& equations, std::size_t i, VectorX& x,
                             const VectorX& rate, double time) {
  const Stop& stop = stops_[i];
  if (equations.is_locked(stop.joint)) {
    const bool rests_elsewhere = std::any_of(stops_.begin(), stops_.end(), [&](const Stop& other) {
      return other.joint == stop.joint && is_at_rest(other);
    });
    if (rests_elsewhere) return;
    contacts_[i] = Contact::locked;
  } else if (comes_to_rest(equations, stop, x, rate, time)) {
    stop_joint(stop.joint, equations, *this, x, time);
    contacts_[i] = Contact::held;
    equations.set_locked(stop.joint, true);
  }
  place_inside(equations, stop, x, time);
}

void RestingContacts::place_inside(EquationsOfMotion& equations, const Stop& stop, VectorX& x,
                                   double time) const {
  // the step has ended just behind the stop, by some roundings of the position
  double& q = x(StateLayout::q + stop.joint - 1);
  for (int i = 0; i < 8; ++i) {
    if (!equations.place(x, time)) return;
    const double value = setup_.events[stop.event].value(equations.situation());
    if (stop.outward < 0.0 ? value >= 0.0 : value < 0.0) return;
    q = std::nextafter(q - value, -stop.outward * std::numeric_limits<double>::infinity());
  }
}

bool RestingContacts::settle(EquationsOfMotion& equations, VectorX& x, const VectorX& rate,
                             double time, const std::vector<std::size_t>& arrived,
                             const std::function<void()>& evaluate,
                             const std::function<void(const std::string&)>& happened) {
  if (stops_.empty()) return false;
  const std::vector<Contact> before = contacts_;
  part_from_what_moves(equations, x);
  for (std::size_t i = 0; i < stops_.size(); ++i) {
    const bool is_new = std::find(arrived.begin(), arrived.end(), stops_[i].event) != arrived.end();
    if (is_new && contacts_[i] == Contact::none) arrive(equations, i, x, rate, time);
  }
  bool changes = contacts_ != before || !arrived.empty();
  if (changes) evaluate();
  for (int k = 0; k < kMostExchanges && change_at_rest(equations, rate); ++k) {
    changes = true;
    evaluate();
  }
  std::replace(contacts_.begin(), contacts_.end(), Contact::touching, Contact::none);
  for (std::size_t i = 0; i < stops_.size(); ++i) {
    const std::string& name = setup_.events[stops_[i].event].name;
    const bool holds = contacts_[i] != Contact::none;
    if (holds != was_at_rest_[i]) happened(name + (holds ? " rests" : " leaves"));
    was_at_rest_[i] = holds;
  }
  return changes;
}

bool RestingContacts::change_at_rest(EquationsOfMotion& equations, const VectorX& rate) {
  for (std::size_t i = 0; i < stops_.size(); ++i) {
    const double approach = stops_[i].outward * rate(equations.layout().qd() + stops_[i].joint - 1);
    const bool pulls = contacts_[i] == Contact::held && margin(equations, i) < 0.0;
    const bool enters = contacts_[i] == Contact::touching && approach > 0.0;
    if (!pulls && !enters) continue;
    set_held(equations, i, enters);
    return true;
  }
  return false;
}

void RestingContacts::part_from_what_moves(const EquationsOfMotion& equations, const VectorX& x) {
  for (std::size_t i = 0; i < stops_.size(); ++i) {
    if (contacts_[i] != Contact::touching) continue;
    const double velocity = x(equations.layout().qd() + stops_[i].joint - 1);
    if (stops_[i].outward * velocity < 0.0) contacts_[i] = Contact::none;
  }
}

void RestingContacts::set_held(EquationsOfMotion& equations, std::size_t i, bool held) {
  contacts_[i] = held ? Contact::held : Contact::touching;
  equations.set_locked(stops_[i].joint, held);
}

void RestingContacts::transfer(Archive& archive) {
  std::vector<Contact> contacts = contacts_;
  archive(contacts);
  const bool is_known = std::all_of(contacts.begin(), contacts.end(), [](Contact contact) {
    return contact >= Contact::none && contact <= Contact::locked;
  });
  if (contacts.size() != stops_.size() || !is_known) {
    throw IoError("the checkpoint is damaged: its contacts differ");
  }
  contacts_ = std::move(contacts);
  for (std::size_t i = 0; i < stops_.size(); ++i) was_at_rest_[i] = contacts_[i] != Contact::none;
}

}  // namespace spacedyn
