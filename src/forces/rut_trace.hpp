/// @file
/// The rut that a wheel leaves, as continuous states of the wheel that follows in it.
#pragma once

#include <array>

#include "forces/wheel_motion.hpp"
#include "math/dual.hpp"
#include "spacedyn/forces/wheel_element.hpp"

namespace spacedyn {

/// What a wheel finds of a rut at one place.
template <typename T>
struct RutBed {
  T depth{};    ///< to which the soil was pressed, m
  T overlap{};  ///< part of the wheel's width that stands in the rut
};

/// What a leading wheel does to its rut.
template <typename T>
struct RutPassing {
  T path{}, speed{}, depth{};  // m, m/s, m
  std::array<T, 3> place{};
};

/// Place and depth of a rut in cells along the path of the wheel that presses it.
///
/// A ring of N cells, Δ apart along the path length s of the leading wheel. As it passes cell k,
/// mass m, place m p and depth m z of the cell approach 1, the wheel's place and its sinkage at the
/// rate c W((s − s_k)/Δ)/Δ ṡ, with ∫W = 1 and c = 8; three cells ahead of it what is N cells old
/// fades by the same rule. At a place a wheel finds the mean of the cells within a radius R,
/// weights m (1 − d²/R²)³, and the overlap of both widths there. All is smooth, and the states
/// z = (s, (m, m p, m z) of each cell) hold the whole memory.
class RutTrace {
 public:
  static constexpr int kCells = 64, kPerCell = 5, kStates = 1 + kCells * kPerCell;

  /// @param least_speed  of the leading wheel, that counts as standing
  RutTrace(WheelElement::Mount leader, double own_width, double length, double least_speed);

  const WheelElement::Mount& leader() const { return leader_; }
  /// Those of one of several traces.
  template <typename Vector>
  static auto states_of(Vector& z, std::size_t trace) {
    return z.template segment<kStates>(static_cast<Eigen::Index>(trace) * kStates);
  }
  void rate(const WheelStance& leader, ConstVectorRef z, VectorRef zd) const;
  RutBed<double> at(const Vector3& place, ConstVectorRef z) const;
  /// With the derivatives in time of a wheel that moves.
  RutBed<Dual<1>> at(const Vector3& place, const Vector3& velocity, ConstVectorRef z,
                     ConstVectorRef zd) const;

  /// ∂(depth, overlap)/∂(place, z), a column each.
  struct BedGradient {
    Eigen::Matrix<double, 2, 3> by_place = Eigen::Matrix<double, 2, 3>::Zero();
    Eigen::Matrix<double, 2, kStates> by_state = Eigen::Matrix<double, 2, kStates>::Zero();
  };
  BedGradient gradient(const Vector3& place, ConstVectorRef z) const;

  /// ∂ż/∂(path, speed, depth, place) of a cell that changes, and its rate, −∂ż/∂z.
  struct CellGradient {
    Eigen::Index first = 0;
    double rate = 0.0;
    Eigen::Matrix<double, kPerCell, 6> by;
  };
  static constexpr std::size_t kChanging = 4;
  /// @param stretch  out: ∂ṡ/∂(velocity of the ground point)
  std::array<CellGradient, kChanging> rate_gradient(const WheelStance& leader, ConstVectorRef z,
                                                    Vector3& stretch) const;

 private:
  /// Sums over cells near a place, of which it makes a bed.
  template <typename T>
  struct Sums {
    T mass{}, depth{};
    std::array<T, 3> offset{};  // of the cells' mean
  };
  template <typename T>
  bool add_cell(const std::array<T, 3>& place, const std::array<T, kPerCell>& cell,
                Sums<T>& sums) const;
  template <typename T>
  RutBed<T> bed_of(const Sums<T>& sums) const;
  template <typename T, typename Cells>
  RutBed<T> find(const std::array<T, 3>& place, const Cells& cells) const;
  double speed(const WheelStance& leader) const;
  /// @param visit  (Eigen::Index first, const std::array<T, kPerCell>& rates, const T& rate)
  template <typename T, typename Visit>
  void for_each_changing_cell(const RutPassing<T>& passing, ConstVectorRef z,
                              const Visit& visit) const;

  WheelElement::Mount leader_;
  double own_width_, spacing_, reach_, least_speed_;
};

}  // namespace spacedyn
