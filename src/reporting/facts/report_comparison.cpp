#include "reporting/facts/report_comparison.hpp"

#include <algorithm>
#include <cmath>

namespace spacedyn {
namespace {

/// Linear interpolation between rows; NaN outside the times.
class Interpolation {
 public:
  explicit Interpolation(const VectorX& times) : times_(times) {}

  /// The row before a time and the weight of the row after it; false outside.
  bool seek(double time) {
    const Eigen::Index last = times_.size() - 1;
    if (last < 0 || !(time >= times_(0) && time <= times_(last))) return false;
    while (row_ < last && times_(row_ + 1) < time) ++row_;
    const double span = row_ < last ? times_(row_ + 1) - times_(row_) : 0.0;
    weight_ = span > 0.0 ? (time - times_(row_)) / span : 0.0;
    return true;
  }

  double value(const VectorX& values) const {
    if (weight_ == 0.0) return values(row_);
    return (1.0 - weight_) * values(row_) + weight_ * values(row_ + 1);
  }

 private:
  const VectorX& times_;
  Eigen::Index row_ = 0;
  double weight_ = 0.0;
};

const ReportSeries* find_same(const ReportData& report, const ReportSeries& series) {
  const auto same = [&](const ReportSeries& other) {
    return other.group == series.group && other.label == series.label && other.unit == series.unit;
  };
  const auto found = std::find_if(report.series.begin(), report.series.end(), same);
  return found == report.series.end() ? nullptr : &*found;
}

SeriesDifference difference(const ReportData& a, const ReportSeries& first, const ReportData& b,
                            const ReportSeries& second) {
  SeriesDifference result{first.group, first.label, first.unit, -1.0, 0.0, 0.0};
  Interpolation interpolation(b.times);
  double squares = 0.0;
  long count = 0;
  for (Eigen::Index i = 0; i < a.times.size(); ++i) {
    if (!interpolation.seek(a.times(i))) continue;
    const double gap = std::abs(interpolation.value(second.values) - first.values(i));
    if (!std::isfinite(gap)) continue;
    squares += gap * gap;
    ++count;
    if (gap > result.greatest) {
      result.greatest = gap;
      result.time = a.times(i);
    }
  }
  if (count > 0) result.rms = std::sqrt(squares / static_cast<double>(count));
  return result;
}

}  // namespace

std::vector<SeriesDifference> compare(const ReportData& a, const ReportData& b) {
  std::vector<SeriesDifference> differences;
  for (const ReportSeries& series : a.series) {
    const ReportSeries* other = find_same(b, series);
    if (other == nullptr) continue;
    SeriesDifference found = difference(a, series, b, *other);
    if (found.greatest >= 0.0) differences.push_back(std::move(found));
  }
  return differences;
}

}  // namespace spacedyn
