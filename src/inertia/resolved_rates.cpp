#include "spacedyn/inertia/resolved_rates.hpp"

#include <cmath>

namespace spacedyn {

ResolvedRates resolve_rates(const ResolvedRateOptions& options, SingularValues& jacobian,
                            ConstVectorRef twist, VectorRef rates) noexcept {
  jacobian.decompose_relative(options.tolerance);
  jacobian.solve(twist, options.damping, rates);
  ResolvedRates result;
  result.rank = jacobian.rank();
  result.threshold = jacobian.threshold();
  // row by row, so that the difference needs no memory
  double squares = 0.0;
  for (Eigen::Index row = 0; row < twist.size(); ++row) {
    const double miss = jacobian.matrix().row(row).dot(rates) - twist(row);
    squares += miss * miss;
  }
  result.residual = std::sqrt(squares);
  return result;
}

}  // namespace spacedyn
