#include "spacedyn/control/controller.hpp"

#include "spacedyn/control/thruster_valves.hpp"
#include "spacedyn/forces/declarations.hpp"

namespace spacedyn {

void Controller::declare(Declarations& declared) const {
  if (valves() == nullptr) return;
  for (const Thruster& thruster : valves()->thrusters()) {
    declared.tanks.push_back(thruster.drive.tank);
  }
}

void Controller::append_discontinuities(std::vector<double>& times) const {
  if (sample_period() == 0.0) Element::append_discontinuities(times);
}

void Controller::append_event_discontinuities(const EventTimes& events,
                                              std::vector<double>& times) const {
  if (sample_period() == 0.0) Element::append_event_discontinuities(events, times);
}

bool Controller::differentiate(const EvaluationContext&, ConstVectorRef, CommandMode,
                               LoadDerivatives&) const {
  return false;
}

void Controller::state_rate(const EvaluationContext& context, ConstVectorRef, VectorRef zd) const {
  auxiliary_rate(context, zd);
}

void Controller::advance(const EvaluationContext&, VectorRef) const {}

}  // namespace spacedyn
