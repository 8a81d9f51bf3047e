/// @file
/// Symmetric 6×6 matrices of one body by their columns, and the solution for the base.
#pragma once

#include "dynamics/kernels/quad_records.hpp"
#include "dynamics/kernels/rigid_inertia.hpp"

namespace spacedyn::SPACEDYN_ISA {

struct QuadMatrix {
  QuadSpatial c0, c1, c2, c3, c4, c5;
};
// inline by order: as functions these would take and return all their registers through memory
[[gnu::always_inline]] inline QuadMatrix load_matrix(const double* from) {
  return {load_spatial(from),      load_spatial(from + 8),  load_spatial(from + 16),
          load_spatial(from + 24), load_spatial(from + 32), load_spatial(from + 40)};
}
inline void store_matrix(double* to, const QuadMatrix& m) {
  store_spatial(to, m.c0), store_spatial(to + 8, m.c1), store_spatial(to + 16, m.c2);
  store_spatial(to + 24, m.c3), store_spatial(to + 32, m.c4), store_spatial(to + 40, m.c5);
}
/// A rigid inertia about the common origin: its turning columns are in memory, and its linear ones
/// follow by symmetry.
[[gnu::always_inline]] inline QuadMatrix load_rigid(const double* from, double mass) {
  const Quad x = load<Quad>(from + 12), y = load<Quad>(from + 16), z = load<Quad>(from + 20);
  return {{load<Quad>(from), x},           {load<Quad>(from + 4), y},
          {load<Quad>(from + 8), z},       {-x, Quad{mass, 0.0, 0.0, 0.0}},
          {-y, Quad{0.0, mass, 0.0, 0.0}}, {-z, Quad{0.0, 0.0, mass, 0.0}}};
}
[[gnu::always_inline]] inline QuadMatrix operator+(const QuadMatrix& a, const QuadMatrix& b) {
  return {a.c0 + b.c0, a.c1 + b.c1, a.c2 + b.c2, a.c3 + b.c3, a.c4 + b.c4, a.c5 + b.c5};
}
/// Product with a spatial vector in memory.
[[gnu::always_inline]] inline QuadSpatial times(const QuadMatrix& m, const double* s) {
  return (m.c0 * s[0] + m.c1 * s[1] + m.c2 * s[2]) + (m.c3 * s[4] + m.c4 * s[5] + m.c5 * s[6]);
}
/// m − T Uᵀ, U in memory.
[[gnu::always_inline]] inline QuadMatrix minus_outer(const QuadMatrix& m, const QuadSpatial& T,
                                                     const double* U) {
  return {m.c0 - T * U[0], m.c1 - T * U[1], m.c2 - T * U[2],
          m.c3 - T * U[4], m.c4 - T * U[5], m.c5 - T * U[6]};
}

/// An inertia about the origin of a branch, about that of the base.
inline QuadMatrix from_base(const QuadOrigin& origin, const QuadMatrix& m) {
  const double x = origin.place[0], y = origin.place[1], z = origin.place[2];
  const auto moved = [&](const QuadSpatial& column) { return from_base(origin, column); };
  return {moved(m.c0 - m.c4 * z + m.c5 * y),
          moved(m.c1 + m.c3 * z - m.c5 * x),
          moved(m.c2 - m.c3 * y + m.c4 * x),
          moved(m.c3),
          moved(m.c4),
          moved(m.c5)};
}

/// Element k of six.
inline double element(const QuadSpatial& a, int k) {
  return k < 3 ? a.angular[k] : a.linear[k - 3];
}

/// Solves m a = f by LDLᵀ. Compilers leave triangular loops alone: each step is a function.
class QuadSolver {
 public:
  QuadSolver(const QuadMatrix& m, const QuadSpatial& f)
      : column_{m.c0, m.c1, m.c2, m.c3, m.c4, m.c5}, right_(f) {
    eliminate<0>();
    substitute<5>();
  }
  QuadSpatial solution() const {
    return {Quad{x_[0], x_[1], x_[2], 0.0}, Quad{x_[3], x_[4], x_[5], 0.0}};
  }
  /// Six, angular part first.
  const double* pivots() const { return pivots_; }

 private:
  template <int k>
  [[gnu::always_inline]] inline void eliminate() {
    const double pivot = element(column_[k], k);
    pivots_[k] = pivot;
    const double inverse = 1.0 / pivot;
    const double y = element(right_, k);
    x_[k] = y * inverse;
    if constexpr (k < 5) {
      const QuadSpatial T = column_[k] * inverse;
      store_spatial(L_[k], T);
      right_ = right_ - T * y;
      update<k, k + 1>(T);
      eliminate<k + 1>();
    }
  }
  template <int k, int j>
  [[gnu::always_inline]] inline void update(const QuadSpatial& T) {
    column_[j] = column_[j] - T * element(column_[k], j);
    if constexpr (j < 5) update<k, j + 1>(T);
  }
  template <int k>
  [[gnu::always_inline]] inline void substitute() {
    if constexpr (k > 0) {
      subtract<k, k - 1>();
      substitute<k - 1>();
    }
  }
  template <int k, int i>
  [[gnu::always_inline]] inline void subtract() {
    x_[i] -= L_[i][k < 3 ? k : k + 1] * x_[k];
    if constexpr (i > 0) subtract<k, i - 1>();
  }

  QuadSpatial column_[6], right_;
  double L_[5][8];  ///< columns of L
  double x_[6];     ///< D⁻¹ y, then the solution
  double pivots_[6];
};

/// Inverts a positive definite matrix by exchanging one unknown and one right side at a time.
class QuadInverter {
 public:
  explicit QuadInverter(const QuadMatrix& m) : column_{m.c0, m.c1, m.c2, m.c3, m.c4, m.c5} {
    exchange<0>();
  }
  QuadSpatial operator*(const QuadSpatial& f) const {
    return (column_[0] * f.angular[0] + column_[1] * f.angular[1] + column_[2] * f.angular[2]) +
           (column_[3] * f.linear[0] + column_[4] * f.linear[1] + column_[5] * f.linear[2]);
  }
  /// 36 doubles, exactly symmetric.
  void write(double* inverse) const {
    for (int j = 0; j < 6; ++j) {
      for (int i = 0; i <= j; ++i) inverse[6 * j + i] = inverse[6 * i + j] = element(column_[j], i);
    }
  }
  /// Six, angular part first.
  const double* pivots() const { return pivots_; }

 private:
  template <int k>
  static QuadSpatial with(const QuadSpatial& a, const Quad& b) {
    if constexpr (k < 3) return {replaced<k>(a.angular, b), a.linear};
    return {a.angular, replaced<k % 3>(a.linear, b)};
  }
  template <int k>
  [[gnu::always_inline]] inline void exchange() {
    const double pivot = element(column_[k], k);
    pivots_[k] = pivot;
    const double inverse = 1.0 / pivot;
    update<k, 0>(inverse);
    column_[k] = with<k>(column_[k] * -inverse, everywhere(inverse));
    if constexpr (k < 5) exchange<k + 1>();
  }
  template <int k, int j>
  [[gnu::always_inline]] inline void update(double inverse) {
    if constexpr (j != k) {
      const double t = element(column_[j], k) * inverse;
      column_[j] = with<k>(column_[j] - column_[k] * t, everywhere(t));
    }
    if constexpr (j < 5) update<k, j + 1>(inverse);
  }

  QuadSpatial column_[6];
  double pivots_[6];
};

}  // namespace spacedyn::SPACEDYN_ISA
