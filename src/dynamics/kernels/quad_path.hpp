/// @file
/// The outward sweep along one path: what one frame needs, whatever else the robot carries.
#pragma once

#include "dynamics/kernels/quad_kinematics.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// The runs of entries between the base and one of them, first and last of each, the outermost run
/// first. @returns how many
inline int runs_to(const Tree& tree, int entry, int* runs) {
  int count = 0;
  for (int i = entry; i > 0; i = tree.lower[tree.run[i]]) {
    runs[2 * count] = tree.run[i];
    runs[2 * count + 1] = i;
    ++count;
  }
  return count;
}

/// Joint variables of a path, and the rotations of the blocks that it crosses. Entries ascend
/// outward, so each block is turned once; its other lanes turn along.
template <bool kMoving>
inline void turn_path(const Tree& tree, const KernelState<double>& state, const int* runs,
                      int count, JointBlock* joints) {
  for (int k = count; k-- > 0;) {
    // joints of a run are numbered in a row
    const int first = runs[2 * k], last = runs[2 * k + 1], shift = tree.body[first] - 1 - first;
    for (int i = first; i <= last; ++i) {
      joints[i / kBlock].slide[i % kBlock] = state.q[i + shift];
      if constexpr (kMoving) joints[i / kBlock].rate[i % kBlock] = state.qd[i + shift];
    }
  }
  int turned = -1;
  for (int k = count; k-- > 0;) {
    for (int b = runs[2 * k] / kBlock; b <= runs[2 * k + 1] / kBlock; ++b) {
      if (b != turned) turn_joints(tree.blocks[b], joints[b]);
      turned = b;
    }
  }
}

/// Poses and axes of the bodies of a path and, if moving, their velocities.
template <bool kMoving>
inline void sweep_path(const Tree& tree, const KernelState<double>& state, int entry, int* runs,
                       double* memory) {
  const QuadScratch scratch(memory, tree);
  const int count = runs_to(tree, entry, runs);
  turn_path<kMoving>(tree, state, runs, count, scratch.joints);
  QuadBody body = quad_base(tree, state, zero_spatial());
  store_body<false>(scratch.bodies[0], body);
  if constexpr (kMoving) store_spatial(scratch.bodies[0].motion, body.v);
  for (int k = count; k-- > 0;) {
    int i = runs[2 * k];
    if (tree.opens[i] != 0) {
      QuadOrigin& origin = scratch.origins[tree.origin[i]];
      if (i + tree.opens[i] <= runs[2 * k + 1] + 1) {
        body = open_origin<kMoving>(tree, tree.openings[tree.origin[i] - 1], scratch, origin);
        i += tree.opens[i];
      } else {
        // a path by some of the slides knows the origin of the base alone
        origin = {};
      }
    }
    for (; i <= runs[2 * k + 1]; ++i) {
      QuadRecord& record = scratch.bodies[i];
      const JointBlock& joints = scratch.joints[i / kBlock];
      const QuadSpatial s =
          move_body<false>(tree.blocks[i / kBlock], joints, i % kBlock, record, body);
      store_body<false>(record, body);
      if constexpr (kMoving) {
        body.v = body.v + s * joints.rate[i % kBlock];
        store_spatial(record.motion, body.v);
      }
    }
  }
}

inline void update_path(const Tree& tree, const KernelState<double>& state, int entry, int* runs,
                        double* memory) {
  sweep_path<false>(tree, state, entry, runs, memory);
}
inline void move_path(const Tree& tree, const KernelState<double>& state, int entry, int* runs,
                      double* memory) {
  sweep_path<true>(tree, state, entry, runs, memory);
}

}  // namespace spacedyn::SPACEDYN_ISA
