#include "optimization/trials.hpp"

#include <algorithm>
#include <thread>

#include "loading/yaml/numbers.hpp"
#include "spacedyn/error.hpp"
#include "study/thread_crew.hpp"

namespace spacedyn {
namespace {

constexpr std::chrono::milliseconds kPatience(50);

int positive_threads(int wanted) {
  if (wanted < 0) throw DomainError("the number of threads must not be negative");
  if (wanted > 0) return wanted;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace

Trials::Trials(const FlightPlan& plan, std::vector<std::string> keys, int threads, Beat beat)
    : plan_(plan),
      keys_(std::move(keys)),
      threads_(positive_threads(threads)),
      beat_(std::move(beat)) {}

std::vector<Override> Trials::overrides_of(const VectorX& point) const {
  std::vector<Override> overrides;
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    overrides.emplace_back(keys_[i], loading::format_number(point(static_cast<Eigen::Index>(i))));
  }
  return overrides;
}

std::vector<SweepRow> Trials::fly(const std::vector<VectorX>& points) {
  const auto count = static_cast<long>(points.size());
  std::atomic<long> next{0};
  const auto fly = [&](long i, const std::atomic<FlightStop>& stop) {
    auto row = fly_variant(plan_, overrides_of(points[static_cast<std::size_t>(i)]), stop);
    if (row) row->row = i;
    return row;
  };
  ThreadCrew crew(fly, plan_.wall_time, static_cast<int>(std::min<long>(threads_, count)), [&] {
    const long i = next++;
    return i < count ? i : -1;
  });
  std::vector<SweepRow> flown(points.size()), taken;
  bool goes_on = true;
  while (crew.take(taken, kPatience)) {
    for (SweepRow& row : taken) flown[static_cast<std::size_t>(row.row)] = std::move(row);
    flights_ += static_cast<long>(taken.size());
    if (goes_on && !beat_()) {
      goes_on = false;
      crew.stop();
    }
  }
  if (!goes_on) throw SearchInterrupted{};
  return flown;
}

}  // namespace spacedyn
