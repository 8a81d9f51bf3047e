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

Mapping<WholeBodyInput> reaction_null_space_keys() {
  using namespace kind;
  Mapping<WholeBodyInput> keys("Joints move at given rates, as far as that does not move the base");
  add_level(keys);
  add_stack_keys(keys);
  keys.allow("base", &WholeBodyInput::base_axes,
             axes("Axes of the base that are not moved, default angular"));
  keys.require("rate", &WholeBodyInput::rates,
               each_row(kNumber, "rad/s or m/s: one, or one per joint"));
  add_rate_gain(keys, Presence::optional);
  keys.allow(
      "gain", [](WholeBodyInput& input) -> VectorX& { return input.task.gain; },
      each_row(not_negative(in("1/s")), "1/s, at level torque"));
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
  const auto count = static_cast<Eigen::Index>(input.joints.size());
  if (!fit_rows(reading.map, "rate", input.rates, count, "joint")) return;
  if (!fit_rows(reading.map, "gain", input.task.gain, count, "joint")) return;
  motion.reference = std::make_shared<SteadyRates>(input.rates);
  if (input.settings.level == WholeBody::Level::torque) {
    if (input.task.gain.size() > 0)
      reaction.damping = VectorX::Constant(reaction.rows(), input.task.gain(0));
    motion.damping = input.task.gain;
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
