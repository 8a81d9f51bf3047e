/// @file
/// Square matrices where joints follow others.
#pragma once

#include "spacedyn/state/followers.hpp"

namespace spacedyn {

/// H ← Gᵀ H G of a symmetric matrix of size n or 6 + n, whose rows and columns stand where they
/// stood; those of joints that follow are zero. Allocates nothing.
inline void lead_both_sides(const Model& model, MatrixX& H) {
  if (model.followers().empty()) return;
  lead(model, H);
  H.transposeInPlace();
  lead(model, H);
}

}  // namespace spacedyn
