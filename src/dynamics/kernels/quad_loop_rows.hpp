/// @file
/// Rows of loops at one instant, and what they demand of accelerations, by vectors.
#pragma once

#include "dynamics/kernels/quad_loops.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// x a_x + y a_y + z a_z of the axes of a body.
[[gnu::always_inline]] inline Quad turned(const double* frame, const double* a) {
  return load<Quad>(frame) * a[0] + load<Quad>(frame + 4) * a[1] + load<Quad>(frame + 8) * a[2];
}
/// The two bodies of a loop about the origin of the second one.
struct LoopMotions {
  QuadSpatial v_from, v_to;
  QuadSpatial known;  ///< difference of the accelerations that are not unknown
  Quad P;             ///< the second point

  LoopMotions(const Tree& tree, const QuadScratch& scratch, const LoopPart& part)
      : v_from(load_spatial(scratch.bodies[part.from].motion)),
        v_to(load_spatial(scratch.bodies[part.to].motion)) {
    const QuadRecord &from = scratch.bodies[part.from], &to = scratch.bodies[part.to];
    P = load<Quad>(to.frame + 12) + turned(to.frame, part.place);
    QuadSpatial a_from = load_spatial(from.motion + 8);
    if (tree.origin[part.from] != tree.origin[part.to]) {
      const QuadPassage passage(origin_of(tree, scratch, part.from),
                                origin_of(tree, scratch, part.to));
      a_from = passage.acceleration_of(a_from, v_from.angular);
      v_from = passage.velocity_of(v_from);
    }
    known = load_spatial(to.motion + 8) - a_from;
  }
};

/// W of a loop whose rows are fixed in the body of its first point. Right sides lose −Ẇ · V and
/// what known accelerations do.
inline void place_rows(const LoopPart& part, const double* frame, const LoopMotions& motions,
                       double* W, double* right) {
  const QuadSpatial &v_from = motions.v_from, &v_to = motions.v_to, &known = motions.known;
  const Quad& P = motions.P;
  const Quad omega = v_to.angular - v_from.angular;
  const Quad moving = v_to.linear + cross(v_to.angular, P);
  const Quad w = moving - (v_from.linear + cross(v_from.angular, P));
  const Quad bend =
      cross(omega, moving) + cross(w, v_from.angular) + known.linear + cross(known.angular, P);
  const Quad twist = cross(omega, v_from.angular) + known.angular;
  for (int r = 0; r < part.rows; ++r, W += kWrench) {
    const bool is_force = r < part.translations;
    const int axis = is_force ? part.first_axis + r : r - part.translations;
    const Quad direction = turned(frame, part.axes + 4 * axis);
    right[r] -= sum_everywhere(direction * (is_force ? bend : twist))[0];
    store_spatial(W, is_force ? QuadSpatial{cross(P, direction), direction}
                              : QuadSpatial{direction, everywhere(0.0)});
  }
}

/// The same of rows that are given as wrenches about the second point.
inline void place_given_rows(const LoopPart& part, const LoopMotions& motions, double* W,
                             double* right) {
  const QuadSpatial &v_to = motions.v_to, &known = motions.known;
  const Quad& P = motions.P;
  const Quad omega = v_to.angular - motions.v_from.angular;
  const Quad moving = v_to.linear + cross(v_to.angular, P);
  const Quad bend = cross(omega, moving) + known.linear + cross(known.angular, P);
  for (int r = 0; r < part.rows; ++r, W += kWrench) {
    const QuadSpatial row = load_spatial(W);
    right[r] -= sum_everywhere(row.linear * bend + row.angular * known.angular)[0];
    store_spatial(W, {row.angular + cross(P, row.linear), row.linear});
  }
}

/// From the origin of one entry to that of another.
inline Quad way_between(const Tree& tree, const QuadScratch& scratch, int from, int to) {
  return load<Quad>(origin_of(tree, scratch, to).place) -
         load<Quad>(origin_of(tree, scratch, from).place);
}

/// All rows, and their right sides less what known accelerations do.
inline void place_all_rows(const Tree& tree, const KernelMobility& mobility,
                           const LoopArrays& loops, const double* given,
                           const QuadScratch& scratch) {
  for (int i = 0; i < loops.count; ++i) {
    const LoopPart& part = loops.parts[i];
    double *right = loops.right + part.row, *W = loops.W + kWrench * part.wrench;
    for (int k = part.joints; k < part.joints_end; ++k) {
      const LoopJoint& joint = loops.joints[k];
      if (mobility.free[joint.entry] != 0.0) continue;
      right[0] -= loops.coefficients[joint.coefficient] * given[5 + tree.body[joint.entry]];
    }
    if (part.from == part.to) continue;
    const LoopMotions motions(tree, scratch, part);
    const Quad point = load<Quad>(origin_of(tree, scratch, part.to).place) + motions.P;
    store(loops.points + 4 * i, Quad{point[0], point[1], point[2], 1.0});
    if (part.is_given == 0) {
      place_rows(part, scratch.bodies[part.from].frame, motions, W, right);
    } else {
      place_given_rows(part, motions, W, right);
    }
  }
  for (int i = 0; i < loops.tip_count; ++i) {
    const LoopTip& tip = loops.tips[i];
    const LoopPart& part = loops.parts[tip.loop];
    const Quad way = way_between(tree, scratch, part.to, tip.sign > 0.0 ? part.to : part.from);
    for (int r = 0; r < part.rows; ++r) {
      const QuadSpatial row = load_spatial(loops.W + kWrench * (part.wrench + r));
      store_spatial(loops.C + kWrench * (tip.C + r),
                    QuadSpatial{row.angular - cross(way, row.linear), row.linear} * -tip.sign);
    }
  }
}

/// What unknowns add to the acceleration of a body.
inline double* unknown_acceleration(QuadRecord& body) { return body.p; }
/// The force of a sum, which no sweep needs any more: first forces of corrections, then what they
/// add to the acceleration.
inline double* correction(QuadRecord& body) { return body.sum + 48; }

inline Quad size_of(const Quad& a) { return maximum(a, 0.0 - a); }

/// Four rates of rows, and the sizes of their terms.
struct RowRates {
  Quad rate, size;
};

/// K u̇ of rows from `first` on of a loop, of accelerations at a place of each record.
template <double* (*place)(QuadRecord&)>
inline RowRates rates_of(const LoopPart& part, int first, const LoopArrays& loops, const Quad& way,
                         const QuadScratch& scratch) {
  const QuadSpatial to = load_spatial(place(scratch.bodies[part.to]));
  const QuadSpatial from = seen_from(way, load_spatial(place(scratch.bodies[part.from])));
  const double* W = loops.W + kWrench * (part.wrench + first);
  const int rows = part.rows - first;
  const auto row = [&](int r) { return r < rows ? load_spatial(W + kWrench * r) : zero_spatial(); };
  const QuadSpatial a = row(0), b = row(1), c = row(2), d = row(3);
  const auto size = [&](const QuadSpatial& f) {
    return (size_of(f.angular * to.angular) + size_of(f.linear * to.linear)) +
           (size_of(f.angular * from.angular) + size_of(f.linear * from.linear));
  };
  const QuadSpatial relative = to - from;
  return {sums_of(products(a, relative), products(b, relative), products(c, relative),
                  products(d, relative)),
          sums_of(size(a), size(b), size(c), size(d))};
}

/// The same of a coupling of joints.
inline RowRates rates_of_coupling(const LoopPart& part, const LoopArrays& loops,
                                  const QuadScratch& scratch) {
  double rate = 0.0, size = 0.0;
  for (int k = part.joints; k < part.joints_end; ++k) {
    const LoopJoint& joint = loops.joints[k];
    const double each =
        loops.coefficients[joint.coefficient] * scratch.bodies[joint.entry].acceleration;
    rate += each;
    size += __builtin_fabs(each);
  }
  return {Quad{rate, 0.0, 0.0, 0.0}, Quad{size, 0.0, 0.0, 0.0}};
}

/// right −= K u̇ of the accelerations at a place of each record; fills rest and terms of the answer.
template <double* (*place)(QuadRecord&)>
inline void subtract_solution(const Tree& tree, const LoopArrays& loops, const QuadScratch& scratch,
                              LoopAnswer& answer) {
  Quad rest = everywhere(0.0), terms = rest;
  for (int i = 0; i < loops.count; ++i) {
    const LoopPart& part = loops.parts[i];
    const Quad way = way_between(tree, scratch, part.from, part.to);
    for (int pack = 0; pack < part.packs; ++pack) {
      const int row = part.row + kRowPack * pack;
      const RowRates rates = part.from == part.to
                                 ? rates_of_coupling(part, loops, scratch)
                                 : rates_of<place>(part, kRowPack * pack, loops, way, scratch);
      const Quad before = load<Quad>(loops.right + row);
      const Quad pivot = load<Quad>(loops.pivot + row), after = before - rates.rate;
      store(loops.right + row, after);
      rest = maximum(rest, size_of(after) * pivot);
      terms = maximum(terms, (size_of(before) + rates.size) * pivot);
    }
  }
  for (int k = 0; k < kRowPack; ++k) {
    answer.rest = rest[k] > answer.rest ? rest[k] : answer.rest;
    answer.terms = terms[k] > answer.terms ? terms[k] : answer.terms;
  }
}

}  // namespace spacedyn::SPACEDYN_ISA
