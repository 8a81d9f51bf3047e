#include "spacedyn/recording/modal_rates.hpp"

#include <fmt/format.h>

#include "spacedyn/integration/simulator.hpp"

namespace spacedyn {

ModalRateWatch::ModalRateWatch(std::vector<ModalAppendage> appendages)
    : appendages_(std::move(appendages)) {
  add_quantities(appendages_.size());
}

void ModalRateWatch::see(const SimulationPoint& point) { see(point.time, point.velocities); }

void ModalRateWatch::see(double time, const LinkVelocities& velocities) {
  for (std::size_t i = 0; i < appendages_.size(); ++i) {
    const auto body = static_cast<std::size_t>(appendages_[i].body);
    keep(i, velocities.omega[body].norm(), time);
  }
}

std::vector<std::string> ModalRateWatch::warnings() const {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < appendages_.size(); ++i) {
    const ModalAppendage& appendage = appendages_[i];
    const double fraction = peaks()[i].value / appendage.first_frequency;
    if (!(fraction > kMostModalRate)) continue;
    texts.push_back(fmt::format(
        "modal appendage '{}' turns at {:.3g} rad/s at t = {:.4g} s, {:.0f} % of its first "
        "frequency: beyond {:.0f} % linear modes leave out too much of how rotation stiffens it",
        appendage.name, peaks()[i].value, peaks()[i].time, 100.0 * fraction,
        100.0 * kMostModalRate));
  }
  return texts;
}

}  // namespace spacedyn
