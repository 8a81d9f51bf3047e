/// @file
/// The functions that exist once per instruction set.
#pragma once

#include "dynamics/kernels/branch_arrays.hpp"
#include "dynamics/kernels/loop_arrays.hpp"
#include "dynamics/kernels/problem.hpp"
#include "dynamics/kernels/tree.hpp"

namespace spacedyn {

/// One compiled copy of the kernels. Pointers to double need no alignment unless said otherwise.
struct KernelTable {
  /// Sine and cosine of `count` angles within 1 ulp.
  void (*sincos)(const double* angles, double* sines, double* cosines, int count);
  /// Gravity at a point, 3, as KernelPolyhedron::kSums numbers.
  void (*polyhedron_field)(const KernelPolyhedron&, const double* r, double* sums);

  /// @name One state: first update_positions() or move(), then what is asked for
  /// @{
  /// Doubles of `scratch`, which is aligned to 64 bytes and starts as zeros.
  unsigned long (*scratch_size)(const Tree&);
  /// Before all others, once.
  void (*prepare_scratch)(const Tree&, double* scratch);
  /// Poses alone.
  void (*update_positions)(const Tree&, const KernelState<double>&, double* scratch);
  /// Poses, velocities and the accelerations that they and `given` cause; `free` as in
  /// KernelMobility, given of size 6 + n is read where a coordinate is not free.
  void (*move)(const Tree&, const double* free, const KernelState<double>&, const double* given,
               double* scratch);
  /// The same of the bodies between the base and an entry alone: poses, and velocities if moving.
  /// `runs` has room for two numbers per body.
  void (*update_path)(const Tree&, const KernelState<double>&, int entry, int* runs,
                      double* scratch);
  void (*move_path)(const Tree&, const KernelState<double>&, int entry, int* runs, double* scratch);
  /// Hybrid dynamics: fills the accelerations of free coordinates and the forces of prescribed
  /// ones, and the inverse of the base's articulated inertia, 36 numbers, angular part first, if
  /// that is not null and the base free. @returns the smallest part that a pivot is of the bound of
  /// its inertia
  double (*articulated_body)(const Tree&, const KernelMobility&, const KernelLoads<double>&,
                             double* scratch, double* acceleration, double* forces,
                             double* base_inverse);
  /// The same with loops, of which LoopArrays::right holds what does not follow from W and the
  /// motion; it becomes what the solution leaves of the right side.
  LoopAnswer (*articulated_loops)(const Tree&, const KernelMobility&, const KernelLoads<double>&,
                                  const LoopArrays&, double* scratch, double* acceleration,
                                  double* forces);
  /// After articulated_loops(): adds accelerations and forces that make up for what is left;
  /// LoopArrays::lambda is what it adds to the multipliers.
  LoopAnswer (*correct_loops)(const Tree&, const KernelMobility&, const LoopArrays&,
                              double* scratch, double* acceleration, double* forces);
  /// The part of articulated_body() that H⁻¹ needs, after update_positions(): inertias alone, and S
  /// of turns of the base as seen from the origins of openings. `zeros`: n
  double (*articulated_inertias)(const Tree&, const KernelMobility&, const double* zeros,
                                 double* scratch, double* base_inverse, TermBlock* base_terms);
  /// After articulated_body(), if its answer leaves doubts: whether each pivot is more than a part
  /// `least` of its diagonal element of H.
  bool (*has_sound_pivots)(const Tree&, const KernelMobility&, double* scratch, double least);
  /// After move() with nothing free: all forces.
  void (*newton_euler)(const Tree&, const KernelLoads<double>&, double* scratch, double* forces);
  /// H, (6+n)×(6+n), or n×n without the base, columns `stride` doubles apart.
  void (*composite_body)(const Tree&, double* scratch, bool with_base, double* H, int stride);
  /// H = Lᵀ D L of the free coordinates: copies H to `L`, aligned to 64 bytes, with columns
  /// `stride` doubles apart, a multiple of eight, then makes D of the diagonal and row i of L of
  /// column i above it; what else is there means nothing. @returns whether each pivot is more than
  /// a part `least` of its diagonal element
  bool (*factorize)(const CoordinateTree&, const double* H, long H_stride, double least, double* L,
                    long stride);
  /// After factorize(), x ← D⁻¹ L⁻ᵀ x, or D^−½ L⁻ᵀ x if it is half of a solution, then
  /// x ← L⁻¹ x or L⁻¹ D^−½ x, of the free coordinates. A tree of fewer free coordinates leaves the
  /// others out.
  void (*solve_inward)(const CoordinateTree&, const double* L, long stride, bool is_half,
                       double* x);
  void (*solve_outward)(const CoordinateTree&, const double* L, long stride, bool is_half,
                        double* x);
  /// The first six rows of H, 6×(6+n).
  void (*momentum_matrix)(const Tree&, double* scratch, double* A);
  /// J_m, 6×n, of a point of the body at an entry, 3 link coordinates from its frame origin, and
  /// where it is from the base centroid, 3 inertial coordinates, unless that is null.
  void (*point_jacobian)(const Tree&, double* scratch, int entry, const double* point, double* J,
                         double* place);
  /// Unit twists of all joints, 6×n, rows (linear, angular), about the base centroid.
  void (*joint_twists)(const Tree&, double* scratch, double* S);
  /// J* of such a point, 6×n. @returns whether each pivot of H_b is more than a part `least` of its
  /// diagonal element; otherwise J is J_m
  bool (*generalized_jacobian)(const Tree&, double* scratch, int entry, const double* point,
                               double least, double* J);
  /// Of the body at an entry: axes, 9 numbers, and a point of it and its velocity, 6, from the base
  /// centroid. After update_positions() or update_path() the velocity means nothing.
  void (*point_motion)(const Tree&, double* scratch, int entry, const double* point, double* axes,
                       double* place, double* velocity);
  /// After move(): frames and velocities of all bodies.
  void (*export_links)(const Tree&, double* scratch, const double* r_0, const double* v_0,
                       const KernelLinks&);
  /// After move(): momentum, energy and the sizes of their terms.
  void (*sum_motion)(const Tree&, double* scratch, const double* v_0, KernelSums&);
  /// @}

  /// Terms of all joints, a block for each of the Tree, and of three turns of the base, then their
  /// S, Ψ̇ and Ψ̈ as seen from the origin of each opening: after
  /// move() with all accelerations given, or after articulated_body(). @returns whether wrenches
  /// act
  bool (*given_terms)(const Tree&, const KernelLoads<double>&, double* scratch, TermBlock* terms,
                      TermBlock* base_terms);
  bool (*solved_terms)(const Tree&, const KernelLoads<double>&, double* scratch, TermBlock* terms,
                       TermBlock* base_terms);
  BranchKernels branches;
};

namespace isa_baseline {
extern const KernelTable kernels;
}
namespace isa_avx2 {
extern const KernelTable kernels;
}
namespace isa_avx512 {
extern const KernelTable kernels;
}

}  // namespace spacedyn
