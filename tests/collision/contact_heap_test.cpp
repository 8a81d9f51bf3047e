// Many bodies in rigid contact by fixed steps: stacks, heaps, what they weigh, resumed runs.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/math/so3.hpp"
#include "support/interrupted_run.hpp"
#include "support/rigid_heaps.hpp"

namespace spacedyn::testing::contact_heap_test {
namespace {

constexpr double kG = 9.81;

BaseMotion at(const Vector3& position, const Vector3& turn = Vector3::Zero()) {
  BaseMotion motion;
  motion.r_0 = position;
  motion.A_0 = exp_so3(turn);
  return motion;
}

/// Boxes above each other, each turned against the last one, a centimetre apart.
std::vector<HeapBody> stack(int count) {
  std::vector<HeapBody> bodies;
  for (int i = 0; i < count; ++i) {
    const Vector3 place(0.01 * (i % 2), 0, 0.05 + 0.11 * i);
    bodies.push_back(heap_box({0.2, 0.2, 0.1}, 1.0 + i, at(place, {0, 0, 0.3 * i})));
  }
  return bodies;
}

/// Boxes and balls that fall on one another.
std::vector<HeapBody> mixture(int count) {
  std::vector<HeapBody> bodies;
  for (int i = 0; i < count; ++i) {
    const Vector3 place(0.08 * std::sin(2.0 * i), 0.08 * std::cos(3.0 * i), 0.2 + 0.2 * i);
    if (i % 2 == 0) {
      bodies.push_back(heap_box({0.2, 0.15, 0.1}, 1.0, at(place, {0.4 * i, 0.3, 0.1 * i})));
    } else {
      bodies.push_back(heap_ball(0.07, 0.8, at(place)));
    }
  }
  return bodies;
}

/// Keeps what the contacts say last.
class Readings final : public SimulationObserver {
 public:
  void on_output(const SimulationPoint& point) override { last = point.rigid_contacts; }
  std::vector<ContactReading> last;
};

TEST(ContactHeap, AStackPressesWithTheWeightAboveEachContact) {
  Heap heap(stack(5), rigid_law(0.0, 0.5), 1e-3);
  heap.setup.integrator.contact_tolerance = 1e-9;
  heap.setup.integrator.contact_iterations = 2000;
  Readings observer;
  const SimulationResult end = Simulator(heap.setup).run(heap.start, 1.5, 0.5, observer);
  const std::vector<ContactReading>& readings = observer.last;
  // a thousand steps at rest, each to 1e-9 m/s
  EXPECT_NEAR(readings[0].normal_force, 15.0 * kG, 1e-4);
  EXPECT_NEAR(readings[1].normal_force, (14.0 + 12.0 + 9.0 + 5.0) * kG, 1e-3);
  EXPECT_LE(std::abs(readings[0].depth), 1e-9);
  for (int i = 0; i < 5; ++i) {
    const BaseMotion one = base_motion(*heap.setup.model, heap.setup.model->robots()[i], end.state);
    EXPECT_NEAR(one.r_0.z(), 0.05 + 0.1 * i, 1e-8) << i;
    EXPECT_NEAR(one.v_0.norm() + one.omega_0.norm(), 0.0, 1e-6) << i;
  }
  EXPECT_NEAR(end.contacts[0].energy_lost + end.contacts[1].energy_lost,
              kG * 0.01 * (2.0 + 2.0 * 3.0 + 3.0 * 4.0 + 4.0 * 5.0), 1e-6);
}

TEST(ContactHeap, BodiesThatMeetInFlightKeepTheirMomentum) {
  BaseMotion first = at({0, 0, 1.0}), second = at({0.6, 0.1, 1.05});
  first.v_0 = {1.0, 0.05, 0.2};
  first.omega_0 = {3.0, -5.0, 8.0};
  second.v_0 = {-0.5, 0, 0};
  const Heap balls({heap_ball(0.1, 2.0, first), heap_ball(0.15, 3.0, second)}, rigid_law(0.6, 0.3),
                   1e-3, 0.0);
  const SimulationResult end = simulate(balls.setup, balls.start, 1.0);
  ASSERT_EQ(end.contacts[1].count, 1);
  EXPECT_LT(end.contacts[1].friction_work, -1e-3);
  EXPECT_GT(end.contacts[1].energy_lost, -end.contacts[1].friction_work);
  EXPECT_LE(end.audit.linear_drift(), 1e-13);
  // an impulse turns the spin by the axes of the middle of the step: an error of order h
  EXPECT_LE(end.audit.angular_drift(), 1e-6);
  EXPECT_LE(end.audit.energy_residual(), 1e-12);
  const Heap boxes({heap_box({0.3, 0.2, 0.1}, 2.0, first), heap_box({0.2, 0.3, 0.2}, 3.0, second)},
                   rigid_law(0.3, 0.5), 1e-4, 0.0);
  const SimulationResult parted = simulate(boxes.setup, boxes.start, 1.0);
  ASSERT_GE(parted.contacts[1].count, 1);
  EXPECT_LE(parted.audit.linear_drift(), 1e-12);  // ten thousand steps
  EXPECT_LE(parted.audit.angular_drift(), 1e-3);
}

TEST(ContactHeap, OfBoxesAndBallsComesToRestAndLosesEnergyAlone) {
  for (const double e : {0.0, 0.3}) {
    Heap heap(mixture(8), rigid_law(e, 0.6), 1e-3);
    Trajectory trajectory;
    const SimulationResult end = Simulator(heap.setup).run(heap.start, 4.0, 0.05, trajectory);
    EXPECT_LE(end.contacts[0].residual, 1e-3);
    EXPECT_LE(end.contacts[0].friction_work, 0.0);
    EXPECT_GE(end.contacts[1].energy_lost, 0.0);
    // rolling of balls goes on, so not all is at rest; nothing falls through or flies away
    for (const Robot& robot : heap.setup.model->robots()) {
      const BaseMotion one = base_motion(*heap.setup.model, robot, end.state);
      EXPECT_GT(one.r_0.z(), 0.05 - 1e-6);
      EXPECT_LT(one.v_0.norm(), 2.0);
    }
    double before = trajectory.points.front().energy.total();
    for (const TrajectoryPoint& sample : trajectory.points) {
      const double energy = sample.energy.total();
      EXPECT_LE(energy, before + 1e-3) << sample.time;  // errors h² of boxes that tumble
      before = std::min(before, energy);
    }
  }
}

// sweeps over all points at once ended when those elsewhere had settled as well
TEST(ContactHeap, BodiesThatTouchNothingOfItChangeNothing) {
  const auto fall = [](int others) {
    std::vector<HeapBody> bodies;
    for (const HeapBody& body : mixture(3)) bodies.push_back(body);
    for (HeapBody body : mixture(others)) {
      body.start.r_0.x() += 5.0;
      bodies.push_back(body);
    }
    const Heap heap(bodies, rigid_law(0.3, 0.6), 1e-3);
    const Model& model = *heap.setup.model;
    const SimulationResult end = simulate(heap.setup, heap.start, 1.0);
    std::vector<Vector3> places;
    for (std::size_t i = 0; i < 3; ++i) {
      places.push_back(base_motion(model, model.robots()[i], end.state).r_0);
    }
    return places;
  };
  const std::vector<Vector3> alone = fall(0), beside = fall(6);
  // roundings, which impacts let grow; at a tolerance of contacts of 1e-6 m/s
  for (std::size_t i = 0; i < alone.size(); ++i) {
    EXPECT_LT((alone[i] - beside[i]).norm(), 1e-11) << i;
  }
}

TEST(ContactHeap, AResumedRunIsTheSameBitForBit) {
  const Heap heap(mixture(5), rigid_law(0.2, 0.6), 1e-3);
  SimulationObserver none;
  Simulator whole(heap.setup);
  const SimulationResult once = whole.run(heap.start, 1.5, 0.1, none);
  for (const double time : {0.15, 0.6, 1.2}) {
    InterruptedAt observer(time);
    Simulator first(heap.setup), second(heap.setup);
    first.run(heap.start, 1.5, 0.1, observer);
    ASSERT_GT(observer.kept.time, 0.0);
    const SimulationResult again = second.resume(observer.kept, none);
    EXPECT_EQ(again.state.q, once.state.q) << time;
    EXPECT_EQ(again.state.qd, once.state.qd) << time;
    EXPECT_EQ(again.events.size(), once.events.size()) << time;
    EXPECT_EQ(again.contacts[1].impulse, once.contacts[1].impulse) << time;
    EXPECT_EQ(again.contacts[1].energy_lost, once.contacts[1].energy_lost) << time;
  }
}

}  // namespace
}  // namespace spacedyn::testing::contact_heap_test
