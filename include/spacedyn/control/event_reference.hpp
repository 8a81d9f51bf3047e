/// @file
/// A reference that begins at an event.
#pragma once

#include <memory>

#include "spacedyn/control/reference.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

/// The value at time 0 of another reference, at rest, until an event has happened for the first
/// time; from then on that reference, its time counted from the event.
class SPACEDYN_EXPORT EventReference final : public Reference {
 public:
  /// @param event  in ForcedSystem::awaited
  /// @throws DomainError without a reference or with a negative number of an event
  EventReference(std::shared_ptr<const Reference> reference, int event);

  const Reference& reference() const { return *reference_; }
  int size() const override { return reference_->size(); }
  /// As before the event.
  ReferenceValue evaluate(int component, double time) const override;
  ReferenceValue at(int component, const Instant& now) const override;
  void append_event_discontinuities(const EventTimes& events,
                                    std::vector<double>& times) const override;

 private:
  std::shared_ptr<const Reference> reference_;
  EventStart start_;
};

}  // namespace spacedyn
