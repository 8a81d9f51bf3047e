/// @file
/// The longer parts of ContactPatch: sums over nodes, and where they are split.
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
  if (pressed_) {
    for (double& d : depth) d = pressed_power(std::max(d, 0.0));
  } else if (!linear_) {
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
void ContactPatch<T>::set_bed() {
  const double r = model_.wheel_.radius;
  const T deepest = in_.pressed * T(1.0 / r);
  const T carried = pressure_ * power(deepest) / in_.pressing;
  const Bed<T> bed = bed_under(model_.soil_, in_.pressed, carried);
  floor_ = bed.floor * T(1.0 / r);
  elastic_ = deepest - floor_;
  reload_ = bed.modulus * T(r) * in_.pressing;
  depth_ -= bed.floor;
  pressed_ = true;
}

template <typename T>
void ContactPatch<T>::add_part(PatchPart part) {
  // kinks: where the rim's slip along the soil has been undone, where the soil has been before
  double ends[5] = {0.0, 1.0, 1.0, 1.0, 1.0};
  int count = 1;
  const auto split = [&](double x) {
    if (!(x > 1e-9 && x < 1.0 - 1e-9)) return;
    int place = count++;
    for (; ends[place - 1] > x; --place) ends[place] = ends[place - 1];
    ends[place] = x;
  };
  const double front = value_of(front_), rear = value_of(rear_);
  for (int i = 0; i < zero_count_; ++i) {
    split(part == PatchPart::front ? zeros_[i] / front : (front + rear - zeros_[i]) / rear);
  }
  if (pressed_) {
    const double cosine = cosine_entry_ + value_of(elastic_);
    if (cosine < 1.0) split((value_of(entry_) - std::acos(cosine)) / front);
  }
  ends[count] = 1.0;
  for (int i = 0; i < count; ++i) add_interval(part, ends[i], ends[i + 1]);
}

template <typename T>
void ContactPatch<T>::add_push() {
  const T area = T(model_.wheel_.radius) * (entry_ - exit_) - depth_ * (sine_entry_ - sine(exit_));
  const double b = model_.wheel_.width;
  const T push = push_ * area * T(1.0 / b);  // all sums are multiplied by b
  sums_.y += push;
  sums_.overturning += push * (T(model_.wheel_.radius) - T(0.5) * depth_);
}

template <typename T>
void ContactPatch<T>::find_sign_changes() {
  const double entry = value_of(entry_), exit = value_of(exit_), e = value_of(advance_);
  const double sine_entry = std::sin(entry);
  const auto j = [&](double theta) { return entry - theta - e * (sine_entry - std::sin(theta)); };
  const double turn = std::acos(1.0 / e);  // dj/dθ = 0 at ±turn
  const auto search = [&](double low, double high) {
    // j has one sign at each end and is monotone between
    const bool rises = j(high) > 0.0;
    double x = 0.5 * (low + high);
    for (int i = 0; i < 60 && high - low > 1e-14; ++i) {
      const double value = j(x);
      ((value > 0.0) == rises ? high : low) = x;
      const double step = value / (-1.0 + e * std::cos(x));
      const double next = x - step;
      // what is left is of its square, and its third power counts; a step that rounding has turned
      // round ends at the bound that x itself has become
      if (std::abs(step) < 1e-7) {
        x = std::clamp(next, low, high);
        break;
      }
      x = next > low && next < high ? next : 0.5 * (low + high);
    }
    zeros_[zero_count_++] = entry - x;
  };
  const double middle = std::max(exit, -turn);
  constexpr double kNothing = 1e-9;  // so little travel back and forth
  if (entry > turn && turn > exit && j(turn) > kNothing && j(middle) < 0.0) search(middle, turn);
  if (-turn > exit && j(-turn) < -kNothing && j(exit) > 0.0) search(exit, -turn);
}

}  // namespace spacedyn
