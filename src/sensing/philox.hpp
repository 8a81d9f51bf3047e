/// @file
/// Counter-based random numbers: each is a function of where it is used, so that nothing depends on
/// the order in which they are drawn. Private.
#pragma once

#include <array>
#include <cstdint>

namespace spacedyn::random_numbers {

using Words = std::array<std::uint32_t, 4>;

/// Philox 4×32 with ten rounds [Salmon 2011].
inline Words philox(Words counter, std::uint32_t key_0, std::uint32_t key_1) {
  constexpr std::uint64_t kFactors[] = {0xD2511F53U, 0xCD9E8D57U};
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = kFactors[0] * counter[0], b = kFactors[1] * counter[2];
    counter = {
        static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key_0, static_cast<std::uint32_t>(b),
        static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key_1, static_cast<std::uint32_t>(a)};
    key_0 += 0x9E3779B9U;
    key_1 += 0xBB67AE85U;
  }
  return counter;
}

/// In (0, 1), 52 bits.
inline double uniform(std::uint32_t high, std::uint32_t low) {
  const std::uint64_t bits = (static_cast<std::uint64_t>(high) << 20) | (low >> 12);
  return (static_cast<double>(bits) + 0.5) * 0x1p-52;
}

}  // namespace spacedyn::random_numbers
