/// @file
/// The tree of parts of the divide-and-conquer assembly.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "spacedyn/assert.hpp"
#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// A joint of the tree, or several with bodies without inertia between them, inside a part.
struct PartJoint {
  int body, lower_body;     ///< of the model
  int upper, lower;         ///< their places among the bodies of the part; −1: the inertial frame
  std::vector<int> joints;  ///< of the model, from the upper body down
  std::vector<int> free;    ///< those that are
  int free_count = 0;
  Eigen::Matrix<double, Eigen::Dynamic, 6> c;  ///< what its wrench does to the bodies of the part
  Matrix6 shift = Matrix6::Zero(), P;
  Matrix6X S;
  Eigen::Matrix<double, Eigen::Dynamic, 6> G;
  VectorX torque, armature, rate;
  Vector6 wrench;
};

/// A loop inside a part.
struct PartLoop {
  struct Tip {
    int body;
    int place;        ///< −1: the inertial frame
    Matrix6X wrench;  ///< (force, moment about the centroid) of each row
  };
  int loop;
  std::vector<Tip> tips;
  MatrixX c, P;
  VectorX lambda;

  /// Fills the wrenches of all rows.
  void place(const Model& model, const Loop& loop, const State& state, const LinkFrames& frames);
};

/// Bodies next to one another in depth-first order, joined as far as they can be.
struct Part {
  std::vector<int> bodies;  ///< of the model: outer bodies of both halves, or the only one
  std::vector<int> kept;    ///< places of those that are outer bodies of this part
  std::unique_ptr<Part> lower, upper;       ///< the halves; null for a single body
  std::vector<int> from_lower, from_upper;  ///< places here of the bodies of a half; −1: inner ones
  std::vector<PartJoint> joints;
  std::vector<PartLoop> loops;
  MatrixX Phi;  ///< accelerations of the bodies per force on them
  VectorX b;    ///< accelerations without force
  VectorX force;
};

class PartTree {
 public:
  /// @throws DomainError, DimensionError as DivideAndConquerAssembly
  PartTree(const Model& model, bool base_is_free, const std::vector<Loop>& loops);

  Part* root() { return root_.get(); }
  int levels() const { return levels_; }
  /// Bodies without inertia.
  const std::vector<int>& massless() const { return massless_; }

 private:
  /// A joint or a loop, and the first and last of its bodies in depth-first order.
  struct Item {
    bool is_joint;
    int index;                ///< of the upper body, or of the loop
    std::vector<int> bodies;  ///< of the model, those with inertia
    int first, last;
  };
  void find_bodies();
  void collect(const std::vector<Loop>& loops);
  std::unique_ptr<Part> make(int begin, int end, const std::vector<int>& items, int level);
  void add_item(const Item& item, Part& part) const;
  std::vector<int> tips_of(const Loop& loop) const;
  [[noreturn]] void refuse(int body, const char* why) const;

  const Model& model_;
  const bool base_is_free_;
  const std::vector<Loop>& loops_;
  std::vector<int> order_, position_;  // bodies with inertia, depth first; their places there or −1
  std::vector<int> massless_;
  std::vector<std::vector<int>> joints_;  // of each body with inertia, down to the next one
  std::vector<int> lower_;                // that one, −1 for the inertial frame
  std::vector<Item> items_;
  std::unique_ptr<Part> root_;
  int levels_ = 0;
};

}  // namespace spacedyn
