#include "spacedyn/control/event_reference.hpp"

#include <utility>

#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

std::vector<double> breaks_of(const Reference* reference) {
  std::vector<double> times;
  if (reference == nullptr) throw DomainError("a reference that begins at an event is missing");
  reference->append_discontinuities(times);
  std::vector<double> later;
  for (const double time : times) {
    if (time > 0.0) later.push_back(time);
  }
  return later;
}

}  // namespace

EventReference::EventReference(std::shared_ptr<const Reference> reference, int event)
    : reference_(std::move(reference)), start_(event, breaks_of(reference_.get())) {
  if (event < 0) throw DomainError("a reference must begin at an event of the system");
}

ReferenceValue EventReference::evaluate(int component, double) const {
  return {reference_->evaluate(component, 0.0).position, 0.0, 0.0};
}

ReferenceValue EventReference::at(int component, const Instant& now) const {
  const double since = start_.since(now);
  return since >= 0.0 ? reference_->evaluate(component, since) : evaluate(component, 0.0);
}

void EventReference::append_event_discontinuities(const EventTimes& events,
                                                  std::vector<double>& times) const {
  start_.append(events, times);
}

}  // namespace spacedyn
