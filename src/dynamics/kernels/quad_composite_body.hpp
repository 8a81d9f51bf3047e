/// @file
/// The inertia matrix of one state by composite rigid bodies, O(n · depth) [Featherstone].
#pragma once

#include "dynamics/kernels/quad_kinematics.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// Second moments by columns and first moments of the bodies of one block, and their joint axes
/// one body per lane, where the columns of R have been.
inline void compute_rigid_inertias(const LinkBlock& links, JointBlock& joints, QuadRecord* bodies) {
  using Lane = Pack<kLanes>;
  for (int lane = 0; lane < kBlock; lane += kLanes) {
    QuadRecord* to = bodies + lane;
    const double* frame = to->frame;
    const Mat3<Lane> A{gather3<Lane>(frame, kStride), gather3<Lane>(frame + 4, kStride),
                       gather3<Lane>(frame + 8, kStride)};
    const Vec3<Lane> r =
        gather3<Lane>(frame + 12, kStride) + A * load_rows<Lane>(links.rows + kRowCentroid, lane);
    const Rigid<Lane> body = rigid<Lane>(load<Lane>(links.rows[kRowMass] + lane), r,
                                         rotated(A, load_inertia<Lane>(links, lane)));
    const Sym3<Lane>& J = body.inertia;
    scatter_quads(to->sum, kStride, J.xx, J.xy, J.xz);
    scatter_quads(to->sum + 4, kStride, J.xy, J.yy, J.yz);
    scatter_quads(to->sum + 8, kStride, J.xz, J.yz, J.zz);
    scatter3(to->sum + 12, kStride, body.moment);
    store_rows(joints.R, lane, gather3<Lane>(to->axis, kStride));
    store_rows(joints.R + 3, lane, gather3<Lane>(to->axis + 4, kStride));
  }
}

/// Inertia of a body and everything it carries.
struct QuadComposite {
  Quad x, y, z;  ///< columns of the second moment
  Quad moment;   ///< first moment
  double mass;

  QuadSpatial operator*(const QuadSpatial& v) const {
    const Quad& w = v.angular;
    return {(x * w[0] + y * w[1] + z * w[2]) + cross(moment, v.linear),
            v.linear * mass + cross(w, moment)};
  }
};

/// Adds every body to its lower one and leaves I^C s in U; @returns the whole.
inline QuadComposite sum_inertias(const Tree& tree, const QuadScratch& scratch) {
  for (int i = tree.bodies - 1;; --i) {
    QuadRecord& body = scratch.bodies[i];
    const double* own = body.sum;
    const QuadComposite whole{load<Quad>(own), load<Quad>(own + 4), load<Quad>(own + 8),
                              load<Quad>(own + 12), tree.links[i].carried_mass};
    if (i == 0) return whole;
    store_spatial(body.U, whole * load_spatial(body.axis));
    QuadRecord& lower = scratch.bodies[tree.lower[i]];
    double* sum = lower.sum;
    store(sum, load<Quad>(sum) + whole.x), store(sum + 4, load<Quad>(sum + 4) + whole.y);
    store(sum + 8, load<Quad>(sum + 8) + whole.z);
    store(sum + 12, load<Quad>(sum + 12) + whole.moment);
  }
}

/// H_b (19) about the base centroid, which is the common origin; columns `stride` doubles apart.
inline void write_base(const QuadComposite& whole, double* H, int stride) {
  const Quad columns[3] = {whole.x, whole.y, whole.z};
  const double h[3] = {whole.moment[0], whole.moment[1], whole.moment[2]};
  // momentum of a rotation, −h̃, by columns
  const double momentum[3][3] = {{0.0, -h[2], h[1]}, {h[2], 0.0, -h[0]}, {-h[1], h[0], 0.0}};
  for (int j = 0; j < 3; ++j) {
    double *linear = H + j * stride, *angular = H + (3 + j) * stride;
    for (int i = 0; i < 3; ++i) {
      linear[i] = i == j ? whole.mass : 0.0;
      angular[i] = momentum[j][i];
      angular[3 + i] = columns[j][i];
    }
  }
}

/// s_i · F for the joints of a block.
[[gnu::always_inline]] inline void multiply_axes(const double* F, const JointBlock& joints,
                                                 double* products) {
  using Lane = Pack<kLanes>;
  for (int lane = 0; lane < kBlock; lane += kLanes) {
    const auto angular = load_rows<Lane>(joints.R, lane);
    const auto linear = load_rows<Lane>(joints.R + 3, lane);
    store(products + lane, (angular.x * F[0] + angular.y * F[1] + angular.z * F[2]) +
                               (linear.x * F[4] + linear.y * F[5] + linear.z * F[6]));
  }
}

/// Products for the entries of a run, whose bodies are numbered one after another: whole blocks go
/// straight to the column.
inline void multiply_run(const double* F, const QuadScratch& scratch, int first, int last,
                         double* row_of_first) {
  for (int start = first / kBlock * kBlock; start <= last; start += kBlock) {
    JointBlock& joints = scratch.joints[start / kBlock];
    double* rows = row_of_first + (start - first);
    if (start >= first && start + kBlock <= last + 1) {
      multiply_axes(F, joints, rows);
      continue;
    }
    multiply_axes(F, joints, joints.angle);
    const int from = start < first ? first - start : 0;
    const int to = start + kBlock <= last ? kBlock : last + 1 - start;
    for (int lane = from; lane < to; ++lane) rows[lane] = joints.angle[lane];
  }
}

/// H_ij = s_i · I^C_j s_j for every joint i between the base and joint j: the column down to its
/// diagonal. The path is walked by runs of entries that follow one another.
inline void write_joint_column(const Tree& tree, const QuadScratch& scratch, int j,
                               double* column) {
  const double* F = scratch.bodies[j].U;
  for (int axis = 0; axis < 3; ++axis) {
    column[axis] = F[4 + axis];
    column[3 + axis] = F[axis];
  }
  for (int last = j; last > 0;) {
    const int first = tree.run[last];
    multiply_run(F, scratch, first, last, column + 5 + tree.body[first]);
    last = tree.lower[first];
  }
}

/// Copies the upper triangle below the diagonal, tile by tile for the cache.
inline void mirror(double* H, int size, int stride) {
  constexpr int kTile = 8;
  for (int column = 0; column < size; column += kTile) {
    const int end = column + kTile < size ? column + kTile : size;
    double* to = H + column;
    for (int i = 0; i < column; ++i) {
      const double* from = H + static_cast<long>(stride) * column + i;
      double* row = to + static_cast<long>(stride) * i;
      for (int j = 0; j < end - column; ++j) row[j] = from[static_cast<long>(stride) * j];
    }
    for (int j = column; j < end; ++j) {
      for (int i = column; i < j; ++i) {
        H[static_cast<long>(stride) * i + j] = H[static_cast<long>(stride) * j + i];
      }
    }
  }
}

/// After place() or move(): H, (6+n)×(6+n).
inline void composite_body(const Tree& tree, double* memory, double* H, int stride) {
  const QuadScratch scratch(memory, tree);
  for (int b = 0; b < tree.block_count; ++b) {
    compute_rigid_inertias(tree.blocks[b], scratch.joints[b], scratch.bodies + kBlock * b);
  }
  write_base(sum_inertias(tree, scratch), H, stride);
  for (int j = 1; j < tree.bodies; ++j) {
    double* column = H + static_cast<long>(stride) * (5 + tree.body[j]);
    for (int i = 6; i < 5 + tree.body[j]; ++i) column[i] = 0.0;
    write_joint_column(tree, scratch, j, column);
    column[5 + tree.body[j]] += tree.links[j].armature;
  }
  mirror(H, 5 + tree.bodies, stride);
}

}  // namespace spacedyn::SPACEDYN_ISA
