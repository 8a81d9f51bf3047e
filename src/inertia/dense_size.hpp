/// @file
/// The limit of all dense matrices in joint space.
#pragma once

#include <string>

#include "spacedyn/error.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// n, if a dense n×n matrix may be formed. @throws DimensionError naming the matrix otherwise.
inline int dense_size(const Model& model, const std::string& matrix) {
  const int n = model.joint_count();
  if (n <= Topology::kMaxDenseLinks) return n;
  throw DimensionError("the " + matrix + " of " + std::to_string(n) +
                       " joints is not formed; the limit is " +
                       std::to_string(Topology::kMaxDenseLinks) + " joints");
}

}  // namespace spacedyn
