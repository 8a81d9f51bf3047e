/// @file
/// Fewer points for pictures, without losing what the eye would see.
#pragma once

#include <vector>

#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// At most @p most indices of 0…count−1, evenly spread, the first and the last included.
std::vector<int> spread_indices(int count, int most);

/// Most points of each of so many series on a page, which share what a page can hold.
int most_page_points(std::size_t series);

/// Instants and values shared by many series: pairs of rows span buckets of time.
///
/// In each bucket a series is drawn by its least and its greatest value, in the order in which they
/// occur, so that no peak is lost. With at most `most` rows nothing changes.
class Decimation {
 public:
  Decimation(int rows, int most);

  /// Rows whose times stand at the points.
  const std::vector<int>& rows() const { return rows_; }
  bool is_exact() const { return bucket_ends_.empty(); }
  /// One value per point; a bucket without any finite value gives NaN.
  VectorX apply(ConstVectorRef values) const;

 private:
  friend class PassingDecimation;

  std::vector<int> rows_;
  std::vector<int> bucket_ends_;  // of the inner rows, one past the last
};

/// The same of several series whose rows pass once, in memory for the points alone.
class PassingDecimation {
 public:
  /// @param decimation  must live as long
  PassingDecimation(const Decimation& decimation, int series);

  /// Takes the values of the next row. @pre there are no more rows than the decimation is of
  void next(const double* values);
  /// Of each series. @pre all rows have passed
  std::vector<VectorX>& points() { return points_; }

 private:
  /// The least and the greatest finite value of the bucket so far, and the first rows that have
  /// them.
  struct Extremes {
    double least, greatest;
    int least_at = -1, greatest_at = -1;
  };
  void end_bucket();

  const Decimation& decimation_;
  std::vector<VectorX> points_;
  std::vector<Extremes> extremes_;
  int row_ = 0;
  std::size_t bucket_ = 0;
};

}  // namespace spacedyn
