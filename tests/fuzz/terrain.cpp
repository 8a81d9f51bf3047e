// Any bytes as rows of heights beside a sound scenario, and the ground that they make. The first
// byte is the spacing in decimetres.
#include "fuzz_input.hpp"
#include "ground_checks.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/contact_force.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn {
namespace {

constexpr double kLarge = 1.0e6;  // m; beyond, squares of slopes lose all digits of one

constexpr const char* kHead = R"(spacedyn: 1
scenario:
  name: pebble
  model:
    name: pebble
    base: {name: stone, mass: 1, inertia: [1, 1, 1], collision: [{name: skin, shape: sphere, radius: 0.1}]}
  duration: 1
  contacts:
    - {name: touch, between: [skin, terrain], normal: {law: linear, stiffness: 1.0e+4}, penetrating_start: true}
  environment:
    terrain: {type: height_field, file: heights.csv, spacing: )";

/// @returns how many grounds there were
int check(const Scenario& scenario) {
  int grounds = 0;
  for (const auto& force : scenario.setup.forces) {
    const auto* contact = dynamic_cast<const ContactForce*>(force.get());
    if (contact == nullptr) continue;
    const Terrain& ground = *contact->settings().terrain;
    for (const double x : {0.0, 0.3, 1.0}) {
      if (!(std::abs(ground.height(x, x)) < kLarge)) return ++grounds;
    }
    fuzz::check_ground(ground);
    ++grounds;
  }
  return grounds;
}

/// The scenario about heights that are sound: what it lacks would keep all others from being read.
bool is_sound(const fuzz::Folder& folder, const std::string& scenario) {
  folder.put("heights.csv", "0,0.1,0\n0.1,0.2,0.1\n0,0.1,0\n");
  return check(parse_scenario(std::string(kHead) + "0.5}\n", scenario)) == 1;
}

}  // namespace
}  // namespace spacedyn

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spacedyn;
  if (size == 0) return 0;
  static const fuzz::Folder folder;
  static const std::string scenario = folder.put("scenario.yaml", "");
  static const bool reads_grounds = is_sound(folder, scenario);
  if (!reads_grounds) __builtin_trap();
  folder.put("heights.csv", fuzz::text(data + 1, size - 1));
  const std::string spacing = std::to_string(1 + data[0] % 32);
  try {
    check(parse_scenario(kHead + spacing + "e-1}\n", scenario));
  } catch (const Error&) {
  }
  return 0;
}
