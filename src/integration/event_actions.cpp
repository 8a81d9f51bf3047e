#include "integration/event_actions.hpp"

#include <cmath>

#include "integration/velocity_jump.hpp"

namespace spacedyn {
namespace {

/// One visit for each kind of action.
class Actor {
 public:
  Actor(EquationsOfMotion& equations, VectorX& x, double time)
      : equations_(equations), model_(equations.model()), x_(x), time_(time) {}

  bool stops() const { return stops_; }

  void operator()(const StopAction& /*action*/) { stops_ = true; }

  void operator()(const LockAction& action) {
    if (equations_.is_locked(action.joint)) return;
    change_velocity(action.joint, -velocity(action.joint));
    velocity(action.joint) = 0.0;
    equations_.set_locked(action.joint, true);
  }

  void operator()(const ReleaseAction& action) { equations_.set_locked(action.joint, false); }

  void operator()(const BounceAction& action) {
    if (equations_.is_locked(action.joint)) return;
    change_velocity(action.joint, -(1.0 + action.restitution) * velocity(action.joint));
  }

  void operator()(const ImpulseAction& action) {
    const VectorX impulse =
        generalized_impulse(model_, equations_.frames(), action.at, action.linear, action.angular);
    const Vector3 r_g = center_of_mass(model_, equations_.frames());
    const Vector3 arm = frame_position(equations_.frames(), action.at) - r_g;
    Bookkeeping books;
    books.impulse = action.linear;
    books.angular_impulse = action.angular + arm.cross(action.linear);
    jump(solver().of_impulse(impulse), books, true);
  }

  void operator()(const SwitchAction& action) {
    equations_.switch_controller(action.controller, action.on);
  }

 private:
  double& velocity(int joint) { return x_(equations_.layout().qd() + joint - 1); }
  VelocityJump solver() const { return {model_, equations_.frames(), equations_.mobility()}; }

  void change_velocity(int joint, double change) {
    jump(solver().of_joint(joint, change), {}, false);
  }

  /// Adds the jump and books what it did to energy and, against a support, to momentum.
  void jump(const VectorX& change, Bookkeeping books, bool external) {
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
  const Model& model_;
  VectorX& x_;
  const double time_;
  bool stops_ = false;
};

}  // namespace

bool act(const Event& event, EquationsOfMotion& equations, VectorX& x, double time) {
  if (!equations.place(x, time)) return false;
  Actor actor(equations, x, time);
  for (const EventAction& action : event.actions) std::visit(actor, action);
  return actor.stops();
}

}  // namespace spacedyn
