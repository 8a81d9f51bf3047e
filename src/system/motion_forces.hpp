/// @file
/// Forces of the motion constraints of a system that hold. Private.
#pragma once

#include <functional>
#include <vector>

#include "spacedyn/constraints/constrained_dynamics.hpp"
#include "spacedyn/forces/motion_constraint.hpp"
#include "system/system_elements.hpp"

namespace spacedyn {

/// Changes of r = K u̇ − k, of K u − b and of Kᵀ λ, at the same u̇ and λ. Columns as in
/// ForwardDynamicsDerivatives.
struct MotionDerivatives {
  MatrixX residual_configuration, residual_velocity;
  MatrixX rate_configuration;
  MatrixX force_configuration;  ///< (6+n)×(6+n), as in LoadDerivatives
};

/// All rows of all motion constraints at one instant: K u = b, K u̇ = k, with their response
/// G = K H⁻¹ Kᵀ, the loops closed. Rows of constraints that do not hold are zero. Of rows that
/// follow from others, forces are those of least norm.
class MotionForces {
 public:
  explicit MotionForces(const SystemElements& elements);

  bool any_holds(const DiscreteState& discrete) const;
  /// Whether one that holds acts against the inertial frame.
  bool any_on_ground(const DiscreteState& discrete) const;

  /// H⁻¹ of the free coordinates: without loops, and with the loops closed.
  using Response =
      std::function<void(ConstVectorRef force, VectorRef without_loops, VectorRef change)>;
  /// Takes the rows over and factorizes.
  void update(const EvaluationContext& context, const DiscreteState& discrete,
              const Response& respond);

  /// @name After update()
  /// @{
  /// What an impulse does with the rows held: takes from a change of velocities what opens them.
  void restrain(VectorRef change) const;
  /// λ with which H⁻¹ Kᵀ λ changes the rates of the rows by so much.
  VectorX multipliers(const VectorX& rates) const { return inverse_ * rates; }
  /// H⁻¹ Kᵀ λ. @param change  out: size 6 + n
  void respond(const VectorX& lambda, VectorRef change) const;
  const MatrixX& jacobian_transposed() const { return K_T_; }  ///< (6+n)×rows
  const VectorX& rates() const { return rates_; }              ///< K u − b
  const VectorX& gaps() const { return gaps_; }                ///< φ, of rows without one zero
  /// Rows that do not follow from others, and rows that hold.
  int rank() const { return rank_; }
  int holding_rows() const;
  /// Those of them that constrain positions, too.
  std::vector<int> rows_of_positions() const;
  /// Farthest point at which a force acts, m from the origin, or the size of the mechanism: what
  /// gaps are relative to.
  double reach() const;
  double size() const { return size_; }  ///< of the mechanism, m
  /// Elements of the rows of one constraint.
  VectorX part_of(const MotionConstraint& constraint, const VectorX& values) const;
  /// The constraint that a row belongs to.
  const MotionConstraint& owner(Eigen::Index row) const;
  /// @}

  /// No forces yet.
  void clear() { forces_.setZero(); }
  /// Adds the forces that accelerations lack, and to the loads. @pre update() at the instant
  void hold(const EvaluationContext& context, const BaumgarteGains& gains,
            ConstVectorRef acceleration, Loads& loads);
  /// λ since clear(), N, in the order of the forces of the system.
  const VectorX& forces() const { return forces_; }
  /// How rows and forces change; see MotionDerivatives. @pre update() and hold() at the instant
  MotionDerivatives differentiate(const EvaluationContext& context,
                                  const VectorX& acceleration) const;
  /// Closes changes of accelerations, one a column, that leave λ as it is: adds what λ does so that
  /// the rows change by as much as is asked for the other way.
  void close(const MatrixX& residuals, Eigen::Ref<MatrixX> accelerations) const;
  /// Adds to powers what the forces do at imposed velocities.
  void add_powers(std::vector<ElementPower>& powers) const;

 private:
  struct Place {
    const MotionConstraint* element;
    SystemElements::Slot slot;
    std::size_t position;  ///< of the slot
    Eigen::Index first;    ///< row
    std::vector<int> bodies;
    MotionRows rows = {};
    bool holds = false;
  };

  /// All rows that hold, at an instant and as it would be near it.
  void see(const EvaluationContext& there, const EvaluationContext& here,
           const VectorX& acceleration, VectorRef seen) const;
  /// Kᵀ of a row. @param column  out: size 6 + n
  static void fill_row(const EvaluationContext& context, const Place& place, const MotionRows& rows,
                       int row, VectorRef column);

  std::vector<Place> places_;
  double size_;  // m
  MatrixX K_T_, responses_, inverse_;
  VectorX own_, free_, rates_, gaps_, right_, forces_;
  int rank_ = 0;
};

}  // namespace spacedyn
