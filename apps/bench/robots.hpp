/// @file
/// The robots of the benchmarks and the states at which they are evaluated.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/model/model.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn::bench {

/// A robot, states of it, and the forces and accelerations given there. The base centroid is the
/// origin of the base frame, so that every library's base state is the same six numbers.
struct Workload {
  std::string name;  ///< A…E, or chain_<n>
  Model model;
  Frame tool;  ///< at the end of the (first) arm
  std::vector<State> states;
  std::vector<VectorX> tau;           ///< joint torques at each state, elastic ones included
  std::vector<VectorX> acceleration;  ///< u̇ given to inverse dynamics

  int state_count() const { return static_cast<int>(states.size()); }
};

/// A: 6R arm. B: two 7R arms. C: 28 joints in four branches. D: 100R chain. E: 3R arm and two
/// paddles of ten elastic hinges. All on a floating base.
/// @throws DomainError for any other letter
Workload robot(char letter);

/// A floating base with a chain of revolute joints whose axes alternate.
Workload chain(int joints);

}  // namespace spacedyn::bench
