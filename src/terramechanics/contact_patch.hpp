/// @file
/// The stresses between a wheel and its soil, and their integrals, for numbers with derivatives
/// too.
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "math/gauss_legendre.hpp"
#include "math/smooth_step.hpp"
#include "spacedyn/terramechanics/wheel_soil.hpp"
#include "terramechanics/pressure.hpp"

namespace spacedyn {

/// Sums of stresses over the rim; see WheelSoilForce for what they become.
template <typename T>
struct PatchSums {
  T x{}, y{}, z{}, torque{}, overturning{}, aligning{};
};

/// A place in the contact, in front of the peak of the normal stress or behind it, by the depth
/// coordinate x from 0 at the free end to 1 at the peak.
enum class PatchPart { front, rear };

template <typename T>
class ContactPatch {
 public:
  struct Inputs {
    T sinkage, slip, lateral, slip_angle, pressing;
    T pressed = T(0.0);
  };
  static constexpr double kFullMobilization = 0.017453292519943295;  // β of 1°
  static constexpr double kShort = 2.5;  // runs of exponentials that few nodes sum

  ContactPatch(const WheelSoilModel& model, const Inputs& in) : model_(model), in_(in) {
    using std::asin;
    using std::sqrt;
    const Soil& soil = model.soil_;
    const double r = model.wheel_.radius;
    const T slip = bounded_slip();
    set_pressure(slip);
    depth_ = in.sinkage;
    if (value_of(in.pressed) > 0.0) set_bed();
    if (is_empty()) return;
    // θ = acos(1 − h/r), well-conditioned for small h
    entry_ = T(2.0) * asin(sqrt(depth_ * T(0.5 / r)));
    exit_ = soil.lambda > 0.0 ? -(T(2.0) * asin(sqrt(depth_ * T(0.5 * soil.lambda / r)))) : T();
    const T whole = entry_ - exit_;
    const T peak = (T(soil.a0) + T(soil.a1) * slip) * entry_;
    // kept inside the contact, twice continuously differentiable
    T share = (peak - exit_) / whole;
    share = T(0.04) * smooth_floor(share * T(25.0));
    share = T(1.0) - T(0.04) * smooth_floor((T(1.0) - share) * T(25.0));
    front_ = (T(1.0) - share) * whole;
    rear_ = share * whole;
    const T mobilized = smooth_sign(in.slip_angle * T(1.0 / kFullMobilization));
    const T angle = in.slip_angle * mobilized;
    const auto modulus = [&](const std::array<double, 2>& k) {
      return T(model_.shear_radius_) / (T(k[0]) + T(k[1]) * angle);
    };
    rate_x_ = modulus(soil.shear_modulus_x);
    rate_y_ = modulus(soil.shear_modulus_y) * in.lateral;
    advance_ = T(1.0) - in.slip;
    sine_entry_ = sine(entry_);
    cosine_entry_ = 1.0 - value_of(depth_) / r;
    // |dj_x/dθ| = |1 − (1 − s) cos θ| over r
    const double e = value_of(advance_),
                 least_cosine = std::min(cosine_entry_, 1.0 - soil.lambda * (1.0 - cosine_entry_));
    steepest_ = std::max(std::abs(1.0 - e), std::abs(1.0 - e * least_cosine)) * value_of(rate_x_);
    push_ = mobilized * (depth_ * (T(model.push_c_) + T(model.push_weight_) * depth_));
  }

  /// Whether the wheel does not reach the floor of soil that was pressed before.
  bool is_empty() const { return !(value_of(depth_) > 0.0); }
  ContactAngles angles() const {
    return {value_of(entry_), value_of(exit_), value_of(entry_) - value_of(front_)};
  }

  /// Normal stress at depth coordinate x.
  T normal(const T& x) const {
    // cos θ − cos θ_f = 2 sin((θ_f + θ)/2) sin((θ_f − θ)/2)
    const T half = T(0.5) * front_ * x;
    const T depth = T(2.0) * sine(entry_ - half) * sine(half);
    if (!pressed_) return pressure_ * power(depth);
    if (value_of(depth) <= value_of(elastic_)) return reload_ * depth;
    return pressure_ * power(floor_ + depth);
  }
  /// j/r at an angle below the entry, along the heading.
  T displacement(const T& below, const T& sine_theta) const {
    return below - advance_ * (sine_entry_ - sine_theta);
  }
  T shear_x(const T& normal, const T& below, const T& sine_theta) const {
    return strength(normal) * mobilized(displacement(below, sine_theta) * rate_x_);
  }
  T shear_y(const T& normal, const T& below) const {
    return strength(normal) * mobilized(below * rate_y_);
  }

  PatchSums<T> integrate() {
    if (is_empty()) return {};
    if (value_of(in_.slip) < 0.0) find_sign_changes();
    add_part(PatchPart::front);
    add_part(PatchPart::rear);
    add_push();
    return sums_;
  }

 private:
  static T sine(const T& x) {
    using std::sin;
    return sin(x);
  }
  T bounded_slip() const {
    using std::tanh;
    const double s = value_of(in_.slip);
    if (s > 1.0) return T(1.0) + tanh(in_.slip - T(1.0));
    if (s < -1.0) return T(-1.0) + tanh(in_.slip + T(1.0));
    return in_.slip;
  }
  void set_pressure(const T& slip) {
    using std::exp;
    const Soil& soil = model_.soil_;
    const double scale = model_.wheel_.radius / model_.unit_;
    exponent_ = T(soil.exponent);
    if (soil.exponent_slip > 0.0) {
      exponent_ += T(soil.exponent_slip) * slip * smooth_sign(slip * T(100.0));
      pressure_ = T(model_.stiffness_) * exp(exponent_ * T(std::log(scale)));
    } else {
      pressure_ = T(model_.stiffness_ * std::pow(scale, soil.exponent));
    }
    linear_ = soil.exponent_slip == 0.0 && soil.exponent == 1.0;
    smooth_ = soil.exponent_slip == 0.0 && soil.exponent == std::floor(soil.exponent);
    pressure_ *= in_.pressing;
  }
  /// Depths over r: of the floor, and from there to where the soil has been; σ there per depth.
  void set_bed();
  T power(const T& depth) const {
    using std::exp;
    using std::log;
    if (linear_) return depth;
    return exp(exponent_ * log(depth));
  }
  /// σ over pressure_ on soil that was pressed before.
  double pressed_power(double depth) const {
    const double whole = value_of(floor_) + depth;
    if (depth < value_of(elastic_)) return value_of(reload_) / value_of(pressure_) * depth;
    return linear_ ? whole : std::pow(whole, value_of(exponent_));
  }
  T strength(const T& normal) const {
    return T(model_.soil_.cohesion) + normal * T(model_.tan_phi_);
  }
  /// 1 − e^(−|x|) with the sign of x.
  static T mobilized(const T& x) {
    using std::exp;
    return value_of(x) < 0.0 ? exp(x) - T(1.0) : T(1.0) - exp(-x);
  }

  /// θ_f − θ at a depth coordinate.
  T below(PatchPart part, const T& x) const {
    return part == PatchPart::front ? front_ * x : front_ + rear_ - rear_ * x;
  }

  void add_part(PatchPart part);
  /// Displacements over their moduli, x and y, at a depth coordinate.
  std::array<double, 2> mobilization(PatchPart part, double x) const {
    return mobilization(value_of(below(part, T(x))));
  }
  std::array<double, 2> mobilization(double below) const {
    const double entry = value_of(entry_), e = value_of(advance_);
    const double j = below - e * (value_of(sine_entry_) - std::sin(entry - below));
    return {j * value_of(rate_x_), below * value_of(rate_y_)};
  }

  void add_interval(PatchPart part, double from, double to) {
    const double angle = (to - from) * value_of(part == PatchPart::front ? front_ : rear_);
    const double most = angle * std::max(steepest_, std::abs(value_of(rate_y_)));
    if (most < kShort) return add_nodes(part, from, to, most);
    double span = span_of(part, from, to);
    // a long run of the exponential: its steep end apart
    constexpr double kLong = 20.0, kFlat = 30.0;
    const bool steep_first = part == PatchPart::front;
    while (span > kLong) {
      const double cut = (to - from) * std::max(0.5 * kLong / span, 0.02);
      const double inner = steep_first ? from + cut : to - cut;
      add_nodes(part, steep_first ? from : inner, steep_first ? inner : to, 0.5 * kLong);
      (steep_first ? from : to) = inner;
      const auto rest = mobilization(part, inner);
      if (std::min(std::abs(rest[0]), std::abs(rest[1])) > kFlat) break;
      span = span_of(part, from, to);
    }
    add_nodes(part, from, to, span);
  }

  double span_of(PatchPart part, double from, double to) const {
    const auto start = mobilization(part, from), end = mobilization(part, to);
    double along = std::abs(end[0] - start[0]);
    if (value_of(in_.slip) < 0.0) {  // j_x may turn round
      const double middle = mobilization(part, 0.5 * (from + to))[0];
      along = 1.5 * (std::abs(middle - start[0]) + std::abs(end[0] - middle));
    }
    return std::max(along, std::abs(end[1] - start[1]));
  }

  void add_nodes(PatchPart part, double from, double to, double span) {
    const double effort = span + (smooth_ ? 0.0 : 5.0);
    const double angle = (to - from) * value_of(part == PatchPart::front ? front_ : rear_);
    if (effort < 1.0 && angle < 0.4) return add_rule<6>(part, from, to);
    if (effort < kShort) return add_rule<8>(part, from, to);
    if (effort < 6.0) return add_rule<12>(part, from, to);
    if (effort < 12.0) return add_rule<16>(part, from, to);
    return add_rule<24>(part, from, to);
  }

  template <std::size_t N>
  void add_rule(PatchPart part, double from, double to) {
    static constexpr GaussLegendre<N> kRule;
    // where σ ~ xⁿ, n no integer, x = u³ makes it smooth
    const double start = smooth_ ? from : std::cbrt(from), end = smooth_ ? to : std::cbrt(to);
    const T length = part == PatchPart::front ? front_ : rear_;
    double x[N], weight[N];
    for (std::size_t i = 0; i < N; ++i) {
      const double u = start + (end - start) * kRule.node[i];
      x[i] = smooth_ ? u : u * u * u;
      weight[i] = kRule.weight[i] * (end - start) * (smooth_ ? 1.0 : 3.0 * u * u);
    }
    if constexpr (std::is_same_v<T, double>) {
      for (double& w : weight) w *= length;
      add_array(part, x, weight);
    } else {
      for (std::size_t i = 0; i < N; ++i) add_node(part, T(x[i]), length * T(weight[i]));
    }
  }

  /// add_node() for several nodes at once, in vector instructions.
  template <std::size_t N>
  void add_array(PatchPart part, const double (&x)[N], const double (&weight)[N]);
  void add_node(PatchPart part, const T& x, const T& weight) {
    using std::cos;
    const T at = below(part, x);
    const T theta = entry_ - at;
    const T s = sine(theta), c = cos(theta);
    const T sigma = normal(x) * weight;
    const T strength = T(model_.soil_.cohesion) * weight + sigma * T(model_.tan_phi_);
    const T tau = strength * mobilized(displacement(at, s) * rate_x_);
    const double shear = model_.shear_radius_, r = model_.wheel_.radius;
    sums_.x += T(shear) * tau * c - T(r) * sigma * s;
    sums_.z += T(shear) * tau * s + T(r) * sigma * c;
    sums_.torque += T(shear * shear) * tau;
    const T side = T(shear) * strength * mobilized(at * rate_y_);
    sums_.y += side;
    sums_.overturning += T(shear) * side * c;
    sums_.aligning += T(shear) * side * s;
  }

  /// Soil pushed aside: R_b ∫ (r − h cos θ), at half the sinkage.
  void add_push();
  /// θ_f − θ where j_x = 0 inside the contact. @pre slip < 0
  void find_sign_changes();

  const WheelSoilModel& model_;
  Inputs in_;
  T entry_{}, exit_{}, front_{}, rear_{};  // θ_f, θ_r, lengths of the two parts, rad
  T sine_entry_{}, advance_{};             // sin θ_f, 1 − s
  double cosine_entry_ = 1.0;
  T rate_x_{}, rate_y_{};      // r/k_x, r (1 − s) tan β / k_y
  T exponent_{}, pressure_{};  // n; p at a depth of 1 r
  T push_{};                   // R_b
  T depth_{};                  // h from the floor
  T floor_{}, elastic_{}, reload_{};
  bool pressed_ = false;
  double steepest_ = 0.0;  // most by which j_x/k_x grows per angle
  double zeros_[2] = {};
  int zero_count_ = 0;
  bool linear_ = false, smooth_ = false;
  PatchSums<T> sums_;
};

}  // namespace spacedyn
