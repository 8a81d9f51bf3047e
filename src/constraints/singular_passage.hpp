/// @file
/// How a mechanism passes the postures at which its loops lose rank. Private.
#pragma once

#include <memory>
#include <vector>

#include "constraints/loop_sizes.hpp"
#include "spacedyn/constraints/constrained_dynamics.hpp"

namespace spacedyn {

/// How independent the rows of each loop are at regular postures, as far as they are known.
class RegularPostures {
 public:
  explicit RegularPostures(std::size_t loops) : most_(loops, 0.0), ranks_(loops, 0) {}

  bool is_known() const { return is_known_; }
  void begin() { is_known_ = true; }
  /// Whether a posture is nearly singular beside them. @param rows  rank_of() and independence()
  template <typename Rows>
  bool is_near(const Rows& rows) const;
  /// Takes a posture for a regular one.
  template <typename Rows>
  void take(const Rows& rows);
  /// Takes a posture like those around it for the border of regular ones.
  void take_border(const IncrementalAssembly& rows);
  /// Least independence of a posture as a part of the most of each loop. @param loop  which has it
  double least(const IncrementalAssembly& rows, int& loop) const;
  /// Whether a posture has the ranks of the others. @param lowers  else it takes their place
  bool have_rank(const IncrementalAssembly& rows, bool lowers);

  template <typename Archive>
  void transfer(Archive& archive) {
    const std::size_t loops = most_.size();
    archive(is_known_, most_, ranks_);
    archive.require(most_.size() == loops && ranks_.size() == loops);
  }

 private:
  int count() const { return static_cast<int>(most_.size()); }

  bool is_known_ = false;
  std::vector<double> most_;  // independence of each loop
  std::vector<int> ranks_;
};

/// The path of a mechanism through a singular posture, seen from both sides.
///
/// Where a parallelogram lies flat or a slider-crank folds onto itself, rows of K vanish or follow
/// from others, and several paths cross. On each of them the directions of the rows have a limit,
/// but next to the posture, at a distance ε, rows of a state that an error δ has moved off the
/// path are wrong by δ/ε. There the path and the motion along it are found from ten postures
/// before and behind, on the line that the velocity draws: each is put onto the loops, where δ/ε
/// is small, and what that takes (a displacement, a change of velocity, then the accelerations) is
/// interpolated to the state itself, with an error of tenth order. Steps thus go through the
/// posture as if it were any other, on the path that their velocity is tangent to.
class SingularPassage {
 public:
  /// @param solver  of the loops, with the ranks it has noted; must outlive this object
  explicit SingularPassage(IncrementalAssembly& solver);
  ~SingularPassage();

  /// Whether the rows of the last evaluation, or factorization, are so little independent, against
  /// the most that they have been, that the state has to be seen from its sides.
  bool is_near(const LoopWorkspace& loops) const;
  bool is_near() const;
  /// Takes the last evaluation, of a state on the loops, as one that others are compared with.
  void note(const LoopWorkspace& loops);

  enum class Path {
    none,  ///< no crossing: states around it are like it, or paths do not quite meet
    found,
    ambiguous  ///< paths meet, and the velocity belongs to none of them, or no path leads on
  };
  /// Finds the path on which a state is.
  /// @param accelerations  of joints: where a loop is at rest, the direction in which it begins to
  ///                       move
  Path find(const State& state, ConstVectorRef accelerations);
  /// The same with the accelerations that were given last.
  Path find(const State& state);
  /// The loop whose rows are the least independent at the state of the last find().
  const Loop& weakest_loop() const;

  /// @name Of the last path found
  /// @{
  /// What puts the state onto the path, in velocity coordinates, size 6 + n.
  const VectorX& displacement() const;
  const VectorX& velocity_change() const;
  /// Accelerations and forces as those of constrained_dynamics().
  DynamicsStatus accelerate(const Loads& loads, VectorRef acceleration, VectorRef forces);
  /// For the masses of its bodies.
  TreeWorkspace& tree();
  /// @}

  template <typename Archive>
  void transfer(Archive& archive) {
    archive(regular_);
  }

 private:
  struct Memory;
  const Model& model() const { return solver_.equations().model(); }
  /// Largest displacement or velocity of a joint, lengths in that of the model.
  double size_of(ConstVectorRef joints) const { return largest_part(model(), joints, size_); }
  double speed_along(ConstVectorRef direction);
  void move(const State& state, double time, State& moved) const;
  /// Of the state moved along the direction.
  bool factorize(const State& state, double time);
  /// Least independence there, as a part of the most of each loop.
  double measure(const State& state, double time);
  void look_around(const State& state);
  VectorX of_weakest_loop(ConstVectorRef joints) const;
  bool choose_direction(const State& state);
  double span(const State& state, double speed, double here);
  Path hold(const State& state, double time);
  Path interpolate(double speed, double reach);

  IncrementalAssembly& solver_;
  State moved_;
  VectorX beginning_;  // accelerations of joints
  VectorX direction_;  // of joints, in which postures are looked at
  double size_;        // m, of the model
  RegularPostures regular_;
  std::vector<std::vector<int>> joints_;  // that move the points of each loop
  int weakest_loop_ = 0;
  std::unique_ptr<Memory> memory_;  // from the first use on
};

}  // namespace spacedyn
