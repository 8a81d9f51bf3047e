#include "integration/run/setup_checks.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

/// Part of what a motion does at most that counts as rounding, and how often it is looked at.
constexpr double kRounding = 1e-9;
constexpr int kSamples = 32;
constexpr double kGoldenSection = 0.6180339887498949;  // has no period in common with a motion

/// How a component may go on: a rotation vector turns over at half a turn.
enum class Position { continuous, may_turn_over };

/// A reference while it is imposed.
class ImposedMotion {
 public:
  /// @param begin, duration  of the flight, s
  /// @param last             bend, which may come long before the end, s
  ImposedMotion(const Reference& reference, double begin, double duration, double last,
                const EventTimes* events = nullptr)
      : reference_(reference), events_(events), sizes_(static_cast<std::size_t>(reference.size())) {
    for (int i = 0; i < reference.size(); ++i) {
      for (const double span : {duration, last - begin}) {
        for (int k = 0; k < kSamples; ++k) {
          size_of(i).see(at(i, begin + span * std::fmod(k * kGoldenSection, 1.0)));
        }
      }
    }
  }

  bool jumps(double time, Position position) const {
    for (int i = 0; i < reference_.size(); ++i) {
      const ReferenceValue left = at(i, std::nextafter(time, 0.0)), right = at(i, time);
      Size size = sizes_[static_cast<std::size_t>(i)];
      size.see(left);
      size.see(right);
      if ((position == Position::continuous &&
           std::abs(right.position - left.position) > kRounding * size.position) ||
          std::abs(right.velocity - left.velocity) > kRounding * size.velocity) {
        return true;
      }
    }
    return false;
  }

 private:
  /// The most that a component reaches.
  struct Size {
    double position = 0.0, velocity = 0.0;
    void see(const ReferenceValue& value) {
      position = std::max(position, std::abs(value.position));
      velocity = std::max(velocity, std::abs(value.velocity));
    }
  };

  Size& size_of(int component) { return sizes_[static_cast<std::size_t>(component)]; }
  ReferenceValue at(int component, double time) const {
    return reference_.at(component, {time, events_});
  }

  const Reference& reference_;
  const EventTimes* events_;
  std::vector<Size> sizes_;
};

/// @param awaited  number of events at which references begin
void check_reference(const Reference& reference, const std::string& what, double duration,
                     std::size_t awaited, Position position = Position::continuous) {
  const auto refuse = [&](const std::string& when) {
    throw DomainError(
        fmt::format("the {} jumps in position or velocity {}; imposed motion needs a continuous "
                    "velocity, for instance a cubic table with ends at rest",
                    what, when));
  };
  std::vector<double> times;
  const double some_time = duration;  // what begins at events does so from rest whenever it does
  const EventTimes events{std::vector<std::vector<double>>(awaited, {some_time}), {}};
  const auto last = [&times](double begin) {
    return std::max(begin, *std::max_element(times.begin(), times.end()));
  };
  reference.append_event_discontinuities(events, times);
  if (!times.empty()) {
    const ImposedMotion motion(reference, some_time, duration, last(some_time), &events);
    for (const double time : times) {
      if (motion.jumps(time, position))
        refuse(fmt::format("{:.9g} s after its event", time - some_time));
    }
  }
  times.clear();
  reference.append_discontinuities(times);
  if (times.empty()) return;
  const ImposedMotion motion(reference, 0.0, duration, last(0.0));
  for (const double time : times) {
    if (!(time > 0.0) || time >= duration) continue;
    if (motion.jumps(time, position)) {
      refuse(fmt::format("at t = {:.9g} s", time));
    }
  }
}

}  // namespace

void check_imposed_motion(const SimulationSetup& setup, double duration) {
  for (const PrescribedJoint& prescribed : setup.prescribed_joints) {
    const Joint& joint = setup.model->joint(prescribed.joint);
    check_reference(*prescribed.reference, fmt::format("prescribed joint '{}'", joint.name),
                    duration, setup.awaited.size(),
                    joint.spherical != 0 ? Position::may_turn_over : Position::continuous);
  }
  if (!setup.prescribed_base) return;
  const PrescribedBase& base = *setup.prescribed_base;
  if (base.position)
    check_reference(*base.position, "position of the prescribed base", duration,
                    setup.awaited.size());
  if (base.angle)
    check_reference(*base.angle, "angle of the prescribed base", duration, setup.awaited.size());
}

}  // namespace spacedyn
