// What the detector does at an instant: sequences, conditions and jumps.

#include <algorithm>
#include <cmath>

#include "integration/events/event_detector.hpp"
#include "system/instants.hpp"

namespace spacedyn {

double EventDetector::quantity_of(const EventQuantity& quantity,
                                  const EquationsOfMotion& equations) const {
  static const std::vector<ContactReading> kNone;
  const bool reads_contacts = quantity.needs_forces && contact_reader_;
  if (reads_contacts) contact_reader_(equations, readings_);
  const QuantityContext at{equations.context(), equations.forces(), equations.discrete(),
                           reads_contacts ? readings_ : kNone};
  return quantity.value(at);
}

double EventDetector::value_of_event(std::size_t event, const EquationsOfMotion& equations) const {
  const Event& own = events_[event];
  if (own.delay) return -1.0;  // steps land on it
  if (own.value) return own.value(equations.context());
  return quantity_of(*own.quantity, equations) - own.level;
}

void EventDetector::note_conditions(EquationsOfMotion& equations, const VectorX& x, double time) {
  if (!has_conditions_ || !update(equations, x, time)) return;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const std::vector<EventCondition>& conditions = events_[i].conditions;
    holds_[i] = std::all_of(conditions.begin(), conditions.end(), [&](const auto& condition) {
      const double value = quantity_of(condition.quantity, equations);
      return value > condition.above && value < condition.below;
    });
  }
}

const std::vector<std::size_t>& EventDetector::find_jumps(EquationsOfMotion& equations,
                                                          const VectorX& x, double time) {
  jumped_.clear();
  if (!looks_for_jumps_ || !evaluate(equations, x, time, new_)) return jumped_;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const Event& event = events_[i];
    if (event.delay) {
      if (sequence_.due(i) > latest_same_instant(time)) continue;
      sequence_.take(i);
      jumped_.push_back(i);
    } else if (event.quantity || awakened_[i]) {
      if (!keeps_side(i, equations) && crosses(i, old_[i], new_[i])) jumped_.push_back(i);
      old_[i] = new_[i];
    }
  }
  std::fill(awakened_.begin(), awakened_.end(), false);
  return jumped_;
}

void EventDetector::happen(std::size_t event, double time) {
  if (sequence_.is_idle()) return;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    if (events_[i].after == events_[event].name && !events_[i].after.empty()) awakened_[i] = true;
  }
  sequence_.happen(event, time);
}

void EventDetector::restore(const std::vector<EventRecord>& happened, double time) {
  for (const EventRecord& record : happened) {
    for (std::size_t i = 0; i < events_.size() && !record.is_warning; ++i) {
      if (events_[i].name == record.name) sequence_.happen(i, record.time);
    }
  }
  sequence_.pass(time);
}

}  // namespace spacedyn
