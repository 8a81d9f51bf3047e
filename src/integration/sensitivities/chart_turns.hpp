/// @file
/// Changes of attitudes, which are kept in charts that move along. Private.
#pragma once

#include <utility>
#include <vector>

#include "integration/equations/layout.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// A change of an attitude in its chart, Exp(θ) A_ref, is one of θ, or a turn ρ of the reference,
/// Exp(θ) Exp(ρ) A_ref = Exp(θ + dexp⁻¹(−θ) ρ) A_ref to first order. Flights that begin apart, or
/// whose charts have moved on, differ in references. Inverse attitudes of spherical joints are kept
/// at −θ.
class ChartTurns {
 public:
  /// @param columns  of changes; no references are turned
  ChartTurns(const Model& model, Eigen::Index columns) : rows_(1, {StateLayout::theta, 1.0}) {
    for (const int first : model.spherical_joints()) {
      rows_.push_back({StateLayout::q + first - 1, -1.0});
    }
    turns_ = MatrixX::Zero(3 * static_cast<Eigen::Index>(rows_.size()), columns);
  }

  /// Adds what the turns are as changes of x.
  void add_to(const VectorX& x, Eigen::Ref<MatrixX> changes) const {
    for_each([&](int row, double sign, Eigen::Index own) {
      changes.middleRows<3>(row) +=
          sign * dexp_inverse_so3(-sign * x.segment<3>(row)) * turns_.middleRows<3>(own);
    });
  }
  /// Takes the turns out of whole changes of x.
  /// @param has_moved  whether charts have: those at their references are turned by all of it then
  void take_from(const VectorX& x, bool has_moved, Eigen::Ref<MatrixX> changes) {
    for_each([&](int row, double sign, Eigen::Index own) {
      if (has_moved && x.segment<3>(row).isZero(0.0)) {
        turns_.middleRows<3>(own) = sign * changes.middleRows<3>(row);
        changes.middleRows<3>(row).setZero();
        return;
      }
      changes.middleRows<3>(row) -=
          sign * dexp_inverse_so3(-sign * x.segment<3>(row)) * turns_.middleRows<3>(own);
    });
  }
  /// Rotation vectors of the attitudes themselves, on the left, of spherical joints on the right.
  void to_displacements(const VectorX& x, Eigen::Ref<MatrixX> changes) const {
    for_each([&](int row, double sign, Eigen::Index) {
      changes.middleRows<3>(row) =
          (dexp_so3(sign * x.segment<3>(row)) * changes.middleRows<3>(row)).eval();
    });
  }
  /// Calls with the first row of each, its side and its first turn.
  template <typename Call>
  void for_each(const Call& call) const {
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      call(rows_[k].first, rows_[k].second, 3 * static_cast<Eigen::Index>(k));
    }
  }

 private:
  std::vector<std::pair<int, double>> rows_;
  MatrixX turns_;
};

}  // namespace spacedyn
