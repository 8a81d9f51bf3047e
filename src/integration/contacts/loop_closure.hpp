/// @file
/// Making connections, and keeping loops and motion constraints from step to step.
#pragma once

#include <optional>

#include "integration/contacts/resting_contacts.hpp"
#include "integration/equations/equations_of_motion.hpp"
#include "integration/equations/projection.hpp"

namespace spacedyn {

/// Puts a state onto the motion constraints that hold: gaps become zero by the shortest
/// displacement in the metric of the inertia along which no other row moves, then rates by an
/// impulse. Each robot keeps the momentum that it had before the displacement. Loops stay closed to
/// second order.
/// @returns false after a failure of the equations
bool close_motions(EquationsOfMotion& equations, VectorX& x, double time);

/// Kᵀ of the motion constraints where the kinematics are; without columns where none holds.
MatrixX motion_rows(EquationsOfMotion& equations);

/// Lets a constraint begin to hold that an event connects: rates become zero by an impulse.
/// @throws NumericalError where its points are not where it could hold them
ConnectionRecord begin_motion(std::size_t connection, const MotionConstraint& constraint,
                              EquationsOfMotion& equations, VectorX& x, double time);

/// Puts states onto the loops, and watches how far they are from them.
///
/// Positions move by H⁻¹ Kᵀ λ, the shortest displacement in the metric of the inertia, which has no
/// momentum; the base then turns and moves as a whole until momentum is what it was, and velocities
/// change by the impulse H⁻¹ Kᵀ λ. Corrections are of the size of the method's own error, so its
/// order stays, and linear and angular momentum stay to rounding.
class LoopClosure {
 public:
  /// @param duration  s, of the run: decides on the gains of Baumgarte's method
  LoopClosure(const SimulationSetup& setup, double duration, EquationsOfMotion& equations);

  /// Whether there are loops, connections or motion constraints at all.
  bool is_needed() const { return is_needed_; }
  /// Whether states have to be put onto them.
  bool moves_states() const {
    return is_needed_ && stabilization_ == LoopStabilization::projection;
  }

  /// Puts the state at a time onto the loops, then onto the motion constraints; the equations'
  /// kinematics are then those of x.
  /// @returns false after a failure of the equations
  bool close(EquationsOfMotion& equations, VectorX& x, double time);
  /// Notes the ranks of the loops at such a state of the path, which outputs leave as it is.
  /// @returns false after a failure of the equations
  bool note_ranks(EquationsOfMotion& equations);

  /// Notes rows and redundant loops, after the first evaluation and after each that follows a
  /// change of connections.
  void start(EquationsOfMotion& equations, LoopSummary& summary);
  /// Takes the state of the equations' last evaluation into account.
  void watch(EquationsOfMotion& equations, LoopSummary& summary);

 private:
  /// Adapts the memory to the loops that hold now.
  void follow(const EquationsOfMotion& equations);
  /// Whether the path comes from both sides of a singular posture. @returns false after a failure
  /// @pre the solver is factorized at the state
  bool find_path(EquationsOfMotion& equations);
  bool close_loops(EquationsOfMotion& equations, VectorX& x, double time);
  bool close_positions(EquationsOfMotion& equations, VectorX& x, double time);
  bool close_velocities(EquationsOfMotion& equations, VectorX& x, double time);

  const bool is_needed_;
  const LoopStabilization stabilization_;
  double size_ = 1.0;  // m, of the model
  long changes_ = 0;   // of the loops, that have been followed
  VectorX residual_, change_;
  VectorX sizes_;                  // of residuals, at the last positions
  bool passes_ = false;            // a singular posture, in the last call of close()
  std::optional<double> opening_;  // of the loops where its solver was last factorized
  FreeGroups groups_;
};

/// Makes a connection unless it holds already: points keep their places, the relative velocity goes
/// by an impulse, the energy it costs counts as dissipated. What a bushing stores from the start
/// counts as work.
/// @returns what has happened; without a name if nothing has
/// @throws NumericalError if its points are apart and the action does not snap
ConnectionRecord connect(const ConnectAction& action, const SimulationSetup& setup,
                         EquationsOfMotion& equations, RestingContacts& contacts, VectorX& x,
                         double time);

/// Ends a connection if it holds; what a bushing stored counts as dissipated.
void disconnect(const DisconnectAction& action, EquationsOfMotion& equations, VectorX& x,
                double time);

}  // namespace spacedyn
