#include "integration/events/contact_watch.hpp"

#include <algorithm>
#include <cmath>

#include <boost/math/tools/minima.hpp>

#include "integration/contacts/tolerances.hpp"

namespace spacedyn {
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
