#include "progress.hpp"

#include <cmath>
#include <cstdio>
#include <string>

#include <fmt/format.h>

namespace spacedyn::cli {
namespace {

constexpr double kMinute = 60.0;
constexpr double kHour = 3600.0;

}  // namespace

std::string time_text(double seconds) {
  if (seconds < 2.0 * kMinute) return fmt::format("{:.0f} s", seconds);
  if (seconds < 2.0 * kHour) {
    return fmt::format("{:.0f} min {:.0f} s", std::floor(seconds / kMinute),
                       std::floor(std::fmod(seconds, kMinute)));
  }
  return fmt::format("{:.0f} h {:.0f} min", std::floor(seconds / kHour),
                     std::floor(std::fmod(seconds, kHour) / kMinute));
}

bool ProgressLine::is_due() const {
  return enabled_ && Clock::now() - last_ >= std::chrono::milliseconds(100);
}

void ProgressLine::update(const std::string& text) {
  if (!is_due()) return;
  last_ = Clock::now();
  drawn_ = true;
  std::fprintf(stderr, "\r%s\x1b[K", text.c_str());
  std::fflush(stderr);
}

void ProgressLine::clear() {
  if (!drawn_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  drawn_ = false;
}

void Progress::update(double time) {
  if (!line_.is_due()) return;
  const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
  const double left = time > 0.0 ? elapsed * (duration_ - time) / time : 0.0;
  line_.update(fmt::format("{:3.0f} %  t = {:.4g} of {:g} s, {:.3g} times real time, {} left",
                           100.0 * time / duration_, time, duration_, time / elapsed,
                           time_text(left)));
}

}  // namespace spacedyn::cli
