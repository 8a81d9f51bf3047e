#include "progress.hpp"

#include <cstdio>

namespace spacedyn::cli {

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
  std::fprintf(stderr, "\r%3.0f %%  t = %.4g of %g s, %.3g times real time, %.0f s left\x1b[K",
               100.0 * time / duration_, time, duration_, time / elapsed, left);
  std::fflush(stderr);
}

void Progress::clear() {
  if (!drawn_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace spacedyn::cli
