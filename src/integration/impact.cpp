#include "integration/impact.hpp"

#include <algorithm>
#include <cmath>

namespace spacedyn {
namespace {

/// One impact while it is carried out.
class ImpactSolution {
 public:
  ImpactSolution(const Impact& impact, EquationsOfMotion& equations, RestingContacts& contacts,
                 VectorX& x)
      : impact_(impact), equations_(equations), contacts_(contacts), x_(x) {
    for (const Impact::Imposed& target : impact.imposed) {
      imposed_.push_back({target.joint, target.velocity - velocity(target.joint)});
    }
    for (std::size_t i = 0; i < contacts.stops().size(); ++i) {
      if (contacts.is_held(i)) add(i, 0.0);
    }
    for (const Impact::Arrival& arrival : impact.arrivals) add(arrival.stop, arrival.restitution);
  }

  /// @returns the impulses of the loops, if they are to be closed
  VectorX solve() {
    const Model& model = equations_.model();
    const ImpulseSolver solver(model, equations_.state(), contacts_.released(equations_),
                               equations_.active_loops());
    const VectorX impulse =
        impact_.impulse.size() > 0 ? impact_.impulse : VectorX::Zero(model.velocity_size());
    const ImpulseSolver::Solution solution =
        solver.solve(impulse, imposed_, conditions_, impact_.closes_loops ? opening() : VectorX());
    x_.segment(equations_.layout().v_0(), solution.change.size()) += solution.change;
    for (std::size_t i = 0; i < stops_.size(); ++i) end(i, solution.pushes[i]);
    // what is known is exact
    for (const Impact::Imposed& target : impact_.imposed) velocity(target.joint) = target.velocity;
    return solution.multipliers;
  }

 private:
  /// K u of the loops.
  VectorX opening() const {
    const LoopEquations& loops = equations_.loops()->solver.equations();
    const LoopMotion& motion = equations_.loop_motion();
    VectorX rate = VectorX::Zero(loops.rows());
    loops.velocity(motion.frames, motion.velocities, motion.state, rate);
    return rate;
  }

  double& velocity(int joint) { return x_(equations_.layout().qd() + joint - 1); }

  bool is_decided(int joint) const {
    return std::any_of(imposed_.begin(), imposed_.end(),
                       [&](const ImposedJump& jump) { return jump.joint == joint; }) ||
           std::any_of(conditions_.begin(), conditions_.end(),
                       [&](const UnilateralJump& jump) { return jump.joint == joint; });
  }

  void add(std::size_t stop, double restitution) {
    const RestingContacts::Stop& place = contacts_.stops()[stop];
    if (is_decided(place.joint)) return;
    const double before = -place.outward * velocity(place.joint);
    const double after = before < 0.0 ? -restitution * before : 0.0;
    stops_.push_back({stop, after});
    conditions_.push_back({place.joint, -place.outward, after - before, std::abs(before)});
  }

  void end(std::size_t i, bool pushes) {
    const RestingContacts::Stop& place = contacts_.stops()[stops_[i].index];
    double& rate = velocity(place.joint);
    // roundings must not send a joint through its stop
    const bool is_behind = -place.outward * rate <= stops_[i].after;
    if (pushes || is_behind) {
      rate = stops_[i].after == 0.0 ? 0.0 : -place.outward * stops_[i].after;
    } else if (contacts_.is_held(stops_[i].index)) {
      contacts_.set_held(equations_, stops_[i].index, false);
    }
  }

  struct Answer {
    std::size_t index;
    double after;  // inward velocity, the least
  };
  const Impact& impact_;
  EquationsOfMotion& equations_;
  RestingContacts& contacts_;
  VectorX& x_;
  std::vector<ImposedJump> imposed_;
  std::vector<UnilateralJump> conditions_;
  std::vector<Answer> stops_;
};

}  // namespace

ImpactOutcome strike(const Impact& impact, EquationsOfMotion& equations, RestingContacts& contacts,
                     VectorX& x, double time) {
  ImpactOutcome outcome;
  if (!equations.update_kinematics(x, time)) return outcome;
  const Momentum before = equations.momentum();
  const double kinetic = equations.energy().kinetic;
  outcome.multipliers = ImpactSolution(impact, equations, contacts, x).solve();
  equations.update_kinematics(x, time);

  AuditIntegrals integrals = impact.integrals;
  const double gained = equations.energy().kinetic - kinetic;
  outcome.energy_lost = -gained;
  if (!equations.is_unsupported()) {
    const Momentum after = equations.momentum();
    integrals.impulse = after.linear - before.linear;
    integrals.angular_impulse = after.angular_centroid - before.angular_centroid;
  }
  const bool is_external = impact.impulse.size() > 0;
  (is_external ? integrals.work : integrals.dissipated) = is_external ? gained : -gained;
  integrals.throughput = std::abs(gained);
  equations.add_to_integrals(integrals, x);
  return outcome;
}

}  // namespace spacedyn
