#include "analysis/mover.hpp"

namespace spacedyn {

Mover::~Mover() = default;

void RestingBase::frame_jacobian(const LinkFrames& frames, const Frame& frame,
                                 Eigen::Ref<Matrix6X> J) const {
  spacedyn::frame_jacobian(model_, frames, frame, J);
}

State RestingBase::move(const State& from, const VectorX& q) const {
  State moved = from;
  moved.q = q;
  return moved;
}

}  // namespace spacedyn
