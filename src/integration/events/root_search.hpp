/// @file
/// Finds the first crossing of many root functions inside a step. Private.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "forces/root_bound.hpp"

namespace spacedyn {

/// Functions do not come to zero that stay away from it at so many times the rates of both ends.
inline constexpr double kFarTravel = 4.0;

/// A root function at one instant.
struct Sight {
  double value = 0.0;
  RootBound bound;
};

/// By how much the course between two instants may differ from the cubic polynomials of values and
/// rates, and the greatest acceleration of points of two shapes against each other; infinite
/// before the middle has been seen.
struct Doubt {
  double value = std::numeric_limits<double>::infinity();
  double position = value;      ///< m
  double acceleration = value;  ///< m/s²
};

enum class Course {
  stays,         ///< no zero in between
  crosses_once,  ///< one zero
  open           ///< not proved: the middle must be seen
};

/// Of a function between two instants a time h apart; signs at both ends are exact, and zero
/// belongs to the positive side.
///
/// Smooth functions are bounded by the Bézier points of their polynomials. Distances are bounded by
/// those of the relative position, whose square has degree 6. The gap of convex shapes cannot close
/// faster than a plane through it is crossed: from each end it is at least g + (ġ − Σ ω D) τ −
/// a τ²/2.
Course course_between(const Sight& left, const Sight& right, double h, const Doubt& doubt);

/// Whether a smooth function of one sign at both ends is so far from zero there that by its rates
/// it cannot come to it.
inline bool stays_away(double left, double left_rate, double right, double right_rate, double h) {
  const double travel =
      std::max({h * std::abs(left_rate), h * std::abs(right_rate), std::abs(right - left)});
  return std::min(std::abs(left), std::abs(right)) > kFarTravel * travel;
}

/// Whether a function that has fired stays within a distance of zero or leaves it for one side;
/// else `open`.
Course course_near_zero(const Sight& left, const Sight& right, double h, const Doubt& doubt,
                        double near);

/// Of both halves of the time h between two instants: smooth functions differ less by a sixteenth.
Doubt doubt_of_halves(const Sight& left, const Sight& middle, const Sight& right, double h);

/// Halves a span of time until each function is proved to stay on its side, or to cross zero once.
class RootSearch {
 public:
  using Indices = std::vector<std::size_t>;
  struct Node {
    double time = 0.0;
    std::vector<Sight> sights;  ///< of all functions; inside only of those that are looked for
  };
  /// The functions as the search asks for them.
  class Watched {
   public:
    virtual ~Watched() = default;
    /// Fills the sights of functions at node.time. @returns false if the state is not usable
    virtual bool see(const Indices& functions, Node& node) = 0;
    /// Whether a crossing from one value to another is looked for.
    virtual bool counts(std::size_t function, double before, double after) const = 0;
  };

  explicit RootSearch(std::size_t functions);

  /// Indices of all functions.
  const Indices& all() const { return all_; }
  /// Looks for the first crossing between two nodes with all functions.
  /// @param least  s; spans as short as that are not halved
  bool find(const Node& left, const Node& right, double least, Watched& watched) {
    return find(left, right, all_, least, watched);
  }
  /// The same with some functions, where all others are known to stay on their sides.
  bool find(const Node& left, const Node& right, const Indices& functions, double least,
            Watched& watched);
  /// Where find() has found something: a span in which functions cross zero once, and all others
  /// do not.
  const Node& left() const { return left_; }
  const Node& right() const { return right_; }
  const Indices& crossing() const { return crossing_; }

  /// A function that has fired counts again once it has been so far from zero.
  void disarm(std::size_t function, double distance) { near_[function] = distance; }
  /// Of all functions, for checkpoints; 0 of those that are armed.
  std::vector<double>& near() { return near_; }

 private:
  struct Level {
    Node middle;
    Indices open;
    std::vector<Doubt> doubts;
  };
  bool scan(const Node& left, const Node& right, const Indices& functions,
            const std::vector<Doubt>& doubts, std::size_t depth);
  Course course(std::size_t function, const Node& left, const Node& right,
                const Doubt& doubt) const;

  Indices all_;
  std::vector<Doubt> unknown_;
  std::vector<Level> levels_;
  std::vector<double> near_;
  Node left_, right_;
  Indices crossing_;
  double least_ = 0.0;
  long samples_ = 0;
  Watched* watched_ = nullptr;
};

}  // namespace spacedyn
