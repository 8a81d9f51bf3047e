/// @file
/// Blocks of numbers transposed within registers.
#pragma once

#include "batch/kernels/workspace.hpp"

namespace spacedyn::SPACEDYN_ISA {

template <int... kLane>
struct LaneList {};
template <int kWidth>
struct AllLanes;
template <>
struct AllLanes<2> {
  using List = LaneList<0, 1>;
};
template <>
struct AllLanes<4> {
  using List = LaneList<0, 1, 2, 3>;
};
template <>
struct AllLanes<8> {
  using List = LaneList<0, 1, 2, 3, 4, 5, 6, 7>;
};

/// Exchanges the lanes of a that have kBit set with those of b that have not.
template <int kWidth, int kBit, int... kLane>
SPACEDYN_INLINE void exchange(Pack<kWidth>& a, Pack<kWidth>& b, LaneList<kLane...>) {
  const Pack<kWidth> x = a, y = b;
  a = __builtin_shufflevector(x, y, ((kLane & kBit) ? kWidth + kLane - kBit : kLane)...);
  b = __builtin_shufflevector(x, y, ((kLane & kBit) ? kWidth + kLane : kLane + kBit)...);
}

/// x[i][j] ↔ x[j][i], bit by bit of the indices.
template <int kWidth, int kBit = 1>
SPACEDYN_INLINE void transpose(Pack<kWidth>* x) {
  if constexpr (kBit < kWidth) {
    for (int i = 0; i < kWidth; ++i) {
      if ((i & kBit) == 0) {
        exchange<kWidth, kBit>(x[i], x[i + kBit], typename AllLanes<kWidth>::List());
      }
    }
    transpose<kWidth, 2 * kBit>(x);
  }
}

/// Calls column(first) for blocks of kWidth columns that cover `width`; the last may overlap.
template <int kWidth, typename Column>
SPACEDYN_INLINE void each_block(int width, const Column& column) {
  for (int first = 0; first < width; first += kWidth) {
    column(first + kWidth <= width ? first : width - kWidth);
  }
}

/// Columns of eight rows, each handed to target(column), eight doubles.
template <int kWidth, typename Target>
SPACEDYN_INLINE void columns_of(const double* const* rows, int width, const Target& target) {
  for (int lane = 0; lane < batch::kTile; lane += kWidth) {
    each_block<kWidth>(width, [&](int first) {
      Pack<kWidth> x[kWidth];
      for (int i = 0; i < kWidth; ++i) x[i] = load<Pack<kWidth>>(rows[lane + i] + first);
      transpose<kWidth>(x);
      for (int i = 0; i < kWidth; ++i) store(target(first + i) + lane, x[i]);
    });
  }
}

/// The reverse: rows of a tile into columns of eight rows.
template <int kWidth>
SPACEDYN_INLINE void rows_of(const double* tile, int width, double* const* rows) {
  for (int lane = 0; lane < batch::kTile; lane += kWidth) {
    each_block<kWidth>(width, [&](int first) {
      Pack<kWidth> x[kWidth];
      for (int i = 0; i < kWidth; ++i) {
        x[i] = load<Pack<kWidth>>(tile + (first + i) * batch::kTile + lane);
      }
      transpose<kWidth>(x);
      for (int i = 0; i < kWidth; ++i) store(rows[lane + i] + first, x[i]);
    });
  }
}

}  // namespace spacedyn::SPACEDYN_ISA
