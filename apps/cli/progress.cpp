#include "progress.hpp"

#include <cmath>
#include <cstdio>
#include <string>

#include <fmt/format.h>

namespace spacedyn::cli {
namespace {

constexpr double kMinute = 60.0;
constexpr double kHour = 3600.0;

/// An estimate in the two units that matter: seconds do not matter in a night.
std::string estimate(double seconds) {
  if (seconds < 2.0 * kMinute) return fmt::format("{:.0f} s", seconds);
  if (seconds < 2.0 * kHour) {
    return fmt::format("{:.0f} min {:.0f} s", std::floor(seconds / kMinute),
                       std::floor(std::fmod(seconds, kMinute)));
  }
  return fmt::format("{:.0f} h {:.0f} min", std::floor(seconds / kHour),
                     std::floor(std::fmod(seconds, kHour) / kMinute));
}

}  // namespace

Progress::Progress(bool enabled, double duration)
    : enabled_(enabled), duration_(duration), start_(Clock::now()), last_(start_) {}

Progress::~Progress() { clear(); }

void Progress::update(double time) {
  if (!enabled_) return;
  const Clock::time_point now = Clock::now();
  if (now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  drawn_ = true;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double left = time > 0.0 ? elapsed * (duration_ - time) / time : 0.0;
  std::fprintf(stderr, "\r%3.0f %%  t = %.4g of %g s, %.3g times real time, %s left\x1b[K",
               100.0 * time / duration_, time, duration_, time / elapsed, estimate(left).c_str());
  std::fflush(stderr);
}

void Progress::clear() {
  if (!drawn_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace spacedyn::cli
