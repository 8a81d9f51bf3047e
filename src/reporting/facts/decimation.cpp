#include "reporting/facts/decimation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "spacedyn/reporting/report_data.hpp"

namespace spacedyn {
namespace {

/// Numbers of drawn series in one page; many series share it with fewer points each.
constexpr int kMostNumbers = 1000000;
constexpr int kFewestPoints = 500;

}  // namespace

int most_page_points(std::size_t series) {
  return std::clamp(kMostNumbers / static_cast<int>(series + 1), kFewestPoints, kMaxReportPoints);
}

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
  if (is_exact()) return values;
  PassingDecimation passing(*this, 1);
  for (const double value : values) passing.next(&value);
  return passing.points().front();
}

PassingDecimation::PassingDecimation(const Decimation& decimation, int series)
    : decimation_(decimation),
      points_(static_cast<std::size_t>(series),
              VectorX(static_cast<Eigen::Index>(decimation.rows().size()))),
      extremes_(static_cast<std::size_t>(series)) {}

void PassingDecimation::next(const double* values) {
  const auto& ends = decimation_.bucket_ends_;
  const int i = row_++;
  const bool is_inner = i > 0 && !ends.empty() && i < ends.back();
  if (!is_inner) {
    for (VectorX& points : points_) {
      points(ends.empty() || i == 0 ? i : points.size() - 1) = *values++;
    }
    return;
  }
  for (std::size_t k = 0; k < extremes_.size(); ++k) {
    Extremes& found = extremes_[k];
    const double value = values[k];
    if (!std::isfinite(value)) continue;
    if (found.least_at < 0 || value < found.least) {
      found.least = value;
      found.least_at = i;
    }
    if (found.greatest_at < 0 || value > found.greatest) {
      found.greatest = value;
      found.greatest_at = i;
    }
  }
  if (row_ == ends[bucket_]) end_bucket();
}

void PassingDecimation::end_bucket() {
  const auto point = static_cast<Eigen::Index>(1 + 2 * bucket_++);
  for (std::size_t k = 0; k < extremes_.size(); ++k) {
    const Extremes found = std::exchange(extremes_[k], {});
    const bool any = found.least_at >= 0, rises = found.least_at <= found.greatest_at;
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    points_[k](point) = !any ? nothing : rises ? found.least : found.greatest;
    points_[k](point + 1) = !any ? nothing : rises ? found.greatest : found.least;
  }
}

}  // namespace spacedyn
