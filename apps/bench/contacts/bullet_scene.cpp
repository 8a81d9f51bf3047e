#include <chrono>
#include <memory>

#include <btBulletDynamicsCommon.h>

#include "bench/contacts/scene.hpp"

namespace spacedyn::bench {
namespace {

btVector3 to_bullet(const Vector3& v) { return {v.x(), v.y(), v.z()}; }

/// A world that owns what is in it.
class World {
 public:
  World(const Scene& scene, int iterations)
      : dispatcher_(&configuration_),
        world_(&dispatcher_, &broadphase_, &solver_, &configuration_) {
    world_.setGravity({0, 0, -scene.gravity});
    world_.getSolverInfo().m_numIterations = iterations;
    for (const SceneBody& wall : scene.walls) add(wall, scene.friction);
    for (const SceneBody& body : scene.bodies) moving_.push_back(add(body, scene.friction));
  }
  ~World() {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  void step(double h) { world_.stepSimulation(h, 0, h); }
  Places places(const Scene& scene) const {
    Places places;
    for (std::size_t i = 0; i < moving_.size(); ++i) {
      const btTransform& at = moving_[i]->getCenterOfMassTransform();
      ShapePose pose;
      pose.type = scene.bodies[i].type;
      pose.size = scene.bodies[i].size;
      for (int k = 0; k < 3; ++k) {
        pose.position(k) = at.getOrigin()[k];
        for (int l = 0; l < 3; ++l) pose.rotation(k, l) = at.getBasis()[k][l];
      }
      places.push_back(pose);
    }
    return places;
  }

 private:
  btRigidBody* add(const SceneBody& body, double friction) {
    if (body.type == CollisionType::sphere) {
      shapes_.push_back(std::make_unique<btSphereShape>(body.size.x()));
    } else {
      auto box = std::make_unique<btBoxShape>(to_bullet(0.5 * body.size));
      box->setMargin(0.001);
      shapes_.push_back(std::move(box));
    }
    btRigidBody::btRigidBodyConstructionInfo info(body.mass, nullptr, shapes_.back().get(),
                                                  to_bullet(body.inertia()));
    for (int k = 0; k < 3; ++k) {
      info.m_startWorldTransform.getOrigin()[k] = body.position(k);
      for (int l = 0; l < 3; ++l) {
        info.m_startWorldTransform.getBasis()[k][l] = body.rotation(k, l);
      }
    }
    info.m_friction = std::sqrt(friction);  // pairs have the product
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setLinearVelocity(to_bullet(body.velocity));
    bodies_.back()->setAngularVelocity(to_bullet(body.omega));
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(bodies_.back().get());
    return bodies_.back().get();
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<btRigidBody*> moving_;
};

}  // namespace

SceneFlight fly_in_bullet(const Scene& scene, int iterations) {
  World world(scene, iterations);
  SceneFlight flight;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 1; i <= scene.steps; ++i) {
    world.step(scene.step);
    if (i % kSampleSteps == 0) flight.samples.push_back(world.places(scene));
  }
  flight.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return flight;
}

}  // namespace spacedyn::bench
