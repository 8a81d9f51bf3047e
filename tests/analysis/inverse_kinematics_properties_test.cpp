#include "analysis/arms.hpp"
#include "spacedyn/analysis/inverse_kinematics.hpp"
#include "support/property.hpp"
#include "support/random_models.hpp"

namespace spacedyn::testing::inverse_kinematics_properties_test {
namespace {

/// A random chain of 6 to 9 joints whose hand is asked to be where the joints can bring it.
struct Reach {
  Model model;
  State start;
  FrameGoal goal;

  static Reach generate(double distance) {
    RandomModels random(*rc::gen::resize(100, rc::gen::arbitrary<unsigned>()));
    TreeShape shape;
    shape.links = *rc::gen::resize(100, rc::gen::inRange(6, 10));
    shape.window = 1;
    shape.prismatic_fraction = 0.2;
    Model model = random.model(shape);
    State target = random.state(model);
    State start = target;
    start.q += random.vector(shape.links, distance);
    FrameGoal goal = goal_at(model, target, "hand");
    return {std::move(model), std::move(start), goal};
  }
};

double error_at(const Reach& reach, const VectorX& q) {
  State state = reach.start;
  state.q = q;
  const FrameGoal there = goal_at(reach.model, state, "hand");
  return (there.pose.position - reach.goal.pose.position).norm() +
         (there.pose.rotation - reach.goal.pose.rotation).norm();
}

TEST(InverseKinematicsProperties, AnyPoseOfTheHandIsFoundAgain) {
  check_property([] {
    const Reach reach = Reach::generate(3.0);
    const auto result = solve_inverse_kinematics(reach.model, reach.start, {reach.goal});
    RC_ASSERT(result.report.converged());
    RC_ASSERT(error_at(reach, result.q) <= 4e-9);
  });
}

TEST(InverseKinematicsProperties, FromNearbyNoRestartIsNeeded) {
  check_property([] {
    const Reach reach = Reach::generate(0.05);
    InverseKinematicsOptions options;
    options.restarts = 0;
    const auto result = solve_inverse_kinematics(reach.model, reach.start, {reach.goal}, options);
    RC_ASSERT(result.report.converged());
  });
}

TEST(InverseKinematicsProperties, TheErrorNeverGrowsAlongASearch) {
  check_property([] {
    const Reach reach = Reach::generate(2.0);
    InverseKinematicsOptions options;
    options.restarts = 0;
    double before = std::numeric_limits<double>::infinity();
    bool grew = false;
    options.on_iterate = [&](const VectorX&, double error) {
      grew = grew || error > before;
      before = error;
    };
    const auto result = solve_inverse_kinematics(reach.model, reach.start, {reach.goal}, options);
    RC_ASSERT(!grew);
    RC_ASSERT(result.report.error == before);
  });
}

}  // namespace
}  // namespace spacedyn::testing::inverse_kinematics_properties_test
