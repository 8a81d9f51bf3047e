#include "reporting/facts/decimation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace spacedyn {

std::vector<int> spread_indices(int count, int most) {
  const int kept = std::min(count, most);
  std::vector<int> indices(static_cast<std::size_t>(std::max(kept, 0)));
  for (int k = 0; k < kept; ++k) {
    const long long span = static_cast<long long>(count - 1) * k;
    indices[static_cast<std::size_t>(k)] = kept > 1 ? static_cast<int>(span / (kept - 1)) : 0;
  }
  return indices;
}

Decimation::Decimation(int rows, int most) {
  if (rows <= most) {
    rows_ = spread_indices(rows, rows);
    return;
  }
  // the first and the last row stand for themselves, so that a picture starts and ends exactly
  const int buckets = std::max((most - 2) / 2, 1);
  const long long inner = rows - 2;
  rows_.push_back(0);
  int begin = 1;
  for (int bucket = 0; bucket < buckets; ++bucket) {
    const int end = 1 + static_cast<int>(inner * (bucket + 1) / buckets);
    bucket_ends_.push_back(end);
    rows_.push_back(begin);
    rows_.push_back(begin + (end - begin) / 2);
    begin = end;
  }
  rows_.push_back(rows - 1);
}

VectorX Decimation::apply(ConstVectorRef values) const {
  VectorX points(static_cast<Eigen::Index>(rows_.size()));
  if (is_exact()) return values;
  points(0) = values(0);
  points(points.size() - 1) = values(values.size() - 1);
  int begin = 1;
  for (std::size_t bucket = 0; bucket < bucket_ends_.size(); ++bucket) {
    int least = -1;
    int greatest = -1;
    for (int i = begin; i < bucket_ends_[bucket]; ++i) {
      if (!std::isfinite(values(i))) continue;
      if (least < 0 || values(i) < values(least)) least = i;
      if (greatest < 0 || values(i) > values(greatest)) greatest = i;
    }
    const auto value = [&](int i) {
      return i < 0 ? std::numeric_limits<double>::quiet_NaN() : values(i);
    };
    const auto point = static_cast<Eigen::Index>(1 + 2 * bucket);
    points(point) = value(std::min(least, greatest));
    points(point + 1) = value(std::max(least, greatest));
    begin = bucket_ends_[bucket];
  }
  return points;
}

}  // namespace spacedyn
