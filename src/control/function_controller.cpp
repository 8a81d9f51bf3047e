#include "spacedyn/control/function_controller.hpp"

#include <cmath>

#include "control/reference_checks.hpp"
#include "forces/element_checks.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {

FunctionController::FunctionController(std::string name, int joint_count, Law law,
                                       double sample_period)
    : Controller(std::move(name)),
      joint_count_(joint_count),
      law_(std::move(law)),
      sample_period_(sample_period) {
  if (!law_) throw DomainError("'" + this->name() + "' has no law");
  if (!(sample_period_ >= 0.0) || std::isinf(sample_period_)) {
    throw DomainError(owner_prefix(*this) + "sample_period must be finite and not negative");
  }
}

void FunctionController::check(const Model& model) const {
  check_same_size(owner_prefix(*this) + "the command", joint_count_, model.joint_count());
}

}  // namespace spacedyn
