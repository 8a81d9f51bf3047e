#include <cmath>

#include "sensing/philox.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/sensing/sensor.hpp"

namespace spacedyn {

double standard_normal(std::uint64_t seed, std::uint64_t stream, std::uint64_t index,
                       std::uint32_t component) {
  const std::uint64_t key = seed ^ (stream * 0x9E3779B97F4A7C15U);
  using namespace random_numbers;
  const Words words =
      philox({static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32), component,
              static_cast<std::uint32_t>(stream >> 32)},
             static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32));
  // Box–Muller
  return std::sqrt(-2.0 * std::log(uniform(words[0], words[1]))) *
         std::cos(2.0 * kPi * uniform(words[2], words[3]));
}

}  // namespace spacedyn
