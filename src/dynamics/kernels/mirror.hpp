/// @file
/// From one triangle of a symmetric matrix to the other.
#pragma once

#include "dynamics/kernels/lanes.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// Exchanges rows and columns of kLanes × kLanes numbers.
inline void transpose(Pack<kLanes> (&m)[kLanes]) {
#if SPACEDYN_LANES == 2
  const Pack<2> a = m[0], b = m[1];
  m[0] = __builtin_shufflevector(a, b, 0, 2);
  m[1] = __builtin_shufflevector(a, b, 1, 3);
#elif SPACEDYN_LANES == 4
  Pack<4> even[2], odd[2];
  for (int k = 0; k < 2; ++k) {
    even[k] = __builtin_shufflevector(m[2 * k], m[2 * k + 1], 0, 4, 2, 6);
    odd[k] = __builtin_shufflevector(m[2 * k], m[2 * k + 1], 1, 5, 3, 7);
  }
  m[0] = __builtin_shufflevector(even[0], even[1], 0, 1, 4, 5);
  m[1] = __builtin_shufflevector(odd[0], odd[1], 0, 1, 4, 5);
  m[2] = __builtin_shufflevector(even[0], even[1], 2, 3, 6, 7);
  m[3] = __builtin_shufflevector(odd[0], odd[1], 2, 3, 6, 7);
#else
  Pack<8> pairs[8], fours[8];
  for (int k = 0; k < 8; k += 2) {
    pairs[k] = __builtin_shufflevector(m[k], m[k + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    pairs[k + 1] = __builtin_shufflevector(m[k], m[k + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int k = 0; k < 8; k += 4) {
    for (int odd = 0; odd < 2; ++odd) {
      const Pack<8>&a = pairs[k + odd], &b = pairs[k + 2 + odd];
      fours[k + odd] = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
      fours[k + 2 + odd] = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
    }
  }
  for (int k = 0; k < 4; ++k) {
    m[k] = __builtin_shufflevector(fours[k], fours[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    m[k + 4] = __builtin_shufflevector(fours[k], fours[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
#endif
}

/// Writes kLanes columns that begin at @p from, `stride` doubles apart, as rows of the columns that
/// begin at @p to.
inline void transpose_tile(const double* from, double* to, long stride) {
  Pack<kLanes> tile[kLanes];
  for (int k = 0; k < kLanes; ++k) tile[k] = load<Pack<kLanes>>(from + k * stride);
  transpose(tile);
  for (int k = 0; k < kLanes; ++k) store(to + k * stride, tile[k]);
}

/// Copies `rows` × `columns` numbers at @p from as their transpose to @p to, tile by tile; the last
/// tiles overlap those before.
inline void transpose_block(const double* from, double* to, int rows, int columns, long stride) {
  if (rows < kLanes || columns < kLanes) {
    for (int c = 0; c < columns; ++c) {
      for (int r = 0; r < rows; ++r) to[r * stride + c] = from[c * stride + r];
    }
    return;
  }
  for (int c = 0; c < columns; c += kLanes) {
    const int column = c + kLanes <= columns ? c : columns - kLanes;
    for (int r = 0; r < rows; r += kLanes) {
      const int row = r + kLanes <= rows ? r : rows - kLanes;
      transpose_tile(from + column * stride + row, to + row * stride + column, stride);
    }
  }
}

/// Copies what is above the diagonal of a tile on it below.
inline void mirror_tile(double* at, long stride) {
  using Lane = Pack<kLanes>;
  Lane tile[kLanes], turned[kLanes], numbers{};
  for (int k = 0; k < kLanes; ++k) {
    turned[k] = tile[k] = load<Lane>(at + k * stride);
    numbers[k] = k;
  }
  transpose(turned);
  for (int k = 0; k < kLanes; ++k) {
    store(at + k * stride, select(numbers <= double(k) + Lane{}, tile[k], turned[k]));
  }
}

/// Copies the upper triangle below the diagonal; the last tiles overlap those before. A small
/// matrix goes by elements: registers would wait for columns that have just been written in parts.
inline void mirror(double* H, int size, long stride) {
  if (size < 2 * kLanes) {
    for (int j = 0; j < size; ++j) {
      for (int i = 0; i < j; ++i) H[stride * i + j] = H[stride * j + i];
    }
    return;
  }
  const int last = size - kLanes;
  for (int first = 0; first < last + kLanes; first += kLanes) {
    const int column = first < last ? first : last;
    mirror_tile(H + column * (stride + 1), stride);
    for (int row = 0; row < column; row += kLanes) {
      transpose_tile(H + stride * column + row, H + stride * row + column, stride);
    }
  }
}

}  // namespace spacedyn::SPACEDYN_ISA
