#include "spacedyn/control/controller.hpp"

namespace spacedyn {

bool Controller::differentiate(const Situation&, ConstVectorRef, CommandMode,
                               LoadDerivatives&) const {
  return false;
}

}  // namespace spacedyn
