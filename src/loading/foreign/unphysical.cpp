#include "loading/foreign/unphysical.hpp"

#include <cmath>

#include "math/decompositions.hpp"

namespace spacedyn::loading::foreign {

bool is_unphysical(const Matrix3& inertia) {
  constexpr double kTolerance = 1e-12;
  return symmetric_eigenvalues(inertia)(0) < -kTolerance * std::abs(inertia.trace());
}

}  // namespace spacedyn::loading::foreign
