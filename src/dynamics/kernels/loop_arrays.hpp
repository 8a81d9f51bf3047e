/// @file
/// Loops as kernels see them: in which order they are eliminated, where their numbers are, and the
/// rows of one instant. Plain data.
#pragma once

namespace spacedyn {

/// Doubles of one wrench: (angular, 0, linear, 0).
constexpr int kWrench = 8;
/// Rows of a loop are padded to a multiple of this where they are elements of a vector.
constexpr int kRowPack = 4;

/// The rows of a loop at a body between its points and the body where it is eliminated.
struct LoopColumn {
  int loop;
  int C;            ///< first of the wrenches that its multipliers exert there, in wrenches
  int e;            ///< response of its rows to the joint of the body
  int up;           ///< C of the same loop at the lower body
  int opens;        ///< 1 if C of the lower body receives nothing before, else 0
  int coefficient;  ///< of the joint itself, in LoopArrays::coefficients; 0 where there is none
};
/// Coupling N of two loops, of which the first is eliminated earlier.
struct LoopCoupling {
  int first, second;  ///< columns, or neighbours of a loop
  int N;
};
/// A loop that is coupled with another one when that is eliminated.
struct LoopNeighbour {
  int loop;
  int N, T;  ///< of the eliminated loop with this one, and P N
  int C;     ///< of this loop at the body where the other one is eliminated, in wrenches
};
/// What a body has to do with loops: ranges of the arrays.
struct LoopBody {
  int closing;    ///< first column; those before `open` are eliminated here
  int open, end;  ///< columns
  int couplings, couplings_end;
};
/// Where the rows of a loop act: the wrench of `to` is that of the rows with its sign changed.
struct LoopTip {
  int loop, C;
  double sign;  ///< 1 on the body of the second point, −1 on that of the first
};
/// One loop. Rows along axes fixed in the body of the first point are placed by kernels: first
/// forces along the axes from `first_axis` on through the second point, then moments from the first
/// axis on. Others are given.
struct LoopPart {
  int rows, packs;
  int is_given;  ///< 1 if rows as wrenches about the second point and what their turning does are
                 ///< written by others, else 0
  int translations, first_axis;
  int wrench;  ///< first of its rows W, in wrenches
  int row;     ///< first element of its rows in padded vectors
  int own;     ///< its N, then P = N⁻¹ in the rows that do not follow from others
  int Y;       ///< C P at the body where it is eliminated, in wrenches
  int neighbours, neighbours_end;
  int fill, fill_end;
  int from, to;            ///< entries of the bodies that it joins; equal for couplings of joints
  int joints, joints_end;  ///< of couplings
  int most_pivots;
  double axes[12];  ///< three, in the link of the first point, four numbers each
  double place[4];  ///< the second point, in the link that it belongs to
};
/// A joint in a coupling.
struct LoopJoint {
  int entry, coefficient;
};

/// Everything about the loops of a robot. Vectors of rows are padded to kRowPack; blocks hold rows
/// of padded rows.
struct LoopArrays {
  const LoopBody* bodies;  ///< per entry of the Tree
  const LoopColumn* columns;
  const LoopCoupling *couplings, *fill;
  LoopPart* parts;
  int count;
  const LoopNeighbour* neighbours;
  const LoopJoint* joints;
  const LoopTip* tips;
  int tip_count;
  int close_at_base;            ///< 1 if all loops are eliminated at the base, else 0
  int padded_rows, block_size;  ///< elements of vectors of rows and of N

  /// @name Of an instant
  /// @{
  double* W;  ///< rows: K u = W · (velocity of `to` − that of `from`), about the origin of `to`
  double* points;        ///< four numbers per loop: the second point from the base centroid, and 1
                         ///< where it joins points
  double* coefficients;  ///< of joints in couplings; the first is zero
  double* right;         ///< what K u̇ of the unknown accelerations is to be, or its rest, padded
  /// @}
  /// @name Memory
  /// @{
  double *C, *e, *N, *T, *Y;
  double *size, *terms;  ///< what joints have added to diagonal elements, and could have added
  double* pivot;         ///< 1 where a row does not follow from others, else 0
  double* left;          ///< right side that is not yet eliminated
  double* lambda;        ///< multipliers of the last solution
  /// @}
  double least_pivot;  ///< part of what joints have added that counts as rounding
};

/// What comes of a solution.
struct LoopAnswer {
  double smallest_pivot;  ///< the smallest part that a pivot is of the bound of its inertia
  double rest;            ///< largest element of the right side that is left
  double terms;           ///< largest of the terms that make it up
};

}  // namespace spacedyn
