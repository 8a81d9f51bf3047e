#include "loading/yaml/scalars.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "loading/yaml/yaml_text.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::loading {
namespace {

struct OtherName {
  std::string_view place;  // end of a key path without its numbers
  std::string_view name;
  std::string_view hint;
};

// every hint is a sentence about what this version reads
constexpr OtherName kOtherNames[] = {
    {"joint.type", "floating", "a floating joint is called 'free'"},
    {"joint.type", "continuous", "write 'revolute', which has no limits without 'position_limits'"},
    {"joint.type", "hinge", "a hinge is called 'revolute'"},
    {"joint.type", "slide", "a slide is called 'prismatic'"},
    {"joint.type", "ball", "a ball joint is called 'spherical'"},
    {"joint.type", "helical", "a helical joint is called 'screw'"},

    // keys of URDF and MJCF, and letters of textbooks
    {"model", "joints", "joints stand in 'links', each in the link that it carries"},
    {"model", "bodies", "bodies are 'base' and 'links'"},
    {"model", "gravity", "gravity acts through 'environment' of a scenario"},
    {"base", "com", "the centroid is 'center_of_mass'"},
    {"links", "com", "the centroid is 'center_of_mass'"},
    {"links", "xyz", "a link is where the 'origin' of its joint is"},
    {"links", "rpy", "a link is where the 'origin' of its joint is"},
    {"links", "origin", "a link is where the 'origin' of its joint is"},
    {"joint", "xyz", "the place of a joint is 'origin: {xyz: [x, y, z]}'"},
    {"joint", "rpy", "the attitude of a joint is 'origin: {rpy: [x, y, z]}'"},
    {"joint", "parent", "'parent' stands in the link, beside 'joint'"},
    {"joint", "child", "the link in which a joint stands is the one that it carries"},
    {"joint", "limit", "limits are 'position_limits', 'velocity_limit' and 'effort_limit'"},
    {"joint", "limits", "limits are 'position_limits', 'velocity_limit' and 'effort_limit'"},
    {"joint", "lower", "limits are 'position_limits: [lower, upper]'"},
    {"joint", "upper", "limits are 'position_limits: [lower, upper]'"},
    {"joint", "range", "limits are 'position_limits: [lower, upper]'"},
    {"joint", "effort", "the greatest effort is 'effort_limit'"},
    {"joint", "velocity", "the greatest velocity is 'velocity_limit'"},
    {"joint", "armature", "it is called 'rotor_inertia'"},
    {"joint", "k", "it is called 'stiffness'"},
    {"joint", "c", "it is called 'damping'"},
    {"scenario", "controllers", "controllers stand in 'control'"},
    {"scenario", "gravity", "gravity acts through 'environment: {gravity: [x, y, z]}'"},
    {"scenario", "step", "the step is one of 'integrator': {method: rk4, step: 0.01}"},
    {"scenario", "dt", "the step is one of 'integrator': {method: rk4, step: 0.01}"},
    {"scenario", "time", "the end of a flight is its 'duration'"},
    {"control", "kp", "the gain of the position is 'stiffness'"},
    {"control", "kd", "the gain of the velocity is 'damping'"},
    {"control", "ki", "the gain of the integral is 'integral'"},

    {"frames", "position", "the origin of a frame is its 'xyz'"},

    {"forces.type", "contact", "use 'contacts' beside 'forces'"},
    {"forces.type", "gravity", "gravity acts through 'environment: {gravity: [x, y, z]}'"},
    {"forces.type", "gravity_gradient", "write 'environment: {gravity_gradient: true}'"},
    {"forces.type", "drag", "drag acts through 'plates' and 'atmosphere' of 'environment'"},
    {"forces.type", "solar_pressure", "light acts through 'plates' and 'sun' of 'environment'"},
    {"forces.type", "cable", "a cable is called 'tether'"},
    {"forces.type", "rope", "a rope is called 'tether'"},
    {"forces.type", "friction",
     "use 'friction' of a joint of the model, a 'brake', or 'friction' of 'contacts'"},
    {"forces", "progressive", "a force that is not linear is a 'spring'"},
    {"initial.base", "xyz", "the place is 'position'"},
    {"environment", "drag", "drag acts through 'plates' and 'atmosphere'"},
    {"environment", "solar_pressure", "light acts through 'plates' and 'sun'"},
    {"environment", "ground", "the ground is called 'terrain'"},

    {"control.type", "joint_pid", "'joint_pd' has 'integral'"},
    {"control.type", "base_attitude",
     "use 'attitude' with wheels or thrusters, or 'base: {mode: flying}'"},
    {"control.type", "reaction_wheel", "use 'attitude' with reaction wheels as its 'actuators'"},
    {"control.type", "cartesian", "'operational_space' and 'cartesian_impedance' move a point"},
    {"control.type", "impedance", "the impedance of a point is 'cartesian_impedance'"},
    {"control.type", "null_space",
     "'reaction_null_space' moves joints without turning the base; wheels have 'null_space' in "
     "'attitude'"},

    {"reference.type", "sine", "use 'harmonic'"},
    {"reference.type", "chirp", "use 'table' with 'interpolation: cubic'"},
    {"reference.type", "file", "use 'table' with 'time' and 'position'"},
    {"reference.type", "polynomial", "from rest to rest the polynomial is 'quintic'"},

    {"events.type", "collision", "the event is called 'contact'"},
    {"events.type", "torque", "use 'quantity' with 'joint_effort'"},
    {"events.type", "momentum", "use 'quantity' with 'momentum'"},

    // those of the original first
    {"integrator.method", "int_eu2", "'euler_rodrigues' does its work"},
    {"integrator.method", "f_dyn_rk2", "'rk4_quaternion' does its work"},
    {"integrator.method", "int_sr", "'simpson' does its work"},
    {"integrator.method", "int_sr2", "'simpson' does its work"},
    {"integrator.method", "f_dyn_nb", "'newmark' does its work"},
    {"integrator.method", "f_dyn_nb2", "'newmark' does its work"},
    {"integrator.method", "int_eu", "'euler_rodrigues' does its work"},
    {"integrator.method", "f_dyn_rk", "'rk4_quaternion' does its work"},
    {"integrator.method", "ode45", "'dopri5' does its work"},
    {"integrator.method", "rkf45", "'dopri5' does its work"},
    {"integrator.method", "rk2", "'midpoint' does its work"},
    {"integrator.method", "ck54", "'cash_karp54' does its work"},
    {"integrator.method", "cash_karp", "'cash_karp54' does its work"},
    {"integrator.method", "rkf78", "'fehlberg78' does its work"},
    {"integrator.method", "ode89", "'dop853' does its work"},
    {"integrator.method", "DOP853", "'dop853' does its work"},
    {"integrator.method", "dopri853", "'dop853' does its work"},
    {"integrator.method", "abm", "'adams_bashforth_moulton' does its work"},
    {"integrator.method", "abm5", "'adams_bashforth_moulton' does its work"},
    {"integrator.method", "adams", "'adams_bashforth_moulton' does its work"},
    {"integrator.method", "rosenbrock4", "'rodas' does its work"},
    {"integrator.method", "radau5", "'rodas' does its work"},
    {"integrator.method", "bdf", "'rodas' does its work"},
    {"integrator.method", "symplectic", "'variational' does its work"},

    {"output", "formats", "'format' is one of them; 'spacedyn convert' writes the others"},
    {"output", "compress", "'spacedyn convert' has --compress"},
    {"output", "file", "'spacedyn simulate' names its folder by --output"},
    {"output", "report", "every run leaves a page"},
    {"output.channels", "contact", "the channel is called 'contacts'"},
    {"output.channels", "links", "'frames' records points of links that the model names as frames"},
    {"output.channels", "jacobian", "'singular_values' records those of the generalized Jacobian"},
    {"output.channels", "acceleration", "an 'accelerometer' of 'sensors' is recorded by 'sensors'"},
    {"output.channels", "control", "'element_forces' records what each controller does"},

    {"format", ".xacro", "expand it first: xacro FILE > robot.urdf"},
    {"format", ".sdf", "SDF is not read; many tools write it as URDF"},
    {"format", ".usd", "USD is not read; many tools write it as URDF or MJCF"},
    {"format", ".usda", "USD is not read; many tools write it as URDF or MJCF"},
    {"format", ".usdc", "USD is not read; many tools write it as URDF or MJCF"}};

std::string without_numbers(const std::string& path) {
  std::string place;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    const std::string_view part = std::string_view(path).substr(begin, end - begin);
    const bool is_number =
        std::all_of(part.begin(), part.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    if (!is_number) place.append(".").append(part);
    begin = end + 1;
  }
  return place;
}

bool is_in_range(double number, Range range) {
  if (range == Range::positive) return number > 0.0;
  return range == Range::any || number >= 0.0;
}

/// Whether one prefix more than a unit has is written, as in `kN m` or `N mm`: another number.
bool has_another_prefix(std::string_view written, const std::string& unit) {
  constexpr std::array<std::string_view, 12> kPrefixes = {"k", "c", "d", "m", "M", "G",
                                                          "h", "n", "u", "p", "µ", "μ"};
  const auto lower = [](std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
  };
  for (const std::string_view prefix : kPrefixes) {
    for (std::size_t at = written.find(prefix); at != std::string_view::npos;
         at = written.find(prefix, at + 1)) {
      std::string rest(written);
      rest.erase(at, prefix.size());
      if (!rest.empty() && is_same_unit(lower(rest), lower(unit))) return true;
    }
  }
  return false;
}

/// Advice for a scalar that is no number with a fitting unit.
std::string unit_hint(std::string_view text, const Quantity& quantity) {
  const NumberAndUnit parts = split_unit(text);
  const std::vector<std::string> units = unit_names(quantity.dimension);
  if (parts.unit.empty() || !is_number(parts.number) || find_unit(parts.unit) != nullptr) return "";
  for (const std::string& unit : units) {
    if (has_another_prefix(parts.unit, unit)) return "write the number in " + unit;
  }
  const std::string nearest = nearest_name(parts.unit, units);
  return nearest.empty() ? "" : "did you mean '" + std::string(parts.number) + ' ' + nearest + "'?";
}

/// Whether a quantity that has no table of units may carry this one.
bool is_own_unit(const Quantity& quantity, std::string_view unit) {
  if (quantity.dimension != Dimension::none || unit.empty()) return false;
  const std::vector<std::string> names = unit_names(quantity);
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return is_same_unit(unit, name); });
}

/// Most likely degrees.
bool is_plain_angle_beyond_a_turn(const Quantity& quantity, const NumberAndUnit& parts,
                                  double number) {
  constexpr double kTurn = 6.2832;  // what people write for it
  return quantity.dimension == Dimension::angle && !quantity.may_turn_on && parts.unit.empty() &&
         std::isfinite(number) && std::abs(number) > kTurn;
}

void refuse_number(const Value& value, const Quantity& quantity, ProblemList& problems) {
  const Node& node = *value.node;
  std::string hint;
  if (node.is_scalar()) {
    hint = node.quoted && is_number(node.text) ? "a number stands without quotes"
                                               : unit_hint(node.text, quantity);
  }
  problems.error(value, "expected " + expectation(quantity) + ", got " + describe(node), hint);
}

}  // namespace

std::string_view hint_of_other_name(const std::string& path, std::string_view name) {
  const std::string place = without_numbers(path);
  for (const OtherName& other : kOtherNames) {
    const std::string end = '.' + std::string(other.place);
    const bool ends_so = place.size() >= end.size() &&
                         place.compare(place.size() - end.size(), end.size(), end) == 0;
    if (other.name == name && ends_so) return other.hint;
  }
  return {};
}
NumberAndUnit split_unit(std::string_view text) {
  std::size_t end = text.find(' ');
  if (end == std::string_view::npos) {
    end = number_length(text);
    const bool has_letter =
        end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) != 0;
    if (!has_letter) return {text, {}};
  }
  if (end == 0) return {text, {}};
  const std::size_t unit = text.find_first_not_of(' ', end);
  if (unit == std::string_view::npos) return {text.substr(0, end), {}};
  return {text.substr(0, end), text.substr(unit)};
}

std::optional<double> read_number(const Value& value, const Quantity& quantity,
                                  ProblemList& problems) {
  const Node& node = *value.node;
  problems.note_number(node, quantity);
  const NumberAndUnit parts = split_unit(node.text);
  const bool is_octal =
      looks_octal(parts.number) || looks_octal(node.text.substr(0, node.text.find(' ')));
  if (node.is_scalar() && is_octal) {
    problems.error(value, "expected a decimal number, got " + describe(node),
                   "some YAML readers take it for an octal or hexadecimal one");
    return std::nullopt;
  }
  const Unit* unit = parts.unit.empty() ? nullptr : find_unit(parts.unit);
  const bool is_own = is_own_unit(quantity, parts.unit);
  if (is_own) unit = nullptr;  // the number is in SI units already
  const bool unit_fits = parts.unit.empty()
                             ? !node.quoted
                             : is_own || (unit != nullptr && unit->dimension == quantity.dimension);
  if (!node.is_scalar() || !is_number(parts.number) || !unit_fits) {
    refuse_number(value, quantity, problems);
    return std::nullopt;
  }
  std::optional<double> number = parse_number(parts.number);
  if (!number) {
    problems.error(value, "expected a number between 1e-308 and 1e308, got " + describe(node));
    return std::nullopt;
  }
  if (unit != nullptr) *number = *number * unit->multiplier / unit->divisor;
  const bool finite_enough =
      std::isfinite(*number) || (std::isinf(*number) && quantity.may_be_infinite);
  if (!finite_enough) {
    problems.error(value, "expected a finite number, got " + describe(node));
    return std::nullopt;
  }
  if (!is_in_range(*number, quantity.range)) {
    refuse_number(value, quantity, problems);
    return std::nullopt;
  }
  if (std::isfinite(*number) && std::isinf(*number * *number)) {
    problems.warning(value,
                     "expected a number of at most 1.3e154, whose square a double can hold, got " +
                         describe(node));
  }
  if (is_plain_angle_beyond_a_turn(quantity, parts, *number)) {
    const std::string text(parts.number);
    problems.warning(value,
                     "expected an angle within one turn or with its unit, got " + describe(node) +
                         ", which is in rad",
                     "write '" + text + " deg' or '" + text + " rad'");
  }
  return number;
}

bool is_ambiguous_word(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  static const std::vector<std::string> kWords = {"true", "false", "yes", "no", "on", "off"};
  return std::find(kWords.begin(), kWords.end(), lower) != kWords.end();
}

std::optional<bool> read_boolean(const Value& value, ProblemList& problems) {
  const Node& node = *value.node;
  if (node.is_scalar() && !node.quoted && (node.text == "true" || node.text == "false")) {
    return node.text == "true";
  }
  problems.error(value, "expected true or false, got " + describe(node));
  return std::nullopt;
}

std::optional<std::string> read_text(const Value& value, ProblemList& problems) {
  const Node& node = *value.node;
  if (node.is_scalar() && (node.quoted || !(is_number(node.text) || looks_octal(node.text) ||
                                            is_ambiguous_word(node.text)))) {
    return node.text;
  }
  problems.error(value, "expected a text, got " + describe(node),
                 node.is_scalar() ? "put quotes around it" : "");
  return std::nullopt;
}

std::string nearest_hint(std::string_view name, const std::vector<std::string>& known) {
  const std::string nearest = nearest_name(name, known);
  return nearest.empty() ? "" : "did you mean '" + nearest + "'?";
}

std::string list_choices(const std::vector<std::string>& choices) {
  std::string text;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (i > 0) text += i + 1 == choices.size() ? " or " : ", ";
    text += choices[i];
  }
  return text;
}

std::optional<std::size_t> read_choice(const Value& value, const std::vector<std::string>& choices,
                                       ProblemList& problems) {
  const Node& node = *value.node;
  const auto position = std::find(choices.begin(), choices.end(), node.text);
  if (node.is_scalar() && position != choices.end()) {
    return static_cast<std::size_t>(position - choices.begin());
  }
  std::string hint;
  if (node.is_scalar()) {
    hint = hint_of_other_name(value.path, node.text);
    if (hint.empty()) hint = nearest_hint(node.text, choices);
  }
  problems.error(value, "expected " + list_choices(choices) + ", got " + describe(node), hint);
  return std::nullopt;
}

}  // namespace spacedyn::loading
