/// @file
/// Vectors and matrices as JSON.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "spacedyn/math/types.hpp"

namespace spacedyn::cli {

using Json = nlohmann::ordered_json;

/// [a, b, …]
template <typename Derived>
Json json_list(const Eigen::MatrixBase<Derived>& vector) {
  Json list = Json::array();
  for (Eigen::Index i = 0; i < vector.size(); ++i) list.push_back(vector(i));
  return list;
}

/// [[row 1], [row 2], …]
template <typename Derived>
Json json_rows(const Eigen::MatrixBase<Derived>& matrix) {
  Json rows = Json::array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    Json row = Json::array();
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) row.push_back(matrix(i, j));
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Indented, each innermost list on one line, with a final line break.
std::string json_text(const Json& json);
/// The same of an item of a list, without the line break: for lists that are printed piece by
/// piece.
std::string json_item_text(const Json& json);

}  // namespace spacedyn::cli
