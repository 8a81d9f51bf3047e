/// @file
/// Nodes and weights of Gauss–Legendre quadrature on [0, 1], computed by the compiler.
#pragma once

#include <array>
#include <cstddef>

namespace spacedyn {

template <std::size_t N>
struct GaussLegendre {
  std::array<double, N> node{}, weight{};

  constexpr GaussLegendre() {
    for (std::size_t i = 0; i < N; ++i) {
      double x = first_guess(i), slope = 1.0;
      for (int step = 0; step < 12; ++step) {
        double before = 1.0, now = x;  // P_0, P_1
        for (std::size_t k = 2; k <= N; ++k) {
          const auto d = static_cast<double>(k);
          const double next = ((2.0 * d - 1.0) * x * now - (d - 1.0) * before) / d;
          before = now;
          now = next;
        }
        slope = static_cast<double>(N) * (x * now - before) / (x * x - 1.0);
        x -= now / slope;
      }
      node[i] = 0.5 * (1.0 - x);
      weight[i] = 1.0 / ((1.0 - x * x) * slope * slope);
    }
  }

 private:
  /// cos(π (i + ¾) / (N + ½)) by its series about π/2.
  static constexpr double first_guess(std::size_t i) {
    constexpr double kHalfTurn = 3.14159265358979323846;
    const double angle =
        kHalfTurn * (static_cast<double>(i) + 0.75) / (static_cast<double>(N) + 0.5) -
        0.5 * kHalfTurn;
    double term = angle, sine = angle;
    for (int k = 1; k < 14; ++k) {
      term *= -angle * angle / static_cast<double>((2 * k) * (2 * k + 1));
      sine += term;
    }
    return -sine;
  }
};

}  // namespace spacedyn
