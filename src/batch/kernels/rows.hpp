/// @file
/// Between rows of numbers and tiles.
#pragma once

#include "batch/kernels/rk4_task.hpp"
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

struct RowPointers {
  const double* row[batch::kTile];
  SPACEDYN_INLINE explicit RowPointers(const batch::ConstRows& rows) {
    for (int k = 0; k < batch::kTile; ++k) {
      row[k] = rows.first + (k < rows.count ? k : rows.count - 1) * rows.distance;
    }
  }
};

/// With the widest blocks that the registers and the rows have room for.
template <typename Target>
SPACEDYN_INLINE void gather(const batch::ConstRows& rows, int width, const Target& target) {
  const RowPointers from(rows);
  if (width >= kLanes) return columns_of<kLanes>(from.row, width, target);
  if constexpr (kLanes > 4) {
    if (width >= 4) return columns_of<4>(from.row, width, target);
  }
  if constexpr (kLanes > 2) {
    if (width >= 2) return columns_of<2>(from.row, width, target);
  }
  for (int i = 0; i < width; ++i) {
    for (int k = 0; k < batch::kTile; ++k) target(i)[k] = from.row[k][i];
  }
}

/// A_0, column by column, of quaternions of any length, w first.
/// @return the squares of their lengths
template <typename Lane>
SPACEDYN_INLINE Lane write_attitude(const double* quaternions, double* tile) {
  Lane x[4];
  for (int i = 0; i < 4; ++i) x[i] = row<Lane>(quaternions, i);
  const Lane square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3];
  const Lane scale = 2.0 / square;
  Lane product[4][4];
  for (int i = 0; i < 4; ++i) {
    const Lane scaled = scale * x[i];
    for (int j = 0; j < 4; ++j) product[i][j] = scaled * x[j];
  }
  for (int i = 1; i <= 3; ++i) {
    const int j = i % 3 + 1, k = j % 3 + 1;
    const auto put = [tile](int line, int column, const Lane& value) {
      set_row(tile, batch::StateRows::A_0 + 3 * (column - 1) + line - 1, value);
    };
    put(i, i, 1.0 - product[j][j] - product[k][k]);
    put(j, i, product[i][j] + product[0][k]);
    put(i, j, product[i][j] - product[0][k]);
  }
  return square;
}

/// Sum of the squares of some rows of a tile: infinite or NaN where one of them is, and where one
/// is huge. Four sums, which need not wait for one another.
template <typename Lane>
SPACEDYN_INLINE Lane squares(const double* tile, int first, int count) {
  Lane sum[4];
  for (Lane& each : sum) each = broadcast<Lane>(0.0);
  const auto add = [&](int k, int i) {
    const Lane x = row<Lane>(tile, first + i);
    sum[k] += x * x;
  };
  int i = 0;
  for (; i + 4 <= count; i += 4) {
    for (int k = 0; k < 4; ++k) add(k, i + k);
  }
  for (; i < count; ++i) add(0, i);
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/// Rows of states into a tile, with θ = 0. @return whether all of them are states
inline bool read_states(const batch::ConstRows& rows, int joints, double* tile) {
  using S = batch::StateRows;
  using Lane = Pack<kLanes>;
  alignas(64) double quaternions[4 * batch::kTile];
  gather(rows, 13 + 2 * joints, [&](int column) {
    if (column < 3) return tile + (S::r_0 + column) * batch::kTile;
    if (column < 7) return quaternions + (column - 3) * batch::kTile;
    if (column < 7 + joints) return tile + (S::q + column - 7) * batch::kTile;
    if (column < 13 + joints) return tile + (S::v_0 + column - 7 - joints) * batch::kTile;
    return tile + (S::q + column - 13) * batch::kTile;
  });
  bool all = true;
  for (int at = 0; at < batch::kTile; at += kLanes) {
    const Lane square = write_attitude<Lane>(quaternions + at, tile + at);
    for (int i = 0; i < 9; ++i) {
      set_row(tile + at, S::A_ref + i, row<Lane>(tile + at, S::A_0 + i));
    }
    for (int i = 0; i < 3; ++i) set_row(tile + at, S::theta + i, broadcast<Lane>(0.0));
    const Lane others =
        squares<Lane>(tile + at, S::r_0, 3) + squares<Lane>(tile + at, S::v_0, 6 + 2 * joints);
    double flags[kLanes];
    const Lane none = broadcast<Lane>(0.0), one = broadcast<Lane>(1.0);
    const Lane largest = broadcast<Lane>(batch::kLargestSquare);
    store(flags, select(square > batch::kLeastSquare, none, one) +
                     select(square < largest, none, one) + select(others < largest, none, one));
    for (const double flag : flags) all &= flag == 0.0;
  }
  return all;
}

/// Rows into the last components of a tile that has `components`; the others become zero.
inline void read_vectors(const batch::ConstRows& rows, int width, int components, double* tile) {
  double* last = tile + (components - width) * batch::kTile;
  for (double* x = tile; x < last; ++x) *x = 0.0;
  gather(rows, width, [last](int column) { return last + column * batch::kTile; });
}

inline void write_vectors(const double* tile, int width, const batch::Rows& rows) {
  // accelerations and forces have at least six components
  constexpr int kWidth = kLanes > 4 ? 4 : kLanes;
  if (rows.count < batch::kTile || width < kWidth) {
    for (int k = 0; k < rows.count; ++k) {
      double* to = rows.first + k * rows.distance;
      for (int i = 0; i < width; ++i) to[i] = tile[i * batch::kTile + k];
    }
    return;
  }
  double* to[batch::kTile];
  for (int k = 0; k < batch::kTile; ++k) to[k] = rows.first + k * rows.distance;
  if (width >= kLanes) return rows_of<kLanes>(tile, width, to);
  rows_of<kWidth>(tile, width, to);
}

}  // namespace spacedyn::SPACEDYN_ISA
