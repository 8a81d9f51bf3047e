#include "spacedyn/recording/wheel_warnings.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "spacedyn/forces/wheel_element.hpp"
#include "system/system_elements.hpp"

namespace spacedyn {
namespace {

/// Readings of wheels at one instant.
class WheelReader {
 public:
  WheelReader(const Model& model, State state)
      : model_(model), state_(std::move(state)), frames_(model), velocities_(model) {
    compute_link_frames(model_, state_, frames_);
    compute_link_velocities(model_, state_, frames_, velocities_);
  }
  WheelReading reading(const WheelElement& wheel, const AuxiliarySlice& slice, double time) const {
    const EvaluationContext context{time, model_, state_, frames_, velocities_, state_.z};
    return wheel.reading(slice_of(context, slice));
  }

 private:
  const Model& model_;
  State state_;
  LinkFrames frames_;
  LinkVelocities velocities_;
};

State with_auxiliary(const SystemElements& elements, State state) {
  if (state.z.size() == 0) state.z = elements.initial_auxiliary();
  return state;
}

}  // namespace

std::vector<std::string> wheel_warnings(const SimulationSetup& setup, const State& start,
                                        const SimulationResult& result) {
  const SystemElements elements(setup);
  const WheelReader first(*setup.model, with_auxiliary(elements, start));
  const WheelReader last(*setup.model, result.state);
  const auto has_happened = [&](const std::string& name) {
    return std::any_of(result.events.begin(), result.events.end(),
                       [&](const EventRecord& event) { return event.name == name; });
  };
  std::vector<std::string> texts;
  for (const SystemElements::Slot& slot : elements.slots()) {
    const auto* wheel = dynamic_cast<const WheelElement*>(slot.force);
    if (wheel == nullptr) continue;
    const WheelReading now = last.reading(*wheel, slot.slice, result.time);
    if (now.sinkage > 0.0 && now.slip > kStallSlip) {
      texts.push_back(fmt::format(
          "wheel '{}' has stalled: at the end it turns on the spot, with a slip of {:.3f}",
          wheel->name(), now.slip));
    } else if (first.reading(*wheel, slot.slice, 0.0).sinkage <= 0.0 && now.sinkage <= 0.0 &&
               !has_happened(wheel->ground_event())) {
      texts.push_back(
          fmt::format("wheel '{}' never touches the ground: at the end it is {:.3g} m "
                      "above it",
                      wheel->name(), -now.sinkage));
    }
  }
  return texts;
}

}  // namespace spacedyn
