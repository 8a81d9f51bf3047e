/// @file
/// Numbers that carry their derivatives by N variables: forward differentiation of templates.
#pragma once

#include <array>
#include <cmath>

namespace spacedyn {

template <int N>
struct Dual {
  double value = 0.0;
  std::array<double, N> slope{};

  Dual() = default;
  Dual(double constant) : value(constant) {}  // NOLINT(google-explicit-constructor): as numbers do
  static Dual variable(double value, int index) {
    Dual result(value);
    result.slope[static_cast<std::size_t>(index)] = 1.0;
    return result;
  }
  /// f(x) with the derivative of f at x.
  Dual chain(double function, double derivative) const {
    Dual result(function);
    for (std::size_t i = 0; i < N; ++i) result.slope[i] = derivative * slope[i];
    return result;
  }

  Dual operator-() const { return chain(-value, -1.0); }
  Dual& operator+=(const Dual& other) {
    value += other.value;
    for (std::size_t i = 0; i < N; ++i) slope[i] += other.slope[i];
    return *this;
  }
  Dual& operator-=(const Dual& other) {
    value -= other.value;
    for (std::size_t i = 0; i < N; ++i) slope[i] -= other.slope[i];
    return *this;
  }
  Dual& operator*=(const Dual& other) {
    for (std::size_t i = 0; i < N; ++i) {
      slope[i] = slope[i] * other.value + value * other.slope[i];
    }
    value *= other.value;
    return *this;
  }
  Dual& operator/=(const Dual& other) {
    return *this *= other.chain(1.0 / other.value, -1.0 / (other.value * other.value));
  }

  friend Dual operator+(Dual a, const Dual& b) { return a += b; }
  friend Dual operator-(Dual a, const Dual& b) { return a -= b; }
  friend Dual operator*(Dual a, const Dual& b) { return a *= b; }
  friend Dual operator/(Dual a, const Dual& b) { return a /= b; }

  friend Dual sin(const Dual& x) { return x.chain(std::sin(x.value), std::cos(x.value)); }
  friend Dual cos(const Dual& x) { return x.chain(std::cos(x.value), -std::sin(x.value)); }
  friend Dual tan(const Dual& x) {
    const double t = std::tan(x.value);
    return x.chain(t, 1.0 + t * t);
  }
  friend Dual asin(const Dual& x) {
    return x.chain(std::asin(x.value), 1.0 / std::sqrt(1.0 - x.value * x.value));
  }
  friend Dual atan(const Dual& x) {
    return x.chain(std::atan(x.value), 1.0 / (1.0 + x.value * x.value));
  }
  friend Dual tanh(const Dual& x) {
    const double t = std::tanh(x.value);
    return x.chain(t, 1.0 - t * t);
  }
  friend Dual sqrt(const Dual& x) {
    const double root = std::sqrt(x.value);
    return x.chain(root, 0.5 / root);
  }
  friend Dual exp(const Dual& x) {
    const double e = std::exp(x.value);
    return x.chain(e, e);
  }
  friend Dual log(const Dual& x) { return x.chain(std::log(x.value), 1.0 / x.value); }
};

inline double value_of(double x) { return x; }
template <int N>
double value_of(const Dual<N>& x) {
  return x.value;
}

}  // namespace spacedyn
