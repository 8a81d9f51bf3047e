#include "reporting/facts/report_motion.hpp"

#include <algorithm>
#include <cmath>

namespace spacedyn {
namespace {

/// Value of an override; empty where a result was computed without it.
std::string override_of(const ReportData& report, const std::string& key) {
  for (const ReportFact& fact : report.facts) {
    if (fact.group == "Overrides" && fact.label == key) return fact.value;
  }
  return {};
}

/// Keys whose overrides differ between results, in their order.
std::vector<std::string> differing_keys(const std::vector<const ReportData*>& reports) {
  std::vector<std::string> keys;
  for (const ReportData* report : reports) {
    for (const ReportFact& fact : report->facts) {
      const auto differs = [&](const ReportData* other) {
        return override_of(*other, fact.label) != fact.value;
      };
      if (fact.group == "Overrides" && std::any_of(reports.begin(), reports.end(), differs) &&
          std::find(keys.begin(), keys.end(), fact.label) == keys.end()) {
        keys.push_back(fact.label);
      }
    }
  }
  return keys;
}

std::string difference(const ReportData& report, const std::vector<std::string>& keys) {
  std::string text;
  for (const std::string& key : keys) {
    const std::string value = override_of(report, key);
    if (!value.empty()) text += (text.empty() ? "" : ", ") + key + " = " + value;
  }
  return text.empty() ? "as written" : text;
}

/// What distinguishes each result from the others of its title; empty where nothing has to.
std::vector<std::string> differences(const std::vector<ReportData>& reports) {
  std::vector<std::string> texts;
  for (const ReportData& report : reports) {
    std::vector<const ReportData*> equals;
    for (const ReportData& other : reports) {
      if (other.title == report.title) equals.push_back(&other);
    }
    if (equals.size() == 1) {
      texts.emplace_back();
      continue;
    }
    const std::vector<std::string> keys = differing_keys(equals);
    const std::string own = difference(report, keys);
    const auto count = std::count_if(equals.begin(), equals.end(), [&](const ReportData* other) {
      return difference(*other, keys) == own;
    });
    texts.push_back(count == 1 ? own : report.path);
  }
  return texts;
}

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

std::vector<std::string> titles_of(const std::vector<ReportData>& reports) {
  std::vector<std::string> titles = differences(reports);
  for (std::size_t i = 0; i < titles.size(); ++i) {
    titles[i] = titles[i].empty() ? reports[i].title : reports[i].title + ": " + titles[i];
  }
  return titles;
}

std::string page_title(const std::vector<ReportData>& reports) {
  const auto is_first = [&](const ReportData& report) {
    return report.title == reports.front().title;
  };
  const bool is_common =
      reports.size() > 1 && std::all_of(reports.begin(), reports.end(), is_first);
  std::string title;
  for (const std::string& text : is_common ? differences(reports) : titles_of(reports)) {
    title += (title.empty() ? "" : " · ") + text;
  }
  return is_common ? reports.front().title + ": " + title : title;
}

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
