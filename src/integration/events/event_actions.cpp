#include "integration/events/event_actions.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "integration/contacts/impact.hpp"
#include "integration/contacts/loop_closure.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"

namespace spacedyn {
namespace {

/// One visit for each kind of action.
class Actor {
 public:
  Actor(std::size_t event, const std::vector<std::size_t>& fired, EquationsOfMotion& equations,
        RestingContacts& contacts, VectorX& x, double time,
        std::vector<ConnectionRecord>& connections)
      : fired_(fired),
        stop_(contacts.stop_of(event)),
        equations_(equations),
        contacts_(contacts),
        x_(x),
        time_(time),
        connections_(connections) {}

  bool stops() const { return stops_; }

  void operator()(const StopAction& /*action*/) { stops_ = true; }

  void operator()(const LockAction& action) {
    if (contacts_.lock(action.joint) || equations_.is_locked(action.joint)) return;
    impose(action.joint, 0.0);
    equations_.set_locked(action.joint, true);
  }

  void operator()(const ReleaseAction& action) {
    if (!contacts_.release(action.joint)) equations_.set_locked(action.joint, false);
  }

  void operator()(const BounceAction& action) {
    if (equations_.is_locked(action.joint)) return;
    if (stop_ == nullptr || stop_->joint != action.joint) {
      impose(action.joint, -action.restitution * velocity(action.joint));
    } else if (moves_into(*stop_)) {
      bounce();
    }
  }

  void operator()(const ImpulseAction& action) {
    const LinkFrames& frames = equations_.own_motion().frames;
    const Model& model = equations_.model();
    const Vector3 arm = frame_position(frames, action.at) - center_of_mass(model, frames);
    Impact impact;
    impact.impulse = generalized_impulse(model, frames, action.at, action.linear, action.angular);
    impact.integrals.impulse = action.linear;
    impact.integrals.angular_impulse = action.angular + arm.cross(action.linear);
    strike(impact, equations_, contacts_, x_, time_);
  }

  void operator()(const SwitchAction& action) {
    if (action.on) start_auxiliary(action.controller);
    switch_controller(contacts_.setup(), action.controller, action.on, time_,
                      equations_.discrete());
  }

  // repeat_event() carries these out
  void operator()(const SetAction& /*action*/) {}
  void operator()(const PulseAction& /*action*/) {}

  void operator()(const ConnectAction& action) {
    ConnectionRecord made = connect(action, contacts_.setup(), equations_, contacts_, x_, time_);
    if (!made.name.empty()) connections_.push_back(std::move(made));
  }

  void operator()(const DisconnectAction& action) { disconnect(action, equations_, x_, time_); }

 private:
  double velocity(int joint) const { return x_(equations_.layout().qd() + joint - 1); }

  bool moves_into(const RestingContacts::Stop& stop) const {
    return !equations_.is_locked(stop.joint) && stop.outward * velocity(stop.joint) > 0.0;
  }

  void impose(int joint, double velocity) {
    Impact impact;
    impact.imposed = {{joint, velocity}};
    strike(impact, equations_, contacts_, x_, time_);
  }

  /// Initial states of a controller that is turned on.
  void start_auxiliary(const std::string& controller) {
    const int first = equations_.layout().z();
    for (const SystemElements::Slot& slot : equations_.elements().slots()) {
      if (slot.controller == nullptr || slot.controller->name() != controller ||
          slot.slice.size == 0 || equations_.discrete().controllers[slot.controller_index].on) {
        continue;
      }
      // propellant that has been used stays so
      const Eigen::Index begun = slot.slice.size - static_cast<Eigen::Index>(slot.tanks.size());
      VectorX start(slot.slice.size);
      slot.controller->auxiliary_initial(start);
      x_.segment(first + slot.slice.offset, slot.slice.size).tail(begun) = start.tail(begun);
      equations_.set_auxiliary(x_.segment(first, equations_.layout().auxiliaries));
    }
  }

  /// All joints that reach their stops at this instant.
  void bounce() {
    Impact impact;
    for (std::size_t i = 0; i < contacts_.stops().size(); ++i) {
      const RestingContacts::Stop& stop = contacts_.stops()[i];
      if (std::find(fired_.begin(), fired_.end(), stop.event) == fired_.end()) continue;
      if (moves_into(stop)) impact.arrivals.push_back({i, stop.restitution});
    }
    strike(impact, equations_, contacts_, x_, time_);
  }

  const std::vector<std::size_t>& fired_;
  const RestingContacts::Stop* stop_;
  EquationsOfMotion& equations_;
  RestingContacts& contacts_;
  VectorX& x_;
  const double time_;
  std::vector<ConnectionRecord>& connections_;
  bool stops_ = false;
};

}  // namespace

void reset(const Event& event, EquationsOfMotion& equations, VectorX& x) {
  const SystemElements& elements = equations.elements();
  const StateLayout& layout = equations.layout();
  const auto& slots = elements.slots();
  const auto slot = std::find_if(slots.begin(), slots.end(), [&](const auto& other) {
    return &other.element() == event.owner;
  });
  if (slot == slots.end()) return;
  const auto stored = [&] {
    return elements.stored_energy(*slot, equations.context(), equations.discrete());
  };
  const double before = stored();
  event.reset(equations.context(), x.segment(layout.z() + slot->slice.offset, slot->slice.size));
  equations.set_auxiliary(x.segment(layout.z(), layout.auxiliaries));
  AuditIntegrals lost;
  lost.dissipated = before - stored();
  add_integrals(lost, static_cast<int>(slot - slots.begin()), x.tail(layout.integral_count()));
}

bool act(std::size_t event, const std::vector<std::size_t>& fired, const SimulationSetup& setup,
         EquationsOfMotion& equations, RestingContacts& contacts, VectorX& x, double time,
         std::vector<ConnectionRecord>& connections) {
  if (!equations.update_kinematics(x, time)) return false;
  Actor actor(event, fired, equations, contacts, x, time, connections);
  for (const EventAction& action : setup.events[event].actions) std::visit(actor, action);
  return actor.stops();
}

namespace {

void change_controller(const ForcedSystem& system, const SetAction& action,
                       DiscreteState& discrete) {
  for (std::size_t i = 0; i < system.controllers.size(); ++i) {
    if (system.controllers[i]->name() != action.controller) continue;
    const Controller& now = current_controller(system, discrete, i);
    std::shared_ptr<const Controller> next = action.change(now);
    const bool fits = next != nullptr && next->name() == now.name() &&
                      next->command_size() == now.command_size() &&
                      next->auxiliary_size() == now.auxiliary_size() &&
                      next->sample_period() == now.sample_period() &&
                      next->digitization().delay == now.digitization().delay &&
                      next->memory_size() == now.memory_size() &&
                      (next->valves() == nullptr) == (now.valves() == nullptr);
    if (!fits) {
      throw DomainError(fmt::format(
          "an event sets '{}' of '{}', which changes its sizes, its period or its delay",
          action.what, action.controller));
    }
    next->check(*system.model);
    discrete.controllers[i].law = std::move(next);
  }
}

void open_thruster(const ForcedSystem& system, const PulseAction& action, double time,
                   DiscreteState& discrete) {
  const Thruster* thruster = pulsed_thruster(system, action.slot);
  if (thruster == nullptr) return;
  const double shortest = thruster->drive.minimum_on_time;
  discrete.events.open(action.slot, {time, time + std::max(action.duration, shortest)});
}

}  // namespace

const Thruster* pulsed_thruster(const ForcedSystem& system, std::size_t slot) {
  for (const auto& force : system.forces) {
    const std::optional<PulsedThruster> pulsed = declarations_of(*force).pulsed;
    if (pulsed && pulsed->slot == slot) return pulsed->thruster;
  }
  return nullptr;
}

void repeat_event(const ForcedSystem& system, const Event& event, double time,
                  DiscreteState& discrete) {
  for (const EventAction& action : event.actions) {
    if (const auto* set = std::get_if<SetAction>(&action)) {
      change_controller(system, *set, discrete);
    } else if (const auto* pulse = std::get_if<PulseAction>(&action)) {
      open_thruster(system, *pulse, time, discrete);
    }
  }
  remember_event(system, event.name, time, discrete);
}

void repeat_events(const SimulationSetup& setup, const std::vector<EventRecord>& happened,
                   DiscreteState& discrete) {
  for (const EventRecord& record : happened) {
    if (record.is_warning) continue;
    for (const Event& event : setup.events) {
      if (event.name == record.name) repeat_event(setup, event, record.time, discrete);
    }
  }
}

}  // namespace spacedyn
