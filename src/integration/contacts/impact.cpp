#include "integration/contacts/impact.hpp"

#include <cmath>
#include <numeric>

#include "integration/contacts/impact_solution.hpp"

namespace spacedyn {

ImpactOutcome strike(const Impact& impact, EquationsOfMotion& equations, RestingContacts& contacts,
                     VectorX& x, double time) {
  ImpactOutcome outcome;
  if (!equations.update_kinematics(x, time)) return outcome;
  const Momentum before = equations.momentum();
  const double kinetic = equations.energy().kinetic;
  ImpactSolution solution(impact, equations, contacts, x);
  solution.solve(outcome);
  if (outcome.failed) return outcome;
  equations.update_kinematics(x, time);

  AuditIntegrals integrals = impact.integrals;
  solution.count_points(integrals, equations.is_unsupported(), outcome.lost);
  const double lost_at_points = std::accumulate(outcome.lost.begin(), outcome.lost.end(), 0.0);
  const double gained = equations.energy().kinetic - kinetic;
  outcome.energy_lost = -gained;
  if (!equations.is_unsupported()) {
    const Momentum after = equations.momentum();
    integrals.impulse = after.linear - before.linear;
    integrals.angular_impulse = after.angular_centroid - before.angular_centroid;
  }
  const bool is_external = impact.impulse.size() > 0;
  (is_external ? integrals.work : integrals.dissipated) =
      is_external ? gained + lost_at_points : -gained - lost_at_points;
  integrals.throughput = std::abs(gained);
  equations.add_to_integrals(integrals, x);
  return outcome;
}

}  // namespace spacedyn
