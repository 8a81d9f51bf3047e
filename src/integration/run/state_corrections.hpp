/// @file
/// What a run does to states besides integrating them.
#pragma once

#include "integration/contacts/loop_closure.hpp"
#include "integration/equations/projection.hpp"
#include "integration/run/run_account.hpp"

namespace spacedyn {

/// Puts states of a run back onto loops, contacts, the momentum and the path of the centroid that
/// they must have.
class StateCorrections {
 public:
  /// @param equations, rigid, account  of the run, must outlive this object
  StateCorrections(const SimulationSetup& setup, double duration, EquationsOfMotion& equations,
                   RigidContacts& rigid, RunAccount& account);

  /// Takes over the loops that hold where the equations are.
  void start_loops() { loops_.start(equations_, account_.result().loops); }
  /// Takes the start as what is kept.
  void start(const AuditPoint& start);
  /// Puts a state onto the loops.
  void close_path(VectorX& x, double time);
  /// Puts the beginning of a step onto the loops, points of rigid contacts onto each other, and
  /// takes away the momentum that is too much; in this order.
  void settle(Step& step);
  /// Puts the end of a step onto the path of the system centroid.
  void keep_centroid_path(const AuditPoint& end, Step& step);
  /// Puts an output inside a step where the run keeps its states.
  void place_inside(VectorX& x, double time);
  const CentroidPath& centroid_path() const { return centroid_path_; }

  void transfer(Archive& archive) { archive(projection_, centroid_path_); }

 private:
  EquationsOfMotion& equations_;
  RigidContacts& rigid_;
  RunAccount& account_;
  const bool projects_;
  LoopClosure loops_;
  MomentumProjection projection_;
  CentroidPath centroid_path_;
};

}  // namespace spacedyn
