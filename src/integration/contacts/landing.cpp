#include "integration/contacts/landing.hpp"

#include <algorithm>
#include <cmath>

#include "integration/contacts/impact.hpp"
#include "integration/contacts/loop_closure.hpp"
#include "integration/contacts/resting_contacts.hpp"
#include "integration/contacts/tolerances.hpp"
#include "integration/equations/projection.hpp"

namespace spacedyn {
namespace {

/// Impacts in no time after which stops count as striking each other for ever.
constexpr std::size_t kWatchedImpacts = 32;

/// A joint that has bounced so often by less than so many tolerances comes to rest, too: without
/// loss, with e near 1, it would go on for ever, at bounces too short to be followed.
constexpr int kManyBounces = 200;
constexpr double kSmallLift = 1e4;

/// Bounces that take less time are not resolved.
double shortest_flight(const IntegratorOptions& options, const ContactInstant& now) {
  const bool is_first_order = method_traits(options).order == 1;
  // steps of first order go straight on, and come down as fast as in a fall of one step
  return is_first_order ? 2.0 * options.step : 64.0 * root_tolerance(now.time, now.unit);
}

double joint_speed(const ContactInstant& now, std::size_t stop) {
  return std::abs(now.x(now.equations.layout().qd() + now.stops.stops()[stop].joint - 1));
}

}  // namespace

/// What would be if joints near their stops were at rest.
struct Landing::Rest {
  Indices stops;    // of those, that would push
  Indices lifted;   // of those, from which a joint would still lift
  Indices unmoved;  // at which joints rest already, and would go on doing so
};

double Landing::tolerance(const ContactInstant& now, std::size_t stop) const {
  const double q = now.x(StateLayout::q + now.stops.stops()[stop].joint - 1);
  return setup_.integrator.absolute_tolerance.joint +
         setup_.integrator.relative_tolerance * std::abs(q);
}

double Landing::resolution(const ContactInstant& now, std::size_t stop) const {
  return (small_bounces_[stop] >= kManyBounces ? kSmallLift : 1.0) * tolerance(now, stop);
}

double Landing::least_lift(const ContactInstant& now, std::size_t stop, double pressing) const {
  const double flight = shortest_flight(setup_.integrator, now);
  return std::max(resolution(now, stop), 0.125 * pressing * flight * flight);
}

bool Landing::lifts(const ContactInstant& now, std::size_t stop, double velocity, double distance,
                    double pressing) const {
  // by v²/2a above where it is
  const double rest = least_lift(now, stop, pressing) - distance;
  return rest < 0.0 || velocity * velocity > 2.0 * pressing * rest;
}

double Landing::distance(const ContactInstant& now, std::size_t stop) const {
  return std::abs(now.stops.value(now.equations, now.stops.stops()[stop]));
}

bool Landing::come_to_rest(const ContactInstant& now, const std::vector<std::size_t>& struck) {
  note(now, struck);
  if (!now.equations.update_kinematics(now.x, now.time)) return false;
  const Indices plastic = collapsed(now);
  Indices near = plastic.empty() ? near_stops(now, struck) : plastic;
  while (!near.empty()) {
    const Rest rest = try_rest(now, near);
    if (!plastic.empty() || (rest.lifted.empty() && !rest.stops.empty())) {
      lay_down(now, rest, plastic, struck);
      return true;
    }
    if (rest.stops.empty()) break;
    near.erase(std::remove_if(near.begin(), near.end(),
                              [&](std::size_t stop) { return is_among(rest.lifted, stop); }),
               near.end());
  }
  return false;
}

Landing::Indices Landing::near_stops(const ContactInstant& now, const Indices& struck) const {
  const double flight = shortest_flight(setup_.integrator, now);
  const auto& stops = now.stops.stops();
  Indices near;
  for (std::size_t i = 0; i < stops.size(); ++i) {
    const int joint = stops[i].joint;
    const auto is_known = [&](std::size_t other) { return stops[other].joint == joint; };
    if (now.equations.is_locked(joint) || std::any_of(near.begin(), near.end(), is_known)) continue;
    const double acceleration = std::abs(now.rate(now.equations.layout().qd() + joint - 1));
    const double reach = flight * (joint_speed(now, i) + flight * acceleration);
    if (is_among(struck, i) || distance(now, i) <= std::max(resolution(now, i), reach)) {
      near.push_back(i);
    }
  }
  if (near.size() != 1) return near;
  // the usual bounce needs no trial
  const auto row = now.equations.layout().qd() + stops[near[0]].joint - 1;
  const double pressing = stops[near[0]].outward * now.rate(row);
  if (pressing < 0.0 || lifts(now, near[0], now.x(row), distance(now, near[0]), pressing)) {
    near.clear();
  }
  return near;
}

Landing::Rest Landing::try_rest(const ContactInstant& now, const Indices& near) const {
  const VectorX before = now.x;
  const Indices held = now.stops.held();
  for (const std::size_t i : near) {
    const RestingContacts::Stop& stop = now.stops.stops()[i];
    now.stops.place_on(now.equations, stop, now.x, now.time);
    now.x(now.equations.layout().qd() + stop.joint - 1) = 0.0;
    now.stops.set_held(now.equations, i, true);
  }
  now.evaluate();
  now.stops.exchange(now);
  Rest rest;
  for (const std::size_t i : near) {
    if (now.stops.is_held(i)) rest.stops.push_back(i);
  }
  for (const std::size_t i : held) {
    if (now.stops.is_held(i)) rest.unmoved.push_back(i);
  }
  measure(now, before, rest);
  now.x = before;
  for (const std::size_t i : near) now.stops.set_held(now.equations, i, false);
  for (const std::size_t i : held) now.stops.set_held(now.equations, i, true);
  now.equations.update_kinematics(now.x, now.time);
  return rest;
}

void Landing::measure(const ContactInstant& now, const VectorX& before, Rest& rest) const {
  Indices all = rest.stops;
  all.insert(all.end(), rest.unmoved.begin(), rest.unmoved.end());
  if (all.empty()) return;
  EquationsOfMotion& equations = now.equations;
  const ImpulseSolver solver(equations.model(), equations.state(), now.stops.released(equations),
                             equations.held().active_loops(), motion_rows(equations));
  std::vector<int> joints;
  std::vector<ConstraintRow> conditions(all.size());
  MatrixX K_T =
      MatrixX::Zero(equations.model().velocity_size(), static_cast<Eigen::Index>(all.size()));
  VectorX inward(K_T.cols());
  for (std::size_t k = 0; k < all.size(); ++k) {
    const RestingContacts::Stop& stop = now.stops.stops()[all[k]];
    const auto row = static_cast<Eigen::Index>(k);
    inward(row) = -stop.outward * before(equations.layout().qd() + stop.joint - 1);
    K_T(stop.joint + 5, row) = -stop.outward;
    conditions[k].kind = ConstraintRow::Kind::unilateral;
    conditions[k].terms = std::abs(inward(row));
    joints.push_back(stop.joint);
  }
  const ImpulseSolver::Rows rows = solver.rows(std::move(K_T), false);
  const VectorX mobilities = inverse_of_delassus(rows.G, rows.own).diagonal().cwiseInverse();
  ComplementarityProblem problem(conditions, rows.G, rows.own, inward);
  problem.solve();
  const VectorX jump = rows.responses * problem.reactions();
  Indices unmoved;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const int joint = joints[k];
    const double push = -now.stops.stops()[all[k]].outward * equations.holding_force(joint);
    const double pressing = std::max(0.0, push * mobilities(static_cast<Eigen::Index>(k)));
    if (k < rest.stops.size()) {
      const double travel =
          std::abs(now.x(StateLayout::q + joint - 1) - before(StateLayout::q + joint - 1));
      const double velocity = before(equations.layout().qd() + joint - 1);
      if (lifts(now, all[k], velocity, travel, pressing)) rest.lifted.push_back(all[k]);
    } else if (!lifts(now, all[k], jump(joint + 5), 0.0, pressing)) {
      unmoved.push_back(all[k]);
    }
  }
  rest.unmoved = unmoved;
}

void Landing::lay_down(const ContactInstant& now, const Rest& rest, const Indices& plastic,
                       const Indices& struck) const {
  place_on(now, plastic.empty() ? rest.stops : plastic);
  Impact impact;
  const auto& stops = now.stops.stops();
  for (const std::size_t i : rest.stops) impact.imposed.push_back({stops[i].joint, 0.0});
  for (const std::size_t i : rest.unmoved) impact.imposed.push_back({stops[i].joint, 0.0});
  for (const std::size_t i : plastic) impact.arrivals.push_back({i, 0.0});
  // nor does what comes to rest drive others back into their stops
  for (const std::size_t i : struck) impact.arrivals.push_back({i, 0.0});
  strike(impact, now.equations, now.stops, now.x, now.time);
  for (const std::size_t i : rest.stops) now.stops.set_held(now.equations, i, true);
}

void Landing::place_on(const ContactInstant& now, const Indices& stops) const {
  EquationsOfMotion& equations = now.equations;
  equations.update_kinematics(now.x, now.time);
  const double before = equations.audit_point().energy.total();
  FreeGroups robots(equations.model(), equations.held().active_loops(), true);
  robots.note(equations);
  for (const std::size_t i : stops) {
    now.stops.place_on(equations, now.stops.stops()[i], now.x, now.time);
  }
  if (!equations.update_kinematics(now.x, now.time) ||
      !robots.restore_momentum(equations, now.x, now.time)) {
    return;
  }
  robots.move_centroid(equations, now.x);
  if (!equations.update_kinematics(now.x, now.time)) return;
  AuditIntegrals integrals;
  integrals.dissipated = before - equations.audit_point().energy.total();
  equations.balance().add(integrals, now.x);
}

void Landing::note(const ContactInstant& now, const Indices& struck) {
  last_.resize(now.stops.stops().size(), 0.0);
  small_bounces_.resize(last_.size(), 0);
  for (const std::size_t stop : struck) {
    const double lift = 0.25 * joint_speed(now, stop) * (now.time - last_[stop]);
    const bool is_small = lift <= kSmallLift * tolerance(now, stop);
    small_bounces_[stop] = is_small ? small_bounces_[stop] + 1 : 0;
    last_[stop] = now.time;
    times_.push_back(now.time);
    stops_.push_back(stop);
  }
  if (times_.size() <= kWatchedImpacts) return;
  const auto excess = static_cast<std::ptrdiff_t>(times_.size() - kWatchedImpacts);
  times_.erase(times_.begin(), times_.begin() + excess);
  stops_.erase(stops_.begin(), stops_.begin() + excess);
}

Landing::Indices Landing::collapsed(const ContactInstant& now) const {
  Indices struck;
  if (times_.size() < kWatchedImpacts) return struck;
  const double span = now.time - times_.front();
  std::vector<int> joints;
  for (const std::size_t i : stops_) {
    const int joint = now.stops.stops()[i].joint;
    if (is_among(struck, i) || now.stops.is_held(i)) continue;
    const bool is_still =
        distance(now, i) <= tolerance(now, i) && joint_speed(now, i) * span <= tolerance(now, i);
    if (!is_still || now.equations.is_locked(joint)) return {};
    if (is_among(joints, joint)) continue;
    joints.push_back(joint);
    struck.push_back(i);
  }
  return struck;
}

void Landing::transfer(Archive& archive, std::size_t stops) {
  archive(times_, stops_, last_, small_bounces_);
  archive.require(times_.size() == stops_.size() && last_.size() == small_bounces_.size() &&
                  (last_.empty() || last_.size() == stops) &&
                  std::all_of(stops_.begin(), stops_.end(), [&](auto i) { return i < stops; }) &&
                  std::all_of(small_bounces_.begin(), small_bounces_.end(),
                              [](int count) { return count >= 0 && count <= 1000000; }));
}

}  // namespace spacedyn
