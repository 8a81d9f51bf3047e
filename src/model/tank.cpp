#include "spacedyn/model/tank.hpp"

#include <cmath>

#include "model/assembly.hpp"
#include "model/model_validation.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/model/model.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn {

std::vector<Problem> validate_tank(const TankDescription& tank, const std::string& path) {
  std::vector<Problem> problems;
  const auto require = [&](bool rule, const char* key, const char* message) {
    if (!rule) problems.push_back({Severity::error, path + '.' + key, message, ""});
  };
  require(tank.position.allFinite(), "position", "expected finite numbers");
  require(std::isfinite(tank.propellant) && tank.propellant > 0.0, "propellant",
          "expected a finite, positive mass: an empty tank feeds nothing");
  require(std::isfinite(tank.radius) && tank.radius >= 0.0, "radius",
          "expected a finite radius of at least 0");
  return problems;
}

void add_tank(ModelDescription& robot, const TankDescription& tank) {
  std::vector<Problem> problems = validate_tank(tank, tank.name);
  if (!problems.empty()) throw ModelError(std::move(problems));
  LinkDescription link;
  link.name = tank.name;
  link.parent = tank.body;
  link.mass = tank.propellant;
  link.inertia = 0.4 * tank.propellant * tank.radius * tank.radius * Matrix3::Identity();
  link.joint.type = JointType::fixed;
  link.joint.origin.position = tank.position;
  link.tank = TankShape{tank.radius};
  link.notes = tank.notes;
  robot.links.push_back(std::move(link));
}

void validate_tanks(const ModelDescription& robot, std::vector<Problem>& problems) {
  const auto refuse = [&](const std::string& path, const std::string& message) {
    problems.push_back({Severity::error, path, message, ""});
  };
  std::vector<std::string> tanks;
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const LinkDescription& link = robot.links[i];
    if (!link.tank) continue;
    tanks.push_back(link.name);
    const std::string path = "links." + std::to_string(i);
    const double radius = link.tank->radius;
    if (link.joint.type != JointType::fixed) {
      refuse(path + ".joint.type", "expected fixed, for the link is a tank");
    }
    if (!(link.mass > 0.0)) refuse(path + ".mass", "expected propellant in the tank, got none");
    if (!(radius >= 0.0) || !std::isfinite(radius)) {
      refuse(path + ".tank.radius", "expected a finite radius of at least 0");
    }
    const Matrix3 sphere = 0.4 * link.mass * radius * radius * Matrix3::Identity();
    if (!link.inertia.isApprox(sphere, 1e-9) && !(link.inertia - sphere).isZero(1e-300)) {
      refuse(path + ".inertia", "expected that of a full sphere, for the link is a tank");
    }
  }
  for (std::size_t i = 0; i < robot.frames.size(); ++i) {
    const auto& thruster = robot.frames[i].thruster;
    if (!thruster || thruster->tank.empty()) continue;
    const std::string path = "frames." + std::to_string(i) + ".thruster.";
    bool is_known = false;
    for (const std::string& tank : tanks) is_known = is_known || tank == thruster->tank;
    if (!is_known) {
      refuse(path + "tank", "expected the name of a tank, got '" + thruster->tank + '\'' +
                                did_you_mean(thruster->tank, tanks));
    } else if (std::isinf(thruster->specific_impulse)) {
      refuse(
          path + "specific_impulse",
          "expected a finite specific impulse, for it draws from tank '" + thruster->tank + '\'');
    }
  }
}

Tank make_tank(const LinkDescription& description, const Model& model) {
  const Frame center = model.frame(description.name + ".com");
  return {description.name, center.body, center.position, description.mass,
          description.tank->radius};
}

}  // namespace spacedyn
