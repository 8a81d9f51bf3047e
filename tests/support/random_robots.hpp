/// @file
/// Laws that hold for every robot, as properties over random trees of up to forty links.
#pragma once

#include <functional>

#include "spacedyn/kinematics/point_acceleration.hpp"
#include "support/finite_differences.hpp"
#include "support/random_models.hpp"
#include "support/reference_data.hpp"

namespace spacedyn::testing {

/// A random tree in a random state of motion, and a random material point on any of its bodies.
struct RandomRobot {
  RandomRobot(unsigned seed, const TreeShape& shape);

  RandomModels random;
  Model model;
  State state;
  VectorX acceleration;  ///< u̇, unrelated to any force
  Frame point;
  LinkFrames frames;
  LinkVelocities velocities;
};

/// Checks a law on a thousand random robots of 0 to @p most_links links, revolute and prismatic
/// joints mixed, from chains to bushes; a failure is shrunk to the fewest links. The law reports
/// failure by the functions below, which throw.
void for_random_robots(int most_links, const std::function<void(RandomRobot&)>& law);

/// Fails the running property unless a condition holds.
void require_true(bool condition, const char* what);

/// Fails the running property unless two arrays agree relative to max(1, largest element).
void require_near(const MatrixX& actual, const MatrixX& expected, double tolerance,
                  const char* what);

/// Fails the running property unless an array is the derivative at t = 0 of a function of the
/// motion, to 1e-9 relative; the differences must themselves be that good, or the test would prove
/// nothing.
void require_derivative(const MatrixX& actual, const std::function<MatrixX(double)>& f,
                        const char* what);

}  // namespace spacedyn::testing
