/// @file
/// How large an error estimate is, measured by the tolerances.
#pragma once

#include "integration/equations/layout.hpp"
#include "spacedyn/integration/options.hpp"

namespace spacedyn {

/// max over vectors and numbers of |error| / (absolute + relative · magnitude).
///
/// Base vectors are measured as vectors, so the choice of axes does not matter; an attitude has the
/// magnitude of 1 rad, so the position in its chart does not matter. The maximum, unlike a mean,
/// does not let many quiet joints hide a busy one. Audit integrals are left out as long as there is
/// a motion to judge; where all of it is imposed, work and losses are judged by what has flowed.
/// The Advancer judges the impulse that supports the base.
class ErrorNorm {
 public:
  ErrorNorm(const StateLayout& layout, const IntegratorOptions& options)
      : layout_(layout),
        relative_(options.relative_tolerance),
        absolute_(options.absolute_tolerance) {}

  /// Whether nothing moves but as it is told.
  void set_all_imposed(bool imposed) { all_imposed_ = imposed; }

  struct Result {
    double value = 0.0;  ///< at most 1 if the tolerances are met
    int component = 0;   ///< of the integrated vector: where the largest part is
  };

  /// @param magnitude_1, magnitude_2  states whose larger magnitude counts
  Result operator()(const VectorX& error, const VectorX& magnitude_1,
                    const VectorX& magnitude_2) const;

 private:
  StateLayout layout_;
  double relative_;
  AbsoluteTolerance absolute_;
  bool all_imposed_ = false;
};

}  // namespace spacedyn
