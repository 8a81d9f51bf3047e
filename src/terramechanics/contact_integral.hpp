/// @file
/// The longer parts of ContactPatch: sums over nodes, and where the shear changes its sign.
#pragma once

#include "math/lanes_math.hpp"
#include "terramechanics/contact_patch.hpp"

namespace spacedyn {

template <typename T>
template <std::size_t N>
void ContactPatch<T>::add_array(PatchPart part, const double (&x)[N], const double (&weight)[N]) {
  double sine[N], cosine[N], at[N], theta[N], depth[N];
  for (std::size_t i = 0; i < N; ++i) {
    at[i] = below(part, x[i]);
    theta[i] = entry_ - at[i];
  }
  sine_and_cosine(theta, sine, cosine);
  if (part == PatchPart::front) {
    for (std::size_t i = 0; i < N; ++i) depth[i] = cosine[i] - cosine_entry_;
  } else {
    double unused[N];
    for (std::size_t i = 0; i < N; ++i) theta[i] = entry_ - front_ * x[i];
    sine_and_cosine(theta, unused, depth);
    for (std::size_t i = 0; i < N; ++i) depth[i] -= cosine_entry_;
  }
  if (!linear_) {
    for (double& d : depth) d = std::pow(std::max(d, 1e-300), exponent_);
  }
  double j[N], e[N], strength[N], tau[N];
  for (std::size_t i = 0; i < N; ++i) {
    j[i] = rate_x_ * (at[i] - advance_ * (sine_entry_ - sine[i]));
    tau[i] = -std::abs(j[i]);
  }
  exp_of_negative(tau, e);
  const double r = model_.wheel_.radius, shear = model_.shear_radius_;
  const double forward = j[0] < 0.0 ? -shear : shear;  // j keeps its sign between kinks
  const double c = model_.soil_.cohesion, mu = model_.tan_phi_;
  double sum_x = 0.0, sum_z = 0.0, sum_tau = 0.0;
  for (std::size_t i = 0; i < N; ++i) {
    const double sigma = pressure_ * depth[i] * weight[i];
    strength[i] = c * weight[i] + mu * sigma;
    tau[i] = forward * strength[i] * (1.0 - e[i]);
    sum_x += tau[i] * cosine[i] - r * sigma * sine[i];
    sum_z += tau[i] * sine[i] + r * sigma * cosine[i];
    sum_tau += tau[i];
  }
  sums_.x += sum_x;
  sums_.z += sum_z;
  sums_.torque += shear * sum_tau;
  if (rate_y_ == 0.0) return;
  for (std::size_t i = 0; i < N; ++i) tau[i] = -std::abs(rate_y_) * at[i];
  exp_of_negative(tau, e);
  const double aside = rate_y_ < 0.0 ? -shear : shear;
  for (std::size_t i = 0; i < N; ++i) {
    const double side = aside * strength[i] * (1.0 - e[i]);
    sums_.y += side;
    sums_.overturning += shear * side * cosine[i];
    sums_.aligning += shear * side * sine[i];
  }
}

template <typename T>
int ContactPatch<T>::sign_changes(double (&zeros)[2]) const {
  const double entry = value_of(entry_), exit = value_of(exit_), e = value_of(advance_);
  const double sine_entry = std::sin(entry);
  const auto j = [&](double theta) { return entry - theta - e * (sine_entry - std::sin(theta)); };
  const double turn = std::acos(1.0 / e);  // dj/dθ = 0 at ±turn
  int found = 0;
  const auto search = [&](double low, double high) {
    // j has one sign at each end and is monotone between
    const bool rises = j(high) > 0.0;
    double x = 0.5 * (low + high);
    for (int i = 0; i < 60 && high - low > 1e-14; ++i) {
      const double value = j(x);
      ((value > 0.0) == rises ? high : low) = x;
      const double step = value / (-1.0 + e * std::cos(x));
      const double next = x - step;
      if (std::abs(step) < 1e-15) break;
      x = next > low && next < high ? next : 0.5 * (low + high);
    }
    zeros[found++] = entry - x;
  };
  const double middle = std::max(exit, -turn);
  if (entry > turn && turn > exit && j(turn) > 0.0 && j(middle) < 0.0) search(middle, turn);
  if (-turn > exit && j(-turn) < 0.0 && j(exit) > 0.0) search(exit, -turn);
  return found;
}

}  // namespace spacedyn
