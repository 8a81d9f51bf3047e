#include "reporting/results/dataset_plan.hpp"

#include <string_view>

namespace spacedyn {
namespace {

constexpr const char* kTime = "/time";
constexpr const char* kUnplaced = "/columns";

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

}  // namespace spacedyn
