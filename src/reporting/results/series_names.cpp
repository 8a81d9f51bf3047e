#include "reporting/results/series_names.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace spacedyn {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

// longer endings first, since the shorter ones end them
constexpr std::array<Pair, 15> kUnits{{{"_kg_m2_s", "kg m^2/s"},
                                       {"_kg_m_s", "kg m/s"},
                                       {"_N_m_s", "N m s"},
                                       {"_A_m2", "A m²"},
                                       {"_rad_s2", "rad/s^2"},
                                       {"_m_s2", "m/s^2"},
                                       {"_rad_s", "rad/s"},
                                       {"_m_s", "m/s"},
                                       {"_N_m", "N m"},
                                       {"_rad", "rad"},
                                       {"_kg", "kg"},
                                       {"_J", "J"},
                                       {"_N", "N"},
                                       {"_m", "m"},
                                       {"_s", "s"}}};

constexpr std::array<Pair, 11> kVectors{
    {{"base_position", "Base position"},
     {"base_quaternion", "Base quaternion"},
     {"base_velocity", "Base velocity"},
     {"base_angular_velocity", "Base angular velocity in inertial axes"},
     {"base_acceleration", "Base acceleration"},
     {"base_angular_acceleration", "Base angular acceleration"},
     {"linear_momentum", "Linear momentum"},
     {"angular_momentum_base", "Angular momentum about the base centroid"},
     {"angular_momentum_origin", "Angular momentum about the origin"},
     {"angular_momentum_centroid", "Angular momentum about the system centroid"},
     {"energy", "Energy"}}};

/// What columns of elements are called, by their beginning and their end without unit.
struct ElementQuantity {
  std::string_view prefix, end, group;
};

// of ends that end each other the longer one first
constexpr std::array<ElementQuantity, 25> kNumbers{
    {{"actuators_", "_speed", "Wheel speed"},
     {"actuators_", "_momentum", "Wheel momentum"},
     {"actuators_", "_torque", "Wheel torque"},
     {"actuators_", "_force", "Thruster force"},
     {"actuators_", "_dipole", "Torquer dipole"},
     {"actuators_", "_singularity", "Singularity measure of gyros"},
     {"contacts_", "_depth", "Contact depth"},
     {"contacts_", "_normal_force", "Normal force of contacts"},
     {"contacts_", "_friction", "Friction of contacts"},
     {"contacts_", "_slip_velocity", "Slip velocity of contacts"},
     {"wheels_", "_sinkage", "Wheel sinkage"},
     {"wheels_", "_slip", "Wheel slip"},
     {"wheels_", "_slip_angle", "Wheel slip angle"},
     {"wheels_", "_drawbar_pull", "Wheel drawbar pull"},
     {"wheels_", "_side_force", "Wheel side force"},
     {"wheels_", "_vertical_force", "Wheel vertical force"},
     {"wheels_", "_resistance_torque", "Wheel resistance torque"},
     {"constraints_", "_position_residual", "Position residual of constraints"},
     {"constraints_", "_angle_residual", "Angle residual of constraints"},
     {"constraints_", "_velocity_residual", "Velocity residual of constraints"},
     {"constraints_", "_rate_residual", "Rate residual of constraints"},
     {"constraints_", "_residual", "Residual of constraints"},
     {"constraints_", "_multiplier", "Multiplier of constraints"},
     {"sensors_", "_position", "Measured position"},
     {"sensors_", "_velocity", "Measured velocity"}}};

// followed by a component and the name of the element
constexpr std::array<ElementQuantity, 9> kComponents{
    {{"contacts_", "_point", "Point of contact of "},
     {"constraints_", "_force", "Constraint force of "},
     {"constraints_", "_moment", "Constraint moment of "},
     {"sensors_", "_angular_velocity", "Measured angular velocity of "},
     {"sensors_", "_specific_force", "Measured specific force of "},
     {"sensors_", "_force", "Measured force of "},
     {"sensors_", "_torque", "Measured torque of "},
     {"sensors_", "_position", "Measured position of "},
     {"sensors_", "_quaternion", "Measured quaternion of "}}};

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// `chaser_base_velocity_x` and the like, of one of several robots.
SeriesName robot_series(std::string_view rest) {
  const std::size_t cut = rest.rfind('_');
  if (cut == std::string_view::npos) return {"Other", std::string(rest)};
  const std::string_view name = rest.substr(0, cut);
  // the longest ending is the name of the vector
  std::string_view found, group;
  for (const auto& [stem, text] : kVectors) {
    if (!ends_with(name, stem) || name.size() < stem.size() + 2 || stem.size() < found.size()) {
      continue;
    }
    found = stem;
    group = text;
  }
  if (found.empty()) return {"Other", std::string(rest)};
  const std::string_view robot = name.substr(0, name.size() - found.size() - 1);
  return {std::string(group) + " of " + std::string(robot), std::string(rest.substr(cut + 1))};
}

/// Removes an end if it is there.
bool cut_end(std::string_view& text, std::string_view end) {
  if (end.empty() || !ends_with(text, end)) return false;
  text.remove_suffix(end.size());
  return true;
}

SeriesName joint_series(std::string_view rest, const std::string& unit) {
  std::string_view joint = rest;
  if (rest.size() > 2 && rest[rest.size() - 2] == '_') {
    joint.remove_suffix(2);
    const std::string axis(rest.substr(rest.size() - 1));
    if (cut_end(joint, "_reaction_force")) return {"Reaction force in " + std::string(joint), axis};
    if (cut_end(joint, "_reaction_moment")) {
      return {"Reaction moment in " + std::string(joint), axis};
    }
  }
  if (unit == "rad/s" || unit == "m/s") return {"Joint velocities", std::string(rest)};
  if (cut_end(rest, "_torque")) return {"Joint torques", std::string(rest)};
  if (cut_end(rest, "_force")) return {"Joint forces", std::string(rest)};
  return {"Joint positions", std::string(rest)};
}

/// `modes_3_energy` and the like.
SeriesName mode_series(std::string_view rest) {
  cut_end(rest, "_energy");
  return {"Modal energy", std::string(rest)};
}

/// A force, a moment or joint torques of an element.
SeriesName element_series(std::string_view rest, const std::string& unit) {
  const std::size_t cut = rest.rfind('_');
  if (cut != std::string_view::npos && rest.size() == cut + 2) {
    const std::string axis(rest.substr(cut + 1));
    std::string_view name = rest.substr(0, cut);
    if (cut_end(name, "_force")) return {"Force of " + std::string(name), axis};
    if (cut_end(name, "_moment")) return {"Moment of " + std::string(name), axis};
  }
  if (cut_end(rest, "_torque")) return {"Joint torques of elements", std::string(rest)};
  cut_end(rest, "_force");
  return {unit == "N" ? "Joint forces of elements" : "Elements", std::string(rest)};
}

/// The name of the element in a name of a column; empty if that is another quantity.
std::string_view element_of(std::string_view name, const ElementQuantity& quantity) {
  const std::size_t around = quantity.prefix.size() + quantity.end.size();
  if (name.size() <= around || !starts_with(name, quantity.prefix)) return {};
  return ends_with(name, quantity.end) ? name.substr(quantity.prefix.size(), name.size() - around)
                                       : std::string_view();
}

/// A number of an actuator, contact, wheel, constraint or sensor; without a group if it is none.
SeriesName quantity_series(std::string_view name) {
  const bool is_component = name.size() > 2 && name[name.size() - 2] == '_' &&
                            std::string_view("wxyz").find(name.back()) != std::string_view::npos;
  if (is_component) {
    for (const ElementQuantity& quantity : kComponents) {
      const std::string_view element = element_of(name.substr(0, name.size() - 2), quantity);
      if (!element.empty()) {
        return {std::string(quantity.group) + std::string(element), std::string(1, name.back())};
      }
    }
  }
  for (const ElementQuantity& quantity : kNumbers) {
    const std::string_view element = element_of(name, quantity);
    if (!element.empty()) return {std::string(quantity.group), std::string(element)};
  }
  return {};
}

/// `arm_work` and the like.
SeriesName energy_series(std::string_view rest) {
  if (cut_end(rest, "_work")) return {"Work of elements", std::string(rest)};
  if (cut_end(rest, "_dissipated")) return {"Energy dissipated in elements", std::string(rest)};
  if (cut_end(rest, "_stored")) return {"Energy stored in elements", std::string(rest)};
  return {"Elements", std::string(rest)};
}

// of ends that end each other the longer one first
constexpr std::array<Pair, 8> kFrameVectors{{{"_position", "Position of "},
                                             {"_angular_velocity", "Angular velocity of "},
                                             {"_velocity", "Velocity of "},
                                             {"_angular_acceleration", "Angular acceleration of "},
                                             {"_acceleration", "Acceleration of "},
                                             {"_linear_sigma", "Linear singular values of "},
                                             {"_angular_sigma", "Angular singular values of "},
                                             {"_quaternion", "Quaternion of "}}};

SeriesName frame_series(std::string_view rest) {
  const std::size_t cut = rest.rfind('_');
  if (cut == std::string_view::npos) return {"Frames", std::string(rest)};
  const std::string axis(rest.substr(cut + 1));
  std::string_view name = rest.substr(0, cut);
  for (const auto& [end, group] : kFrameVectors) {
    if (cut_end(name, end)) return {std::string(group) + std::string(name), axis};
  }
  return {"Frames", std::string(rest)};
}

}  // namespace

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

std::string unit_suffix(const std::string& unit) {
  for (const auto& [suffix, name] : kUnits) {
    if (name == unit) return std::string(suffix);
  }
  return {};
}

std::string unit_from_name(const std::string& column) {
  for (const auto& [suffix, name] : kUnits) {
    if (ends_with(column, suffix)) return std::string(name);
  }
  return {};
}

SeriesName series_name(const Column& column) {
  std::string_view name = column.name;
  cut_end(name, unit_suffix(column.unit));
  if (starts_with(name, "joints_")) return joint_series(name.substr(7), column.unit);
  if (starts_with(name, "robots_")) return robot_series(name.substr(7));
  if (starts_with(name, "frames_")) return frame_series(name.substr(7));
  if (starts_with(name, "links_")) return frame_series(name.substr(6));
  if (starts_with(name, "elements_")) return energy_series(name.substr(9));
  if (starts_with(name, "modes_")) return mode_series(name.substr(6));
  if (starts_with(name, "forces_")) return element_series(name.substr(7), column.unit);
  if (SeriesName quantity = quantity_series(name); !quantity.group.empty()) return quantity;
  if (name == "work" || name == "dissipated") return {"Energy", std::string(name)};
  const std::size_t cut = name.rfind('_');
  if (cut != std::string_view::npos) {
    for (const auto& [stem, group] : kVectors) {
      if (name.substr(0, cut) == stem) {
        return {std::string(group), std::string(name.substr(cut + 1))};
      }
    }
  }
  return {"Other", column.name};
}

}  // namespace spacedyn
