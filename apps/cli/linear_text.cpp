#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "linear_answer.hpp"
#include "text_table.hpp"

namespace spacedyn::cli {
namespace {

/// The positions that move most in a mode.
std::string leading_positions(const Linearization& linear, const EigenMode& mode) {
  std::vector<Eigen::Index> order;
  for (Eigen::Index i = 0; i < linear.position_count; ++i) order.push_back(i);
  const auto size = [&](Eigen::Index i) { return std::abs(mode.shape(i)); };
  std::stable_sort(order.begin(), order.end(),
                   [&](Eigen::Index a, Eigen::Index b) { return size(a) > size(b); });
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(order.size(), 3); ++i) {
    if (size(order[i]) < 0.1 * size(order[0])) break;
    text += (i == 0 ? "" : ", ") + linear.state_names[static_cast<std::size_t>(order[i])];
  }
  return text;
}

std::string point_text(const Linearization& linear) {
  std::string text = fmt::format("time {:g} s: {} states, {} inputs, {} outputs\n", linear.time,
                                 linear.A.rows(), linear.B.cols(), linear.C.rows());
  std::vector<std::vector<std::string>> rows{
      {"eigenvalue, 1/s", "frequency, Hz", "damping", "moves"}};
  int zeros = 0;
  for (const EigenMode& mode : eigenmodes(linear.A)) {
    if (mode.is_rigid()) {
      ++zeros;
      continue;
    }
    const double real = mode.eigenvalue.real(), imaginary = mode.eigenvalue.imag();
    rows.push_back({imaginary == 0.0 ? fmt::format("{:.6g}", real)
                                     : fmt::format("{:.6g} ± {:.6g} i", real, imaginary),
                    imaginary == 0.0 ? "" : fmt::format("{:.6g}", mode.frequency()),
                    imaginary == 0.0 ? "" : fmt::format("{:.4g} %", 100.0 * mode.damping_ratio),
                    leading_positions(linear, mode)});
  }
  if (zeros > 0) text += fmt::format("  {} eigenvalue{} 0\n", zeros, zeros == 1 ? "" : "s");
  return rows.size() > 1 ? text + text_table(rows) : text;
}

}  // namespace

std::string linear_text(const LinearAnswer& answer) {
  std::string text = answer.name + '\n';
  for (const LinearPoint& point : answer.points) text += point_text(point.linear);
  return text;
}

}  // namespace spacedyn::cli
