/// @file
/// All batch kernels of one instruction set; included by baseline.cpp, avx2.cpp and avx512.cpp, see
/// dynamics/kernels/lanes.hpp.
#pragma once

#include "batch/kernels/forward_dynamics.hpp"
#include "batch/kernels/inertia_matrix.hpp"
#include "batch/kernels/inverse_dynamics.hpp"
#include "batch/kernels/inverse_inertia.hpp"
#include "batch/kernels/kernel_table.hpp"
#include "batch/kernels/rk4.hpp"
#include "batch/kernels/rows.hpp"

namespace spacedyn::SPACEDYN_ISA {

using BatchLane = Pack<kLanes>;

inline void forward_tile(const batch::Robot& robot, const double* gravity, const double* state,
                         const double* forces, double* workspace, double* acceleration) {
  for (int at = 0; at < batch::kTile; at += kLanes) {
    forward_dynamics<BatchLane>(robot, gravity, state + at, forces + at, workspace,
                                acceleration + at);
  }
}

inline void inverse_tile(const batch::Robot& robot, const double* gravity, const double* state,
                         const double* acceleration, double* workspace, double* forces) {
  for (int at = 0; at < batch::kTile; at += kLanes) {
    inverse_dynamics<BatchLane>(robot, gravity, state + at, acceleration + at, workspace,
                                forces + at);
  }
}

inline void inertia_tile(const batch::Robot& robot, const double* state, double* workspace,
                         double* bodies, double* H) {
  for (int at = 0; at < batch::kTile; at += kLanes) {
    inertia_matrix<BatchLane>(robot, state + at, workspace, bodies + at, H + at);
  }
}

inline void inverse_inertia_tile(const batch::Robot& robot, const double* state, double* workspace,
                                 double* bodies, double* H_inverse) {
  for (int at = 0; at < batch::kTile; at += kLanes) {
    inverse_inertia<BatchLane>(robot, state + at, workspace, bodies + at, H_inverse + at);
  }
}

inline void jacobian_tile(const batch::Robot& robot, const batch::FramePoint& point,
                          const double* state, double* workspace, double* bodies, double* J) {
  for (int at = 0; at < batch::kTile; at += kLanes) {
    frame_jacobian<BatchLane>(robot, point, state + at, workspace, bodies + at, J + at);
  }
}

inline void pose_tile(const batch::Robot& robot, const batch::FramePoint& frame,
                      const double* state, double* workspace, double* pose) {
  for (int at = 0; at < batch::kTile; at += kLanes) {
    frame_pose<BatchLane>(robot, frame, state + at, workspace, pose + at);
  }
}

inline void rk4_tile(const batch::Robot& robot, const batch::Rk4Task& task, const double* forces,
                     double* workspace, double* rows, double* state) {
  for (int at = 0; at < batch::kTile; at += kLanes) {
    rk4<BatchLane>(robot, task, forces + at, workspace, rows + at, state + at);
  }
}

const batch::KernelTable batch_kernels = {
    kLanes,    forward_tile, inverse_tile, inertia_tile, inverse_inertia_tile, jacobian_tile,
    pose_tile, rk4_tile,     read_states,  read_vectors, write_vectors};

}  // namespace spacedyn::SPACEDYN_ISA
