#include <array>
#include <chrono>
#include <cstring>
#include <memory>
#include <sstream>
#include <stdexcept>

#include <mujoco/mujoco.h>

#include "bench/contacts/scene.hpp"

namespace spacedyn::bench {
namespace {

void write_geom(std::ostringstream& xml, const SceneBody& body) {
  if (body.type == CollisionType::sphere) {
    xml << "<geom type='sphere' size='" << body.size.x() << "'";
  } else {
    const Vector3 half = 0.5 * body.size;
    xml << "<geom type='box' size='" << half.transpose() << "'";
  }
  if (body.mass > 0.0) {
    xml << " mass='" << body.mass << "'/>";
  } else {
    xml << " pos='" << body.position.transpose() << "'/>";
  }
}

std::string mjcf(const Scene& scene, int iterations) {
  std::ostringstream xml;
  xml.precision(17);
  // contacts as stiff as the step bears
  xml << "<mujoco><compiler angle='radian'/><option timestep='" << scene.step
      << "' cone='elliptic' gravity='0 0 " << -scene.gravity << "' iterations='" << iterations
      << "'/><size nconmax='2000' njmax='8000'/><default><geom friction='" << scene.friction
      << " 0 0' condim='3' solref='" << 2.0 * scene.step << " 1'/></default><worldbody>";
  for (const SceneBody& wall : scene.walls) write_geom(xml, wall);
  for (const SceneBody& body : scene.bodies) {
    const Eigen::Quaterniond turn(body.rotation);
    xml << "<body pos='" << body.position.transpose() << "' quat='" << turn.w() << " " << turn.x()
        << " " << turn.y() << " " << turn.z() << "'><freejoint/>";
    write_geom(xml, body);
    xml << "</body>";
  }
  xml << "</worldbody></mujoco>";
  return xml.str();
}

using ModelPointer = std::unique_ptr<mjModel, decltype(&mj_deleteModel)>;

ModelPointer compiled(const std::string& text) {
  auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "scene.xml", static_cast<int>(text.size()));
  std::memcpy(files->filedata[0], text.data(), text.size());
  std::array<char, 1000> error{};
  ModelPointer model(
      mj_loadXML("scene.xml", files.get(), error.data(), static_cast<int>(error.size())),
      mj_deleteModel);
  mj_deleteVFS(files.get());
  if (!model) throw std::runtime_error(error.data());
  return model;
}

}  // namespace

SceneFlight fly_in_mujoco(const Scene& scene, int iterations) {
  const ModelPointer model = compiled(mjcf(scene, iterations));
  const std::unique_ptr<mjData, decltype(&mj_deleteData)> data(mj_makeData(model.get()),
                                                               mj_deleteData);
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
    const SceneBody& body = scene.bodies[k];
    const Vector3 turning = body.rotation.transpose() * body.omega;
    for (int i = 0; i < 3; ++i) {
      data->qvel[6 * k + static_cast<std::size_t>(i)] = body.velocity(i);
      data->qvel[6 * k + 3 + static_cast<std::size_t>(i)] = turning(i);
    }
  }
  SceneFlight flight;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 1; i <= scene.steps; ++i) {
    mj_step(model.get(), data.get());
    if (i % kSampleSteps != 0) continue;
    Places places;
    for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
      ShapePose pose;
      pose.type = scene.bodies[k].type;
      pose.size = scene.bodies[k].size;
      const mjtNum* q = data->qpos + 7 * k;
      pose.position = {q[0], q[1], q[2]};
      pose.rotation = Eigen::Quaterniond(q[3], q[4], q[5], q[6]).normalized().toRotationMatrix();
      places.push_back(pose);
    }
    flight.samples.push_back(std::move(places));
  }
  flight.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return flight;
}

}  // namespace spacedyn::bench
