/// @file
/// An impulse at an instant, with the stops and the rigid contacts that answer it.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "constraints/complementarity.hpp"
#include "integration/contacts/resting_contacts.hpp"
#include "spacedyn/constraints/assembly_incremental.hpp"
#include "spacedyn/dynamics/tree_motion.hpp"
#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

template <typename T>
bool is_among(const std::vector<T>& list, const T& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

/// What impulses do to the velocities of a system at one configuration, by columns of H⁻¹. Loops
/// and motion constraints keep their impulses: jumps satisfy them.
class ImpulseSolver {
 public:
  /// @param loops  that hold
  /// @param kept_K_T  Kᵀ of motion constraints that hold, (6+n)×rows
  ImpulseSolver(const Model& model, const State& state, const Mobility& mobility,
                const std::vector<Loop>& loops, const MatrixX& kept_K_T);

  /// Rows K of constraints with what they answer: G = K H⁻¹ Kᵀ.
  struct Rows {
    MatrixX K_T;        ///< (6+n)×rows
    MatrixX responses;  ///< H⁻¹ Kᵀ; prescribed rows are zero
    MatrixX G;
    VectorX own;  ///< diagonal of G without loops; empty if rows are independent
  };
  /// @param may_depend  whether rows may follow from each other; loops may always hold them
  /// @throws NumericalError if H of the free coordinates is not positive definite
  Rows rows(MatrixX K_T, bool may_depend) const;

  /// Δu of a generalized impulse, prescribed rows zero.
  VectorX response(const VectorX& impulse) const;
  /// Δu that closes the loops. @param opening  K u of them before
  VectorX closing(const VectorX& opening) const;
  /// The loops' own impulses when they close and another one acts.
  VectorX multipliers(const VectorX& impulse, const VectorX& opening) const;
  bool has_loops() const { return loops_ != nullptr; }

 private:
  VectorX free_response(ConstVectorRef impulse) const;
  VectorX response_in_loops(const VectorX& impulse) const;
  VectorX closing_in_loops(const VectorX& opening) const;
  /// What motion constraints take from a change of velocities.
  VectorX kept_multipliers(const VectorX& change) const {
    return kept_inverse_ * (kept_K_T_.transpose() * change);
  }
  VectorX restrained(const VectorX& change) const {
    return change - kept_responses_ * kept_multipliers(change);
  }

  LoopMotion motion_;  // at the origin, where rows of loops lose no digits
  const Eigen::Index size_;
  mutable TreeWorkspace workspace_;
  std::unique_ptr<IncrementalAssembly> loops_;  // null without loops
  MatrixX kept_K_T_, kept_responses_, kept_inverse_;
};

/// Jᵀ [p; l] of an impulse p through a point of a body and an angular impulse l, size 6 + n.
VectorX generalized_impulse(const Model& model, const LinkFrames& frames, const Frame& at,
                            const Vector3& linear, const Vector3& angular);

/// What changes velocities at an instant.
struct Impact {
  struct Imposed {
    int joint;
    double velocity;  ///< afterwards
  };
  struct Arrival {
    std::size_t stop;
    double restitution;
  };
  struct PointArrival {
    std::size_t point;  ///< of rigid contacts
    double restitution;
    ImpactLaw law;
  };

  VectorX impulse;                ///< Λ of the environment, size 6 + n; empty: none
  AuditIntegrals integrals = {};  ///< impulse and angular impulse of Λ
  std::vector<Imposed> imposed;   ///< by internal impulses of either sign
  std::vector<Arrival> arrivals;  ///< joints that move into a stop, or not at all: q̇⁺ = −e q̇⁻
  std::vector<PointArrival> points;  ///< points that meet
  bool closes_loops = false;         ///< a connection has been made: K u becomes zero

  /// Whether only stops and points that meet change velocities, which never gains energy.
  bool is_collision() const { return impulse.size() == 0 && imposed.empty() && !closes_loops; }
};

/// What an impact did besides changing velocities.
struct ImpactOutcome {
  double energy_lost = 0.0;  ///< J
  VectorX multipliers;       ///< impulses of the loops, where it closed them
  std::vector<double> lost;  ///< at each rigid contact, J; empty if none took part
  double residual = 0.0;     ///< largest violation of a condition of a rigid contact, m/s
  bool failed = false;       ///< no impulses were found; the equations have failed
};

/// Changes velocities; stops at which joints rest and points of rigid contacts push and never pull,
/// and let go what parts.
///
/// All are rows of one ComplementarityProblem. Of joints at stops and of points without friction,
/// velocity + e · (that before) and impulse are not negative and one of them is zero: Newton's law
/// with Moreau's rule, which takes energy away whatever the restitutions. Poisson's law gives the
/// impulse of a compression back times e. With friction either may add energy (Kane); then all
/// restitutions are reduced, by one factor, just until none is added. Momentum of a free system
/// changes by Λ and by what the ground does; the energy is counted.
ImpactOutcome strike(const Impact& impact, EquationsOfMotion& equations, RestingContacts& contacts,
                     VectorX& x, double time);

/// Rows of all that answers an impact: imposed joints, stops, points of rigid contacts.
class ImpactSolution {
 public:
  ImpactSolution(const Impact& impact, EquationsOfMotion& equations, RestingContacts& contacts,
                 VectorX& x);

  /// Changes the velocities in x.
  void solve(ImpactOutcome& outcome);
  /// Counts what the points have done, and what each rigid contact has lost, J.
  void count_points(AuditIntegrals& integrals, bool is_unsupported, std::vector<double>& lost);

 private:
  /// A row of a stop or of a point, and where it stands.
  struct StopRow {
    std::size_t stop;
    double bounce;  // inward velocity that its restitution asks for
  };
  struct PointRow {
    std::size_t point;
    double restitution;
    ImpactLaw law;
    int row;  // of its normal
    bool has_friction;
    RigidPointMotion motion;
  };

  void add_imposed();
  void add_stop(std::size_t stop, double restitution);
  void add_point(std::size_t point, double restitution, ImpactLaw law);
  void add_row(const VectorX& column, const ConstraintRow& row);
  bool is_decided(int joint) const;
  /// K u of the loops.
  VectorX opening() const;
  void assemble();
  bool solve_rows();
  bool solve_phases(double factor);
  bool fail();
  double gained_energy() const;
  void limit_energy();
  /// The least inward velocity afterwards.
  double& least_after(std::size_t stop) { return conditions_[first_stop_ + stop].least; }
  void end_stop(std::size_t i);
  double& velocity(int joint) { return x_(equations_.layout().qd() + joint - 1); }

  const Impact& impact_;
  EquationsOfMotion& equations_;
  RestingContacts& contacts_;
  VectorX& x_;
  std::vector<int> joints_;  // decided
  std::vector<VectorX> columns_;
  std::vector<ConstraintRow> conditions_;
  std::vector<StopRow> stops_;
  std::vector<PointRow> points_;
  std::size_t first_stop_ = 0;
  ImpulseSolver solver_;
  ImpulseSolver::Rows rows_;
  VectorX before_, given_, given_rates_;  // rates K u, Δu of what is given, K Δu
  VectorX reactions_;
  std::vector<bool> active_;
  double residual_ = 0.0;
};

}  // namespace spacedyn
