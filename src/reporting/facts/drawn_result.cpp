
#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include <fmt/format.h>

#include "reporting/facts/decimation.hpp"
#include "reporting/facts/derived_rows.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

/// Numbers of the rows of an animation; results of many columns have fewer of them.
constexpr int kMostShownNumbers = 8000000;
constexpr int kFewestFrames = 100;

int most_frames(std::size_t columns) {
  return std::clamp(kMostShownNumbers / static_cast<int>(columns), kFewestFrames, kMaxReportFrames);
}

long count_rows(ResultStream& stream) {
  long count = 0;
  for (RowMatrix rows; stream.next(rows);) count += rows.rows();
  return count;
}

/// Takes from the rows that pass what is drawn.
class Drawing {
 public:
  Drawing(const ResultTable& head, int rows, ReportDetail detail)
      : rows_(rows),
        derived_(head.columns),
        columns_(static_cast<Eigen::Index>(head.columns.size())),
        values_(columns_ - 1 + static_cast<Eigen::Index>(derived_.series().size())),
        frames_(spread_indices(rows, most_frames(head.columns.size()))),
        decimation_(rows, most_points(detail)),
        passing_(decimation_, static_cast<int>(values_.size())) {
    drawn_.shown = head;
    drawn_.shown.values.resize(static_cast<Eigen::Index>(frames_.size()), columns_);
    drawn_.times.resize(static_cast<Eigen::Index>(decimation_.rows().size()));
    drawn_.rows = rows;
    drawn_.is_thinned = !decimation_.is_exact();
  }

  /// Takes the next rows, of those that a growing file has meanwhile got none.
  void take(const RowMatrix& rows) {
    for (Eigen::Index i = 0; i < rows.rows() && row_ < rows_; ++i, ++row_) {
      const double* row = rows.row(i).data();
      values_.head(columns_ - 1) = rows.row(i).tail(columns_ - 1).transpose();
      derived_.next(row, values_.data() + columns_ - 1);
      passing_.next(values_.data());
      if (is_next(decimation_.rows(), point_)) drawn_.times(point_++) = *row;
      if (is_next(frames_, frame_)) drawn_.shown.values.row(frame_++) = rows.row(i);
    }
  }

  long taken() const { return row_; }

  DrawnResult finish(const std::string& damage) {
    std::vector<std::string>& warnings = drawn_.shown.warnings;
    if (!damage.empty()) warnings.insert(warnings.begin(), damage);
    drawn_.points = std::move(passing_.points());
    return std::move(drawn_);
  }

 private:
  int most_points(ReportDetail detail) const {
    if (detail == ReportDetail::picture) return kMaxReportPoints;
    return detail == ReportDetail::page ? most_page_points(static_cast<std::size_t>(values_.size()))
                                        : rows_;
  }

  bool is_next(const std::vector<int>& rows, Eigen::Index next) const {
    return next < static_cast<Eigen::Index>(rows.size()) &&
           rows[static_cast<std::size_t>(next)] == row_;
  }

  DrawnResult drawn_;
  int rows_;
  DerivedRows derived_;
  Eigen::Index columns_;
  VectorX values_;  // of the series in a row
  std::vector<int> frames_;
  Decimation decimation_;
  PassingDecimation passing_;
  int row_ = 0;
  Eigen::Index point_ = 0, frame_ = 0;
};

}  // namespace

void DrawnResult::complete(ReportData& report) {
  report.times = std::move(times);
  report.thinned_from = is_thinned ? rows : 0;
  for (std::size_t i = 0; i < report.series.size(); ++i) {
    ReportSeries& series = report.series[i];
    series.values = std::move(points[i]);
    if (series.column.empty() || series.unit != "J") continue;
    for (const double joule : series.values) {
      if (std::isfinite(joule))
        report.scales.energy = std::max(report.scales.energy, std::abs(joule));
    }
  }
  for (ReportFact& fact : report.facts) {
    if (fact.group == "Run" && fact.label == "Rows") fact.value = fmt::format("{}", rows);
  }
}

DrawnResult draw_result(const std::string& path, const ReadLimits& limits, ReportDetail detail) {
  std::unique_ptr<ResultStream> stream = open_result(path, limits);
  const std::string file = stream->head().path;
  long expected = stream->stated_rows();
  while (true) {
    if (expected < 0) {
      expected = count_rows(*stream);
      stream = open_result(file, limits);
    }
    if (expected > std::numeric_limits<int>::max()) {
      throw IoError("'" + file + "' has more rows than can be drawn");
    }
    try {
      Drawing drawing(stream->head(), static_cast<int>(expected), detail);
      for (RowMatrix rows; stream->next(rows);) drawing.take(rows);
      if (drawing.taken() == expected) return drawing.finish(stream->damage());
      expected = drawing.taken();  // of a damaged file
    } catch (const std::bad_alloc&) {
      throw IoError("'" + file + "' does not fit into memory; 'spacedyn convert' needs little");
    }
    stream = open_result(file, limits);
  }
}

}  // namespace spacedyn
