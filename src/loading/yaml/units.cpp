#include "loading/yaml/scalars.hpp"

#include <algorithm>
#include <array>

#include "spacedyn/math/constants.hpp"

namespace spacedyn::loading {
namespace {

constexpr std::array<Unit, 38> kUnits = {{
    {"m", Dimension::length, 1.0, 1.0},
    {"cm", Dimension::length, 1.0, 100.0},
    {"mm", Dimension::length, 1.0, 1000.0},
    {"km", Dimension::length, 1000.0, 1.0},
    {"kg", Dimension::mass, 1.0, 1.0},
    {"g", Dimension::mass, 1.0, 1000.0},
    {"t", Dimension::mass, 1000.0, 1.0},
    {"rad", Dimension::angle, 1.0, 1.0},
    {"deg", Dimension::angle, kDegree, 1.0},
    {"rev", Dimension::angle, 2.0 * kPi, 1.0},
    {"s", Dimension::time, 1.0, 1.0},
    {"ms", Dimension::time, 1.0, 1000.0},
    {"min", Dimension::time, 60.0, 1.0},
    {"h", Dimension::time, 3600.0, 1.0},
    {"rad/s", Dimension::rate, 1.0, 1.0},
    {"deg/s", Dimension::rate, kDegree, 1.0},
    {"rpm", Dimension::rate, 2.0 * kPi, 60.0},
    {"Hz", Dimension::rate, 2.0 * kPi, 1.0},
    {"m/s", Dimension::velocity, 1.0, 1.0},
    {"cm/s", Dimension::velocity, 1.0, 100.0},
    {"mm/s", Dimension::velocity, 1.0, 1000.0},
    {"km/s", Dimension::velocity, 1000.0, 1.0},
    {"m/s^2", Dimension::acceleration, 1.0, 1.0},
    {"cm/s^2", Dimension::acceleration, 1.0, 100.0},
    {"mm/s^2", Dimension::acceleration, 1.0, 1000.0},
    {"rad/s^2", Dimension::angular_acceleration, 1.0, 1.0},
    {"deg/s^2", Dimension::angular_acceleration, kDegree, 1.0},
    {"rev/s^2", Dimension::angular_acceleration, 2.0 * kPi, 1.0},
    {"N", Dimension::force, 1.0, 1.0},
    {"kN", Dimension::force, 1000.0, 1.0},
    {"mN", Dimension::force, 1.0, 1000.0},
    {"N*m", Dimension::torque, 1.0, 1.0},
    {"mN*m", Dimension::torque, 1.0, 1000.0},
    {"N/m", Dimension::linear_stiffness, 1.0, 1.0},
    {"N/mm", Dimension::linear_stiffness, 1000.0, 1.0},
    {"kN/m", Dimension::linear_stiffness, 1000.0, 1.0},
    {"N*m/rad", Dimension::angular_stiffness, 1.0, 1.0},
    {"N*m/deg", Dimension::angular_stiffness, 1.0, kDegree},
}};

const char* noun(Dimension dimension) {
  switch (dimension) {
    case Dimension::none:
      return "number";
    case Dimension::length:
      return "length";
    case Dimension::mass:
      return "mass";
    case Dimension::angle:
      return "angle";
    case Dimension::time:
      return "time";
    case Dimension::rate:
      return "rate";
    case Dimension::velocity:
      return "velocity";
    case Dimension::acceleration:
      return "acceleration";
    case Dimension::angular_acceleration:
      return "angular acceleration";
    case Dimension::force:
      return "force";
    case Dimension::torque:
      return "torque";
    case Dimension::linear_stiffness:
    case Dimension::angular_stiffness:
      break;
  }
  return "stiffness";
}

std::string replaced(std::string text, std::string_view old, std::string_view with) {
  for (std::size_t at = text.find(old); at != std::string::npos;
       at = text.find(old, at + with.size())) {
    text.replace(at, old.size(), with);
  }
  return text;
}

/// With `*` between factors, however they are written: `N m`, `N·m`.
std::string plain_unit(std::string_view name) {
  std::string text = replaced(std::string(name), "²", "^2");
  for (const char* dot : {"·", "⋅"}) text = replaced(text, dot, "*");
  for (const char* around : {" *", "* "}) text = replaced(text, around, "*");
  return replaced(text, " ", "*");
}

std::string without_products(const std::string& plain) { return replaced(plain, "*", ""); }

}  // namespace

const Unit* find_unit(std::string_view name) {
  const auto found = std::find_if(kUnits.begin(), kUnits.end(),
                                  [&](const Unit& unit) { return is_same_unit(name, unit.name); });
  return found == kUnits.end() ? nullptr : &*found;
}

bool is_same_unit(std::string_view written, std::string_view unit) {
  const std::string theirs = plain_unit(written), ours = plain_unit(unit);
  // only where a product is meant may its sign be left out: `ms` is no `m s`
  return theirs == ours || theirs == without_products(ours);
}

std::vector<std::string> unit_names(const Quantity& quantity) {
  if (quantity.dimension != Dimension::none) return unit_names(quantity.dimension);
  constexpr std::string_view kOr = " or ";
  std::vector<std::string> names;
  for (std::string_view rest = quantity.unit; !rest.empty();) {
    const std::size_t end = std::min(rest.find(kOr), rest.size());
    names.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + kOr.size(), rest.size()));
  }
  return names;
}

std::vector<std::string> unit_names(Dimension dimension) {
  std::vector<std::string> names;
  if (dimension == Dimension::none) return names;
  for (const Unit& unit : kUnits) {
    if (unit.dimension == dimension) names.emplace_back(unit.name);
  }
  return names;
}

std::string si_unit(const Quantity& quantity) {
  if (quantity.dimension == Dimension::none) return quantity.unit;
  std::string unit = unit_names(quantity.dimension).front();
  if (const std::size_t square = unit.find("^2"); square != std::string::npos)
    unit.replace(square, 2, "²");
  return unit;
}

std::string expectation(const Quantity& quantity) {
  const std::string name = noun(quantity.dimension);
  const bool starts_with_vowel = name.front() == 'a';
  std::string text = quantity.range == Range::positive ? "a positive " + name
                     : starts_with_vowel               ? "an " + name
                                                       : "a " + name;
  if (quantity.range == Range::not_negative) text += " of at least 0";
  std::string units = quantity.unit;
  for (const std::string& unit : unit_names(quantity.dimension)) {
    units += (units.empty() ? "" : ", ") + unit;
  }
  return units.empty() ? text : text + " (" + units + ")";
}

}  // namespace spacedyn::loading
