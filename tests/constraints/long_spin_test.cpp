// Ten thousand revolutions of a docked pair.
#include <gtest/gtest.h>

#include "constraints/docked_pair.hpp"

namespace spacedyn::testing::long_spin_test {
namespace {

TEST(DockedPairForLong, KeepsMomentumForTenThousandRevolutions) {
  // at rest as a whole: robots are computed about the origin of the world, and far from it rounding
  // outgrows this tolerance
  const SimulationResult result = DockedPair(1e-13, Vector3::Zero()).turn(1e4);
  // rounding of some 5e5 steps
  EXPECT_LT(result.audit.momentum_drift(), 1e-10);
  EXPECT_LT(result.loops.position_residual, 1e-12);
  EXPECT_LT(result.loops.velocity_residual, 1e-11);
}

}  // namespace
}  // namespace spacedyn::testing::long_spin_test
