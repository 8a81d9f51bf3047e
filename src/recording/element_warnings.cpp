#include "spacedyn/recording/element_warnings.hpp"

#include <algorithm>

#include "spacedyn/forces/declarations.hpp"
#include "system/system_elements.hpp"

namespace spacedyn {
namespace {

/// An instant as elements see it.
class Evaluation {
 public:
  Evaluation(const Model& model, State state, double time)
      : model_(model), state_(std::move(state)), time_(time), frames_(model), velocities_(model) {
    compute_link_frames(model_, state_, frames_);
    compute_link_velocities(model_, state_, frames_, velocities_);
  }
  EvaluationContext of(const SystemElements::Slot& slot) const {
    return slice_of({time_, model_, state_, frames_, velocities_, state_.z}, slot.slice);
  }

 private:
  const Model& model_;
  State state_;
  double time_;
  LinkFrames frames_;
  LinkVelocities velocities_;
};

State with_auxiliary(const SystemElements& elements, State state) {
  if (state.z.size() == 0) state.z = elements.initial_auxiliary();
  return state;
}

}  // namespace

std::vector<std::string> element_warnings(const SimulationSetup& setup, const State& start,
                                          const SimulationResult& result) {
  const SystemElements elements(setup);
  const Evaluation first(*setup.model, with_auxiliary(elements, start), 0.0);
  const Evaluation last(*setup.model, result.state, result.time);
  const auto has_happened = [&](const std::string& name) {
    return std::any_of(result.events.begin(), result.events.end(),
                       [&](const EventRecord& event) { return event.name == name; });
  };
  std::vector<std::string> texts;
  for (const SystemElements::Slot& slot : elements.slots()) {
    const auto doubt = declarations_of(slot.element()).doubt;
    std::string text = doubt ? doubt(first.of(slot), last.of(slot), has_happened) : "";
    if (!text.empty()) texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace spacedyn
