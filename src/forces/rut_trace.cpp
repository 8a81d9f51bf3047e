#include "forces/rut_trace.hpp"

#include <algorithm>
#include <cmath>

#include "math/smooth_step.hpp"

namespace spacedyn {
namespace {

constexpr double kWriting = 8.0;  // c
constexpr int kAhead = 3;         // cells

/// Where a cell is in the ring; stages of a step may lead behind the start or nowhere.
int place_in_ring(double cell) {
  if (!std::isfinite(cell)) return 0;
  const int place = static_cast<int>(std::fmod(cell, RutTrace::kCells));
  return place < 0 ? place + RutTrace::kCells : place;
}

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

double RutTrace::speed(const WheelStance& leader) const {
  return std::sqrt(leader.ground_velocity().squaredNorm() + least_speed_ * least_speed_) -
         least_speed_;
}

template <typename T, typename Visit>
void RutTrace::for_each_changing_cell(const RutPassing<T>& passing, ConstVectorRef z,
                                      const Visit& visit) const {
  const T cell = passing.path / T(spacing_);
  const double first = std::floor(value_of(cell));
  const T past = cell - T(first);
  const std::array<T, 3>& place = passing.place;
  const std::array<T, kPerCell> written{T(1.0), place[0], place[1], place[2], passing.depth};
  const auto change = [&](int ahead, const T& offset, const std::array<T, kPerCell>& goal) {
    // ∫(1 − u²)³ du = 32/35
    const T rate = T(kWriting * 35.0 / 32.0) * bump(offset * offset) * passing.speed / T(spacing_);
    const Eigen::Index own = 1 + Eigen::Index{place_in_ring(first + ahead)} * kPerCell;
    std::array<T, kPerCell> rates;
    for (std::size_t i = 0; i < kPerCell; ++i) {
      rates[i] = rate * (goal[i] - T(z(own + static_cast<Eigen::Index>(i))));
    }
    visit(own, rates, rate);
  };
  for (const int near : {0, 1}) {
    change(near, past - T(near), written);
    change(near + kAhead, past - T(near), {});
  }
}

void RutTrace::rate(const WheelStance& leader, ConstVectorRef z, VectorRef zd) const {
  zd.setZero();
  const Vector3& point = leader.ground.point;
  const RutPassing<double> passing{
      z(0), speed(leader), std::max(0.0, leader.sinkage), {point.x(), point.y(), point.z()}};
  zd(0) = passing.speed;
  for_each_changing_cell(passing, z, [&](Eigen::Index first, const auto& rates, double) {
    for (std::size_t i = 0; i < kPerCell; ++i) zd(first + static_cast<Eigen::Index>(i)) = rates[i];
  });
}

std::array<RutTrace::CellGradient, RutTrace::kChanging> RutTrace::rate_gradient(
    const WheelStance& leader, ConstVectorRef z, Vector3& stretch) const {
  using Number = Dual<6>;
  const Vector3 flow = leader.ground_velocity();
  stretch = flow / std::sqrt(flow.squaredNorm() + least_speed_ * least_speed_);
  RutPassing<Number> passing;
  passing.path = Number::variable(z(0), 0);
  passing.speed = Number::variable(speed(leader), 1);
  passing.depth = Number::variable(std::max(0.0, leader.sinkage), 2);
  for (int i = 0; i < 3; ++i) {
    passing.place[static_cast<std::size_t>(i)] = Number::variable(leader.ground.point(i), 3 + i);
  }
  std::array<CellGradient, kChanging> cells;
  std::size_t count = 0;
  for_each_changing_cell(passing, z, [&](Eigen::Index first, const auto& rates, const auto& rate) {
    CellGradient& cell = cells[count++];
    cell.first = first;
    cell.rate = rate.value;
    for (std::size_t i = 0; i < kPerCell; ++i) {
      for (std::size_t k = 0; k < 6; ++k) {
        cell.by(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = rates[i].slope[k];
      }
    }
  });
  return cells;
}

/// @returns whether the cell is near the place
template <typename T>
bool RutTrace::add_cell(const std::array<T, 3>& place, const std::array<T, kPerCell>& cell,
                        Sums<T>& sums) const {
  const double reach2 = reach_ * reach_;
  if (!(value_of(cell[0]) > 1e-9)) return false;
  std::array<T, 3> away;
  T square(0.0);
  for (std::size_t i = 0; i < 3; ++i) {
    away[i] = cell[i + 1] / cell[0] - place[i];
    square += away[i] * away[i];
  }
  if (!(value_of(square) < reach2)) return false;
  const T weight = bump(square * T(1.0 / reach2));
  sums.mass += cell[0] * weight;
  sums.depth += cell[4] * weight;
  for (std::size_t i = 0; i < 3; ++i) sums.offset[i] += cell[0] * weight * away[i];
  return true;
}

template <typename T>
RutBed<T> RutTrace::bed_of(const Sums<T>& sums) const {
  using std::sqrt;
  const T& mass = sums.mass;
  if (!(value_of(mass) > 1e-9)) return {};
  T aside(0.0);
  for (const T& part : sums.offset) aside += (part / mass) * (part / mass);
  // near the middle of the rut the overlap is flat: 1 − O(d³)
  aside = value_of(aside) > 1e-18 * reach_ * reach_ ? sqrt(aside) : T(0.0);
  const double whole = std::min(1.0, leader_.width / own_width_);
  const T common = (T(0.5 * (leader_.width + own_width_)) - aside) * T(1.0 / (own_width_ * whole));
  // how much of a straight, endless row of cells there is
  const T filled = mass * T(spacing_ / reach_ * 35.0 / 32.0);
  return {sums.depth / mass, T(whole) * smooth_step(common) * smooth_step(T(10.0) * filled)};
}

template <typename T, typename Cells>
RutBed<T> RutTrace::find(const std::array<T, 3>& place, const Cells& cells) const {
  Sums<T> sums;
  for (int k = 0; k < kCells; ++k) add_cell<T>(place, cells(k), sums);
  return bed_of(sums);
}

RutTrace::BedGradient RutTrace::gradient(const Vector3& place, ConstVectorRef z) const {
  using Local = Dual<3 + kPerCell>;  // of one cell: by the place, by its own states
  using Summed = Dual<5>;
  std::array<Local, 3> at;
  for (int i = 0; i < 3; ++i) at[static_cast<std::size_t>(i)] = Local::variable(place(i), i);
  Sums<double> sums;
  Eigen::Matrix<double, 5, 3> by_place = Eigen::Matrix<double, 5, 3>::Zero();
  Eigen::Matrix<double, 5, kStates> by_state = Eigen::Matrix<double, 5, kStates>::Zero();
  for (int k = 0; k < kCells; ++k) {
    std::array<Local, kPerCell> cell;
    for (int i = 0; i < kPerCell; ++i) {
      cell[static_cast<std::size_t>(i)] = Local::variable(z(1 + k * kPerCell + i), 3 + i);
    }
    Sums<Local> part;
    if (!add_cell<Local>(at, cell, part)) continue;
    const std::array<const Local*, 5> parts{&part.mass, &part.depth, part.offset.data(),
                                            &part.offset[1], &part.offset[2]};
    for (int row = 0; row < 5; ++row) {
      const auto& slope = parts[static_cast<std::size_t>(row)]->slope;
      for (std::size_t i = 0; i < 3; ++i) by_place(row, static_cast<Eigen::Index>(i)) += slope[i];
      for (std::size_t i = 0; i < kPerCell; ++i) {
        by_state(row, 1 + k * kPerCell + static_cast<Eigen::Index>(i)) = slope[3 + i];
      }
    }
    sums.mass += part.mass.value;
    sums.depth += part.depth.value;
    for (std::size_t i = 0; i < 3; ++i) sums.offset[i] += part.offset[i].value;
  }
  Sums<Summed> whole;
  whole.mass = Summed::variable(sums.mass, 0);
  whole.depth = Summed::variable(sums.depth, 1);
  for (int i = 0; i < 3; ++i) {
    const auto k = static_cast<std::size_t>(i);
    whole.offset[k] = Summed::variable(sums.offset[k], 2 + i);
  }
  const RutBed<Summed> bed = bed_of(whole);
  Eigen::Matrix<double, 2, 5> by_sums;
  for (int i = 0; i < 5; ++i) {
    const auto k = static_cast<std::size_t>(i);
    by_sums.col(i) << bed.depth.slope[k], bed.overlap.slope[k];
  }
  BedGradient gradient;
  gradient.by_place.noalias() = by_sums * by_place;
  gradient.by_state.noalias() = by_sums * by_state;
  return gradient;
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
