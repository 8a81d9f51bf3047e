/// @file
/// The inertia matrix of one state by composite rigid bodies, O(n · depth) [Featherstone].
#pragma once

#include "dynamics/kernels/mirror.hpp"
#include "dynamics/kernels/quad_kinematics.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// The rigid inertias of kLanes bodies.
template <typename Lane>
[[gnu::always_inline]] inline Rigid<Lane> gather_rigid(const LinkBlock& links,
                                                       const QuadRecord* from, int lane) {
  const double* frame = from->frame;
  const Mat3<Lane> A{gather3<Lane>(frame, kStride), gather3<Lane>(frame + 4, kStride),
                     gather3<Lane>(frame + 8, kStride)};
  const Vec3<Lane> r =
      gather3<Lane>(frame + 12, kStride) + A * load_rows<Lane>(links.rows + kRowCentroid, lane);
  return rigid<Lane>(load<Lane>(links.rows[kRowMass] + lane), r,
                     rotated(A, load_inertia<Lane>(links, lane)));
}

/// Second moments by columns and first moments of the bodies of one block, and their joint axes
/// one body per lane, where the columns of R have been.
inline void compute_rigid_inertias(const LinkBlock& links, JointBlock& joints, QuadRecord* bodies) {
  using Lane = Pack<kLanes>;
  for (int lane = 0; lane < kBlock; lane += kLanes) {
    QuadRecord* to = bodies + lane;
    const Rigid<Lane> body = gather_rigid<Lane>(links, to, lane);
    const Sym3<Lane>& J = body.inertia;
    scatter_quads(to->sum, kSumStride, J.xx, J.xy, J.xz);
    scatter_quads(to->sum + 4, kSumStride, J.xy, J.yy, J.yz);
    scatter_quads(to->sum + 8, kSumStride, J.xz, J.yz, J.zz);
    scatter3(to->sum + 12, kSumStride, body.moment);
    store_rows(joints.R, lane, gather3<Lane>(to->axis, kStride));
    store_rows(joints.R + 3, lane, gather3<Lane>(to->axis + 4, kStride));
  }
}

inline void add_inertia(const double* upper, double* lower) {
  for (int k = 0; k < 16; k += kLanes) {
    store(lower + k, load<Pack<kLanes>>(lower + k) + load<Pack<kLanes>>(upper + k));
  }
}

/// Adds the inertia of a branch about its own origin to the base.
[[gnu::noinline]] inline void add_to_base(const QuadOrigin& origin, double mass, const double* sum,
                                          double* base) {
  const Rigid<double> whole{mass, load3(sum + 12), symmetric_of_columns(sum)};
  double seen[16];
  store_rigid(moved(whole, load3(origin.place)), seen);
  add_inertia(seen, base);
}

/// Adds every body to its lower one; along a run the sum stays in registers.
inline void sum_inertias(const Tree& tree, const QuadScratch& scratch) {
  using Lane = Pack<kLanes>;
  constexpr int kCount = 16 / kLanes;
  Lane carried[kCount] = {};
  for (int i = tree.bodies - 1; i >= 0; --i) {
    double* sum = scratch.bodies[i].sum;
    for (int k = 0; k < kCount; ++k) {
      carried[k] += load<Lane>(sum + k * kLanes);
      store(sum + k * kLanes, carried[k]);
    }
    const int lower = tree.lower[i];
    if (tree.opens[i] != 0) {
      add_to_base(origin_of(tree, scratch, i), tree.links[i].carried_mass, sum,
                  scratch.bodies[0].sum);
    } else if (lower == i - 1) {
      continue;
    } else if (i > 0) {
      add_inertia(sum, scratch.bodies[lower].sum);
    }
    for (int k = 0; k < kCount; ++k) carried[k] = Lane{};
  }
}

/// I^C s of the joints of a block, one per lane, in place of what moved them.
inline void respond_to_axes(const LinkBlock& links, const QuadRecord* bodies, JointBlock& joints) {
  using Lane = Pack<kLanes>;
  for (int lane = 0; lane < kBlock; lane += kLanes) {
    const double* sum = bodies[lane].sum;
    const auto x = gather3<Lane>(sum, kSumStride), y = gather3<Lane>(sum + 4, kSumStride);
    const auto z = gather3<Lane>(sum + 8, kSumStride);
    const Rigid<Lane> whole{load<Lane>(links.rows[kRowCarriedMass] + lane),
                            gather3<Lane>(sum + 12, kSumStride),
                            {x.x, x.y, x.z, y.y, y.z, z.z}};
    const Spatial<Lane> F =
        whole * Spatial<Lane>{load_rows<Lane>(joints.R, lane), load_rows<Lane>(joints.R + 3, lane)};
    store_rows(joints.force, lane, F.linear);
    store_rows(joints.moment, lane, F.angular);
  }
}

/// H_b (19) about the base centroid, which is the common origin; columns `stride` doubles apart.
inline void write_base(const Tree& tree, const QuadRecord& base, double* H, int stride) {
  const double *columns = base.sum, *h = base.sum + 12;
  // momentum of a rotation, −h̃, by columns
  const double momentum[3][3] = {{0.0, -h[2], h[1]}, {h[2], 0.0, -h[0]}, {-h[1], h[0], 0.0}};
  for (int j = 0; j < 3; ++j) {
    double *linear = H + j * long(stride), *angular = H + (3 + j) * long(stride);
    for (int i = 0; i < 3; ++i) {
      linear[i] = i == j ? tree.links[0].carried_mass : 0.0;
      angular[i] = momentum[j][i];
      angular[3 + i] = columns[4 * j + i];
    }
  }
}

/// I^C s of one joint about the origin of its branch.
struct Response {
  double F[6];  ///< linear part first
  /// About the base centroid.
  void write_about_base(const QuadOrigin& origin, double* column) const {
    const QuadSpatial f =
        from_base(origin, {Quad{F[3], F[4], F[5], 0.0}, Quad{F[0], F[1], F[2], 0.0}});
    for (int axis = 0; axis < 3; ++axis) {
      column[axis] = f.linear[axis], column[3 + axis] = f.angular[axis];
    }
  }
  Response(const JointBlock* joints, int entry) {
    const JointBlock& block = joints[entry / kBlock];
    for (int axis = 0; axis < 3; ++axis) {
      F[axis] = block.force[axis][entry % kBlock];
      F[3 + axis] = block.moment[axis][entry % kBlock];
    }
  }
};

/// s_i · F for the joints of a block.
[[gnu::always_inline]] inline void multiply_axes(const Response& response, const JointBlock& joints,
                                                 double* products) {
  using Lane = Pack<kLanes>;
  const double* F = response.F;
  for (int lane = 0; lane < kBlock; lane += kLanes) {
    const auto angular = load_rows<Lane>(joints.R, lane);
    const auto linear = load_rows<Lane>(joints.R + 3, lane);
    store(products + lane, (angular.x * F[3] + angular.y * F[4] + angular.z * F[5]) +
                               (linear.x * F[0] + linear.y * F[1] + linear.z * F[2]));
  }
}

/// Products for the entries of a run, whose bodies are numbered one after another: whole blocks go
/// straight to the column.
inline void multiply_run(const Response& response, JointBlock* blocks, int first, int last,
                         double* row_of_first) {
  for (int start = first / kBlock * kBlock; start <= last; start += kBlock) {
    JointBlock& joints = blocks[start / kBlock];
    double* rows = row_of_first + (start - first);
    if (start >= first && start + kBlock <= last + 1) {
      multiply_axes(response, joints, rows);
      continue;
    }
    multiply_axes(response, joints, joints.angle);
    const int from = start < first ? first - start : 0;
    const int to = start + kBlock <= last ? kBlock : last + 1 - start;
    copy(joints.angle + from, rows + from, to - from);
  }
}

/// H_ij = s_i · I^C_j s_j for every joint i between the base and joint j: a column down to its
/// diagonal, zeros for the joints of other branches. The path is walked by runs of entries that
/// follow one another.
/// @tparam kBase     rows of the base above those of the joints: 6, or none
/// @param may_spill  whether a few rows beyond the matrix are those of the column written next, and
///                   one before it that of the column before, below its diagonal
template <int kBase>
inline void write_joint_column(const Tree& tree, const QuadScratch& scratch, int j, bool may_spill,
                               double* column) {
  JointBlock* joints = scratch.joints;
  const Response response(joints, j);
  const int first = tree.run[j], begin = first / kBlock * kBlock;
  const int row = kBase - 1 + tree.body[first], start = row - (first - begin);
  const int diagonal = kBase - 1 + tree.body[j], size = kBase - 1 + tree.bodies;
  const bool begins_inside = start >= 0 || (kBase == 0 && start == -1 && may_spill && diagonal > 0);
  const int end = start + (j / kBlock + 1) * kBlock - begin;
  const bool ends_inside = end <= size || (may_spill && end <= 2 * size);
  if (tree.lower[first] == 0 && begins_inside && ends_inside) {
    // one run: what whole blocks write beyond it is written again afterwards
    for (int entry = begin; entry <= j; entry += kBlock) {
      multiply_axes(response, joints[entry / kBlock], column + start + (entry - begin));
    }
    for (int i = kBase; i < row; ++i) column[i] = 0.0;
  } else {
    for (int i = kBase; i < diagonal; ++i) column[i] = 0.0;
    for (int last = j; last > 0;) {
      const int from = tree.run[last];
      multiply_run(response, joints, from, last, column + kBase - 1 + tree.body[from]);
      last = tree.lower[from];
    }
  }
  if constexpr (kBase > 0) response.write_about_base(origin_of(tree, scratch, j), column);
  column[diagonal] += tree.links[j].armature;
}

/// After update_positions() or move(): inertias of all subtrees and I^C s of all joints.
inline void compute_composites(const Tree& tree, const QuadScratch& scratch) {
  for (int b = 0; b < tree.block_count; ++b) {
    compute_rigid_inertias(tree.blocks[b], scratch.joints[b], scratch.bodies + kBlock * b);
  }
  sum_inertias(tree, scratch);
  for (int b = 0; b < tree.block_count; ++b) {
    respond_to_axes(tree.blocks[b], scratch.bodies + kBlock * b, scratch.joints[b]);
  }
}

/// Columns of joints down to their diagonals, then all below.
template <int kBase>
inline void write_columns(const Tree& tree, const QuadScratch& scratch, double* H, int stride) {
  const int size = kBase - 1 + tree.bodies;
  for (int j = 1; j < tree.bodies; ++j) {
    const bool may_spill =
        stride == size && j + 1 < tree.bodies && tree.body[j + 1] == tree.body[j] + 1;
    write_joint_column<kBase>(tree, scratch, j, may_spill,
                              H + static_cast<long>(stride) * (kBase - 1 + tree.body[j]));
  }
  mirror(H, size, stride);
}

/// After update_positions() or move(): H, (6+n)×(6+n), or n×n without the base.
inline void composite_body(const Tree& tree, double* memory, bool with_base, double* H,
                           int stride) {
  const QuadScratch scratch(memory, tree);
  compute_composites(tree, scratch);
  if (!with_base) return write_columns<0>(tree, scratch, H, stride);
  write_base(tree, scratch.bodies[0], H, stride);
  write_columns<6>(tree, scratch, H, stride);
}

/// After update_positions() or move(): the first six rows of H, 6×(6+n).
inline void momentum_matrix(const Tree& tree, double* memory, double* A) {
  const QuadScratch scratch(memory, tree);
  compute_composites(tree, scratch);
  write_base(tree, scratch.bodies[0], A, 6);
  // symmetric
  for (int j = 0; j < 3; ++j) {
    for (int i = 3; i < 6; ++i) A[6 * j + i] = A[6 * i + j];
  }
  for (int j = 1; j < tree.bodies; ++j) {
    Response(scratch.joints, j)
        .write_about_base(origin_of(tree, scratch, j), A + 6 * (5 + tree.body[j]));
  }
}

}  // namespace spacedyn::SPACEDYN_ISA
