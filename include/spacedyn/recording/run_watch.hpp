/// @file
/// What the outputs of a run are watched for.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"

namespace spacedyn {

struct SimulationPoint;

/// The greatest value of a quantity in a run, and when it was reached first.
struct Peak {
  double value = 0.0;
  double time = 0.0;  ///< s
};

/// Keeps the greatest values of some quantities over the outputs of a run.
class SPACEDYN_EXPORT RunWatch {
 public:
  virtual ~RunWatch();

  /// Looks at one output. Allocates nothing.
  virtual void see(const SimulationPoint& point) = 0;
  /// One sentence for each quantity that gives reason to doubt the run.
  virtual std::vector<std::string> warnings() const { return {}; }

  /// The greatest values so far, one for each quantity.
  const std::vector<Peak>& peaks() const { return peaks_; }
  /// Takes over the greatest values of an earlier part of the run.
  /// @throws DimensionError unless there is one for each quantity
  void go_on_from(const std::vector<Peak>& earlier);

 protected:
  /// Keeps @p count more quantities.
  /// @param least  a value that all of them exceed or do not count below
  void add_quantities(std::size_t count, double least = 0.0) {
    peaks_.resize(peaks_.size() + count, {least, 0.0});
  }

  void keep(std::size_t quantity, double value, double time) {
    if (value > peaks_[quantity].value) peaks_[quantity] = {value, time};
  }

 private:
  std::vector<Peak> peaks_;
};

}  // namespace spacedyn
