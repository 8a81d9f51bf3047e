// What motion constraints, their starts and their methods cannot be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spacedyn/control/rheonomic_distance.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/terrain/terrain.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::motion_refusals_test {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr double kRadius = 0.3;

std::shared_ptr<const Terrain> ground() {
  return std::make_shared<PlaneTerrain>(Vector3::UnitZ(), 0.0);
}

SimulationSetup rolling_ball(const IntegratorOptions& options) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(single_body(1.0, Vector3::Ones()));
  setup.forces = {std::make_shared<RollingConstraint>(
      "wheel", RollingConstraint::Settings{setup.model->frame("base"), kRadius, {}, ground()})};
  setup.integrator = options;
  return setup;
}

TEST(MotionConstraints, RefuseWhatTheyCannotBe) {
  const Model model = single_body(1.0, Vector3::Ones());
  const auto make = [&](double radius, const Vector3& axis,
                        const std::shared_ptr<const Terrain>& terrain) {
    return RollingConstraint("wheel", {model.frame("base"), radius, axis, terrain});
  };
  EXPECT_THAT([&] { make(0.0, Vector3::UnitY(), ground()); },
              ThrowsMessage<DomainError>(HasSubstr("the radius must be positive")));
  EXPECT_THAT([&] { make(0.1, Vector3::Zero(), ground()); },
              ThrowsMessage<DomainError>(HasSubstr("the axis must be finite and not zero")));
  EXPECT_THAT([&] { make(0.1, Vector3::UnitY(), nullptr); },
              ThrowsMessage<DomainError>(HasSubstr("terrain of type plane or slope")));
  EXPECT_THAT(
      [&] {
        KnifeEdge("edge", {model.frame("base"), Vector3::Zero()});
      },
      ThrowsMessage<DomainError>(HasSubstr("the normal must be finite and not zero")));
  EXPECT_THAT([&] { RheonomicDistance("winch", {}); },
              ThrowsMessage<DomainError>(HasSubstr("it has no reference")));
  const auto constant = std::make_shared<ConstantReference>(VectorX::Constant(1, 1.0));
  EXPECT_THAT(
      [&] {
        RheonomicDistance("winch", {model.frame("base"), model.frame("base"), constant})
            .check(model);
      },
      ThrowsMessage<DomainError>(HasSubstr("both points are on body 'base'")));
}

TEST(MotionConstraints, RefuseStartsAndMethodsThatDoNotFit) {
  const auto fly = [](SimulationSetup setup, const State& start) { simulate(setup, start, 0.1); };
  const IntegratorOptions options = adaptive(IntegrationMethod::dop853, 1e-9);
  const SimulationSetup setup = rolling_ball(options);
  State start(*setup.model);
  start.r_0.z() = kRadius + 1e-6;
  EXPECT_THAT([&] { fly(setup, start); },
              ThrowsMessage<DomainError>("the start violates constraint 'wheel' by 1e-06 m; "
                                         "assemble it"));
  start.r_0.z() = kRadius;
  start.v_0.x() = 0.1;
  EXPECT_THAT([&] { fly(setup, start); },
              ThrowsMessage<DomainError>("the start violates constraint 'wheel' by 0.1 m/s; "
                                         "assemble it"));
  start.v_0.setZero();
  for (const IntegrationMethod method : {IntegrationMethod::variational, IntegrationMethod::newmark,
                                         IntegrationMethod::time_stepping}) {
    SimulationSetup other = setup;
    other.integrator = IntegratorOptions();
    other.integrator.method = method;
    other.integrator.step = 1e-3;
    EXPECT_THAT([&] { fly(other, start); },
                ThrowsMessage<DomainError>(HasSubstr("cannot keep motion constraints; 'wheel'")));
  }
  SimulationSetup projected = setup;
  projected.integrator.project_momentum = true;
  EXPECT_THAT([&] { fly(projected, start); },
              ThrowsMessage<DomainError>(HasSubstr("project_momentum contradicts")));
}

}  // namespace
}  // namespace spacedyn::testing::motion_refusals_test
