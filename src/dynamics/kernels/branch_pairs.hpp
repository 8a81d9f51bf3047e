/// @file
/// Derivatives of inverse dynamics: products of the terms of two joints of which one carries the
/// other, kLanes rows of a column at a time.
#pragma once

#include "dynamics/kernels/branch_compose.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// Stores those lanes that are rows [begin, end) of which the first lane is row `row`.
inline void store_part(double* column, int row, const BranchLane& lanes, int begin, int end) {
  if (row >= begin && row + kLanes <= end) {
    store(column + row, lanes);
    return;
  }
  const int from = row < begin ? begin - row : 0, to = end - row < kLanes ? end - row : kLanes;
  double each[kLanes];
  store(each, lanes);
  copy<kLanes / 2>(each + from, column + row + from, to - from);
}

/// kLanes rows of one instant, those of the entries from one on.
/// @tparam kSize  12 if wrenches act, else 9
template <int kSize>
class PairRows {
 public:
  PairRows(const BaseArrays& base, int entry)
      : entry_(entry), entries_(lane_numbers() + double(entry)) {
    const int lane = entry % TermBlock::kWidth;
    const auto* rows = base.terms[entry / TermBlock::kWidth].rows;
    for (int r = 0; r < kSize; ++r) response_[r] = load<BranchLane>(rows[kTermResponse + r] + lane);
    for (int r = 0; r < 6; ++r) S_[r] = load<BranchLane>(rows[kTermS + r] + lane);
    ends_ = load<BranchLane>(base.ends + entry);
  }

  /// In columns `at` of the joint at an entry, of which `end` is one past the subtree, up to a row.
  void write(const TermRows& own, int entry, int end, const DerivativeArrays& out, long at,
             int last) const {
    const BranchLane zero{};
    BranchLane q{}, v{}, H{};
    if (entry_ < entry) {
      const auto carries = ends_ > double(entry) + zero;
      q = select(carries, product<6>(S_, own.from(kTermLoad)), zero);
      v = select(carries, product<6>(S_, own.from(kTermRateLoad)), zero);
      H = select(carries, product<6>(S_, own.from(kTermResponse)), zero);
    }
    if (entry_ + kLanes > entry && entry_ < end) {
      const auto is_above = entries_ >= double(entry) + zero, ends = entries_ >= double(end) + zero;
      q = select(ends, zero, select(is_above, turned(own), q));
      v = select(ends, zero, select(is_above, rated(own, 2.0), v));
      H = select(ends, zero, select(is_above, product<6>(response_, own.from(kTermS)), H));
    }
    store_part(out.configuration + at, 5 + entry_, q, 5, last);
    store_part(out.velocity + at, 5 + entry_, v, 5, last);
    store_part(out.force + at, 5 + entry_, H, 5, last);
  }

  /// Columns of the base, rows [begin, end) of a branch that sees the turns of the base so.
  void write_base_columns(const TermBlock* turns, const DerivativeArrays& out, int begin,
                          int end) const {
    const int row = 5 + entry_;
    for (int axis = 0; axis < 3; ++axis) {
      store_part(out.force + axis * out.stride, row, response_[3 + axis], begin, end);
      const TermRows turn = terms_of(turns, axis);
      BranchLane v = rated(turn, 1.0);
      for (int i = 0; i < 3; ++i) v += response_[3 + i] * moving_of(turns, axis, i);
      const long at = (3 + axis) * out.stride;
      store_part(out.configuration + at, row, turned(turn), begin, end);
      store_part(out.velocity + at, row, v, begin, end);
      store_part(out.force + at, row, product<6>(response_, turn.from(kTermS)), begin, end);
    }
  }

 private:
  /// How these joints answer to one that carries them, or to a turn of the base.
  BranchLane turned(const TermRows& lower) const {
    BranchLane answer = product<6>(response_, lower.from(kTermTurnRate)) +
                        product<3>(response_ + 6, lower.from(kTermTurn));
    if constexpr (kSize == 12) answer += product<3>(response_ + 9, lower.from(kTermS));
    return answer;
  }
  BranchLane rated(const TermRows& lower, double phi) const {
    return product<6>(response_, lower.from(kTermTurn)) * phi +
           product<3>(response_ + 6, lower.from(kTermS));
  }

  int entry_;
  BranchLane entries_, ends_;
  BranchLane response_[kSize], S_[6];
};

/// Rows of the base of a column: a load on the origin of a branch as the base feels it.
inline void write_base_rows(const TermBlock* turns, const TermRows& load, double* column) {
  for (int axis = 0; axis < 3; ++axis) {
    const TermRows S = terms_of(turns, axis).from(kTermS);
    column[axis] = load[3 + axis];
    column[3 + axis] = load[axis] + (S[3] * load[3] + S[4] * load[4] + S[5] * load[5]);
  }
}

/// Columns of the joints of a branch. The rows of the base come last: what whole registers write
/// beyond a column is less than these.
template <int kSize>
inline void write_joint_columns(const BranchArrays& branch, const BaseArrays& base,
                                const DerivativeArrays& out) {
  const int begin = 1 + branch.begin, end = begin + branch.size, bodies = 1 + base.size;
  const TermBlock* turns = base.turns + branch.origin;
  for (int row = 0; row < bodies; row += kLanes) {
    const bool is_whole = row + kLanes <= bodies + 6;  // with the rows of the base of the next one
    const bool is_own = row + kLanes > begin && row < end;
    const PairRows<kSize> rows(base, row);
    if (is_own) rows.write_base_columns(turns, out, 5 + begin, 5 + end);
    for (int entry = begin; entry < end; ++entry) {
      const long at = (5 + entry) * out.stride;
      const int last = is_whole && entry + 1 < bodies ? 5 + row + kLanes : 5 + bodies;
      if (is_own) {
        const int past = begin + branch.tree[entry - begin].end;
        rows.write(terms_of(base.terms, entry), entry, past, out, at, last);
      } else {
        store_part(out.configuration + at, 5 + row, BranchLane{}, 5, last);
        store_part(out.velocity + at, 5 + row, BranchLane{}, 5, last);
        store_part(out.force + at, 5 + row, BranchLane{}, 5, last);
      }
    }
  }
  for (int entry = begin; entry < end; ++entry) {
    const TermRows own = terms_of(base.terms, entry);
    const long at = (5 + entry) * out.stride;
    write_base_rows(turns, own.from(kTermLoad), out.configuration + at);
    write_base_rows(turns, own.from(kTermRateLoad), out.velocity + at);
    write_base_rows(turns, own.from(kTermResponse), out.force + at);
  }
}

inline void write_pairs(const BranchArrays& branch, const BaseArrays& base,
                        const DerivativeArrays& out) {
  if (base.has_wrenches) {
    write_joint_columns<12>(branch, base, out);
  } else {
    write_joint_columns<9>(branch, base, out);
  }
}

}  // namespace spacedyn::SPACEDYN_ISA
