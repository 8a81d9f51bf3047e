/// @file
/// Finds the first crossing of many root functions inside a step. Private.
#pragma once

#include <vector>

#include "integration/events/root_course.hpp"

namespace spacedyn {

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
