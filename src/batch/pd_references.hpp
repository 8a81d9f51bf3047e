/// @file
/// Joint PD control as the tables that the kernels read.
#pragma once

#include <vector>

#include "batch/kernels/rk4_task.hpp"
#include "spacedyn/control/joint_pd.hpp"

namespace spacedyn::batch {

/// Gains of all joints, and references at every instant of some steps.
class PdReferences {
 public:
  PdReferences(const Model& model, int most_steps);

  /// Gains from now on; nothing is controlled if the control is empty.
  /// @throws DomainError if the kernels do not know it or it does not fit the model
  void use(const JointPd* control);
  /// References from a time on, two instants per step, none of them later than another time. Does
  /// not allocate.
  void fill(double start, double step, int steps, double latest);
  /// Valid until the next call.
  PdTask task() const;

 private:
  const Model& model_;
  const JointPd* control_ = nullptr;
  std::vector<double> stiffness_, damping_, limit_, references_;
};

}  // namespace spacedyn::batch
