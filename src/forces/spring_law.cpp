#include "spacedyn/forces/spring_law.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

void require(bool condition, const char* what) {
  if (!condition) throw DomainError(std::string("spring: ") + what);
}

bool all_finite(const std::vector<double>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

/// At the points: harmonic means of the slopes on both sides, weighted by lengths; level where
/// these have two signs.
std::vector<double> slopes_of(const std::vector<double>& x, const std::vector<double>& y) {
  const auto mean = [&](std::size_t i) { return (y[i + 1] - y[i]) / (x[i + 1] - x[i]); };
  const std::size_t last = x.size() - 1;
  std::vector<double> slopes(x.size(), 0.0);
  slopes.front() = mean(0);
  slopes.back() = mean(last - 1);
  for (std::size_t i = 1; i < last; ++i) {
    const double left = mean(i - 1), right = mean(i);
    if (!(left * right > 0.0)) continue;
    const double before = x[i] - x[i - 1], after = x[i + 1] - x[i];
    const double w = before + 2.0 * after, v = 2.0 * before + after;
    slopes[i] = (w + v) / (w / left + v / right);
  }
  return slopes;
}

}  // namespace

SpringLaw SpringLaw::polynomial(const std::vector<double>& coefficients) {
  require(all_finite(coefficients), "coefficients must be finite");
  require(std::any_of(coefficients.begin(), coefficients.end(), [](double c) { return c != 0.0; }),
          "one coefficient at least must not be zero");
  SpringLaw law;
  law.coefficients_ = coefficients;
  return law;
}

SpringLaw SpringLaw::table(const std::vector<double>& stretches,
                           const std::vector<double>& forces) {
  require(stretches.size() == forces.size(), "a table has one force for each stretch");
  require(stretches.size() >= 2, "a table has at least two points");
  require(all_finite(stretches) && all_finite(forces), "a table has finite numbers");
  for (std::size_t i = 1; i < stretches.size(); ++i) {
    require(stretches[i] > stretches[i - 1], "stretches must ascend");
  }
  const std::vector<double> slopes = slopes_of(stretches, forces);
  SpringLaw law;
  const auto add = [&](std::size_t i, double slope, double second, double third) {
    law.pieces_.push_back({stretches[i], forces[i], slope, second, third, 0.0});
  };
  add(0, slopes.front(), 0.0, 0.0);
  for (std::size_t i = 0; i + 1 < stretches.size(); ++i) {
    const double h = stretches[i + 1] - stretches[i];
    const double a = slopes[i], b = slopes[i + 1];
    const double mean = (forces[i + 1] - forces[i]) / h;
    add(i, a, (3.0 * mean - 2.0 * a - b) / h, (a + b - 2.0 * mean) / (h * h));
  }
  add(stretches.size() - 1, slopes.back(), 0.0, 0.0);
  for (std::size_t i = 2; i < law.pieces_.size(); ++i) {
    const Piece& before = law.pieces_[i - 1];
    law.pieces_[i].energy = value_of(before, law.pieces_[i].start - before.start).energy;
  }
  const double at_rest = law.at(0.0).energy;
  for (Piece& piece : law.pieces_) piece.energy -= at_rest;
  return law;
}

SpringLaw::Value SpringLaw::value_of(const Piece& piece, double x) noexcept {
  const auto& [start, force, slope, second, third, energy] = piece;
  return {force + x * (slope + x * (second + x * third)),
          slope + x * (2.0 * second + 3.0 * x * third),
          energy + x * (force + x * (slope / 2.0 + x * (second / 3.0 + x * third / 4.0)))};
}

SpringLaw::Value SpringLaw::at(double stretch) const noexcept {
  if (pieces_.empty()) {
    Value value;
    for (std::size_t k = coefficients_.size(); k > 0; --k) {
      const double c = coefficients_[k - 1], power = static_cast<double>(k);
      value.force = (value.force + c) * stretch;
      value.stiffness = value.stiffness * stretch + power * c;
      value.energy = (value.energy + c / (power + 1.0)) * stretch;
    }
    value.energy *= stretch;
    return value;
  }
  // the piece that begins at the last point before the stretch; the first two begin at one
  std::size_t i = 0;
  if (!(stretch < pieces_.front().start)) {
    const auto next =
        std::upper_bound(pieces_.begin() + 2, pieces_.end(), stretch,
                         [](double s, const Piece& piece) { return s < piece.start; });
    i = static_cast<std::size_t>(next - pieces_.begin()) - 1;
  }
  return value_of(pieces_[i], stretch - pieces_[i].start);
}

}  // namespace spacedyn
