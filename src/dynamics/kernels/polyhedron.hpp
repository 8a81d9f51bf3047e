/// @file
/// Gravity of a homogeneous polyhedron, edges and faces side by side in lanes.
#pragma once

#include "dynamics/kernels/lanes.hpp"
#include "dynamics/kernels/problem.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// x + x³ c_1 + x⁵ c_2 + … with c_k = sign^k / (2k + 1): atanh(x) with sign 1, atan(x) with sign
/// −1. |x| ≤ 0.199, where the first term left out is below 2e-17 of the sum.
template <int kSign, typename Lane>
inline Lane odd_series(const Lane& x) {
  constexpr double s = kSign;
  const Lane z = x * x;
  const Lane z2 = z * z;
  const Lane low = (s / 3 + z * (1.0 / 5)) + z2 * (s / 7 + z * (1.0 / 9));
  const Lane middle = (s / 11 + z * (1.0 / 13)) + z2 * (s / 15 + z * (1.0 / 17));
  const Lane high = (s / 19 + z * (1.0 / 21)) + z2 * (s / 23);
  const Lane z4 = z2 * z2;
  return x + x * z * (low + z4 * (middle + z4 * high));
}

/// log((ends + length)/gap), ends − length ≈ gap > 0, exact to rounding where length is small, too:
/// with 2^k next to the quotient, k log 2 + 2 atanh((ends + length − 2^k gap)/(ends + length + 2^k
/// gap)).
template <typename Lane>
inline Lane edge_logarithm(const Lane& ends, const Lane& length, const Lane& gap) {
  using Integer = typename LaneTraits<Lane>::Integer;
  constexpr double kLog2 = 0x1.62e42fefa39efp-1;
  constexpr long long kExponentBias = 1023, kRootHalf = 0x3fe6a09e667f3bcd,
                      kOne = 0x3ff0000000000000;
  constexpr double kRounder = 0x1.8p52;
  const Lane sum = ends + length;
  const Integer power = (bits_of(sum / gap) + (kOne - kRootHalf)) >> 52;  // k + bias
  const Lane k =
      from_bits<Lane>((power - kExponentBias) + bits_of(broadcast<Lane>(kRounder))) - kRounder;
  const Lane scaled = gap * from_bits<Lane>(power << 52);
  const Lane difference = select(k == 0.0, length + length, sum - scaled);
  return k * kLog2 + 2.0 * odd_series<1>(difference / (sum + scaled));
}

/// atan2(y, x), zero for two zeros. The smaller part over the larger is turned by 0, π/8 or π/4
/// first.
template <typename Lane>
inline Lane angle_of(const Lane& y, const Lane& x) {
  constexpr double kPi = 0x1.921fb54442d18p+1;
  constexpr double kTan1 = 0x1.975f5e0553158p-3;  // tan(π/16)
  constexpr double kTan2 = 0x1.a827999fcef32p-2;  // tan(π/8)
  constexpr double kTan3 = 0x1.561b82ab7f99p-1;   // tan(3π/16)
  const Lane zero = broadcast<Lane>(0.0), one = broadcast<Lane>(1.0);
  const Lane up = select(y < 0.0, -y, y), right = select(x < 0.0, -x, x);
  const auto is_steep = right < up;
  const Lane large = select(is_steep, up, right) + 1e-300;
  const Lane small = select(is_steep, right, up);
  const auto is_middle = large * kTan1 < small, is_diagonal = large * kTan3 < small;
  const Lane tangent = select(is_diagonal, one, select(is_middle, broadcast<Lane>(kTan2), zero));
  const Lane turned = select(is_diagonal, broadcast<Lane>(kPi / 4),
                             select(is_middle, broadcast<Lane>(kPi / 8), zero));
  Lane angle = turned + odd_series<-1>((small - tangent * large) / (large + tangent * small));
  angle = select(is_steep, kPi / 2 - angle, angle);
  angle = select(x < 0.0, kPi - angle, angle);
  return select(y < 0.0, -angle, angle);
}

template <typename Lane>
struct LaneVector {
  Lane x, y, z;
};
/// The components k, k + 1, k + 2 of elements i and on of arrays of `count` each.
template <typename Lane>
inline LaneVector<Lane> vector_at(const double* arrays, int count, int k, int i) {
  const double* first = arrays + static_cast<long>(k) * count + i;
  return {load<Lane>(first), load<Lane>(first + count),
          load<Lane>(first + 2 * static_cast<long>(count))};
}
template <typename Lane>
inline LaneVector<Lane> difference(const LaneVector<Lane>& a, const double* r) {
  return {a.x - r[0], a.y - r[1], a.z - r[2]};
}
template <typename Lane>
inline Lane dot(const LaneVector<Lane>& a, const LaneVector<Lane>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

inline void polyhedron_field(const KernelPolyhedron& body, const double* r, double* sums) {
  using Lane = Pack<kLanes>;
  Lane total[KernelPolyhedron::kSums] = {};
  const double* arrays = body.edges;
  int count = body.edge_count;
  for (int i = 0; i < count; i += kLanes) {
    const auto a = difference(vector_at<Lane>(arrays, count, 0, i), r);
    const auto b = difference(vector_at<Lane>(arrays, count, 3, i), r);
    const Lane length = load<Lane>(arrays + 6L * count + i);
    const Lane ends = square_root(dot(a, a)) + square_root(dot(b, b));
    // on the edge itself the logarithm has no end, what it is multiplied with vanishes
    const Lane gap = ends - length, least = 1e-15 * ends;
    const Lane L = edge_logarithm(ends, length, select(gap < least, least, gap));
    Lane E[6];
    for (int k = 0; k < 6; ++k) E[k] = L * load<Lane>(arrays + (7L + k) * count + i);
    const LaneVector<Lane> Er{E[0] * a.x + E[1] * a.y + E[2] * a.z,
                              E[1] * a.x + E[3] * a.y + E[4] * a.z,
                              E[2] * a.x + E[4] * a.y + E[5] * a.z};
    total[0] += 0.5 * dot(a, Er);
    total[1] -= Er.x;
    total[2] -= Er.y;
    total[3] -= Er.z;
    for (int k = 0; k < 6; ++k) total[4 + k] += E[k];
  }
  arrays = body.faces;
  count = body.face_count;
  for (int i = 0; i < count; i += kLanes) {
    const auto a = difference(vector_at<Lane>(arrays, count, 0, i), r);
    const auto b = difference(vector_at<Lane>(arrays, count, 3, i), r);
    const auto c = difference(vector_at<Lane>(arrays, count, 6, i), r);
    const Lane na = square_root(dot(a, a)), nb = square_root(dot(b, b)),
               nc = square_root(dot(c, c));
    const LaneVector<Lane> bc{b.y * c.z - b.z * c.y, b.z * c.x - b.x * c.z, b.x * c.y - b.y * c.x};
    const Lane omega =
        2.0 * angle_of(dot(a, bc), na * nb * nc + na * dot(b, c) + nb * dot(c, a) + nc * dot(a, b));
    const auto n = vector_at<Lane>(arrays, count, 9, i);
    const Lane height = dot(n, a);
    const Lane pull = omega * height;
    total[0] -= 0.5 * pull * height;
    total[1] += pull * n.x;
    total[2] += pull * n.y;
    total[3] += pull * n.z;
    const LaneVector<Lane> turned{omega * n.x, omega * n.y, omega * n.z};
    total[4] -= turned.x * n.x;
    total[5] -= turned.x * n.y;
    total[6] -= turned.x * n.z;
    total[7] -= turned.y * n.y;
    total[8] -= turned.y * n.z;
    total[9] -= turned.z * n.z;
    total[10] += omega;
  }
  for (int k = 0; k < KernelPolyhedron::kSums; ++k) {
    double each[kLanes];
    store(each, total[k]);
    sums[k] = each[0];
    for (int lane = 1; lane < kLanes; ++lane) sums[k] += each[lane];
  }
}

}  // namespace spacedyn::SPACEDYN_ISA
