#include "reporting/mat_result.hpp"

#include <array>
#include <cmath>
#include <string_view>

#include "reporting/dataset_plan.hpp"
#include "reporting/run_facts.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {
namespace {

using Renaming = std::pair<std::string_view, std::string_view>;

// what SpaceDyn calls the base's
constexpr std::array<Renaming, 4> kBase{{{"/base/position", "/R0"},
                                         {"/base/quaternion_wxyz", "/A0"},
                                         {"/base/velocity", "/v0"},
                                         {"/base/angular_velocity", "/w0"}}};
// and the last part of a frame's
constexpr std::array<Renaming, 2> kFrame{{{"/position", "/POS_e"}, {"/quaternion_wxyz", "/ORI_e"}}};

constexpr std::string_view kQuaternion = "/quaternion_wxyz";

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

std::string spacedyn_name(const std::string& dataset) {
  for (const auto& [path, name] : kBase) {
    if (dataset == path) return std::string(name);
  }
  if (dataset.rfind("/frames/", 0) != 0) return dataset;
  for (const auto& [end, name] : kFrame) {
    if (!ends_with(dataset, end)) continue;
    return dataset.substr(0, dataset.size() - end.size()) + std::string(name);
  }
  return dataset;
}

/// Rotation matrices behind one another, 3×3×N; rows without a rotation give NaN.
MatValue rotations(const MatrixX& quaternions) {
  const auto count = static_cast<std::size_t>(quaternions.rows());
  std::vector<double> numbers(9 * count, std::nan(""));
  for (std::size_t k = 0; k < count; ++k) {
    const Eigen::Vector4d wxyz = quaternions.row(static_cast<Eigen::Index>(k)).transpose();
    if (!wxyz.allFinite() || wxyz.norm() == 0.0) continue;
    Eigen::Map<Matrix3>(numbers.data() + 9 * k) =
        matrix_from_quaternion(Quaternion(wxyz(0), wxyz(1), wxyz(2), wxyz(3)));
  }
  return MatValue::array(std::move(numbers), {3, 3, static_cast<int>(count)});
}

/// The place of a path `/a/b` in nested structs.
MatValue& place(MatValue& root, const std::string& path) {
  MatValue* value = &root;
  std::size_t begin = 1;
  while (begin <= path.size()) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    value = &value->field(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return *value;
}

std::vector<std::string> names_of(const ResultTable& result, const DatasetPlan& plan) {
  std::vector<std::string> names;
  for (int i = plan.first; i < plan.first + plan.size; ++i) {
    names.push_back(result.columns[static_cast<std::size_t>(i)].name);
  }
  return names;
}

}  // namespace

MatValue mat_result(const ResultTable& result) {
  MatValue r;
  for (const DatasetPlan& plan : plan_datasets(result.columns)) {
    const MatrixX values = result.values.middleCols(plan.first, plan.size);
    const bool is_rotation = ends_with(plan.path, kQuaternion) && plan.size == 4;
    place(r, spacedyn_name(plan.path)) = is_rotation ? rotations(values) : MatValue::matrix(values);
    // which column is which, where the name of the array does not tell
    if (plan.path.rfind("/joints/", 0) == 0 || plan.path == "/columns") {
      place(r, plan.path + "_names") = MatValue::texts(names_of(result, plan));
    }
  }
  const Json metadata = Json::parse(result.metadata, nullptr, false);
  if (std::vector<double> frequencies = mode_frequencies(metadata); !frequencies.empty()) {
    const int count = static_cast<int>(frequencies.size());
    place(r, "/modes/frequency") = MatValue::array(std::move(frequencies), {1, count});
  }
  if (!result.metadata.empty()) r.field("metadata") = MatValue::text(result.metadata);
  return r;
}

}  // namespace spacedyn
