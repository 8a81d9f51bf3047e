/// @file
/// The outward sweep along one path: what one frame needs, whatever else the robot carries.
#pragma once

#include "dynamics/kernels/quad_kinematics.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// The entries between the base and one of them, the outermost first. @returns their number
inline int path_to(const Tree& tree, int entry, int* path) {
  int count = 0;
  for (int i = entry; i > 0; i = tree.lower[i]) path[count++] = i;
  return count;
}

/// Joint variables of a path, and the rotations of the blocks that it crosses. Entries ascend
/// outward, so each block is turned once; its other lanes turn along.
template <bool kMoving>
inline void turn_path(const Tree& tree, const KernelState<double>& state, const int* path,
                      int count, JointBlock* joints) {
  for (int k = count; k-- > 0;) {
    const int i = path[k], j = tree.body[i] - 1;
    joints[i / kBlock].slide[i % kBlock] = state.q[j];
    if constexpr (kMoving) joints[i / kBlock].rate[i % kBlock] = state.qd[j];
    const bool last_of_block = k == 0 || path[k - 1] / kBlock != i / kBlock;
    if (last_of_block) turn_joints(tree.blocks[i / kBlock], joints[i / kBlock]);
  }
}

/// Poses and axes of the bodies of a path and, if moving, their velocities.
template <bool kMoving>
inline void sweep_path(const Tree& tree, const KernelState<double>& state, int entry, int* path,
                       double* memory) {
  const QuadScratch scratch(memory, tree);
  const int count = path_to(tree, entry, path);
  turn_path<kMoving>(tree, state, path, count, scratch.joints);
  QuadBody body = quad_base(tree, state, zero_spatial());
  store_body<false>(scratch.bodies[0], body);
  if constexpr (kMoving) store_spatial(scratch.bodies[0].motion, body.v);
  for (int k = count; k-- > 0;) {
    const int i = path[k];
    QuadRecord& record = scratch.bodies[i];
    const QuadSpatial s = move_body<false>(tree.blocks[i / kBlock], scratch.joints[i / kBlock],
                                           i % kBlock, record, body);
    store_body<false>(record, body);
    if constexpr (kMoving) {
      body.v = body.v + s * scratch.joints[i / kBlock].rate[i % kBlock];
      store_spatial(record.motion, body.v);
    }
  }
}

inline void place_path(const Tree& tree, const KernelState<double>& state, int entry, int* path,
                       double* memory) {
  sweep_path<false>(tree, state, entry, path, memory);
}
inline void move_path(const Tree& tree, const KernelState<double>& state, int entry, int* path,
                      double* memory) {
  sweep_path<true>(tree, state, entry, path, memory);
}

}  // namespace spacedyn::SPACEDYN_ISA
