/// @file
/// Reads single values strictly, numbers with units, booleans, texts, choices: what kind of number
/// a key takes, and the units that it may carry.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loading/yaml/node.hpp"

namespace spacedyn::loading {

enum class Dimension {
  none,
  length,
  mass,
  angle,
  time,
  rate,
  velocity,
  acceleration,
  angular_acceleration,
  force,
  torque,
  linear_stiffness,
  angular_stiffness
};

enum class Range { any, not_negative, positive };

/// What a key expects of its number.
struct Quantity {
  Dimension dimension = Dimension::none;
  Range range = Range::any;
  bool may_be_infinite = false;
  const char* unit = "";     ///< SI unit of a number that carries none in files, for messages
  bool may_turn_on = false;  ///< of angles: whether several turns are nothing unusual

  constexpr Quantity within(Range allowed) const {
    Quantity changed = *this;
    changed.range = allowed;
    return changed;
  }
  constexpr Quantity of_series() const {
    Quantity changed = *this;
    changed.may_turn_on = true;
    return changed;
  }
  constexpr Quantity or_infinite() const {
    Quantity changed = *this;
    changed.may_be_infinite = true;
    return changed;
  }
};

/// A unit of a file: SI value = number · multiplier / divisor.
struct Unit {
  const char* name;
  Dimension dimension;
  double multiplier;
  double divisor;
};

/// The unit of a name, or nothing; as is_same_unit().
const Unit* find_unit(std::string_view name);
/// Whether a unit is meant: `N m`, `N·m` and `Nm` stand for `N*m`, `²` for `^2`.
bool is_same_unit(std::string_view written, std::string_view unit);
/// Names of the units of a dimension, SI first.
std::vector<std::string> unit_names(Dimension dimension);
/// Names of the units that a number of this quantity may carry.
std::vector<std::string> unit_names(const Quantity& quantity);

/// SI unit of a quantity, for instance `m/s²`; empty for pure numbers.
std::string si_unit(const Quantity& quantity);

/// What is expected, for instance `a positive length (m, cm, mm, km)`.
std::string expectation(const Quantity& quantity);

namespace quantity {
inline constexpr Quantity kNumber{};
inline constexpr Quantity kLength{Dimension::length};
inline constexpr Quantity kMass{Dimension::mass};
inline constexpr Quantity kAngle{Dimension::angle};
inline constexpr Quantity kTime{Dimension::time};
inline constexpr Quantity kRate{Dimension::rate};
inline constexpr Quantity kForce{Dimension::force};
inline constexpr Quantity kTorque{Dimension::torque};
inline constexpr Quantity kLinearStiffness{Dimension::linear_stiffness};
inline constexpr Quantity kAngularStiffness{Dimension::angular_stiffness};
inline constexpr Quantity kInertia{Dimension::none, Range::any, false, "kg m²"};
inline constexpr Quantity kVelocity{Dimension::velocity};
inline constexpr Quantity kAcceleration{Dimension::acceleration};
inline constexpr Quantity kAngularAcceleration{Dimension::angular_acceleration};
/// Of joints that turn and of those that slide.
inline const std::vector<Quantity> kJointPosition{kAngle, kLength};
inline const std::vector<Quantity> kJointVelocity{kRate, kVelocity};
inline const std::vector<Quantity> kJointAcceleration{kAngularAcceleration, kAcceleration};
inline const std::vector<Quantity> kJointEffort{kTorque, kForce};
inline const std::vector<Quantity> kJointStiffness{kAngularStiffness, kLinearStiffness};

/// A number in a unit that belongs to no dimension of files.
constexpr Quantity in(const char* unit) { return {Dimension::none, Range::any, false, unit}; }
constexpr Quantity positive(Quantity quantity) { return quantity.within(Range::positive); }
constexpr Quantity not_negative(Quantity quantity) { return quantity.within(Range::not_negative); }
inline std::vector<Quantity> positive(std::vector<Quantity> quantities) {
  for (Quantity& quantity : quantities) quantity.range = Range::positive;
  return quantities;
}

}  // namespace quantity

/// Number and unit of a scalar, apart; both as they stand.
struct NumberAndUnit {
  std::string_view number;
  std::string_view unit;  ///< empty where there is none
};

/// Splits `20 deg` or `20deg`; what does not begin with a number is taken for one as a whole.
NumberAndUnit split_unit(std::string_view text);

/// A number in SI units; a problem is reported and nothing returned where it is none or not fit.
std::optional<double> read_number(const Value& value, const Quantity& quantity,
                                  ProblemList& problems);

/// `true` or `false`, no other words.
std::optional<bool> read_boolean(const Value& value, ProblemList& problems);

/// A text that no YAML reader takes for something else.
std::optional<std::string> read_text(const Value& value, ProblemList& problems);

/// Whether some YAML reader takes a word for a boolean.
bool is_ambiguous_word(std::string_view text);

/// One of several words, by its position.
std::optional<std::size_t> read_choice(const Value& value, const std::vector<std::string>& choices,
                                       ProblemList& problems);

/// `did you mean 'x'?` with the nearest name, or an empty text.
std::string nearest_hint(std::string_view name, const std::vector<std::string>& known);

/// Names of all items of a list.
template <typename Items>
std::vector<std::string> names_of(const Items& items) {
  std::vector<std::string> names;
  for (const auto& item : items) names.emplace_back(item.name);
  return names;
}

/// `a`, `a or b`, `a, b or c`.
std::string list_choices(const std::vector<std::string>& choices);

/// What to write instead of a name that is often looked for at a key path, as a hint of a message.
///
/// Numbers in the path are looked past: `scenario.forces.0.type` is a `forces.type`.
/// @return empty where nothing is known of the name
std::string_view hint_of_other_name(const std::string& path, std::string_view name);

}  // namespace spacedyn::loading
