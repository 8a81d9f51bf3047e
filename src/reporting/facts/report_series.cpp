#include "reporting/facts/report_series.hpp"

#include "reporting/results/series_names.hpp"
#include "spacedyn/reporting/derived_series.hpp"

namespace spacedyn {

std::vector<ReportSeries> report_series(const ResultTable& result) {
  std::vector<ReportSeries> series;
  for (std::size_t i = 1; i < result.columns.size(); ++i) {
    const Column& column = result.columns[i];
    SeriesName name = series_name(column);
    series.push_back({column.name, std::move(name.group), std::move(name.label), column.unit,
                      result.values.col(static_cast<Eigen::Index>(i))});
  }
  for (ReportSeries& derived : derived_series(result)) series.push_back(std::move(derived));
  return series;
}

}  // namespace spacedyn
