/// @file
/// Keys that several sections of a scenario have; nothing is returned where the value is wrong.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "loading/keys/mapping.hpp"
#include "loading/scenario/scenario_context.hpp"
#include "loading/scenario/sections.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/forces/bushing.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/integration/quantities.hpp"

namespace spacedyn::loading {

/// Tells of errors since it was made.
class ErrorMark {
 public:
  explicit ErrorMark(const ProblemList& problems)
      : problems_(problems), before_(problems.error_count()) {}
  bool found() const { return problems_.error_count() > before_; }

 private:
  const ProblemList& problems_;
  std::size_t before_;
};

/// Names of all values of a kind.
template <typename Values>
std::vector<std::string> all_names(const Values& values) {
  std::vector<std::string> names;
  for (const auto value : values) names.emplace_back(to_string(value));
  return names;
}

/// Reports the step of a key that would divide the duration into too many parts.
void check_step(ScenarioContext& scenario, MapReader& map, const char* key, double step,
                const char* parts);
/// Position of the value of a key among its choices; nothing where it is absent.
std::optional<std::size_t> find_choice(MapReader& map, const char* key,
                                       const std::vector<std::string>& choices);
std::optional<std::size_t> require_choice(MapReader& map, const char* key,
                                          const std::vector<std::string>& choices);
/// Reports a direction that is zero.
void check_direction(MapReader& map, const char* key, const Vector3& direction);
/// Calls a function for each entry of a mapping by names, but for its notes.
/// @param what  that the mapping has
void for_each_entry(
    const Value& value, const char* what, ProblemList& problems,
    const std::function<void(const std::string& name, const Value& item)>& function);
/// Whether a mapping has exactly one of some keys; reports several and none.
bool has_one_of(MapReader& map, const std::vector<std::string>& keys);

/// Whether a joint may be one coordinate of a rotation vector, which has no position of its own.
enum class Spherical { refused, allowed };

/// @name Coordinates in messages, in degrees or metres
/// @{
std::string position_text(const Joint& joint, double position);
std::string angle_text(double angle);
/// `[lower, upper]` of the positions.
std::string limits_text(const Joint& joint);
std::string velocity_text(const Joint& joint, double velocity);
/// @}

/// What each of some motions is measured in.
std::vector<Quantity> by_motion(const std::vector<JointType>& motions,
                                const std::vector<Quantity>& quantities);

namespace kind {
Kind<Frame> point(const char* title = "A frame, a link or <link>.com");
/// A joint; keys that come later may have the unit of its motion.
Kind<int> joint(const char* title, Spherical spherical = Spherical::refused);
/// A joint that a force may act on.
Kind<int> free_joint(Spherical spherical = Spherical::refused);
/// A thruster of the model, by its position.
Kind<int> thruster();
/// One number for all motions of a reading, or one for each.
/// @param quantities  of motions that turn and that slide; one where it does not matter
Kind<VectorX> each_motion(const std::vector<Quantity>& quantities, const char* title);

}  // namespace kind

/// @name Names of the model
/// @{
std::optional<int> read_joint_name(ScenarioContext& scenario, const Value& value,
                                   Spherical spherical = Spherical::refused);
/// Coordinates of a joint that may have several; none where the name is wrong.
std::vector<int> read_joint_coordinates(ScenarioContext& scenario, const Value& value);
/// The key `joint`.
std::optional<int> read_joint(ScenarioContext& scenario, MapReader& map,
                              Spherical spherical = Spherical::refused);
bool is_prescribed(const ScenarioContext& scenario, int joint);
/// Whether the motion of the key `joint` is prescribed, which is reported.
bool refuse_prescribed(ScenarioContext& scenario, MapReader& map, int joint);
std::optional<Frame> read_point(ScenarioContext& scenario, MapReader& map, const char* key = "at");
void check_pair(const Frame& from, const Frame& to, Reading& reading);
/// Adds points `from` and `to` of two bodies.
template <typename Settings>
void add_pair(Mapping<Settings>& keys) {
  keys.require("from", &Settings::from, kind::point());
  keys.require("to", &Settings::to, kind::point("A frame, a link or <link>.com of another body"));
  keys.check([](Settings& settings, Reading& reading) {
    check_pair(settings.from, settings.to, reading);
  });
}
/// `limits` of the joint that a mapping names, by default its own.
KeyGroup<std::pair<double, double>> limits_key();
/// How coordinates move, and where they are at the start.
ReferenceFrame joint_frame(const ScenarioContext& scenario, const std::vector<int>& joints);
/// Frames of all links at the start.
LinkFrames start_frames(const ScenarioContext& scenario);
/// Frames and velocities of all links.
struct LinkMotion {
  LinkMotion(const Model& model, const State& state);

  LinkFrames frames;
  LinkVelocities velocities;
};
/// The first body whose centroid starts at a place that matters; null: none.
const Body* find_at_start(const ScenarioContext& scenario,
                          const std::function<bool(const Body&, const Vector3& r)>& is_meant);
/// @}

/// @name Lists of elements
/// @{
/// Calls a function for each item of a section that is a list, if there is one.
void for_each_item_of(ScenarioContext& scenario, const char* key,
                      const std::function<void(const Value& item)>& function);
/// Reads a list: what elements share, then each by `read` with its type (by position in `types`)
/// and name.
using ElementReader =
    std::function<void(MapReader& map, std::size_t type, const std::string& name)>;
void read_elements(ScenarioContext& scenario, const char* key,
                   const std::vector<std::string>& types, const ElementReader& read);
/// Name of an element, made up from its type and place unless given; reports repetitions.
std::string read_element_name(ScenarioContext& scenario, MapReader& map, const std::string& type,
                              std::size_t position);
/// One that has been read before; null: none of this name.
const ForceElement* find_force(const ScenarioContext& scenario, const std::string& name);
/// The wheel that a force acts on; nothing where there is none.
std::optional<WheelMount> find_wheel(const ScenarioContext& scenario, const std::string& name);
/// A load that is never felt is most likely a mistake.
void warn_if_idle(ScenarioContext& scenario, const MapReader& map, const TimeTable& schedule);
std::shared_ptr<const Bushing> make_bushing(ScenarioContext& scenario, MapReader& map,
                                            const std::string& name);
/// @}

/// @name Lists of names
/// @{
/// Why a name is not taken, and what may help; it is taken where there is no reason.
struct Refusal {
  std::string reason = {}, hint = {};
};
Refusal unknown_name(const std::string& expected, const std::string& name,
                     const std::vector<std::string>& known);
Refusal named_twice(const std::string& kind, const std::string& name);
/// @param expected  what moves freely
Refusal moved_already(const std::string& expected, const std::string& name);
/// @param body  that the name is on, in place of that of the others
Refusal on_another_body(const std::string& kinds, const std::string& name, const std::string& body);

/// Offers each name of a list to `take`, and reports those that are refused.
/// @param kind  of which the list must have one at least
/// @returns whether all were taken
bool read_names(MapReader& map, const char* key, const Value& list, const std::string& kind,
                const std::function<Refusal(const std::string& name)>& take);
/// @}

/// A quantity as the file has it.
struct QuantityKeys {
  EventQuantity quantity;  ///< without a value where names are not known
  Quantity level;          ///< what a level of it is
  double below_level = std::numeric_limits<double>::infinity();  ///< that a crossed level is
};

namespace kind {
Kind<QuantityKeys> quantity();
}

/// A quantity and the level that it crosses.
struct Crossing {
  QuantityKeys of;
  double level = 0.0;
};
KeyGroup<Crossing> crossing_keys();

/// `while`: conditions.
KeyGroup<std::vector<EventCondition>> condition_keys();

}  // namespace spacedyn::loading
