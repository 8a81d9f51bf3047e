#include "forces/rut_trace.hpp"

#include <algorithm>
#include <cmath>

#include "math/smooth_step.hpp"

namespace spacedyn {
namespace {

constexpr double kWriting = 8.0;  // c
constexpr int kAhead = 3;         // cells

/// (1 − q)³ for q < 1: a bump over q = u².
template <typename T>
T bump(const T& q) {
  const T rest = T(1.0) - q;
  return rest * rest * rest;
}

}  // namespace

RutTrace::RutTrace(WheelElement::Mount leader, double own_width, double length, double least_speed)
    : leader_(std::move(leader)),
      own_width_(own_width),
      spacing_(length / kCells),
      reach_(std::max(0.625 * (leader_.width + own_width), 3.0 * spacing_)),
      least_speed_(least_speed) {}

void RutTrace::rate(const WheelStance& leader, ConstVectorRef z, VectorRef zd) const {
  zd.setZero();
  const double speed =
      std::sqrt(leader.ground_velocity().squaredNorm() + least_speed_ * least_speed_) -
      least_speed_;
  zd(0) = speed;
  const double cell = z(0) / spacing_, first = std::floor(cell), past = cell - first;
  const double depth = std::max(0.0, leader.sinkage);
  const auto change = [&](int ahead, double offset, bool writes) {
    // ∫(1 − u²)³ du = 32/35
    const double rate = kWriting * 35.0 / 32.0 * bump(offset * offset) * speed / spacing_;
    const auto index = static_cast<Eigen::Index>(std::fmod(first + ahead, kCells));
    const auto own = z.segment<kPerCell>(1 + index * kPerCell);
    Eigen::Matrix<double, kPerCell, 1> goal;
    goal << 1.0, leader.ground.point, depth;
    if (!writes) goal.setZero();
    zd.segment<kPerCell>(1 + index * kPerCell) = rate * (goal - own);
  };
  for (const int near : {0, 1}) {
    change(near, past - near, true);
    change(near + kAhead, past - near, false);
  }
}

template <typename T, typename Cells>
RutBed<T> RutTrace::find(const std::array<T, 3>& place, const Cells& cells) const {
  using std::sqrt;
  const double reach2 = reach_ * reach_;
  T mass(0.0), depth(0.0);
  std::array<T, 3> offset{};  // of the cells' mean
  for (int k = 0; k < kCells; ++k) {
    const std::array<T, kPerCell> cell = cells(k);
    if (!(value_of(cell[0]) > 1e-9)) continue;
    std::array<T, 3> away;
    T square(0.0);
    for (std::size_t i = 0; i < 3; ++i) {
      away[i] = cell[i + 1] / cell[0] - place[i];
      square += away[i] * away[i];
    }
    if (!(value_of(square) < reach2)) continue;
    const T weight = bump(square * T(1.0 / reach2));
    mass += cell[0] * weight;
    depth += cell[4] * weight;
    for (std::size_t i = 0; i < 3; ++i) offset[i] += cell[0] * weight * away[i];
  }
  if (!(value_of(mass) > 1e-9)) return {};
  T aside(0.0);
  for (const T& part : offset) aside += (part / mass) * (part / mass);
  // near the middle of the rut the overlap is flat: 1 − O(d³)
  aside = value_of(aside) > 1e-18 * reach2 ? sqrt(aside) : T(0.0);
  const double whole = std::min(1.0, leader_.width / own_width_);
  const T common = (T(0.5 * (leader_.width + own_width_)) - aside) * T(1.0 / (own_width_ * whole));
  // how much of a straight, endless row of cells there is
  const T filled = mass * T(spacing_ / reach_ * 35.0 / 32.0);
  return {depth / mass, T(whole) * smooth_step(common) * smooth_step(T(10.0) * filled)};
}

RutBed<double> RutTrace::at(const Vector3& place, ConstVectorRef z) const {
  return find<double>({place.x(), place.y(), place.z()}, [&](int k) {
    std::array<double, kPerCell> cell{};
    for (std::size_t i = 0; i < kPerCell; ++i) {
      cell[i] = z(1 + k * kPerCell + static_cast<Eigen::Index>(i));
    }
    return cell;
  });
}

RutBed<Dual<1>> RutTrace::at(const Vector3& place, const Vector3& velocity, ConstVectorRef z,
                             ConstVectorRef zd) const {
  const auto number = [](double value, double rate) {
    Dual<1> result(value);
    result.slope[0] = rate;
    return result;
  };
  std::array<Dual<1>, 3> moving;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    moving[i] = number(place(row), velocity(row));
  }
  return find<Dual<1>>(moving, [&](int k) {
    std::array<Dual<1>, kPerCell> cell{};
    for (std::size_t i = 0; i < kPerCell; ++i) {
      const Eigen::Index at = 1 + k * kPerCell + static_cast<Eigen::Index>(i);
      cell[i] = number(z(at), zd(at));
    }
    return cell;
  });
}

}  // namespace spacedyn
