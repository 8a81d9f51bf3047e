#include "spacedyn/integration/simulator.hpp"

#include <algorithm>

#include "forces/root_bound.hpp"
#include "integration/run/run.hpp"
#include "integration/run/setup_checks.hpp"
#include "spacedyn/integration/trajectory.hpp"
#include "system/propellant_flow.hpp"

namespace spacedyn {

std::unique_ptr<Run> start_run(const SimulationSetup& setup, const State& initial,
                               OutputTimes outputs, const std::vector<double>& stops,
                               SimulationObserver& observer) {
  check_start(setup, initial, SystemElements(setup).auxiliary_size());
  check_imposed_motion(setup, outputs.duration());
  return std::make_unique<Run>(setup, initial, std::move(outputs), stops, observer);
}

namespace {

/// A function that is shown its element's own part of z alone.
template <typename Result, typename... Rest>
std::function<Result(const EvaluationContext&, Rest...)> shown_own(
    std::function<Result(const EvaluationContext&, Rest...)> function, const AuxiliarySlice& own) {
  if (!function) return function;
  return [function = std::move(function), own](const EvaluationContext& whole, Rest... rest) {
    return function(slice_of(whole, own), rest...);
  };
}

/// Of a root function its bound, too.
BoundedRoot::Value shown_own_root(const BoundedRoot::Value& root, const AuxiliarySlice& own) {
  const auto* bounded = root.target<BoundedRoot>();
  if (bounded == nullptr) return shown_own(root, own);
  return BoundedRoot(
      [root = *bounded, own](const EvaluationContext& whole) { return root(slice_of(whole, own)); },
      [root = *bounded, own](const EvaluationContext& whole) {
        return root.bound(slice_of(whole, own));
      });
}

/// Shows a quantity the states of its owner alone.
void show_own(EventQuantity& quantity, const SystemElements& elements) {
  if (quantity.owner == nullptr) return;
  for (const SystemElements::Slot& slot : elements.slots()) {
    if (&slot.element() != quantity.owner) continue;
    quantity.value = [value = quantity.value, slice = slot.slice](const QuantityContext& whole) {
      return value(
          {slice_of(whole.now, slice), whole.forces, whole.discrete, whole.rigid_contacts});
    };
    quantity.owner = nullptr;
    return;
  }
}

/// The events of an element, but those whose names are given to others.
void append_own(const Element& element, const AuxiliarySlice& own_states,
                const std::vector<Event>& given, std::vector<Event>& all) {
  std::vector<ElementEvent> own;
  element.append_events(own);
  for (ElementEvent& event : own) {
    const bool is_given = std::any_of(given.begin(), given.end(),
                                      [&](const Event& other) { return other.name == event.name; });
    if (is_given) continue;
    all.push_back({std::move(event.name),
                   shown_own_root(event.value, own_states),
                   event.direction,
                   {},
                   shown_own(std::move(event.rate), own_states),
                   event.is_noted,
                   shown_own(std::move(event.reset), own_states),
                   &element,
                   event.resets_when_due});
  }
}

/// The instants at which tanks from which thrusters draw are empty.
void append_tank_events(const SimulationSetup& setup, std::vector<Event>& all) {
  if (!draws_from_tanks(setup)) return;
  const SystemElements elements(setup);
  for (std::size_t tank = 0; tank < setup.model->tanks().size(); ++tank) {
    const std::vector<int> feeds = spacedyn::feeds(elements, static_cast<int>(tank));
    const Tank& given = setup.model->tanks()[tank];
    const std::string name = given.name + " is empty";
    const bool is_given = std::any_of(setup.events.begin(), setup.events.end(),
                                      [&](const Event& other) { return other.name == name; });
    if (feeds.empty() || is_given) continue;
    Event event;
    event.name = name;
    event.value = [feeds, propellant = given.propellant](const EvaluationContext& now) {
      double left = propellant;
      for (const int component : feeds) left -= now.state.z(component);
      return left;
    };
    event.direction = CrossingDirection::falling;
    all.push_back(std::move(event));
  }
}

}  // namespace

SimulationObserver::~SimulationObserver() = default;

std::vector<Event> all_events(const SimulationSetup& setup) {
  std::vector<Event> all;
  const SystemElements elements(setup);
  const auto append = [&](const Element* element) {
    for (const SystemElements::Slot& slot : elements.slots()) {
      if (&slot.element() == element) append_own(*element, slot.slice, setup.events, all);
    }
  };
  for (const auto& force : setup.forces) append(force.get());
  for (const auto& controller : setup.controllers) append(controller.get());
  append_tank_events(setup, all);
  for (const Event& event : setup.events) {
    all.push_back(event);
    if (event.quantity) show_own(*all.back().quantity, elements);
    for (EventCondition& condition : all.back().conditions) show_own(condition.quantity, elements);
  }
  return all;
}

class Simulator::Implementation {
 public:
  explicit Implementation(SimulationSetup setup) : setup_(std::move(setup)) {
    check_setup(setup_);
    setup_.events = all_events(setup_);
  }

  const SimulationSetup& setup() const { return setup_; }

 private:
  SimulationSetup setup_;
};

Simulator::Simulator(SimulationSetup setup)
    : implementation_(std::make_unique<Implementation>(std::move(setup))) {}

Simulator::~Simulator() = default;
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;

const SimulationSetup& Simulator::setup() const { return implementation_->setup(); }

SimulationResult Simulator::run(const State& initial, double duration, double output_interval,
                                SimulationObserver& observer) {
  check_times(duration, output_interval);
  return start_run(setup(), initial, OutputTimes(output_interval, duration), {}, observer)->go();
}

SimulationResult Simulator::run(const State& initial, const std::vector<double>& output_times,
                                SimulationObserver& observer) {
  check_output_times(output_times);
  return start_run(setup(), initial, OutputTimes(output_times), output_times, observer)->go();
}

SimulationResult Simulator::resume(const Checkpoint& checkpoint, SimulationObserver& observer) {
  const OutputTimes outputs = read_output_times(checkpoint);
  Run run(setup(), State(*setup().model), outputs, outputs.given(), observer);
  return run.go_on(checkpoint);
}

void Trajectory::on_output(const SimulationPoint& point) {
  points.push_back({point.time, point.state, point.acceleration, point.forces, point.momentum,
                    point.energy, point.integrals});
}

bool Trajectory::on_step(double time, const IntegratorStatistics& /*statistics*/) {
  step_times.push_back(time);
  return true;
}

Trajectory simulate(const SimulationSetup& setup, const State& initial, double duration,
                    double output_interval) {
  Trajectory trajectory;
  trajectory.result = Simulator(setup).run(initial, duration, output_interval, trajectory);
  return trajectory;
}

}  // namespace spacedyn
