#include "collision/axis_pair.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace spacedyn {

double AxisPair::best_s(double t) const {
  return std::clamp(a.dot(t * b - d) / (1.0 + kParallel), -most_s, most_s);
}

double AxisPair::best_t(double s) const {
  return std::clamp(b.dot(d + s * a) / (1.0 + kParallel), -most_t, most_t);
}

std::pair<double, double> AxisPair::nearest() const {
  const double cosine = a.dot(b), own = 1.0 + kParallel;
  const double determinant = own * own - cosine * cosine;
  const double s = (cosine * b.dot(d) - own * a.dot(d)) / determinant;
  const double t = (own * b.dot(d) - cosine * a.dot(d)) / determinant;
  if (std::abs(s) <= most_s && std::abs(t) <= most_t) return {s, t};
  const std::array<std::pair<double, double>, 4> edges{{{-most_s, best_t(-most_s)},
                                                        {most_s, best_t(most_s)},
                                                        {best_s(-most_t), -most_t},
                                                        {best_s(most_t), most_t}}};
  return *std::min_element(edges.begin(), edges.end(), [this](const auto& x, const auto& y) {
    return value(x.first, x.second) < value(y.first, y.second);
  });
}

}  // namespace spacedyn
