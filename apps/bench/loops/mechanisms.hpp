/// @file
/// Mechanisms with loops that other libraries can model with joints and constraints of their own.
#pragma once

#include <spacedyn/model/model.hpp>
#include <spacedyn/state/loads.hpp>
#include <spacedyn/state/state.hpp>

namespace spacedyn::bench {

/// A mechanism that moves on its loops, under gravity, torques and, if it floats, a base wrench.
struct Mechanism {
  Model model;
  State state;
  Loads loads;
};

/// Columns on the ground or on a base, a beam from each to the next: IFToMM case A02.
/// @param pin  revolute, or spherical, which is enough in a plane
Model row_of_four_bars(int bars, bool fixed = true, LoopType pin = LoopType::revolute);
/// Each four-bar on the coupler of the one before, on the ground.
Model ladder_of_four_bars(int bars);
/// Columns, cranks and rockers at one angle, beams and couplers parallel to the ground, turning.
State parallel_motion(const Model& model);

/// A plane four-bar of four different lengths on a floating base, closed by a revolute pin.
Mechanism floating_four_bar();
/// row_of_four_bars() with parallel_motion().
Mechanism moving_row(int bars, bool fixed, LoopType pin = LoopType::revolute);
/// A floating base with two arms of seven revolute joints whose tips are welded together.
Mechanism dual_arm_grasp();
/// Six legs on a floating base: universal joint, piston, spherical joint at the platform. The
/// platform hangs on the first leg; five spherical loops hold it to the others.
Mechanism stewart_platform();

}  // namespace spacedyn::bench
