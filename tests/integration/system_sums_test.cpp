// Momentum and energy of a simulation come from the kernels; here from the frames of its bodies.
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "support/random_models.hpp"

namespace spacedyn::system_sums_test {
namespace {

/// Compares each output with sums of another kind; a sum of n terms rounds at most n times.
class Comparison final : public SimulationObserver {
 public:
  void on_output(const SimulationPoint& point) override {
    const Momentum expected = momentum(point.model, point.frames, point.velocities);
    const MomentumScale scale = momentum_scale(point.model, point.frames, point.velocities);
    const double kinetic = kinetic_energy(point.model, point.frames, point.velocities);
    const double rounding = 8.0 * point.model.body_count() * 2.3e-16;
    const double reach = (point.frames.r[0]).norm();
    const auto near = [&](const Vector3& a, const Vector3& b, double size, const char* what) {
      EXPECT_LE((a - b).norm(), rounding * size) << what;
    };
    const Momentum& found = point.momentum;
    const double angular = scale.angular + largest_arm(point) * scale.linear;
    near(found.linear, expected.linear, scale.linear, "linear");
    near(found.angular_base, expected.angular_base, angular, "about the base");
    near(found.angular_centroid, expected.angular_centroid, angular, "about the centroid");
    near(found.angular_origin, expected.angular_origin, angular + reach * scale.linear, "origin");
    EXPECT_NEAR(point.energy.kinetic, kinetic, rounding * kinetic);
    ++outputs;
  }
  int outputs = 0;

 private:
  static double largest_arm(const SimulationPoint& point) {
    double largest = 0.0;
    for (const Vector3& r : point.frames.r)
      largest = std::max(largest, (r - point.frames.r[0]).norm());
    return largest;
  }
};

TEST(SystemSums, AreThoseOfTheFramesOfTheBodies) {
  testing::RandomModels random(20261121);
  for (const int links : {1, 3, 7, 8, 20}) {
    SCOPED_TRACE(links);
    testing::TreeShape shape;
    shape.links = links;
    SimulationSetup setup;
    setup.model = std::make_shared<const Model>(random.model(shape));
    setup.integrator.method = IntegrationMethod::rk4;
    setup.integrator.step = 1e-3;
    setup.gravity = {0.1, -0.2, 0.3};
    Comparison comparison;
    Simulator(setup).run(random.state(*setup.model), 0.02, 0.005, comparison);
    EXPECT_EQ(comparison.outputs, 5);
  }
}

}  // namespace
}  // namespace spacedyn::system_sums_test
