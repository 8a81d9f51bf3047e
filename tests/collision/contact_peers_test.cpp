// The statics of towers of bricks, and a touchdown, as Bullet and MuJoCo have them.
//
// Both let bodies sink into each other: by up to millimetres in steps of a millisecond, as the
// pages of the benchmark show. What stands and what falls does not depend on that a tenth from the
// limit.
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "bench/contacts/scene.hpp"

namespace spacedyn::testing::contact_peers_test {
namespace {

using bench::Scene;
using bench::SceneFlight;

constexpr int kBricks = 5;
constexpr double kTolerance = 1e-6;
constexpr int kSweeps = 200;

struct Peer {
  const char* name;
  std::function<SceneFlight(const Scene&)> fly;
};

std::vector<Peer> peers() {
  std::vector<Peer> all;
#ifdef SPACEDYN_SCENES_BULLET
  all.push_back({"Bullet", [](const Scene& s) { return bench::fly_in_bullet(s, 100); }});
#endif
#ifdef SPACEDYN_SCENES_MUJOCO
  all.push_back({"MuJoCo", [](const Scene& s) { return bench::fly_in_mujoco(s, 100); }});
#endif
  return all;
}

/// How far the bricks are from where they were put, m.
double moved(const Scene& scene, const SceneFlight& flight) {
  double most = 0.0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    most = std::max(most, (flight.samples.back()[i].position - scene.bodies[i].position).norm());
  }
  return most;
}

TEST(ContactPeers, TowersStandAndFallAsTheyDoElsewhere) {
  Scene standing = bench::brick_tower(kBricks, 0.9), falling = bench::brick_tower(kBricks, 1.1);
  standing.steps = falling.steps = 1500;
  // ours stands to the tolerance of velocities, gathered over the flight
  EXPECT_LT(moved(standing, bench::fly_in_spacedyn(standing, kTolerance, kSweeps)), 1e-5);
  EXPECT_GT(moved(falling, bench::fly_in_spacedyn(falling, kTolerance, kSweeps)), 0.1);
  for (const Peer& peer : peers()) {
    EXPECT_LT(moved(standing, peer.fly(standing)), 5e-3) << peer.name;
    EXPECT_GT(moved(falling, peer.fly(falling)), 0.1) << peer.name;
  }
}

TEST(ContactPeers, SpacecraftComesToRestWhereItDoesElsewhere) {
  // straight down on a face, without bouncing: what is left is the statics of one box
  Scene scene = bench::touchdown();
  scene.gravity = 9.81;
  scene.steps = 1000;
  bench::SceneBody& craft = scene.bodies[0];
  craft.rotation.setIdentity();
  craft.position = {0.1, 0.2, 0.56};
  craft.velocity = {0.3, 0.0, 0.0};  // slides for v²/2μg
  craft.omega.setZero();
  const double slide = 0.3 * 0.3 / (2.0 * scene.friction * scene.gravity);
  const auto rest = [&](const SceneFlight& flight) { return flight.samples.back()[0].position; };
  const Vector3 ours = rest(bench::fly_in_spacedyn(scene, kTolerance, kSweeps));
  EXPECT_NEAR(ours.z(), 0.55, 1e-7);
  // it flies a centimetre first, until t = √(2 · 0.01/g)
  const double flight_time = std::sqrt(2.0 * 0.01 / scene.gravity);
  EXPECT_LT(ours.x() - 0.1, 0.3 * flight_time + slide);
  for (const Peer& peer : peers()) {
    const Vector3 theirs = rest(peer.fly(scene));
    EXPECT_NEAR(theirs.z(), ours.z(), 2e-3) << peer.name;
    EXPECT_NEAR(theirs.x(), ours.x(), 5e-3) << peer.name;
    EXPECT_NEAR(theirs.y(), ours.y(), 1e-3) << peer.name;
  }
}

}  // namespace
}  // namespace spacedyn::testing::contact_peers_test
