#include "integration/events/root_search.hpp"

#include <cmath>
#include <numeric>

namespace spacedyn {
namespace {

constexpr std::size_t kMostDepth = 48;
/// So often a span is looked into; then only the signs at the ends of its parts count.
constexpr long kMostSamples = 20000;

}  // namespace

RootSearch::RootSearch(std::size_t functions)
    : all_(functions), unknown_(functions), levels_(kMostDepth + 1), near_(functions, 0.0) {
  std::iota(all_.begin(), all_.end(), std::size_t{0});
}

bool RootSearch::find(const Node& left, const Node& right, const Indices& functions, double least,
                      Watched& watched) {
  least_ = least;
  samples_ = 0;
  watched_ = &watched;
  return scan(left, right, functions, unknown_, 0);
}

Course RootSearch::course(std::size_t function, const Node& left, const Node& right,
                          const Doubt& doubt) const {
  const Sight &a = left.sights[function], &b = right.sights[function];
  const double h = right.time - left.time, near = near_[function];
  return near > 0.0 ? course_near_zero(a, b, h, doubt, near) : course_between(a, b, h, doubt);
}

bool RootSearch::scan(const Node& left, const Node& right, const Indices& functions,
                      const std::vector<Doubt>& doubts, std::size_t depth) {
  const double middle = 0.5 * (left.time + right.time);
  bool may_halve = right.time - left.time > least_ && depth < kMostDepth &&
                   samples_ < kMostSamples && middle > left.time && middle < right.time;
  Level& level = levels_[depth];
  bool any_open = false;
  for (;;) {
    level.open.clear();
    any_open = false;
    for (const std::size_t i : functions) {
      const double before = left.sights[i].value, after = right.sights[i].value;
      const bool crosses = near_[i] == 0.0 && (before >= 0.0) != (after >= 0.0);
      Course found = course(i, left, right, doubts[i]);
      if (found == Course::open && !may_halve) {
        found = crosses ? Course::crosses_once : Course::stays;
      }
      const bool is_done = found == Course::stays ||
                           (found == Course::crosses_once && !watched_->counts(i, before, after));
      if (is_done) {
        if (std::abs(after) > near_[i]) near_[i] = 0.0;
        continue;
      }
      any_open = any_open || found == Course::open;
      level.open.push_back(i);
    }
    if (level.open.empty()) return false;
    if (!any_open) break;
    level.middle.time = middle;
    level.middle.sights.resize(all_.size());
    ++samples_;
    if (watched_->see(level.open, level.middle)) break;
    may_halve = false;  // there is nothing in the middle
  }
  if (!any_open) {
    left_ = left;
    right_ = right;
    crossing_ = level.open;
    return true;
  }
  level.doubts.resize(all_.size());
  for (const std::size_t i : level.open) {
    level.doubts[i] = doubt_of_halves(left.sights[i], level.middle.sights[i], right.sights[i],
                                      right.time - left.time);
  }
  return scan(left, level.middle, level.open, level.doubts, depth + 1) ||
         scan(level.middle, right, level.open, level.doubts, depth + 1);
}

}  // namespace spacedyn
