#include <chrono>

#include "bench/contacts/scene.hpp"
#include "spacedyn/forces/rigid_contact.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/model/aggregate.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "spacedyn/state/robot_state.hpp"

namespace spacedyn::bench {
namespace {

BaseDescription base_of(const SceneBody& body, const std::string& name) {
  BaseDescription base;
  base.name = name;
  base.mass = body.mass;
  base.inertia = body.inertia().asDiagonal();
  CollisionShape shape;
  shape.name = name;
  shape.type = body.type;
  shape.size = body.size;
  base.collisions.push_back(shape);
  return base;
}

std::shared_ptr<const Model> model_of(const Scene& scene) {
  std::vector<RobotPart> parts;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const auto one = std::make_shared<const Model>(
        ModelBuilder("body").set_base(base_of(scene.bodies[i], "body")).build());
    parts.push_back({"body_" + std::to_string(i), one, true, {}});
  }
  BaseDescription walls;
  walls.name = "walls";
  walls.mass = 1.0;
  walls.inertia = Matrix3::Identity();
  for (const SceneBody& wall : scene.walls) {
    CollisionShape shape;
    shape.name = "wall_" + std::to_string(walls.collisions.size());
    shape.type = wall.type;
    shape.size = wall.size;
    shape.origin.position = wall.position;
    walls.collisions.push_back(shape);
  }
  const auto fixed = std::make_shared<const Model>(ModelBuilder("walls").set_base(walls).build());
  parts.push_back({"walls", fixed, false, {}});
  return std::make_shared<const Model>(ModelBuilder(aggregate("scene", parts)).build());
}

std::shared_ptr<RigidContact> contact_of(const Model& model, double friction) {
  RigidContact::Settings settings;
  settings.friction = settings.static_friction = friction;
  const std::vector<BodyShape> shapes = collision_shapes(model);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    for (std::size_t k = i + 1; k < shapes.size(); ++k) {
      if (shapes[i].frame.body != shapes[k].frame.body) {
        settings.pairs.push_back({shapes[i], shapes[k], false});
      }
    }
  }
  return std::make_shared<RigidContact>("all", settings);
}

class Sampler final : public SimulationObserver {
 public:
  Sampler(const Scene& scene, std::vector<Places>& samples) : scene_(scene), samples_(samples) {}
  void on_output(const SimulationPoint& point) override {
    if (point.time == 0.0) return;
    Places places;
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      const BaseMotion motion = base_motion(point.model, point.model.robots()[i], point.state);
      ShapePose pose;
      pose.type = scene_.bodies[i].type;
      pose.size = scene_.bodies[i].size;
      pose.position = motion.r_0;
      pose.rotation = motion.A_0;
      places.push_back(pose);
    }
    samples_.push_back(std::move(places));
  }

 private:
  const Scene& scene_;
  std::vector<Places>& samples_;
};

}  // namespace

SceneFlight fly_in_spacedyn(const Scene& scene, double tolerance, int sweeps) {
  SimulationSetup setup;
  setup.model = model_of(scene);
  setup.base_mode = BaseMode::fixed;
  setup.gravity = {0, 0, -scene.gravity};
  setup.integrator.method = IntegrationMethod::time_stepping;
  setup.integrator.step = scene.step;
  setup.integrator.contact_tolerance = tolerance;
  setup.integrator.contact_iterations = sweeps;
  setup.forces.push_back(contact_of(*setup.model, scene.friction));
  State start(*setup.model);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    BaseMotion motion;
    motion.r_0 = scene.bodies[i].position;
    motion.A_0 = scene.bodies[i].rotation;
    motion.v_0 = scene.bodies[i].velocity;
    motion.omega_0 = scene.bodies[i].omega;
    set_base_motion(*setup.model, setup.model->robots()[i], motion, start);
  }
  SceneFlight flight;
  Sampler sampler(scene, flight.samples);
  Simulator simulator(setup);
  const auto begin = std::chrono::steady_clock::now();
  simulator.run(start, scene.step * scene.steps, kSampleSteps * scene.step, sampler);
  flight.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return flight;
}

}  // namespace spacedyn::bench
