#include "loading/keys/time_series.hpp"
#include "loading/model/body_reader.hpp"
#include "loading/scenario/whole_body_keys.hpp"
#include "spacedyn/control/steady_rates.hpp"

namespace spacedyn::loading {
namespace {

Mapping<WholeBodyInput> resolved_rate_keys() {
  Mapping<WholeBodyInput> keys("A frame follows a pose by resolved rates");
  add_stack_keys(keys);
  add_rate_gain(keys, Presence::required);
  add_damping(keys);
  keys.merge(&WholeBodyInput::task, frame_task_keys({WholeBody::Level::rate, false}));
  add_limits(keys);
  return keys;
}

Mapping<WholeBodyInput> operational_space_keys() {
  Mapping<WholeBodyInput> keys("A frame follows a pose by accelerations");
  add_stack_keys(keys);
  keys.merge(&WholeBodyInput::task, frame_task_keys({WholeBody::Level::torque, false}));
  add_limits(keys);
  return keys;
}

Mapping<WholeBodyInput> impedance_control_keys() {
  Mapping<WholeBodyInput> keys("M ë + D ė + K e = −F_ext of a frame");
  add_stack_keys(keys);
  keys.merge(&WholeBodyInput::task, impedance_keys());
  add_limits(keys);
  return keys;
}

/// One rate for all joints, or one for each, in the unit of its motion.
KeyGroup<WholeBodyInput> rate_key() {
  const auto describe = [](MappingSchema& schema) {
    schema.require("rate", each_schema(quantity::kJointVelocity, "One, or one per joint"));
  };
  const auto read = [](Reading& reading, WholeBodyInput& input) {
    const auto value = reading.map.require("rate", "a rate (rad/s or m/s) or a list");
    if (!value || !reading.scenario->model) return false;
    const auto motions = joint_frame(*reading.scenario, input.joints).motions;
    const auto rates =
        read_each(*value, by_motion(motions, quantity::kJointVelocity), reading.problems());
    if (rates) input.rates = *rates;
    return rates.has_value();
  };
  return {describe, read};
}

Mapping<WholeBodyInput> reaction_null_space_keys() {
  using namespace kind;
  Mapping<WholeBodyInput> keys("Joints move at given rates, as far as that does not move the base");
  add_level(keys);
  add_stack_keys(keys);
  keys.allow("base", &WholeBodyInput::base_axes,
             axes("Axes of the base that are not moved, default angular"));
  keys.group(rate_key());
  add_rate_gain(keys, Presence::optional);
  keys.allow("gain", &WholeBodyInput::gain, not_negative(in("1/s")), "At level torque");
  add_limits(keys);
  keys.check([](WholeBodyInput& input, Reading& reading) {
    const bool is_rate = input.settings.level == WholeBody::Level::rate;
    if (is_rate && reading.map.has("gain")) {
      reading.map.error_at("gain", "expected no gain at level rate, which has 'rate_gain'");
    } else if (!is_rate && !reading.map.has("gain")) {
      reading.map.require("gain", "a number (1/s)");
    }
  });
  return keys;
}

void add_preset(Reading& reading, WholeBodyInput& input) {
  input.settings.tasks.push_back(input.task);
  add_whole_body(reading, input);
}

void add_resolved_rate(Reading& reading, WholeBodyInput& input) {
  input.settings.level = WholeBody::Level::rate;
  add_preset(reading, input);
}

void add_at_torque(Reading& reading, WholeBodyInput& input) {
  input.settings.level = WholeBody::Level::torque;
  if (input.task.type == Task::Type::compliance) input.task.joints = input.joints;
  add_preset(reading, input);
}

void add_reaction_null_space(Reading& reading, WholeBodyInput& input) {
  Task reaction;
  reaction.type = Task::Type::base_reaction;
  reaction.axes = input.base_axes;
  Task motion;
  motion.type = Task::Type::posture;
  motion.priority = 2;
  motion.joints = input.joints;
  motion.reference = std::make_shared<SteadyRates>(input.rates);
  if (input.settings.level == WholeBody::Level::torque) {
    reaction.damping = VectorX::Constant(reaction.rows(), input.gain);
    motion.damping = VectorX::Constant(motion.rows(), input.gain);
  }
  input.settings.tasks = {reaction, motion};
  add_whole_body(reading, input);
}

}  // namespace

extern const ControlType kResolvedRateType =
    control_type<resolved_rate_keys>("resolved_rate", add_resolved_rate);
extern const ControlType kReactionNullSpaceType =
    control_type<reaction_null_space_keys>("reaction_null_space", add_reaction_null_space);
extern const ControlType kOperationalSpaceType =
    control_type<operational_space_keys>("operational_space", add_at_torque);
extern const ControlType kCartesianImpedanceType =
    control_type<impedance_control_keys>("cartesian_impedance", add_at_torque);

}  // namespace spacedyn::loading
