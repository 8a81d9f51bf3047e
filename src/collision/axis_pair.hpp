/// @file
/// Nearest points of the axes of two capsules. Private.
#pragma once

#include <utility>

#include "spacedyn/collision/contact_geometry.hpp"

namespace spacedyn {

/// Least value of |d + s a − t b|² + ε (s² + t²) over |s| ≤ A, |t| ≤ B.
struct AxisPair {
  /// Draws the nearest points of two axes towards the centres, so that they are unique and
  /// continuous where the axes become parallel; the distance counts as larger by half of it times
  /// s²/distance.
  static constexpr double kParallel = 1e-9;

  Vector3 d, a, b;
  double most_s, most_t;

  AxisPair(const ShapePose& first, const ShapePose& second)
      : d(first.position - second.position),
        a(first.rotation.col(2)),
        b(second.rotation.col(2)),
        most_s(0.5 * first.size.y()),
        most_t(0.5 * second.size.y()) {}

  Vector3 difference(double s, double t) const { return d + s * a - t * b; }
  double value(double s, double t) const {
    return difference(s, t).squaredNorm() + kParallel * (s * s + t * t);
  }
  std::pair<double, double> nearest() const;

  /// Changes of s and t at a least value, from those that the right-hand sides of its conditions
  /// (1 + ε) s − a·b t = −a·d and (1 + ε) t − a·b s = b·d undergo; none beyond the ends.
  template <typename Row>
  void solve(double s, double t, Row& by_s, Row& by_t) const {
    const double cosine = a.dot(b), own = 1.0 + kParallel;
    const bool s_held = std::abs(s) >= most_s, t_held = std::abs(t) >= most_t;
    const Row right_s = by_s, right_t = by_t;
    if (s_held || t_held) {
      by_s = s_held ? Row(Row::Zero()) : Row(right_s / own);
      by_t = t_held ? Row(Row::Zero()) : Row(right_t / own);
      return;
    }
    const double determinant = own * own - cosine * cosine;
    by_s = (own * right_s + cosine * right_t) / determinant;
    by_t = (own * right_t + cosine * right_s) / determinant;
  }

 private:
  double best_s(double t) const;
  double best_t(double s) const;
};

}  // namespace spacedyn
