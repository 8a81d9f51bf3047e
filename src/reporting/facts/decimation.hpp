/// @file
/// Fewer points for pictures, without losing what the eye would see.
#pragma once

#include <vector>

#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// At most @p most indices of 0…count−1, evenly spread, the first and the last included.
std::vector<int> spread_indices(int count, int most);

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
  std::vector<int> rows_;
  std::vector<int> bucket_ends_;  // of the inner rows, one past the last
};

}  // namespace spacedyn
