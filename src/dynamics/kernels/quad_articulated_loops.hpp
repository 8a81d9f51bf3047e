/// @file
/// Articulated bodies that carry rows of open loops [Popov, Vereshchagin], of one state by vectors.
#pragma once

#include "dynamics/kernels/quad_elimination.hpp"
#include "dynamics/kernels/quad_loop_rows.hpp"

namespace spacedyn::SPACEDYN_ISA {

inline void clear(double* values, int count) { __builtin_memset(values, 0, 8ul * count); }

/// Right sides of open loops that a joint's own force takes a part of.
inline void lower_right(const LoopColumn& column, const LoopArrays& loops, double part_of_D) {
  const LoopPart& part = loops.parts[column.loop];
  for (int pack = 0; pack < part.packs; ++pack) {
    double* right = loops.left + part.row + kRowPack * pack;
    store(right, load<Quad>(right) - load<Quad>(loops.e + column.e + kRowPack * pack) * part_of_D);
  }
}

/// Passes the rows of all open loops of a joint on.
[[gnu::noinline]] inline void pass_loops(const Tree& tree, const QuadScratch& scratch, int entry,
                                         const LoopArrays& loops) {
  const LoopBody& at = loops.bodies[entry];
  const QuadRecord& body = scratch.bodies[entry];
  const PassingJoint joint(tree, scratch, entry);
  const double part_of_D = body.residual * body.inverse_D;
  for (int i = at.open; i < at.end; ++i) {
    pass_column(joint, loops.columns[i], loops);
    lower_right(loops.columns[i], loops, part_of_D);
  }
  for (int i = at.couplings; i < at.couplings_end; ++i) {
    couple(loops.couplings[i], body.inverse_D, loops);
  }
}

/// From the tips to the base where loops close on the way.
inline QuadHanded sweep_closing(const Tree& tree, const KernelMobility& mobility, const double* tau,
                                const LoopArrays& loops, const QuadScratch& scratch,
                                double& pivot) {
  const auto join = [&](int i, QuadHanded& whole) {
    const LoopBody& at = loops.bodies[i];
    if (at.closing < at.open) close_loops(at, loops, true, whole);
  };
  const auto pass = [&](int i) {
    const LoopBody& at = loops.bodies[i];
    if (at.open < at.end) pass_loops(tree, scratch, i, loops);
  };
  return sweep_inward<false>(tree, mobility, tau, scratch, pivot, join, pass);
}

/// From the tips to the base, with the loops; @returns what the base feels, of those that close
/// there only if it is free.
inline QuadHanded sweep_inward_with_loops(const Tree& tree, const KernelMobility& mobility,
                                          const double* tau, const LoopArrays& loops,
                                          const QuadScratch& scratch, double& pivot) {
  QuadHanded whole;
  if (loops.close_at_base == 0) {
    whole = sweep_closing(tree, mobility, tau, loops, scratch, pivot);
  } else {
    // bodies do not feel the loops, which follow in a sweep of their own
    whole = sweep_inward(tree, mobility, tau, scratch, pivot);
    for (int i = tree.bodies - 1; i > 0; --i) {
      const LoopBody& at = loops.bodies[i];
      if (at.open < at.end) pass_loops(tree, scratch, i, loops);
    }
  }
  close_loops(loops.bodies[0], loops, mobility.free[0] != 0.0, whole);
  return whole;
}

/// λ = P b + Yᵀ a − T λ of neighbours.
template <int kRows>
inline void find_rows(const LoopPart& part, const LoopArrays& loops, bool moves,
                      const QuadSpatial& a) {
  using Block = LoopBlock<kRows>;
  double* lambda = loops.lambda + part.row;
  double own[2 * kRowPack] = {};
  // P is symmetric: its rows are its columns
  add_rows<kRows>(own, Block::kPacks, loops.left + part.row, 1, loops.N + part.own, 1.0);
  for (int r = 0; moves && r < kRows; ++r) {
    own[r] += dot(load_spatial(loops.Y + kWrench * (part.Y + r)), a)[0];
  }
  for (int k = part.neighbours; k < part.neighbours_end; ++k) {
    const LoopNeighbour& other = loops.neighbours[k];
    const LoopPart& its = loops.parts[other.loop];
    const double* its_lambda = loops.lambda + its.row;
    const double* T = loops.T + other.T;
    for (int r = 0; r < kRows; ++r) {
      Quad sum = everywhere(0.0);
      for (int pack = 0; pack < its.packs; ++pack, T += kRowPack) {
        sum = sum + load<Quad>(T) * load<Quad>(its_lambda + kRowPack * pack);
      }
      own[r] -= sum_everywhere(sum)[0];
    }
  }
  __builtin_memcpy(lambda, own, sizeof(double) * Block::kWidth);
}

/// Multipliers of the loops that close at an entry, from its acceleration.
inline void find_multipliers(const LoopBody& at, const LoopArrays& loops, bool moves,
                             const QuadSpatial& a) {
  for (int i = at.open - 1; i >= at.closing; --i) {
    const LoopPart& part = loops.parts[loops.columns[i].loop];
    with_rows(part.rows,
              [&](auto rows) { find_rows<decltype(rows)::value>(part, loops, moves, a); });
  }
}

/// Force of the loops that close at a prescribed base, which have not been absorbed.
inline QuadSpatial force_on_base(const LoopArrays& loops) {
  const LoopBody& at = loops.bodies[0];
  QuadSpatial sum = zero_spatial();
  for (int i = at.closing; i < at.open; ++i) {
    const LoopColumn& column = loops.columns[i];
    const LoopPart& part = loops.parts[column.loop];
    for (int r = 0; r < part.rows; ++r) {
      sum = sum + load_spatial(loops.C + kWrench * (column.C + r)) * loops.lambda[part.row + r];
    }
  }
  return sum;
}

/// What open loops add to the force at a joint.
inline Quad force_of_loops(const LoopBody& at, const LoopArrays& loops) {
  Quad sum = everywhere(0.0);
  for (int i = at.open; i < at.end; ++i) {
    const LoopPart& part = loops.parts[loops.columns[i].loop];
    for (int pack = 0; pack < part.packs; ++pack) {
      sum = sum + load<Quad>(loops.e + loops.columns[i].e + kRowPack * pack) *
                      load<Quad>(loops.lambda + part.row + kRowPack * pack);
    }
  }
  return sum_everywhere(sum);
}

/// Accelerations and multipliers from the base outward, as accelerate() does. What unknowns add to
/// the accelerations of bodies goes to eight numbers of each record.
template <double* (*place)(QuadRecord&), typename Result>
inline void accelerate_with_loops(const Tree& tree, const LoopArrays& loops,
                                  const QuadScratch& scratch, bool base_moves,
                                  const QuadSpatial& base, const Result& result) {
  store_spatial(place(scratch.bodies[0]), base);
  show_base(tree, scratch, base);
  find_multipliers(loops.bodies[0], loops, base_moves, base);
  Quad qdd = everywhere(0.0);
  for (int i = 1; i < tree.bodies; ++i) {
    const int lower = tree.lower[i];
    QuadRecord &body = scratch.bodies[i], &below = scratch.bodies[lower];
    const LoopBody& at = loops.bodies[i];
    const QuadSpatial U = load_spatial(body.U);
    const auto added_to = [&](int it) {
      const bool is_seen = it == 0 && tree.opening_count > 0 && tree.origin[i] != 0;
      return load_spatial(is_seen ? scratch.origins[tree.origin[i]].base
                                  : place(scratch.bodies[it]));
    };
    const QuadSpatial before = added_to(tree.lower[lower]);
    Quad residual = body.residual - dot(U, before);
    if (at.open < at.end) residual = residual + force_of_loops(at, loops);
    if (lower > 0) {
      if (tree.visits[i].hands_on == 0) qdd = everywhere(below.acceleration);
      residual = residual - dot(U, load_spatial(below.axis)) * qdd;
    }
    qdd = residual * body.inverse_D;
    body.acceleration = qdd[0];
    const QuadSpatial own = added_to(lower) + load_spatial(body.axis) * qdd;
    store_spatial(place(body), own);
    if (at.closing < at.open) find_multipliers(at, loops, true, own);
    result(i, qdd[0], residual[0]);
  }
}

/// After move(): hybrid dynamics with loops, of which LoopArrays::right is the right side as far as
/// it does not follow from W and the motion. It becomes the rest that accelerations leave.
inline LoopAnswer articulated_loops(const Tree& tree, const KernelMobility& mobility,
                                    const KernelLoads<double>& loads, const LoopArrays& loops,
                                    double* memory, double* acceleration, double* forces) {
  const QuadScratch scratch(memory, tree);
  compute_all_inertias_and_forces(tree, loads, scratch);
  place_all_rows(tree, mobility, loops, acceleration, scratch);
  __builtin_memcpy(loops.left, loops.right, 8ul * loops.padded_rows);
  clear(loops.size, loops.padded_rows);
  clear(loops.terms, loops.padded_rows);
  clear(loops.N, loops.block_size);

  LoopAnswer answer{__builtin_inf(), 0.0, 0.0};
  const QuadHanded whole =
      sweep_inward_with_loops(tree, mobility, loads.tau, loops, scratch, answer.smallest_pivot);
  QuadRecord& base = scratch.bodies[0];
  store_matrix(base.sum, whole.I);
  QuadSpatial missing = missing_force(loads.F_b, whole.p);
  const bool base_moves = mobility.free[0] != 0.0;
  QuadSpatial a = zero_spatial();
  if (base_moves) {
    const QuadSolver solver(whole.I, missing);
    note_base_pivots(tree, solver.pivots(), base, answer.smallest_pivot);
    a = solver.solution();
  }
  accelerate_with_loops<unknown_acceleration>(
      tree, loops, scratch, base_moves, a, [&](int i, double qdd, double residual) {
        const int row = 5 + tree.body[i];
        if (mobility.free[i] != 0.0) {
          acceleration[row] = qdd;
        } else {
          forces[row] = tree.links[i].armature * acceleration[row] - residual;
        }
      });
  if (!base_moves) missing = missing - force_on_base(loops);
  write_base(mobility, a, missing, acceleration, forces);
  subtract_solution<unknown_acceleration>(tree, loops, scratch, answer);
  return answer;
}

/// Forces that right sides alone cause, from the tips to the base.
inline void sweep_corrections_inward(const Tree& tree, const LoopArrays& loops, bool base_moves,
                                     const QuadScratch& scratch) {
  for (int i = 0; i < tree.bodies; ++i) store_spatial(scratch.bodies[i].sum + 48, zero_spatial());
  for (int i = tree.bodies - 1;; --i) {
    QuadRecord& body = scratch.bodies[i];
    const LoopBody& at = loops.bodies[i];
    QuadSpatial p = load_spatial(correction(body));
    const bool moves = i > 0 || base_moves;
    for (int k = at.closing; k < at.open; ++k) {
      const LoopPart& part = loops.parts[loops.columns[k].loop];
      const double* right = loops.left + part.row;
      for (int r = 0; moves && r < part.rows; ++r) {
        p = p + load_spatial(loops.Y + kWrench * (part.Y + r)) * right[r];
      }
      with_rows(part.rows,
                [&](auto rows) { lower_neighbours<decltype(rows)::value>(part, loops); });
    }
    if (i == 0) return store_spatial(correction(body), p);
    body.residual = 0.0 - dot(load_spatial(body.axis), p)[0];
    const double part_of_D = body.residual * body.inverse_D;
    for (int k = at.open; k < at.end; ++k) lower_right(loops.columns[k], loops, part_of_D);
    double* lower = correction(scratch.bodies[tree.lower[i]]);
    QuadSpatial handed = p + load_spatial(body.U) * part_of_D;
    if (tree.opens[i] != 0) handed = leave_opening(origin_of(tree, scratch, i), handed);
    store_spatial(lower, load_spatial(lower) + handed);
  }
}

/// After articulated_loops(): adds the accelerations, forces and multipliers that make up for what
/// is left of the right side.
inline LoopAnswer correct_loops(const Tree& tree, const KernelMobility& mobility,
                                const LoopArrays& loops, double* memory, double* acceleration,
                                double* forces) {
  const QuadScratch scratch(memory, tree);
  __builtin_memcpy(loops.left, loops.right, 8ul * loops.padded_rows);
  const bool base_moves = mobility.free[0] != 0.0;
  sweep_corrections_inward(tree, loops, base_moves, scratch);
  QuadRecord& base = scratch.bodies[0];
  QuadSpatial missing = zero_spatial() - load_spatial(correction(base));
  QuadSpatial a = zero_spatial();
  if (base_moves) a = QuadSolver(load_matrix(base.sum), missing).solution();
  store_spatial(base.p, load_spatial(base.p) + a);
  accelerate_with_loops<correction>(
      tree, loops, scratch, base_moves, a, [&](int i, double qdd, double residual) {
        QuadRecord& body = scratch.bodies[i];
        store_spatial(body.p, load_spatial(body.p) + load_spatial(correction(body)));
        const int row = 5 + tree.body[i];
        if (mobility.free[i] != 0.0) {
          acceleration[row] += qdd;
        } else {
          forces[row] -= residual;
        }
      });
  if (!base_moves) missing = missing - force_on_base(loops);
  for (int axis = 0; axis < 3; ++axis) {
    if (base_moves) {
      acceleration[axis] += a.linear[axis], acceleration[3 + axis] += a.angular[axis];
    } else {
      forces[axis] -= missing.linear[axis], forces[3 + axis] -= missing.angular[axis];
    }
  }
  LoopAnswer answer{__builtin_inf(), 0.0, 0.0};
  subtract_solution<correction>(tree, loops, scratch, answer);
  return answer;
}

}  // namespace spacedyn::SPACEDYN_ISA
