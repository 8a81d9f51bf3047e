#include "spacedyn/recording/thruster_watch.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "recording/derived_columns.hpp"
#include "spacedyn/control/thruster_valves.hpp"

namespace spacedyn {
namespace {

/// Of an opening: a thruster that is open so far is fully open.
constexpr double kRounding = 1e-9;

/// Share of its period for which the pulse of a valve that is open lasts, delays apart.
double pulse_share(const DiscreteState::ControllerState& state,
                   const ThrusterModulation& modulation, Eigen::Index thruster, double time) {
  const double ends = state.valves.shuts(thruster);
  if (state.command(thruster) <= 0.0 || !std::isfinite(ends)) return 0.0;
  const double begun = std::floor(time / modulation.period * (1.0 + kRounding));
  return std::min(1.0, ends / modulation.period - begun);
}

}  // namespace

ThrusterWatch::ThrusterWatch(const ForcedSystem& system) : system_(system) {
  for (std::size_t i = 0; i < system.controllers.size(); ++i) {
    const Controller& controller = *system.controllers[i];
    const ThrusterValves* nozzles = controller.valves();
    if (nozzles == nullptr || nozzles->modulation().type == ThrusterModulation::Type::schmitt) {
      continue;
    }
    openers_.push_back({i, VectorX::Zero(controller.command_size())});
    add_quantities(static_cast<std::size_t>(nozzles->size()));
  }
}

void ThrusterWatch::see(const SimulationPoint& point) {
  std::size_t next = 0;
  for (Opener& opener : openers_) {
    const Controller& controller = *system_.controllers[opener.controller];
    const ThrusterValves& nozzles = *controller.valves();
    const DiscreteState::ControllerState& state = point.discrete.controllers[opener.controller];
    const std::size_t first = next;
    next += static_cast<std::size_t>(nozzles.size());
    if (!state.acts()) continue;
    if (controller.sample_period() > 0.0) {
      opener.command = state.command;
    } else {
      controller.command(context_of(point), opener.command);
    }
    for (Eigen::Index k = 0; k < nozzles.size(); ++k) {
      const double opening = nozzles.modulation().acts()
                                 ? pulse_share(state, nozzles.modulation(), k, point.time)
                                 : opener.command(k);
      keep(first + static_cast<std::size_t>(k), opening, point.time);
    }
  }
}

std::vector<std::string> ThrusterWatch::warnings() const {
  std::vector<std::string> texts;
  std::size_t next = 0;
  for (const Opener& opener : openers_) {
    const Controller& controller = *system_.controllers[opener.controller];
    std::string names;
    double earliest = 0.0;
    for (const Thruster& thruster : controller.valves()->thrusters()) {
      const Peak& greatest = peaks()[next++];
      if (greatest.value < 1.0 - kRounding) continue;
      earliest = names.empty() ? greatest.time : std::min(earliest, greatest.time);
      names += (names.empty() ? "'" : ", '") + thruster.name + '\'';
    }
    if (names.empty()) continue;
    texts.push_back(fmt::format(
        "thrusters of '{}' are saturated: fully open from t = {:.4g} s on were {}; what "
        "it asks for may be more than they give",
        controller.name(), earliest, names));
  }
  return texts;
}

}  // namespace spacedyn
