#include "support/random_robots.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "support/property.hpp"

namespace spacedyn::testing {

RandomRobot::RandomRobot(unsigned seed, const TreeShape& shape)
    : random(seed),
      model(random.model(shape)),
      state(random.state(model)),
      acceleration(random.vector(model.velocity_size())),
      frames(model),
      velocities(model) {
  const int body = std::min(static_cast<int>(random.number(0.0, shape.links + 1.0)), shape.links);
  point = material_point(model, body, random.vector(3, 0.5));
  compute_link_frames(model, state, frames);
  compute_link_velocities(model, state, frames, velocities);
}

void for_random_robots(int most_links, const std::function<void(RandomRobot&)>& law) {
  check_property([&] {
    TreeShape shape;
    // resized, because RapidCheck starts with small numbers and would hardly reach large trees
    shape.links = *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, most_links + 1));
    shape.window = *rc::gen::inRange(1, 7);
    shape.prismatic_fraction = 0.1 * *rc::gen::inRange(0, 10);
    const auto seed = *rc::gen::noShrink(rc::gen::arbitrary<unsigned>());
    RandomRobot robot(seed, shape);
    law(robot);
  });
}

void require_true(bool condition, const char* what) {
  if (!condition) throw std::runtime_error(what);
}

void require_near(const MatrixX& actual, const MatrixX& expected, double tolerance,
                  const char* what) {
  const double difference = relative_difference(actual, expected);
  if (difference <= tolerance) return;
  std::ostringstream message;
  message << what << " differs by " << difference << ", tolerance " << tolerance;
  throw std::runtime_error(message.str());
}

void require_derivative(const MatrixX& actual, const std::function<MatrixX(double)>& f,
                        const char* what) {
  constexpr double kTolerance = 1e-9;
  const NumericalDerivative expected = derivative(f);
  const double scale =
      expected.value.size() == 0 ? 1.0 : std::max(1.0, expected.value.cwiseAbs().maxCoeff());
  require_true(expected.error <= kTolerance * scale, "the differences did not converge");
  require_near(actual, expected.value, kTolerance, what);
}

}  // namespace spacedyn::testing
