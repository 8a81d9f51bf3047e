#include "spacedyn/control/controller.hpp"

namespace spacedyn {

bool Controller::differentiate(const EvaluationContext&, ConstVectorRef, CommandMode,
                               LoadDerivatives&) const {
  return false;
}

}  // namespace spacedyn
