#include "integration/events/event_actions.hpp"

#include "integration/contacts/connecting.hpp"
#include "integration/contacts/impact.hpp"

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
    const LinkFrames& frames = equations_.frames();
    const Model& model = equations_.model();
    const Vector3 arm = frame_position(frames, action.at) - center_of_mass(model, frames);
    Impact impact;
    impact.impulse = generalized_impulse(model, frames, action.at, action.linear, action.angular);
    impact.integrals.impulse = action.linear;
    impact.integrals.angular_impulse = action.angular + arm.cross(action.linear);
    strike(impact, equations_, contacts_, x_, time_);
  }

  void operator()(const SwitchAction& action) {
    equations_.switch_controller(action.controller, action.on, time_, x_);
  }

  // EquationsOfMotion::remember() carries these out
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

void EquationsOfMotion::reset(const Event& event, VectorX& x) {
  const auto& slots = elements_.slots();
  const auto slot = std::find_if(slots.begin(), slots.end(), [&](const auto& other) {
    return &other.element() == event.owner;
  });
  if (slot == slots.end()) return;
  const double before = elements_.stored_energy(*slot, context(), discrete_);
  event.reset(context(), x.segment(layout_.z() + slot->slice.offset, slot->slice.size));
  state_.z = x.segment(layout_.z(), layout_.auxiliaries);
  const double after = elements_.stored_energy(*slot, context(), discrete_);
  AuditIntegrals lost;
  lost.dissipated = before - after;
  add_integrals(lost, static_cast<int>(slot - slots.begin()), x.tail(layout_.integral_count()));
}

bool act(std::size_t event, const std::vector<std::size_t>& fired, const SimulationSetup& setup,
         EquationsOfMotion& equations, RestingContacts& contacts, VectorX& x, double time,
         std::vector<ConnectionRecord>& connections) {
  if (!equations.update_kinematics(x, time)) return false;
  Actor actor(event, fired, equations, contacts, x, time, connections);
  for (const EventAction& action : setup.events[event].actions) std::visit(actor, action);
  return actor.stops();
}

}  // namespace spacedyn
