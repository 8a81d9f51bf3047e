#include "spacedyn/recording/modal_rates.hpp"

#include <fmt/format.h>

#include "spacedyn/error.hpp"

namespace spacedyn {

ModalRateWatch::ModalRateWatch(std::vector<ModalAppendage> appendages)
    : appendages_(std::move(appendages)), greatest_(appendages_.size()) {}

void ModalRateWatch::see(double time, const LinkVelocities& velocities) {
  for (std::size_t i = 0; i < appendages_.size(); ++i) {
    const double rate = velocities.omega[static_cast<std::size_t>(appendages_[i].body)].norm();
    if (rate > greatest_[i].rate) greatest_[i] = {rate, time};
  }
}

void ModalRateWatch::go_on_from(const std::vector<GreatestRate>& earlier) {
  if (earlier.size() != appendages_.size()) {
    throw DimensionError(fmt::format("{} greatest rates are given for {} modal appendages",
                                     earlier.size(), appendages_.size()));
  }
  greatest_ = earlier;
}

std::vector<std::string> ModalRateWatch::warnings() const {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < appendages_.size(); ++i) {
    const ModalAppendage& appendage = appendages_[i];
    const double fraction = greatest_[i].rate / appendage.first_frequency;
    if (!(fraction > kMostModalRate)) continue;
    texts.push_back(fmt::format(
        "modal appendage '{}' turns at {:.3g} rad/s at t = {:.4g} s, {:.0f} % of its first "
        "frequency: beyond {:.0f} % linear modes leave out too much of how rotation stiffens it",
        appendage.name, greatest_[i].rate, greatest_[i].time, 100.0 * fraction,
        100.0 * kMostModalRate));
  }
  return texts;
}

}  // namespace spacedyn
