/// @file
/// The factorization of H that is as sparse as the tree, coordinates numbered in a row at a time.
#pragma once

#include "dynamics/kernels/lanes.hpp"
#include "dynamics/kernels/tree.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// Calls `use` with the first row of each register that holds a coordinate from `last` on towards
/// the base, once for each. What other rows of these registers hold stays among such rows.
template <typename Use>
[[gnu::always_inline]] inline void for_registers(const CoordinateTree& tree, int last,
                                                 const Use& use) {
  for (int done = last + kLanes; last >= 0;) {
    const int first = tree.first[last], begin = first - first % kLanes;
    int row = last - last % kLanes;
    if (row >= done) row = done - kLanes;
    for (; row >= begin; row -= kLanes) use(row);
    done = begin;
    last = tree.lower[first];
  }
}

/// Calls `use` with the first of coordinates in a row from `last` on towards the base, and how many
/// these are.
template <typename Use>
[[gnu::always_inline]] inline void for_runs(const CoordinateTree& tree, int last, const Use& use) {
  while (last >= 0) {
    const int first = tree.first[last];
    use(first, last - first + 1);
    last = tree.lower[first];
  }
}

/// H_ij −= l_ki D l_kj of a coordinate and all that is nearer to the base.
inline void subtract_row(const CoordinateTree& tree, int i, double l, const double* column,
                         double* to) {
  using Lane = Pack<kLanes>;
  for_registers(tree, i, [&](int row) {
    store(to + row, load<Lane>(to + row) - l * load<Lane>(column + row));
  });
}

/// The row of L that a column of D L becomes.
inline void divide_column(const CoordinateTree& tree, double* column, int k, double inverse) {
  using Lane = Pack<kLanes>;
  const double D = column[k];
  for_registers(tree, tree.lower[k],
                [&](int row) { store(column + row, load<Lane>(column + row) * inverse); });
  column[k] = D;
}

inline bool factorize(const CoordinateTree& tree, const double* H, long H_stride, double least,
                      double* L, long stride) {
  using Lane = Pack<kLanes>;
  for (int at = 0; at < tree.free_count; ++at) {
    const int k = tree.free[at];
    copy(H + k * H_stride, L + k * stride, k + 1);
    for (int row = k + 1; row % kLanes != 0; ++row) L[k * stride + row] = 0.0;
  }
  // written so that NaN fails
  const auto is_sound = [&](int k, double D) { return D > least * H[k * (H_stride + 1)]; };
  for (int at = tree.free_count - 1; at >= 0; --at) {
    // two rows of a run at a time
    const int k = tree.free[at], next = tree.lower[k];
    double* column = L + k * stride;
    const double inverse = 1.0 / column[k];
    if (!is_sound(k, column[k])) return false;
    if (next >= 0 && next == k - 1) {
      double* second = L + next * stride;
      subtract_row(tree, next, column[next] * inverse, column, second);
      const double second_inverse = 1.0 / second[next];
      if (!is_sound(next, second[next])) return false;
      for (int i = tree.lower[next]; i >= 0; i = tree.lower[i]) {
        double* to = L + i * stride;
        const double a = column[i] * inverse, b = second[i] * second_inverse;
        for_registers(tree, i, [&](int row) {
          const Lane once = load<Lane>(to + row) - a * load<Lane>(column + row);
          store(to + row, once - b * load<Lane>(second + row));
        });
      }
      divide_column(tree, second, next, second_inverse);
      --at;
    } else {
      for (int i = next; i >= 0; i = tree.lower[i]) {
        subtract_row(tree, i, column[i] * inverse, column, L + i * stride);
      }
    }
    divide_column(tree, column, k, inverse);
  }
  return true;
}

/// x −= f y of `count` numbers.
template <int kWidth = kLanes>
inline void subtract(const double* y, double f, double* x, int count) {
  using Lane = Pack<kWidth>;
  for (; count >= kWidth; count -= kWidth, x += kWidth, y += kWidth) {
    store(x, load<Lane>(x) - load<Lane>(y) * f);
  }
  if constexpr (kWidth > 1) subtract<kWidth / 2>(y, f, x, count);
}

/// Σ x y of `count` numbers.
template <int kWidth = kLanes>
inline double scalar_product(const double* x, const double* y, int count) {
  using Lane = Pack<kWidth>;
  Lane even{}, odd{};
  for (; count >= 2 * kWidth; count -= 2 * kWidth, x += 2 * kWidth, y += 2 * kWidth) {
    even += load<Lane>(x) * load<Lane>(y);
    odd += load<Lane>(x + kWidth) * load<Lane>(y + kWidth);
  }
  even += odd;
  double sum = 0.0;
  if constexpr (kWidth > 1) {
    for (int i = 0; i < kWidth; ++i) sum += even[i];
    if (count > 0) sum += scalar_product<kWidth / 2>(x, y, count);
  } else {
    sum = even;
    if (count > 0) sum += *x * *y;
  }
  return sum;
}

/// D or its root.
inline double pivot_of(const double* column, int i, bool is_half) {
  return is_half ? __builtin_sqrt(column[i]) : column[i];
}

inline void solve_inward(const CoordinateTree& tree, const double* L, long stride, bool is_half,
                         double* x) {
  for (int at = tree.free_count - 1; at >= 0; --at) {
    const int i = tree.free[at];
    if (x[i] == 0.0) continue;
    const double* column = L + i * stride;
    for_runs(tree, tree.lower[i],
             [&](int first, int count) { subtract(column + first, x[i], x + first, count); });
    x[i] /= pivot_of(column, i, is_half);
  }
}

inline void solve_outward(const CoordinateTree& tree, const double* L, long stride, bool is_half,
                          double* x) {
  for (int at = 0; at < tree.free_count; ++at) {
    const int i = tree.free[at];
    const double* column = L + i * stride;
    if (is_half) x[i] /= pivot_of(column, i, true);
    for_runs(tree, tree.lower[i], [&](int first, int count) {
      x[i] -= scalar_product(column + first, x + first, count);
    });
  }
}

}  // namespace spacedyn::SPACEDYN_ISA
