/// @file
/// Random trees and states from a printed seed, for laws that hold for every robot.
#pragma once

#include <random>

#include "spacedyn/model/model.hpp"
#include "spacedyn/state/loads.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn::testing {

/// What a random tree may look like.
struct TreeShape {
  int links = 12;
  int window = 4;  ///< a parent is one of so many bodies before a link; 1: a chain
  double prismatic_fraction = 0.3;
  bool any_axis = true;         ///< axes in all directions, not only z
  double screw_fraction = 0.0;  ///< of the joints that do not slide
};

/// Source of random robots; the same seed gives the same ones.
class RandomModels {
 public:
  explicit RandomModels(unsigned seed) : generator_(seed) {}

  ModelDescription description(const TreeShape& shape);
  Model model(const TreeShape& shape);
  State state(const Model& model);
  /// Base wrench, joint torques, gravity and a wrench on every body.
  Loads loads(const Model& model);
  VectorX vector(int size, double bound = 1.0);
  Matrix3 rotation();
  double number(double lower, double upper);

 private:
  void fill_body(BodyDescription& body);

  std::mt19937 generator_;
};

}  // namespace spacedyn::testing
