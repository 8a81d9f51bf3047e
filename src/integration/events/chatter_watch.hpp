/// @file
/// Ends runs whose events happen ever faster. Private.
#pragma once

#include <vector>

#include "integration/contacts/resting_contacts.hpp"
#include "spacedyn/integration/events.hpp"

namespace spacedyn {

/// Counts events. Joints at stops come to rest: all of them are watched together, and longer.
class ChatterWatch {
 public:
  /// @param unit  of time, s
  ChatterWatch(const std::vector<Event>& events, const RestingContacts& contacts, double unit);

  double unit() const { return unit_; }
  /// Notes that an event has happened.
  /// @throws NumericalError if it happens ever faster
  void count(std::size_t event, double time, long steps);
  /// @param span  s, in which it has happened again and again
  /// @throws NumericalError
  [[noreturn]] void stop(std::size_t event, double time, long steps, double span) const;

  /// @throws IoError if a checkpoint has other events
  void transfer(Archive& archive);

 private:
  struct History {
    std::vector<double> times;
    std::vector<std::size_t> events;

    void transfer(Archive& archive) { archive(times, events); }
  };
  [[noreturn]] void stop_striking(double time, long steps, double span) const;

  const std::vector<Event>& events_;
  const RestingContacts& contacts_;
  const double unit_;
  std::vector<History> histories_;
  History strikes_;  // on all stops
};

}  // namespace spacedyn
