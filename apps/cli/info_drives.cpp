#include <cmath>
#include <map>

#include <fmt/format.h>

#include "info.hpp"
#include "text_table.hpp"

namespace spacedyn::cli {
namespace {

const char* name_of(RotorCoupling coupling) {
  return coupling == RotorCoupling::full ? "full" : "reflected";
}

/// What the user said of the coordinates of the joints, in the order of the model.
std::vector<JointDescription> descriptions(const Model& model) {
  std::map<std::string, const JointDescription*> by_link;
  for (const LinkDescription& link : model.description().links) by_link[link.name] = &link.joint;
  std::vector<JointDescription> list(static_cast<std::size_t>(model.joint_count()));
  for (int i = 1; i <= model.joint_count(); ++i) {
    if (!model.is_carrier(i))
      list[static_cast<std::size_t>(i - 1)] = *by_link.at(model.body(i).name);
  }
  for (const CompoundJoint& compound : model.compound_joints()) {
    const int last = compound.first + compound.size - 1;
    const std::vector<JointDescription>& terms = by_link.at(model.body(last).name)->coordinates;
    for (int k = 0; k < compound.size; ++k) {
      const auto place = static_cast<std::size_t>(compound.first) + static_cast<std::size_t>(k) - 1;
      list[place] = terms.empty() ? JointDescription() : terms[static_cast<std::size_t>(k)];
    }
  }
  return list;
}

std::string wheels(const Model& model) {
  std::vector<std::vector<std::string>> rows{{"wheel", "spin inertia", "torque limit",
                                              "momentum limit", "viscous friction",
                                              "coulomb friction"}};
  for (int i = 1; i <= model.joint_count(); ++i) {
    const WheelDrive* drive = model.wheel(i);
    if (drive == nullptr) continue;
    rows.push_back(
        {model.joint(i).name, fmt::format("{:g} kg m²", drive->spin_inertia),
         limit_text(drive->torque_limit, "N m"), limit_text(drive->momentum_limit, "N m s"),
         fmt::format("{:g} N m s/rad", drive->viscous), fmt::format("{:g} N m", drive->coulomb)});
  }
  return rows.size() == 1 ? "" : "\nReaction wheels and rotors of gyros\n" + text_table(rows);
}

std::string rotors(const Model& model) {
  std::vector<std::vector<std::string>> rows{{"joint", "rotor inertia", "gear ratio",
                                              "inertia at the joint", "coupling",
                                              "motor speed limit", "motor torque limit"}};
  const auto given = descriptions(model);
  for (int i = 1; i <= model.joint_count(); ++i) {
    const JointDescription& drive = given[static_cast<std::size_t>(i - 1)];
    if (!(drive.rotor_inertia > 0.0)) continue;
    const Joint& joint = model.joint(i);
    const bool slides = joint.type == JointType::prismatic;
    const double ratio = std::abs(drive.gear_ratio);
    rows.push_back(
        {joint.name, fmt::format("{:g} kg m²", drive.rotor_inertia),
         fmt::format("{:g}{}", drive.gear_ratio, slides ? " rad/m" : ""),
         fmt::format("{:g} {}", ratio * ratio * drive.rotor_inertia, slides ? "kg" : "kg m²"),
         name_of(drive.rotor_coupling), limit_text(joint.velocity_limit * ratio, "rad/s"),
         limit_text(joint.effort_limit / ratio, "N m")});
  }
  return rows.size() == 1 ? "" : "\nRotors\n" + text_table(rows);
}

std::string friction(const Model& model) {
  std::vector<std::vector<std::string>> rows{
      {"joint", "coulomb", "static", "stribeck velocity", "presliding"}};
  for (int i = 1; i <= model.joint_count(); ++i) {
    const Joint& joint = model.joint(i);
    const JointFriction& dry = joint.friction;
    if (!dry.is_present()) continue;
    const char* effort = effort_unit(joint);
    rows.push_back({joint.name, fmt::format("{:g} {}", dry.coulomb, effort),
                    fmt::format("{:g} {}", std::max(dry.breakaway, dry.coulomb), effort),
                    fmt::format("{:g} {}/s", dry.stribeck_velocity, position_unit(joint)),
                    fmt::format("{:g} {}", dry.presliding, position_unit(joint))});
  }
  return rows.size() == 1 ? "" : "\nFriction\n" + text_table(rows);
}

/// Inertia of what a joint carries about its axis, were it alone; kg m².
double inertia_about_axis(const Model& model, int i) {
  const Body& body = model.body(i);
  return body.inertia_L(2, 2) + body.mass * body.center_of_mass.head<2>().squaredNorm() +
         model.joint(i).armature;
}

std::string transmissions(const Model& model) {
  if (model.transmissions().empty()) return {};
  std::vector<std::vector<std::string>> rows{{"transmission", "motor", "joint", "motor inertia",
                                              "gear ratio", "stiffness", "damping", "backlash"}};
  for (const Transmission& drive : model.transmissions()) {
    rows.push_back(
        {drive.name, model.joint(drive.motor).name, model.joint(drive.joint).name,
         fmt::format("{:g} kg m²", inertia_about_axis(model, drive.motor)),
         fmt::format("{:g}", drive.gear_ratio), fmt::format("{:g} N m/rad", drive.stiffness),
         fmt::format("{:g} N m s/rad", drive.damping), fmt::format("{:g} rad", drive.backlash)});
  }
  return "\nTransmissions (stiffness, damping and backlash at the joint)\n" + text_table(rows);
}

std::string couplings(const Model& model) {
  if (model.couplings().empty()) return {};
  std::vector<std::vector<std::string>> rows{{"coupling", "of joints"}};
  for (const JointCoupling& coupling : model.couplings()) {
    std::string names;
    for (const int joint : coupling.joints) {
      names += (names.empty() ? "" : ", ") + model.joint(joint).name;
    }
    rows.push_back({coupling.name, names});
  }
  return "\nCouplings (springs and dampers between joints)\n" + text_table(rows);
}

}  // namespace

std::string info_drives(const Model& model) {
  return wheels(model) + rotors(model) + friction(model) + transmissions(model) + couplings(model);
}

void add_drives(const Model& model, Json& json) {
  const auto given = descriptions(model);
  for (int i = 1; i <= model.joint_count(); ++i) {
    const JointDescription& drive = given[static_cast<std::size_t>(i - 1)];
    Json& joint = json["links"][static_cast<std::size_t>(i - 1)]["joint"];
    joint["rotor"] = nullptr;
    if (drive.rotor_inertia > 0.0) {
      const double ratio = drive.gear_ratio;
      joint["rotor"] = {{"inertia", drive.rotor_inertia},
                        {"gear_ratio", ratio},
                        {"coupling", name_of(drive.rotor_coupling)},
                        {"inertia_at_joint", ratio * ratio * drive.rotor_inertia}};
    }
    joint["wheel"] = nullptr;
    if (const WheelDrive* wheel = model.wheel(i)) {
      joint["wheel"] = {{"spin_inertia", wheel->spin_inertia},
                        {"torque_limit", wheel->torque_limit},
                        {"momentum_limit", wheel->momentum_limit},
                        {"viscous", wheel->viscous},
                        {"coulomb", wheel->coulomb}};
    }
    const JointFriction& dry = model.joint(i).friction;
    joint["friction"] = nullptr;
    if (dry.is_present()) {
      joint["friction"] = {{"coulomb", dry.coulomb},
                           {"static", std::max(dry.breakaway, dry.coulomb)},
                           {"stribeck_velocity", dry.stribeck_velocity},
                           {"presliding", dry.presliding}};
    }
  }
  json["transmissions"] = Json::array();
  for (const Transmission& drive : model.transmissions()) {
    json["transmissions"].push_back({{"name", drive.name},
                                     {"motor", model.joint(drive.motor).name},
                                     {"joint", model.joint(drive.joint).name},
                                     {"motor_inertia", inertia_about_axis(model, drive.motor)},
                                     {"gear_ratio", drive.gear_ratio},
                                     {"stiffness", drive.stiffness},
                                     {"damping", drive.damping},
                                     {"backlash", drive.backlash}});
  }
  json["couplings"] = Json::array();
  for (const JointCoupling& coupling : model.couplings()) {
    Json names = Json::array();
    for (const int joint : coupling.joints) names.push_back(model.joint(joint).name);
    json["couplings"].push_back({{"name", coupling.name},
                                 {"joints", names},
                                 {"stiffness", json_rows(coupling.stiffness)},
                                 {"damping", json_rows(coupling.damping)},
                                 {"rest_position", json_list(coupling.rest_position)}});
  }
}

}  // namespace spacedyn::cli
