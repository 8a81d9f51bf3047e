/// @file
/// The elimination of a loop at the body where it closes, by vectors.
#pragma once

#include "dynamics/kernels/quad_articulated_body.hpp"
#include "dynamics/kernels/quad_loops.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// Part of the terms of a diagonal element that is rounding: directions in which joints do not move
/// at all.
constexpr double kLeastTerms = 1e-26;

/// The rows of the unit matrix.
alignas(64) constexpr double kUnit[2 * kRowPack][2 * kRowPack] = {
    {1, 0, 0, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0, 0, 0}, {0, 0, 1, 0, 0, 0, 0, 0},
    {0, 0, 0, 1, 0, 0, 0, 0}, {0, 0, 0, 0, 1, 0, 0, 0}, {0, 0, 0, 0, 0, 1, 0, 0},
    {0, 0, 0, 0, 0, 0, 1, 0}, {0, 0, 0, 0, 0, 0, 0, 1}};

/// The diagonal block N of a loop, which becomes P: the inverse in the rows that do not follow from
/// others, zero in the rest. Gauss and Jordan in place, with the pivot largest beside its terms.
template <int kRows>
class LoopBlock {
 public:
  static constexpr int kPacks = (kRows + kRowPack - 1) / kRowPack;
  static constexpr int kWidth = kRowPack * kPacks;

  LoopBlock(const LoopPart& part, const LoopArrays& loops)
      : N_(loops.N + part.own), pivot_(loops.pivot + part.row) {
    for (int pack = 0; pack < kPacks; ++pack) {
      const int row = part.row + kRowPack * pack;
      const Quad terms = load<Quad>(loops.terms + row);
      const Quad least = load<Quad>(loops.size + row) * loops.least_pivot;
      store(least_ + kRowPack * pack, maximum(least, terms * kLeastTerms));
      store(least_square_ + kRowPack * pack, least * terms * loops.least_pivot);
      store(inverse_terms_ + kRowPack * pack, 1.0 / terms);
      store(pivot_ + kRowPack * pack, everywhere(0.0));
    }
  }

  void invert(int most_pivots) {
    int count = 0;
    for (; count < most_pivots; ++count) {
      const int best = best_row();
      if (best < 0) break;
      exchange(best);
    }
    if (count < kRows) clear_rest();
  }

 private:
  double* row(int r) const { return N_ + kWidth * r; }
  int best_row() const {
    int best = -1;
    double largest = 0.0;
    for (int r = 0; r < kRows; ++r) {
      const double N = row(r)[r], part = N * inverse_terms_[r];
      // written so that NaN fails
      const bool sound = pivot_[r] == 0.0 && N > least_[r] && N * N > least_square_[r];
      if (sound && part > largest) best = r, largest = part;
    }
    return best;
  }
  void exchange(int k) {
    const double inverse = 1.0 / row(k)[k];
    pivot_[k] = 1.0;
    Quad scaled[kPacks], keep[kPacks];
    for (int pack = 0; pack < kPacks; ++pack) {
      const Quad unit = load<Quad>(kUnit[k] + kRowPack * pack);
      keep[pack] = everywhere(1.0) - unit;
      scaled[pack] = (load<Quad>(row(k) + kRowPack * pack) * keep[pack] + unit) * inverse;
    }
    for (int r = 0; r < kRows; ++r) {
      double* to = row(r);
      const double factor = to[k];
      for (int pack = 0; pack < kPacks; ++pack, to += kRowPack) {
        store(to, load<Quad>(to) * keep[pack] - scaled[pack] * factor);
      }
    }
    for (int pack = 0; pack < kPacks; ++pack) store(row(k) + kRowPack * pack, scaled[pack]);
  }
  void clear_rest() {
    for (int r = 0; r < kRows; ++r) {
      for (int j = 0; j < kRows; ++j) {
        if (pivot_[r] == 0.0 || pivot_[j] == 0.0) row(r)[j] = 0.0;
      }
    }
  }

  double *N_, *pivot_;
  alignas(64) double least_[kWidth], least_square_[kWidth], inverse_terms_[kWidth];
};

/// Row `to` += sign · factors · rows of `from`, both of `packs` vectors.
template <int kCount>
[[gnu::always_inline]] inline void add_rows(double* to, int packs, const double* factors,
                                            int factor_stride, const double* from, double sign) {
  for (int pack = 0; pack < packs; ++pack, to += kRowPack, from += kRowPack) {
    Quad sum = load<Quad>(to);
    for (int k = 0; k < kCount; ++k) {
      sum = sum + load<Quad>(from + kRowPack * packs * k) * (sign * factors[k * factor_stride]);
    }
    store(to, sum);
  }
}

/// Right sides of what is still open, less what an eliminated loop takes of them.
template <int kRows>
inline void lower_neighbours(const LoopPart& part, const LoopArrays& loops) {
  for (int i = part.neighbours; i < part.neighbours_end; ++i) {
    const LoopNeighbour& other = loops.neighbours[i];
    const LoopPart& its = loops.parts[other.loop];
    add_rows<kRows>(loops.left + its.row, its.packs, loops.left + part.row, 1, loops.T + other.T,
                    -1.0);
  }
}

/// Rows of the loop become part of inertia and force of the body.
template <int kRows>
inline void absorb(const LoopPart& part, const double* C, const LoopArrays& loops,
                   QuadHanded& whole) {
  const double* P = loops.N + part.own;
  const double* right = loops.left + part.row;
  for (int r = 0; r < kRows; ++r, P += LoopBlock<kRows>::kWidth) {
    QuadSpatial Y = load_spatial(C) * P[0];
    for (int k = 1; k < kRows; ++k) Y = Y + load_spatial(C + kWrench * k) * P[k];
    store_spatial(loops.Y + kWrench * (part.Y + r), Y);
    whole.I = minus_outer(whole.I, Y * -1.0, C + kWrench * r);
    whole.p = whole.p + Y * right[r];
  }
}

/// T = P N of a neighbour.
template <int kRows>
inline void find_T(const LoopPart& part, const LoopNeighbour& other, const LoopArrays& loops) {
  const LoopPart& its = loops.parts[other.loop];
  const int width = kRowPack * its.packs;
  const double* P = loops.N + part.own;
  for (int r = 0; r < kRows; ++r) {
    double* to = loops.T + other.T + width * r;
    for (int pack = 0; pack < its.packs; ++pack) store(to + kRowPack * pack, everywhere(0.0));
    add_rows<kRows>(to, its.packs, P + LoopBlock<kRows>::kWidth * r, 1, loops.N + other.N, 1.0);
  }
}

/// Wrenches of a neighbour −= C T.
template <int kRows>
inline void lower_wrenches(const LoopNeighbour& other, const double* C, const LoopArrays& loops) {
  const LoopPart& its = loops.parts[other.loop];
  const double* T = loops.T + other.T;
  for (int k = 0; k < its.rows; ++k) {
    double* to = loops.C + kWrench * (other.C + k);
    QuadSpatial wrench = load_spatial(to);
    for (int r = 0; r < kRows; ++r) {
      wrench = wrench - load_spatial(C + kWrench * r) * T[kRowPack * its.packs * r + k];
    }
    store_spatial(to, wrench);
  }
}

/// @param moves  false at a prescribed base, which no loop moves: its inertia does not matter
template <int kRows>
inline void eliminate_rows(const LoopColumn& column, const LoopArrays& loops, bool moves,
                           QuadHanded& whole) {
  const LoopPart& part = loops.parts[column.loop];
  LoopBlock<kRows>(part, loops).invert(part.most_pivots);
  const double* C = loops.C + kWrench * column.C;
  if (moves) absorb<kRows>(part, C, loops, whole);
  for (int i = part.neighbours; i < part.neighbours_end; ++i) {
    find_T<kRows>(part, loops.neighbours[i], loops);
    if (moves) lower_wrenches<kRows>(loops.neighbours[i], C, loops);
  }
  lower_neighbours<kRows>(part, loops);
  for (int i = part.fill; i < part.fill_end; ++i) {
    const LoopCoupling& fill = loops.fill[i];
    const LoopNeighbour &a = loops.neighbours[fill.first], &b = loops.neighbours[fill.second];
    const LoopPart &its = loops.parts[a.loop], &others = loops.parts[b.loop];
    for (int r = 0; r < its.rows; ++r) {
      add_rows<kRows>(loops.N + fill.N + kRowPack * others.packs * r, others.packs,
                      loops.N + a.N + r, kRowPack * its.packs, loops.T + b.T, -1.0);
    }
  }
}

/// Eliminates the loops that close at an entry, in their order.
[[gnu::noinline]] inline void close_loops(const LoopBody& at, const LoopArrays& loops, bool moves,
                                          QuadHanded& whole) {
  for (int i = at.closing; i < at.open; ++i) {
    const LoopColumn& column = loops.columns[i];
    with_rows(loops.parts[column.loop].rows, [&](auto rows) {
      eliminate_rows<decltype(rows)::value>(column, loops, moves, whole);
    });
  }
}

}  // namespace spacedyn::SPACEDYN_ISA
