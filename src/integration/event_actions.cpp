#include "integration/event_actions.hpp"

#include <cmath>

#include "integration/velocity_jump.hpp"

namespace spacedyn {
namespace {

/// One visit for each kind of action.
class Actor {
 public:
  Actor(EquationsOfMotion& equations, RestingContacts& contacts, VectorX& x, double time,
        const RestingContacts::Stop* stop = nullptr)
      : equations_(equations),
        contacts_(contacts),
        model_(equations.model()),
        x_(x),
        time_(time),
        stop_(stop) {}

  bool stops() const { return stops_; }

  void operator()(const StopAction& /*action*/) { stops_ = true; }

  void operator()(const LockAction& action) {
    if (contacts_.lock(action.joint) || equations_.is_locked(action.joint)) return;
    stop_joint(action.joint);
    equations_.set_locked(action.joint, true);
  }

  void operator()(const ReleaseAction& action) {
    if (!contacts_.release(action.joint)) equations_.set_locked(action.joint, false);
  }

  void operator()(const BounceAction& action) {
    if (equations_.is_locked(action.joint)) return;
    const double before = velocity(action.joint);
    // where a joint may rest, roundings must not send it through the stop
    const bool is_stop = stop_ != nullptr && stop_->joint == action.joint;
    if (is_stop && stop_->outward * before <= 0.0) return;
    change_velocity(action.joint, -(1.0 + action.restitution) * before);
    if (is_stop) velocity(action.joint) = -action.restitution * before;
  }

  void operator()(const ImpulseAction& action) {
    const VectorX impulse =
        generalized_impulse(model_, equations_.frames(), action.at, action.linear, action.angular);
    const Vector3 r_g = center_of_mass(model_, equations_.frames());
    const Vector3 arm = frame_position(equations_.frames(), action.at) - r_g;
    Bookkeeping books;
    books.impulse = action.linear;
    books.angular_impulse = action.angular + arm.cross(action.linear);
    jump([&](const VelocityJump& solver) { return solver.of_impulse(impulse); }, impulse, books,
         true);
  }

  void operator()(const SwitchAction& action) {
    equations_.switch_controller(action.controller, action.on);
  }

  void stop_joint(int joint) {
    change_velocity(joint, -velocity(joint));
    velocity(joint) = 0.0;
  }

 private:
  double& velocity(int joint) { return x_(equations_.layout().qd() + joint - 1); }
  VelocityJump solver() const { return {model_, equations_.frames(), equations_.mobility()}; }

  void change_velocity(int joint, double change) {
    const VectorX none = VectorX::Zero(model_.velocity_size());
    jump([&](const VelocityJump& solver) { return solver.of_joint(joint, change); }, none, {},
         false);
  }

  /// Finds the jump that makes no stop pull at a joint that rests on it.
  template <typename Jump>
  void jump(const Jump& jump_of, const VectorX& impulse, const Bookkeeping& books, bool external) {
    VelocityJump now = solver();
    VectorX change = jump_of(now);
    while (contacts_.change_at_impulse(
        equations_, [&](int joint) { return change(joint + 5); },
        [&](int joint) { return now.reaction(joint, change, impulse); })) {
      now = solver();
      change = jump_of(now);
    }
    add(change, books, external);
  }

  /// Adds the jump and books what it did to energy and, against a support, to momentum.
  void add(const VectorX& change, Bookkeeping books, bool external) {
    const Momentum before = equations_.momentum();
    const double kinetic = equations_.energy().kinetic;
    x_.segment(equations_.layout().v_0(), change.size()) += change;
    equations_.place(x_, time_);
    const double gained = equations_.energy().kinetic - kinetic;
    if (!equations_.base_is_free()) {
      const Momentum after = equations_.momentum();
      books.impulse = after.linear - before.linear;
      books.angular_impulse = after.angular_centroid - before.angular_centroid;
    }
    (external ? books.work : books.dissipated) = external ? gained : -gained;
    books.throughput = std::abs(gained);
    equations_.add_to_books(books, x_);
  }

  EquationsOfMotion& equations_;
  RestingContacts& contacts_;
  const Model& model_;
  VectorX& x_;
  const double time_;
  const RestingContacts::Stop* stop_;
  bool stops_ = false;
};

}  // namespace

bool act(const Event& event, const RestingContacts::Stop* stop, EquationsOfMotion& equations,
         RestingContacts& contacts, VectorX& x, double time) {
  if (!equations.place(x, time)) return false;
  Actor actor(equations, contacts, x, time, stop);
  for (const EventAction& action : event.actions) std::visit(actor, action);
  return actor.stops();
}

void stop_joint(int joint, EquationsOfMotion& equations, RestingContacts& contacts, VectorX& x,
                double time) {
  if (equations.place(x, time)) Actor(equations, contacts, x, time).stop_joint(joint);
}

}  // namespace spacedyn
