#include "loading/yaml/other_names.hpp"

#include <algorithm>
#include <cctype>

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
    {"joint.type", "screw",
     "a screw is a 'cylindrical' joint with a 'gear' of its two coordinates in 'loops'"},
    {"joint.type", "helical",
     "a screw is a 'cylindrical' joint with a 'gear' of its two coordinates in 'loops'"},

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
    {"environment", "drag", "drag acts through 'plates' and 'atmosphere'"},
    {"environment", "solar_pressure", "light acts through 'plates' and 'sun'"},
    {"environment", "ground", "the ground is called 'terrain'"},

    {"control.type", "joint_pid",
     "'joint_pd' has no integral; a law of your own runs in a C++ or Python program"},
    {"control.type", "computed_torque",
     "'prescribed' follows a motion exactly and computes the torque of that"},
    {"control.type", "base_attitude",
     "use 'attitude' with wheels or thrusters, or 'base: {mode: flying}'"},
    {"control.type", "reaction_wheel", "use 'attitude' with reaction wheels as its 'actuators'"},
    {"control.type", "cartesian", "a law of your own runs in a C++ or Python program"},
    {"control.type", "impedance", "a law of your own runs in a C++ or Python program"},
    {"control.type", "resolved_rate",
     "resolved rates are computed in a C++ or Python program, and flown as 'prescribed'"},
    {"control.type", "null_space",
     "wheels have 'null_space' in 'attitude'; that of an arm is computed in C++ or Python"},

    {"reference.type", "sine", "use 'harmonic'"},
    {"reference.type", "chirp", "use 'table' with 'interpolation: cubic'"},
    {"reference.type", "spline", "use 'table' with 'interpolation: cubic'"},
    {"reference.type", "file", "use 'table' with 'time' and 'position'"},
    {"reference.type", "polynomial", "from rest to rest the polynomial is 'quintic'"},

    {"events.type", "collision", "the event is called 'contact'"},
    {"events.type", "torque", "a function of your own makes events in a C++ program"},
    {"events.type", "momentum", "a function of your own makes events in a C++ program"},

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

}  // namespace spacedyn::loading
