/// @file
/// The batch functions that exist once per instruction set. All work on one tile.
#pragma once

#include "batch/kernels/rk4_task.hpp"
#include "batch/kernels/robot.hpp"

namespace spacedyn::batch {

struct KernelTable {
  /// States in one register: the workspace is this wide.
  int lanes;
  void (*forward_dynamics)(const Robot& robot, const double* gravity, const double* state,
                           const double* forces, double* workspace, double* acceleration);
  void (*inverse_dynamics)(const Robot& robot, const double* gravity, const double* state,
                           const double* acceleration, double* workspace, double* forces);
  /// @name With 9 (1 + n) rows more of a workspace, as wide as tiles
  /// @{
  /// H, (6 + n)² rows, of which those that are zero in every state are not written.
  void (*inertia_matrix)(const Robot& robot, const double* state, double* workspace, double* bodies,
                         double* H);
  /// H⁻¹, all (6 + n)² rows; NaN where H is not positive definite.
  void (*inverse_inertia)(const Robot& robot, const double* state, double* workspace,
                          double* bodies, double* H_inverse);
  /// 6 n rows.
  void (*frame_jacobian)(const Robot& robot, const FramePoint& point, const double* state,
                         double* workspace, double* bodies, double* J);
  /// @}
  /// 12 rows, position and axes.
  void (*frame_pose)(const Robot& robot, const FramePoint& frame, const double* state,
                     double* workspace, double* pose);
  void (*rk4)(const Robot& robot, const Rk4Task& task, const double* forces, double* workspace,
              double* rows, double* state);
  /// @name Between rows of numbers and tiles, see rows.hpp
  /// @{
  bool (*read_states)(const ConstRows& rows, int joints, double* tile);
  void (*read_vectors)(const ConstRows& rows, int width, int components, double* tile);
  void (*write_vectors)(const double* tile, int width, const Rows& rows);
  /// @}
};

}  // namespace spacedyn::batch

namespace spacedyn::isa_baseline {
extern const batch::KernelTable batch_kernels;
}
namespace spacedyn::isa_avx2 {
extern const batch::KernelTable batch_kernels;
}
namespace spacedyn::isa_avx512 {
extern const batch::KernelTable batch_kernels;
}
