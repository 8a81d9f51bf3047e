#include "reporting/facts/report_titles.hpp"

#include <algorithm>

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

}  // namespace spacedyn
