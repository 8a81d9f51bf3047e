#include "integration/events/chatter_watch.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

constexpr std::size_t kWatched = 64, kWatchedStrikes = 1024;

}  // namespace

ChatterWatch::ChatterWatch(const std::vector<Event>& events, const RestingContacts& contacts,
                           double unit)
    : events_(events), contacts_(contacts), unit_(unit), histories_(events.size()) {}

void ChatterWatch::count(std::size_t event, double time, long steps) {
  const bool is_stop = contacts_.stop_of(event) != nullptr;
  History& history = is_stop ? strikes_ : histories_[event];
  const std::size_t watched = is_stop ? kWatchedStrikes : kWatched;
  if (history.times.size() == watched) {
    history.times.erase(history.times.begin());
    history.events.erase(history.events.begin());
  }
  history.times.push_back(time);
  history.events.push_back(event);
  if (history.times.size() < watched) return;
  // the second half took almost no time compared with the first
  const double whole = history.times.back() - history.times.front();
  const double last = history.times.back() - history.times[watched / 2];
  if (last > 1e-4 * whole && last > 1e-9 * unit_) return;
  if (!is_stop) stop(event, time, steps, last);
  stop_striking(time, steps, last);
}

void ChatterWatch::stop(std::size_t event, double time, long steps, double span) const {
  throw NumericalError(
      fmt::format("integration stopped at t = {:.9g} s after {} steps: event '{}' chatters, again "
                  "and again within {:.3g} s; let its action change more, for instance lock the "
                  "joint",
                  time, steps, events_[event].name, span),
      time, steps, "event '" + events_[event].name + "'");
}

void ChatterWatch::stop_striking(double time, long steps, double span) const {
  std::vector<std::size_t> stops(strikes_.events.begin() + kWatchedStrikes / 2,
                                 strikes_.events.end());
  std::sort(stops.begin(), stops.end());
  stops.erase(std::unique(stops.begin(), stops.end()), stops.end());
  std::string names;
  for (const std::size_t stop : stops) {
    names += (names.empty() ? "'" : ", '") + events_[stop].name + "'";
  }
  throw NumericalError(
      fmt::format("integration stopped at t = {:.9g} s after {} steps: the joints at {} strike "
                  "their stops again and again within {:.3g} s and do not come to rest; let the "
                  "stops give way (joint_stop), or change their restitution",
                  time, steps, names, span),
      time, steps, "events " + names);
}

void ChatterWatch::transfer(Archive& archive) {
  archive(histories_, strikes_);
  if (histories_.size() != events_.size()) {
    throw IoError("the checkpoint is damaged: its events differ");
  }
  const auto is_possible = [&](const History& history) {
    return history.times.size() == history.events.size() &&
           std::all_of(history.events.begin(), history.events.end(),
                       [&](std::size_t event) { return event < events_.size(); });
  };
  archive.require(is_possible(strikes_) &&
                  std::all_of(histories_.begin(), histories_.end(), is_possible));
}

}  // namespace spacedyn
