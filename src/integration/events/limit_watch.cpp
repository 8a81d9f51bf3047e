#include "integration/events/limit_watch.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/toms748_solve.hpp>

#include "constraints/loop_sizes.hpp"
#include "integration/contacts/tolerances.hpp"
#include "spacedyn/forces/declarations.hpp"

namespace spacedyn {
namespace {

/// By which a joint is beyond a limit at which an event has stopped it, or a reference ends, as a
/// part of the limit, or of 1 rad and the length of the mechanism.
constexpr double kLimitRounding = 1e-11;

/// Whether a spring pushes a joint back where it passes its limit.
bool has_spring_stop(const SimulationSetup& setup, int joint, double limit, double outward,
                     double rounding) {
  return std::any_of(setup.forces.begin(), setup.forces.end(), [&](const auto& force) {
    const std::optional<JointRange> stop = declarations_of(*force).stop;
    if (!stop || stop->joint != joint) return false;
    const double end = outward > 0.0 ? stop->upper : stop->lower;
    return outward * (end - limit) <= rounding;
  });
}

/// Whether an event is an impulsive stop of a joint from a side.
bool is_impulsive_stop(const Event& event, int joint, double outward) {
  const auto side = outward > 0.0 ? CrossingDirection::rising : CrossingDirection::falling;
  return event.direction == side &&
         std::any_of(event.actions.begin(), event.actions.end(), [&](const EventAction& action) {
           const auto* bounce = std::get_if<BounceAction>(&action);
           return bounce != nullptr && bounce->rests && bounce->joint == joint;
         });
}

/// The position that a limit is of: of a spherical joint its total angle.
double position_of(const Model& model, int joint, const VectorX& q) {
  return model.joint(joint).spherical == 0 ? q(joint - 1) : q.segment<3>(joint - 1).norm();
}

double rate_of(const Model& model, int joint, const VectorX& q, const VectorX& qd) {
  if (model.joint(joint).spherical == 0) return qd(joint - 1);
  const Vector3 theta = q.segment<3>(joint - 1);
  const double angle = theta.norm();
  return angle > 0.0 ? theta.dot(qd.segment<3>(joint - 1)) / angle : 0.0;
}

/// `elbow passes its upper limit`
std::string passage_text(const Model& model, int joint, double outward) {
  if (model.joint(joint).spherical == 0) {
    return fmt::format("{} passes its {} limit", model.joint(joint).name,
                       outward > 0.0 ? "upper" : "lower");
  }
  const auto& joints = model.compound_joints();
  const auto whole = std::find_if(joints.begin(), joints.end(),
                                  [&](const CompoundJoint& each) { return each.first == joint; });
  return fmt::format("{} passes its angle limit", whole->name);
}

}  // namespace

LimitWatch::LimitWatch(const SimulationSetup& setup) : model_(setup.model) {
  if (!setup.warn_at_position_limits) return;
  const VectorX sizes = joint_sizes(*model_, model_size(*model_));
  for (int i = 1; i <= model_->joint_count(); ++i) {
    const Joint& joint = model_->joint(i);
    for (const auto& [limit, outward] :
         {std::pair{joint.position_lower, -1.0}, std::pair{joint.position_upper, 1.0}}) {
      const double rounding = kLimitRounding * std::max(sizes(i - 1), std::abs(limit));
      if (!std::isinf(limit) && !has_spring_stop(setup, i, limit, outward, rounding)) {
        sides_.push_back({i, limit, outward, rounding, false});
      }
    }
  }
  for (const CompoundJoint& joint : model_->compound_joints()) {
    const double limit = joint.angle_limit, rounding = kLimitRounding * std::max(1.0, limit);
    if (!std::isinf(limit) && !has_spring_stop(setup, joint.first, limit, 1.0, rounding)) {
      sides_.push_back({joint.first, limit, 1.0, rounding, false});
    }
  }
}

void LimitWatch::start(const SimulationSetup& setup, const EvaluationContext& context) {
  q_ = context.state.q;
  qd_ = context.state.qd;
  const auto is_stopped = [&](const Side& side) {
    return std::any_of(setup.events.begin(), setup.events.end(), [&](const Event& event) {
      if (!is_impulsive_stop(event, side.joint, side.outward)) return false;
      // its function is q − position
      const double position = q_(side.joint - 1) - event.value(context);
      return side.excess(position) <= side.rounding;
    });
  };
  sides_.erase(std::remove_if(sides_.begin(), sides_.end(), is_stopped), sides_.end());
  search_ = RootSearch(sides_.size());
  for (Side& side : sides_) {
    side.beyond = side.excess(position_of(*model_, side.joint, q_)) >= side.rounding;
  }
}

class LimitWatch::StepView final : public RootSearch::Watched {
 public:
  StepView(const LimitWatch& watch, const std::function<const State&(double)>& state_at)
      : watch_(watch), state_at_(state_at) {}

  bool see(const RootSearch::Indices& /*functions*/, RootSearch::Node& node) override {
    const State& state = state_at_(node.time);
    watch_.look(state.q, state.qd, node);
    return true;
  }
  bool counts(std::size_t, double, double) const override { return true; }

 private:
  const LimitWatch& watch_;
  const std::function<const State&(double)>& state_at_;
};

void LimitWatch::look(const VectorX& q, const VectorX& qd, RootSearch::Node& node) const {
  node.sights.resize(sides_.size());
  for (const std::size_t i : near_) {
    const Side& side = sides_[i];
    Sight& sight = node.sights[i];
    sight.value = side.excess(position_of(*model_, side.joint, q)) - side.rounding;
    sight.bound.kind = RootBound::Kind::smooth;
    sight.bound.rate = side.outward * rate_of(*model_, side.joint, q, qd);
  }
}

/// Whether a search would find at once that a joint stays on its side of a limit.
bool LimitWatch::stays_far(const Side& side, double h, const State& end) const {
  const double before = side.excess(position_of(*model_, side.joint, q_)) - side.rounding;
  const double after = side.excess(position_of(*model_, side.joint, end.q)) - side.rounding;
  return (before >= 0.0) == side.beyond && (after >= 0.0) == side.beyond &&
         stays_away(before, rate_of(*model_, side.joint, q_, qd_), after,
                    rate_of(*model_, side.joint, end.q, end.qd), h);
}

void LimitWatch::see(double t_old, double t_new, int parts, const State& end,
                     const std::function<const State&(double)>& state_at,
                     const std::function<void(const EventRecord&)>& passed) {
  near_.clear();
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    if (parts > 1 || !stays_far(sides_[i], t_new - t_old, end)) near_.push_back(i);
  }
  if (near_.empty()) {
    q_ = end.q;
    qd_ = end.qd;
    return;
  }
  q_end_ = end.q;
  qd_end_ = end.qd;
  tolerance_ = root_tolerance(t_new, std::min(1.0, t_new - t_old));
  StepView view(*this, state_at);
  left_.time = t_old;
  look(q_, qd_, left_);
  for (const std::size_t i : near_) {
    // a dense output may miss the ends of its step by roundings
    double& value = left_.sights[i].value;
    if ((value >= 0.0) != sides_[i].beyond) value = sides_[i].beyond ? 0.0 : -sides_[i].rounding;
  }
  for (int part = 1; part <= parts; ++part) {
    right_.time = part < parts ? t_old + (t_new - t_old) * part / parts : t_new;
    if (part < parts) {
      view.see(search_.all(), right_);
    } else {
      look(q_end_, qd_end_, right_);
    }
    while (search_.find(left_, right_, near_, 4.0 * tolerance_, view)) {
      passed_.clear();
      for (const std::size_t i : search_.crossing()) {
        Side& side = sides_[i];
        side.beyond = !side.beyond;
        if (!side.beyond) continue;
        passed_.push_back({find_passage(side, search_.left().time, search_.right().time, state_at),
                           passage_text(*model_, side.joint, side.outward), true});
      }
      std::stable_sort(passed_.begin(), passed_.end(),
                       [](const auto& a, const auto& b) { return a.time < b.time; });
      std::for_each(passed_.begin(), passed_.end(), passed);
      left_.time = search_.right().time;
      if (left_.time >= right_.time) break;
      view.see(search_.all(), left_);
    }
    std::swap(left_, right_);
  }
  for (const std::size_t i : near_) sides_[i].beyond = left_.sights[i].value >= 0.0;
  q_ = q_end_;
  qd_ = qd_end_;
}

double LimitWatch::find_passage(const Side& side, double left, double right,
                                const std::function<const State&(double)>& state_at) const {
  const auto value = [&](double time) {
    return side.excess(position_of(*model_, side.joint, state_at(time).q));
  };
  const double at_left = value(left), at_right = value(right);
  // a dense output may miss the ends of its step by roundings
  if (!(at_left < 0.0)) return left;
  if (!(at_right > 0.0)) return right;
  const auto close = [&](double a, double b) { return std::abs(b - a) <= tolerance_; };
  std::uintmax_t most = 200;
  return boost::math::tools::toms748_solve(value, left, right, at_left, at_right, close, most)
      .second;
}

void LimitWatch::transfer(Archive& archive) {
  archive(sides_, q_, qd_);
  const int joints = model_->joint_count();
  const bool sized = q_.size() == joints && qd_.size() == joints;
  archive.require(sides_.empty() ||
                  (sized && std::all_of(sides_.begin(), sides_.end(), [&](auto& side) {
                     return side.joint >= 1 && side.joint <= joints;
                   })));
  if (archive.reads()) search_ = RootSearch(sides_.size());
}

namespace {

/// Whether bodies touch; at the instant of an event, whether they do after it.
/// @param unit  of time, for root_tolerance(), s
bool touches_from_now(const ContactForce& contact, const EvaluationContext& context, double unit) {
  const double depth = contact.depth(context), rate = contact.depth_rate(context);
  const double instant = 10.0 * root_tolerance(context.time, unit);
  return std::abs(depth) <= instant * std::abs(rate) ? rate > 0.0 : depth >= 0.0;
}

}  // namespace

ContactWatch::ContactWatch(const SimulationSetup& setup) {
  const SystemElements elements(setup);
  for (const SystemElements::Slot& slot : elements.slots()) {
    const ContactForce* element = slot.declared.contact;
    if (element == nullptr) continue;
    contacts_.emplace_back();
    contacts_.back().element = element;
    contacts_.back().account.told.name = element->name();
    contacts_.back().slice = slot.slice;
    contacts_.back().first_integral = slot.first_integral;
  }
}

void ContactWatch::begin_or_end(Contact& contact, bool touches, double time) {
  ContactAccount& account = contact.account;
  if (touches && !account.holds) account.begin(time);
  if (account.holds) account.told.last = time;
  account.holds = touches;
}

double ContactWatch::force_at(const Contact& contact, const EvaluationContext& whole) {
  return contact.element->normal_force(slice_of(whole, contact.slice));
}

void ContactWatch::start(const EvaluationContext& context, double unit) {
  for (Contact& contact : contacts_) {
    // one that begins exactly where it touches has begun
    begin_or_end(contact,
                 touches_from_now(*contact.element, slice_of(context, contact.slice), unit), 0.0);
    contact.force = contact.account.told.largest_force = force_at(contact, context);
  }
}

void ContactWatch::see(double t_old, double t_new, double unit, int parts,
                       const std::function<EvaluationContext(double)>& context_at) {
  for (Contact& contact : contacts_) {
    const EvaluationContext end = context_at(t_new);
    const bool was = contact.account.holds;
    begin_or_end(contact, touches_from_now(*contact.element, slice_of(end, contact.slice), unit),
                 t_new);
    const double force = contact.account.holds ? force_at(contact, end) : 0.0;
    if (was) {
      times_.assign(1, t_old);
      forces_.assign(1, contact.force);
      for (int part = 1; part < parts; ++part) {
        times_.push_back(t_old + (t_new - t_old) * part / parts);
        forces_.push_back(force_at(contact, context_at(times_.back())));
      }
      times_.push_back(t_new);
      forces_.push_back(force);
      const auto most = std::max_element(forces_.begin(), forces_.end()) - forces_.begin();
      const auto peak = static_cast<std::size_t>(most);
      // samples lie this near to the peak between them
      const bool may_be_larger = forces_[peak] > 0.9 * contact.account.told.largest_force;
      if (peak > 0 && peak + 1 < forces_.size() && may_be_larger) {
        refine(contact, times_[peak - 1], times_[peak + 1], context_at);
      }
      contact.account.press(forces_[peak]);
    }
    contact.account.press(force);
    contact.force = force;
  }
  if (!contacts_.empty()) context_at(t_new);
}

void ContactWatch::refine(Contact& contact, double left, double right,
                          const std::function<EvaluationContext(double)>& context_at) const {
  constexpr int kBits = 20;
  std::uintmax_t most = 60;
  const auto least = boost::math::tools::brent_find_minima(
      [&](double time) { return -force_at(contact, context_at(time)); }, left, right, kBits, most);
  contact.account.press(-least.second);
}

std::vector<ContactSummary> ContactWatch::summaries(double time, ConstVectorRef integrals) const {
  std::vector<ContactSummary> list;
  for (const Contact& contact : contacts_) {
    list.push_back(contact.account.completed(time, integrals.segment<2>(contact.first_integral)));
  }
  return list;
}

void ContactWatch::transfer(Archive& archive) {
  for (Contact& contact : contacts_) archive(contact);
}

}  // namespace spacedyn
