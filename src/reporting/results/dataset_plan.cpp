#include "reporting/results/dataset_plan.hpp"

#include <set>
#include <string_view>

#include "reporting/results/series_names.hpp"

namespace spacedyn {
namespace {

constexpr const char* kTime = "/time";
constexpr const char* kUnplaced = "/columns";

constexpr std::size_t kMaxPath = 4096;

/// Whether a path is made of names between slashes.
bool is_path(std::string_view path) {
  if (path.empty() || path.front() != '/' || !is_plain(path, kMaxPath)) return false;
  std::size_t begin = 1;
  while (begin <= path.size()) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view name = path.substr(begin, end - begin);
    if (name.empty() || name == "." || name == "..") return false;
    begin = end + 1;
  }
  return true;
}

bool are_good(const std::vector<DatasetPlan>& plans) {
  std::set<std::string> arrays, groups{"/meta"};
  for (const DatasetPlan& plan : plans) {
    if (!is_path(plan.path) || plan.path.rfind("/meta/", 0) == 0) return false;
    if (!arrays.insert(plan.path).second || groups.count(plan.path) > 0) return false;
    for (std::size_t at = plan.path.rfind('/'); at > 0; at = plan.path.rfind('/', at - 1)) {
      const std::string group = plan.path.substr(0, at);
      if (arrays.count(group) > 0) return false;
      groups.insert(group);
    }
  }
  return true;
}

}  // namespace

std::string current_path(const std::string& path) {
  constexpr std::string_view kFormer = "/endpoints/";
  if (path.rfind(kFormer, 0) != 0) return path;
  return "/frames/" + path.substr(kFormer.size());
}

std::vector<DatasetPlan> plan_datasets(const std::vector<Column>& columns) {
  std::vector<DatasetPlan> plans;
  for (int i = 0; i < static_cast<int>(columns.size()); ++i) {
    const Column& column = columns[static_cast<std::size_t>(i)];
    const bool is_time = i == 0;
    const bool is_placed = !column.dataset.empty();
    const bool is_list = is_time || (is_placed && column.index < 0);
    const std::string path = is_time ? kTime : is_placed ? column.dataset : kUnplaced;
    const bool goes_on = !plans.empty() && !is_list && plans.back().path == path;
    if (!goes_on) plans.push_back({path, i, 0, is_list});
    ++plans.back().size;
  }
  return plans;
}

void mend_places(ResultTable& table) {
  if (are_good(plan_datasets(table.columns))) return;
  for (Column& column : table.columns) {
    column.dataset.clear();
    column.index = -1;
  }
  table.warnings.push_back("what '" + table.path +
                           "' says about the places of its columns is of no use");
}

}  // namespace spacedyn
