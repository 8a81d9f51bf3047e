#include "integration/run/given_motion.hpp"

#include "integration/run/setup_checks.hpp"

namespace spacedyn {
namespace {

const SimulationSetup& checked(const SimulationSetup& setup, const State& initial) {
  check_setup(setup);
  check_start(setup, initial, 0);
  return setup;
}

}  // namespace

GivenMotion::GivenMotion(const SimulationSetup& setup, const State& initial)
    : equations_(checked(setup, initial)), centroid_path_(setup), x_(equations_.layout().size()) {
  equations_.start(initial, x_);
  if (!equations_.evaluate(x_, 0.0)) fail_at(0.0);
  centroid_path_.start(equations_.audit_point());
}

void GivenMotion::fail_at(double time) const {
  throw numerical_error(equations_.model(), equations_.layout(), equations_.failure(), time, 0);
}

void GivenMotion::hand_out(double time, const State& state, SimulationObserver& observer) {
  equations_.start(state, x_);
  if (!equations_.update_kinematics(x_, time)) fail_at(time);
  centroid_path_.apply(equations_, equations_.audit_point(), x_, time);
  if (!equations_.evaluate(x_, time)) fail_at(time);
  const AuditPoint now = equations_.audit_point();
  observer.on_output({time,
                      equations_.model(),
                      equations_.state(),
                      equations_.frames(),
                      equations_.velocities(),
                      equations_.acceleration(),
                      equations_.forces(),
                      now.momentum,
                      now.energy,
                      equations_.balance().integrals(x_),
                      {},
                      equations_.mobility(),
                      equations_.discrete(),
                      equations_.held().multipliers(),
                      {},
                      equations_.acceleration(),
                      equations_.loads()});
}

}  // namespace spacedyn
