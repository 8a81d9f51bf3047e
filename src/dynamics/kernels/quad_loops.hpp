/// @file
/// Rows of open loops at one body, and the elimination of loops, by vectors.
#pragma once

#include "dynamics/kernels/loop_arrays.hpp"
#include "dynamics/kernels/quad_kinematics.hpp"
#include "dynamics/kernels/quad_matrix.hpp"

namespace spacedyn::SPACEDYN_ISA {

inline Quad maximum(const Quad& a, const Quad& b) { return 0.0 - minimum(0.0 - a, 0.0 - b); }
inline Quad products(const QuadSpatial& a, const QuadSpatial& b) {
  return a.angular * b.angular + a.linear * b.linear;
}

template <int kCount>
struct RowCount {
  static constexpr int value = kCount;
};
/// Calls `function` with the number of rows of a loop as a constant.
template <typename Function>
[[gnu::always_inline]] inline void with_rows(int rows, const Function& function) {
  switch (rows) {
    case 1:
      return function(RowCount<1>());
    case 2:
      return function(RowCount<2>());
    case 3:
      return function(RowCount<3>());
    case 4:
      return function(RowCount<4>());
    case 5:
      return function(RowCount<5>());
    default:
      return function(RowCount<6>());
  }
}

/// Wrench of a row, zero beyond the last one.
template <int kRows, int row>
[[gnu::always_inline]] inline QuadSpatial wrench_of(const double* C) {
  if constexpr (row < kRows) return load_spatial(C + kWrench * row);
  return zero_spatial();
}

/// What one joint knows while it passes rows on.
struct PassingJoint {
  QuadSpatial s, U;
  Quad inverse_D;
  Quad origin, place;  ///< of the joint, about the origin of its branch and the base centroid
  double turn, slide;
  const QuadOrigin* left;  ///< origin that ends below the joint, or null

  PassingJoint(const Tree& tree, const QuadScratch& scratch, int entry)
      : PassingJoint(scratch.bodies[entry], origin_of(tree, scratch, entry)) {
    turn = tree.links[entry].turn;
    slide = tree.links[entry].slide;
    if (tree.opens[entry] == 0) left = nullptr;
  }

 private:
  PassingJoint(const QuadRecord& body, const QuadOrigin& its_origin)
      : s(load_spatial(body.axis)),
        U(load_spatial(body.U)),
        inverse_D(everywhere(body.inverse_D)),
        origin(load<Quad>(body.frame + 12)),
        place(load<Quad>(its_origin.place) + origin),
        turn(0.0),
        slide(0.0),
        left(&its_origin) {}
};

/// A row below an opening; couplings alone act on its coordinates.
inline QuadSpatial leave_opening(const QuadOrigin& origin, const LoopPart& part,
                                 const QuadSpatial& wrench) {
  return part.from == part.to ? from_base(origin, wrench) : leave_opening(origin, wrench);
}

template <int kRows, int row>
[[gnu::always_inline]] inline void hand_row(const PassingJoint& joint, const QuadSpatial& wrench,
                                            double part_of_D, const LoopColumn& column,
                                            const LoopArrays& loops) {
  if constexpr (row < kRows) {
    QuadSpatial handed = wrench + joint.U * part_of_D;
    if (joint.left != nullptr)
      handed = leave_opening(*joint.left, loops.parts[column.loop], handed);
    double* to = loops.C + kWrench * (column.up + row);
    store_spatial(to, column.opens != 0 ? handed : load_spatial(to) + handed);
  }
}

/// How far four rows could be moved by a unit of the joint's coordinate, squared.
[[gnu::always_inline]] inline Quad reach_of(const PassingJoint& joint, const double* point,
                                            const QuadSpatial& a, const QuadSpatial& b,
                                            const QuadSpatial& c, const QuadSpatial& d) {
  const Quad& o = joint.origin;
  const Quad arm = Quad{point[0], point[1], point[2], 0.0} - joint.place;
  const Quad distance =
      sum_everywhere(arm * arm) * point[3] + everywhere(joint.slide * joint.slide);
  const auto turning = [&](const QuadSpatial& f) {
    const Quad moment = f.angular - cross(o, f.linear);
    return moment * moment + f.linear * f.linear * distance;
  };
  const auto sliding = [](const QuadSpatial& f) { return f.linear * f.linear; };
  if (joint.turn == 0.0) return sums_of(sliding(a), sliding(b), sliding(c), sliding(d));
  return sums_of(turning(a), turning(b), turning(c), turning(d));
}

/// Hands four rows to the lower body and adds what the joint does to their diagonal block.
template <int kRows, int first>
[[gnu::always_inline]] inline Quad pass_four(const PassingJoint& joint, const LoopColumn& column,
                                             const LoopArrays& loops, const LoopPart& part) {
  const double* C = loops.C + kWrench * column.C;
  const QuadSpatial a = wrench_of<kRows, first>(C), b = wrench_of<kRows, first + 1>(C);
  const QuadSpatial c = wrench_of<kRows, first + 2>(C), d = wrench_of<kRows, first + 3>(C);
  const Quad along = sums_of(products(joint.s, a), products(joint.s, b), products(joint.s, c),
                             products(joint.s, d));
  const double coefficient = kRows == 1 ? loops.coefficients[column.coefficient] : 0.0;
  const Quad e = Quad{coefficient, 0.0, 0.0, 0.0} - along;
  const Quad part_of_D = e * joint.inverse_D;
  store(loops.e + column.e + first, e);
  hand_row<kRows, first>(joint, a, part_of_D[0], column, loops);
  hand_row<kRows, first + 1>(joint, b, part_of_D[1], column, loops);
  hand_row<kRows, first + 2>(joint, c, part_of_D[2], column, loops);
  hand_row<kRows, first + 3>(joint, d, part_of_D[3], column, loops);
  double *size = loops.size + part.row + first, *terms = loops.terms + part.row + first;
  store(size, load<Quad>(size) + e * part_of_D);
  Quad reach = reach_of(joint, loops.points + 4 * column.loop, a, b, c, d);
  if (kRows == 1) reach = reach + everywhere(coefficient * coefficient);
  store(terms, load<Quad>(terms) + reach * joint.inverse_D);
  return part_of_D;
}

template <int kRows, int row>
[[gnu::always_inline]] inline void couple_row(const double* e, const Quad& low, const Quad& high,
                                              double* N) {
  if constexpr (row < kRows) {
    constexpr int kWidth = kRows > kRowPack ? 2 * kRowPack : kRowPack;
    double* to = N + kWidth * row;
    store(to, load<Quad>(to) + low * e[row]);
    if constexpr (kRows > kRowPack) {
      store(to + kRowPack, load<Quad>(to + kRowPack) + high * e[row]);
    }
  }
}

template <int kRows>
inline void pass_rows(const PassingJoint& joint, const LoopColumn& column, const LoopArrays& loops,
                      const LoopPart& part) {
  const Quad low = pass_four<kRows, 0>(joint, column, loops, part);
  Quad high = low;
  if constexpr (kRows > kRowPack) high = pass_four<kRows, 4>(joint, column, loops, part);
  const double* e = loops.e + column.e;
  double* N = loops.N + part.own;
  couple_row<kRows, 0>(e, low, high, N);
  couple_row<kRows, 1>(e, low, high, N);
  couple_row<kRows, 2>(e, low, high, N);
  couple_row<kRows, 3>(e, low, high, N);
  couple_row<kRows, 4>(e, low, high, N);
  couple_row<kRows, 5>(e, low, high, N);
}

/// Hands all rows of an open loop to the lower body.
inline void pass_column(const PassingJoint& joint, const LoopColumn& column,
                        const LoopArrays& loops) {
  const LoopPart& part = loops.parts[column.loop];
  with_rows(part.rows,
            [&](auto rows) { pass_rows<decltype(rows)::value>(joint, column, loops, part); });
}

/// N of two open loops += e eᵀ / D of a joint.
inline void couple(const LoopCoupling& coupling, double inverse_D, const LoopArrays& loops) {
  const LoopColumn &a = loops.columns[coupling.first], &b = loops.columns[coupling.second];
  const int rows = loops.parts[a.loop].rows, packs = loops.parts[b.loop].packs;
  const double *e_a = loops.e + a.e, *e_b = loops.e + b.e;
  for (int r = 0; r < rows; ++r) {
    double* to = loops.N + coupling.N + kRowPack * packs * r;
    const double factor = e_a[r] * inverse_D;
    for (int pack = 0; pack < packs; ++pack, to += kRowPack) {
      store(to, load<Quad>(to) + load<Quad>(e_b + kRowPack * pack) * factor);
    }
  }
}

}  // namespace spacedyn::SPACEDYN_ISA
