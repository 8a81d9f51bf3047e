/// @file
/// Joint angles of one state per lane.
#pragma once

#include "batch/kernels/workspace.hpp"
#include "dynamics/kernels/sincos.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// A vector in the lower link's axes, in those of a link at joint angle 0.
template <typename Lane>
SPACEDYN_INLINE void to_link(const batch::Link& link, Lane* x) {
  if (link.turned) turn_back(link.turn.c, link.turn.s, x[0], x[1]);
  if (link.kind == batch::Twist::any) {
    turn_back(link.twist.c, link.twist.s, x[1], x[2]);
  } else if (link.kind == batch::Twist::right_angle) {
    const Lane y = x[1];
    x[1] = x[2];
    x[2] = -y;
  }
}

/// A value that is computed as it is written: elsewhere in the batch kernels sums may be reordered.
template <typename Lane>
SPACEDYN_INLINE Lane as_written(const Lane& x) {
#if __has_builtin(__builtin_assoc_barrier)
  return __builtin_assoc_barrier(x);
#else
  return x;  // and CMakeLists.txt allows no other order
#endif
}

/// x = n π/2 + angle, |angle| ≤ π/4. With fused operations or without them n c1 and n c2 are exact
/// for |n| < 2^20, so that one rounding is all that the angle suffers.
template <typename Lane>
SPACEDYN_INLINE Lane reduce_once(const Lane& x, typename LaneTraits<Lane>::Integer& quadrant) {
  constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
  constexpr double kC1 = 0x1.921fb544p+0, kC2 = 0x1.0b4611a6p-34, kC3 = 0x1.3198a2e037073p-69;
  constexpr double kRounder = 0x1.8p52;  // adding it leaves the nearest integer in the low bits
  const Lane shifted = as_written<Lane>(x * kTwoOverPi + kRounder);
  quadrant = bits_of(shifted);
  const Lane n = as_written<Lane>(shifted - kRounder);
  const Lane first = as_written<Lane>(x - n * kC1);
  const Lane second = as_written<Lane>(first - n * kC2);
  return as_written<Lane>(second - n * kC3);
}

/// Sine and cosine within 2 ulp of 1 for |x| < kReductionLimit, in two thirds of the time that the
/// last half ulp of sincos_reduced() costs.
template <typename Lane>
SPACEDYN_INLINE void joint_sincos(const Lane& x, Lane& sine, Lane& cosine) {
  using Integer = typename LaneTraits<Lane>::Integer;
  Integer quadrant;
  const Lane angle = reduce_once(x, quadrant);
  const Lane z = angle * angle;
  const Lane s = angle + (angle * z) * sine_series(z);
  const Lane c = 1.0 - z * (0.5 - z * cosine_series(z));
  const auto swap = (quadrant & 1) != Integer{};
  const Integer sine_sign = (quadrant & 2) << 62;
  const Integer cosine_sign = ((quadrant + 1) & 2) << 62;
  sine = from_bits<Lane>(bits_of(select(swap, c, s)) ^ sine_sign);
  cosine = from_bits<Lane>(bits_of(select(swap, s, c)) ^ cosine_sign);
}

/// Sines and cosines of all joint angles: of q, then turned to the frames of the kernels, because
/// the sum of a large q and a constant would be rounded.
template <typename Lane>
[[gnu::noinline]] inline void joint_angles(batch::Robot robot, const double* q,
                                           Workspace<Lane> workspace) {
  using R = batch::WorkRows;
  constexpr int width = LaneTraits<Lane>::width;
  Lane largest = broadcast<Lane>(0.0);
  for (int i = 1; i <= robot.links; ++i) {
    const batch::Link& link = robot.link[i];
    const Rows<Lane> rows = workspace.entry(i);
    Lane s = broadcast<Lane>(0.0), c = broadcast<Lane>(1.0);
    if (!link.prismatic) {
      const Lane angle = row<Lane>(q, link.joint);
      joint_sincos(angle, s, c);
      const Lane magnitude = select(angle < 0.0, -angle, angle);
      largest = select(magnitude < largest, largest, magnitude);
    }
    turn(link.cos_angle, link.sin_angle, c, s);
    rows.put(R::cosine, c);
    rows.put(R::sine, s);
  }
  double each[width];
  store(each, largest);
  bool within = true;
  for (const double angle : each) within &= angle < kReductionLimit;
  if (__builtin_expect(within, 1)) return;
  // a few joints have turned very far: exactly, one by one
  for (int i = 1; i <= robot.links; ++i) {
    const batch::Link& link = robot.link[i];
    double* const c = workspace.entry(i).at + R::cosine * width;
    double* const s = workspace.entry(i).at + R::sine * width;
    for (int lane = 0; lane < width && !link.prismatic; ++lane) {
      const double angle = q[link.joint * batch::kTile + lane];
      if (angle > -kReductionLimit && angle < kReductionLimit) continue;
      c[lane] = __builtin_cos(angle);
      s[lane] = __builtin_sin(angle);
      turn(link.cos_angle, link.sin_angle, c[lane], s[lane]);
    }
  }
}

}  // namespace spacedyn::SPACEDYN_ISA
