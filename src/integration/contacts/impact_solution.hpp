/// @file
/// One impact while it is carried out. Private to impact.cpp and impact_solution.cpp.
#pragma once

#include "integration/contacts/impact.hpp"

namespace spacedyn {

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
