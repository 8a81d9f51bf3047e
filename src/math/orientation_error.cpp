#include "spacedyn/math/orientation_error.hpp"

#include "spacedyn/math/so3.hpp"

namespace spacedyn {

Vector3 orientation_error(const Matrix3& A_goal, const Matrix3& A_now) {
  return log_so3(A_goal * A_now.transpose());
}

}  // namespace spacedyn
