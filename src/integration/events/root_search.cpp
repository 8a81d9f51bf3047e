#include "integration/events/root_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace spacedyn {
namespace {

using Kind = RootBound::Kind;

/// What carries the points turns by at most so much between two instants, rad: then polynomials
/// follow them.
constexpr double kMostTurn = 1.0;
constexpr int kMostHalvings = 20;
constexpr double kNoise = 16.0 * std::numeric_limits<double>::epsilon();

bool is_positive(const Sight& sight) { return sight.value >= 0.0; }

/// Bézier points of the cubic polynomial through values and rates.
template <typename Value>
using Bezier = std::array<Value, 4>;

template <typename Value>
Bezier<Value> bezier(const Value& left, const Value& left_rate, const Value& right,
                     const Value& right_rate, double h) {
  return {left, Value(left + h / 3.0 * left_rate), Value(right - h / 3.0 * right_rate), right};
}

/// De Casteljau's scheme in the middle.
template <typename Value>
std::pair<Bezier<Value>, Bezier<Value>> halves(const Bezier<Value>& b) {
  const Value ab = 0.5 * (b[0] + b[1]), bc = 0.5 * (b[1] + b[2]), cd = 0.5 * (b[2] + b[3]);
  const Value abc = 0.5 * (ab + bc), bcd = 0.5 * (bc + cd);
  const Value middle = 0.5 * (abc + bcd);
  return {{b[0], ab, abc, middle}, {middle, bcd, cd, b[3]}};
}

/// Coefficients of Bernstein of degree 6: |r|² − d².
std::array<double, 7> squared(const Bezier<Vector3>& b, double reach) {
  const auto dot = [&](std::size_t i, std::size_t j) { return b[i].dot(b[j]); };
  std::array<double, 7> c{dot(0, 0),
                          dot(0, 1),
                          0.4 * dot(0, 2) + 0.6 * dot(1, 1),
                          0.1 * dot(0, 3) + 0.9 * dot(1, 2),
                          0.4 * dot(1, 3) + 0.6 * dot(2, 2),
                          dot(2, 3),
                          dot(3, 3)};
  for (double& value : c) value -= reach * reach;
  return c;
}

/// Coefficients between both ends, whose signs are known; what differs from the polynomial vanishes
/// at both ends with its rate, and is bounded by what the inner coefficients have to spare.
template <std::size_t Size>
Course course_of(const std::array<double, Size>& c, double margin, bool starts_positive,
                 bool ends_positive) {
  enum { first, doubtful, last } phase = first;
  for (std::size_t i = 1; i + 1 < Size; ++i) {
    // written so that NaN is doubtful
    const bool is_above = c[i] > margin, is_below = c[i] < -margin;
    if (!is_above && !is_below) {
      if (phase == last || starts_positive == ends_positive) return Course::open;
      phase = doubtful;
    } else if (is_above == starts_positive) {
      if (phase != first) return Course::open;
    } else {
      if (starts_positive == ends_positive) return Course::open;
      phase = last;
    }
  }
  return starts_positive == ends_positive ? Course::stays : Course::crosses_once;
}

/// Whether all of a polynomial between ends of one side is on it.
template <typename Value, typename Coefficients>
bool stays(const Bezier<Value>& b, bool positive, double margin, const Coefficients& coefficients,
           int halvings = kMostHalvings) {
  if (course_of(coefficients(b), margin, positive, positive) == Course::stays) return true;
  if (halvings == 0) return false;
  const auto [left, right] = halves(b);
  const double middle = coefficients(left).back();
  if (!(positive ? middle > margin : middle < -margin)) return false;
  return stays(left, positive, margin, coefficients, halvings - 1) &&
         stays(right, positive, margin, coefficients, halvings - 1);
}

/// Whether a function stays away from zero whatever turns, by the speeds of both ends.
bool is_far(const Sight& left, const Sight& right, double h) {
  const RootBound &a = left.bound, &b = right.bound;
  double travel = h * std::max(a.pace, b.pace), away = 0.0;
  if (a.kind == Kind::distance || a.kind == Kind::gap) {
    const double from = a.position.norm() - a.reach, to = b.position.norm() - b.reach;
    travel = std::max(
        {travel, h * a.velocity.norm(), h * b.velocity.norm(), (b.position - a.position).norm()});
    if (a.kind == Kind::distance && from < 0.0 && to < 0.0) away = -std::max(from, to);
    if (from > 0.0 && to > 0.0) away = std::min(from, to);
  } else {
    const bool is_same = is_positive(left) == is_positive(right);
    return is_same && stays_away(left.value, a.rate, right.value, b.rate, h) &&
           std::min(std::abs(left.value), std::abs(right.value)) > kFarTravel * travel;
  }
  return away > kFarTravel * travel;
}

Course scalar_course(const Sight& left, const Sight& right, double h, const Doubt& doubt) {
  const bool positive = is_positive(left);
  const double a = left.bound.rate, b = right.bound.rate;
  if (!std::isfinite(doubt.value)) return Course::open;
  // what does not move at all may rest at zero to the last bit, as the velocity of a locked joint
  if (left.value == right.value && a == 0.0 && b == 0.0 && doubt.value == 0.0) return Course::stays;
  const Bezier<double> curve = bezier(left.value, a, right.value, b, h);
  const auto itself = [](const Bezier<double>& c) { return c; };
  if (positive != is_positive(right)) {
    return course_of(curve, doubt.value, positive, !positive);
  }
  return stays(curve, positive, doubt.value, itself) ? Course::stays : Course::open;
}

Course distance_course(const Sight& left, const Sight& right, double h, const Doubt& doubt) {
  const RootBound &a = left.bound, &b = right.bound;
  const double from = a.position.norm(), to = b.position.norm();
  // by positions: of shapes the value says more
  const bool starts_outside = a.kind == Kind::gap ? from >= a.reach : is_positive(left);
  const bool ends_outside = b.kind == Kind::gap ? to >= b.reach : is_positive(right);
  if (!std::isfinite(doubt.position)) return Course::open;
  const Bezier<Vector3> curve = bezier(a.position, a.velocity, b.position, b.velocity, h);
  const auto square = [&](const Bezier<Vector3>& r) { return squared(r, a.reach); };
  double longest = 0.0;
  for (const Vector3& point : curve) longest = std::max(longest, point.norm());
  const double margin = doubt.position * (2.0 * longest + doubt.position);
  if (starts_outside != ends_outside) {
    return course_of(square(curve), margin, starts_outside, ends_outside);
  }
  return stays(curve, starts_outside, margin, square) ? Course::stays : Course::open;
}

/// How long a gap stays open at least that has a value and a rate.
double time_open(double gap, double rate, double acceleration) {
  const double root = std::sqrt(rate * rate + 2.0 * acceleration * gap);
  return rate > 0.0 ? (rate + root) / acceleration : 2.0 * gap / (root - rate);
}

Course gap_course(const Sight& left, const Sight& right, double h, const Doubt& doubt) {
  const RootBound &a = left.bound, &b = right.bound;
  const auto is_apart = [](const Sight& sight) {
    return is_positive(sight) == (sight.bound.outside > 0.0);
  };
  if (!is_apart(left) || !is_apart(right)) return scalar_course(left, right, h, doubt);
  if (a.position.norm() > a.reach && b.position.norm() > b.reach &&
      distance_course(left, right, h, doubt) == Course::stays) {
    return Course::stays;
  }
  if (!std::isfinite(doubt.acceleration)) return Course::open;
  const auto spin = [](const RootBound& at) {
    return 2.0 * (at.radius_a * at.omega_a.norm() + at.radius_b * at.omega_b.norm());
  };
  const double open_from_left =
      time_open(std::abs(left.value), a.outside * a.rate - spin(a), doubt.acceleration);
  const double open_from_right =
      time_open(std::abs(right.value), -b.outside * b.rate - spin(b), doubt.acceleration);
  return open_from_left + open_from_right > (1.0 + 1e-9) * h ? Course::stays : Course::open;
}

/// What a middle differs by from the cubic polynomial; of the rate as much as that may hide.
template <typename Value>
Value difference(const Value& left, const Value& left_rate, const Value& middle, const Value& right,
                 const Value& right_rate, double h) {
  return middle - 0.5 * (left + right) - 0.125 * h * (left_rate - right_rate);
}
template <typename Value>
Value rate_difference(const Value& left, const Value& left_rate, const Value& middle_rate,
                      const Value& right, const Value& right_rate, double h) {
  return 0.25 * (h * middle_rate - 1.5 * (right - left) + 0.25 * h * (left_rate + right_rate));
}

}  // namespace

Course course_between(const Sight& left, const Sight& right, double h, const Doubt& doubt) {
  const bool is_same = is_positive(left) == is_positive(right);
  if (left.bound.kind != right.bound.kind || left.bound.kind == Kind::implied) {
    return is_same ? Course::stays : Course::crosses_once;
  }
  if (is_far(left, right, h)) return Course::stays;
  if (h * std::max(left.bound.turning, right.bound.turning) > kMostTurn) return Course::open;
  switch (left.bound.kind) {
    case Kind::distance:
      return distance_course(left, right, h, doubt);
    case Kind::gap:
      return gap_course(left, right, h, doubt);
    default:
      return scalar_course(left, right, h, doubt);
  }
}

Course course_near_zero(const Sight& left, const Sight& right, double h, const Doubt& doubt,
                        double near) {
  const bool stays_near = std::abs(right.value) <= near;
  if (left.bound.kind == Kind::implied) return Course::stays;
  if (!std::isfinite(doubt.value)) return Course::open;
  const double bound = near - doubt.value;
  bool is_within = stays_near, is_above = true, is_below = true;
  const Bezier<double> curve =
      bezier(left.value, left.bound.rate, right.value, right.bound.rate, h);
  // both ends are exact
  for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
    const double c = curve[i];
    is_within = is_within && std::abs(c) <= bound;
    is_above = is_above && c >= -bound;
    is_below = is_below && c <= bound;
  }
  return is_within || (!stays_near && (right.value > 0.0 ? is_above : is_below)) ? Course::stays
                                                                                 : Course::open;
}

Doubt doubt_of_halves(const Sight& left, const Sight& middle, const Sight& right, double h) {
  const RootBound &a = left.bound, &m = middle.bound, &b = right.bound;
  Doubt doubt;
  doubt.value = std::abs(difference(left.value, a.rate, middle.value, right.value, b.rate, h)) +
                std::abs(rate_difference(left.value, a.rate, m.rate, right.value, b.rate, h)) +
                kNoise * (std::abs(left.value) + std::abs(right.value));
  if (a.kind != Kind::distance && a.kind != Kind::gap) return doubt;
  doubt.position =
      difference(a.position, a.velocity, m.position, b.position, b.velocity, h).norm() +
      rate_difference(a.position, a.velocity, m.velocity, b.position, b.velocity, h).norm() +
      kNoise * (a.position.norm() + b.position.norm());
  if (a.kind != Kind::gap) return doubt;
  const auto change = [h](const Vector3& from, const Vector3& between, const Vector3& to) {
    return 2.0 / h * std::max((between - from).norm(), (to - between).norm());
  };
  const auto turned = [&](double radius, const Vector3& from, const Vector3& between,
                          const Vector3& to) {
    const double most = std::max({from.squaredNorm(), between.squaredNorm(), to.squaredNorm()});
    return radius * (most + 2.0 * change(from, between, to));
  };
  doubt.acceleration = 2.0 * change(a.velocity, m.velocity, b.velocity) +
                       turned(a.radius_a, a.omega_a, m.omega_a, b.omega_a) +
                       turned(a.radius_b, a.omega_b, m.omega_b, b.omega_b);
  return doubt;
}

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
