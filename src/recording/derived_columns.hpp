/// @file
/// Channels that need computing of their own, each with its memory, and the loops that hold at the
/// points of a run, as events connect and disconnect. Private.
#pragma once

#include <memory>
#include <vector>

#include "recording/column_names.hpp"
#include "spacedyn/constraints/loop_equations.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/system/discrete_state.hpp"
#include "spacedyn/system/forced_system.hpp"

namespace spacedyn {

/// The columns of one channel and how to compute them.
class DerivedColumns {
 public:
  virtual ~DerivedColumns();

  const std::vector<Column>& columns() const { return columns_; }
  /// @param values  out: one per column; allocates nothing
  virtual void fill(const SimulationPoint& point, VectorRef values) = 0;

 protected:
  void add_vectors(const ColumnPlace& place, const VectorList& vectors,
                   const std::string& frame = kInertialAxes) {
    append_vectors(place, vectors, frame, columns_);
  }
  /// Appends columns that form one dataset.
  void add(const std::string& dataset, const std::string& frame,
           const std::vector<Column>& names_and_units);
  /// Appends a column that is a dataset by itself.
  void add(const std::string& dataset, const Column& name_and_unit) {
    columns_.push_back({name_and_unit.name, name_and_unit.unit, dataset});
  }

 private:
  std::vector<Column> columns_;
};

/// What elements see at a point of a simulation, with the whole of z.
inline EvaluationContext context_of(const SimulationPoint& point) {
  return {point.time,    point.model, point.state, point.frames, point.velocities,
          point.state.z, nullptr,     nullptr,     nullptr,      &point.discrete.events};
}

/// Ends of the column names of the singular values of a frame's Jacobian, linear, then angular.
/// The unit of a singular value is that of the frame's motion over that of the joints'.
const std::vector<Suffix>& singular_value_suffixes();

/// Velocity and angular velocity of each frame.
/// @param stems  of column names, one per frame
std::unique_ptr<DerivedColumns> frame_twists(const Model& model,
                                             const std::vector<std::string>& stems);

/// Singular values of J* of each frame, those of its linear and its angular rows apart, for they
/// have different units; J_m where the base does not answer the joints.
std::unique_ptr<DerivedColumns> singular_values(const Model& model, BaseMode base_mode,
                                                const std::vector<std::string>& stems);

/// Energy in each mode of the elastic joints, all other joints held: K φ = ω² M φ, φᵀ M φ = 1 with
/// the inertia M that these joints feel; E = ½ (η̇² + ω² η²), η = φᵀ M (q − q_rest).
/// @param reference  configuration of the other joints; elastic ones are taken at rest
std::unique_ptr<DerivedColumns> modal_energy(const Model& model, BaseMode base_mode,
                                             const State& reference);

/// Work, dissipated and stored energy of each of energy_sources(); no columns for what is always 0.
std::unique_ptr<DerivedColumns> element_energy(const SimulationSetup& setup, ColumnNames& names);

/// What each force element and controller does: external force, its moment about the system
/// centroid, and joint torques. What is off does nothing; what is held is what acts.
/// @param joint_suffixes  ends of the torque columns, one per joint
std::unique_ptr<DerivedColumns> element_forces(const ForcedSystem& system,
                                               const std::vector<Suffix>& joint_suffixes,
                                               ColumnNames& names);

/// Residuals of each loop and connection, and what it exerts on its second body, about its first
/// point in the axes of that; of couplings of joints residual and multiplier. A connection that
/// does not hold has zeros.
std::unique_ptr<DerivedColumns> loop_columns(const ForcedSystem& system, ColumnNames& names);

/// What elements declare for a channel, a dataset for each quantity.
std::unique_ptr<DerivedColumns> declared_columns(const ForcedSystem& system,
                                                 const std::string& channel, ColumnNames& names);

/// Depth, forces, point and slip of each contact, a dataset each.
std::unique_ptr<DerivedColumns> contact_columns(const ForcedSystem& system, ColumnNames& names);

/// Speed, momentum and torque of each reaction wheel, force of each thruster, a dataset each.
std::unique_ptr<DerivedColumns> actuator_columns(const ForcedSystem& system, ColumnNames& names);

/// Acceleration and angular acceleration of each base and of each frame.
/// @param stems  of column names, one per frame
std::unique_ptr<DerivedColumns> acceleration_columns(const Model& model,
                                                     const std::vector<ColumnPlace>& bases,
                                                     const std::vector<std::string>& stems);

/// Centroid and attitude of each link that is a body of its own.
std::unique_ptr<DerivedColumns> link_columns(const Model& model, ColumnNames& names);

/// What carries a link exerts on it and all beyond, about the origin of the link's frame, in the
/// axes that the file gives the link; a dataset for each joint.
/// @param stems  of column names, one per joint
std::unique_ptr<DerivedColumns> reaction_columns(const ForcedSystem& system,
                                                 const std::vector<std::string>& stems,
                                                 ColumnNames& names);

/// The latest reading of each sensor.
std::unique_ptr<DerivedColumns> sensor_columns(const ForcedSystem& system, ColumnNames& names);

/// The equations of the loops of a system, formed anew only when its connections change.
class FollowedLoops {
 public:
  /// @param system  must outlive this
  explicit FollowedLoops(const ForcedSystem& system)
      : system_(system),
        discrete_(system),
        loops_(*system.model, active_loops(system, discrete_)) {}

  const LoopEquations& at(const DiscreteState& now) {
    if (has_changed(now)) {
      discrete_ = now;
      loops_ = LoopEquations(*system_.model, active_loops(system_, discrete_));
    }
    return loops_;
  }

 private:
  bool has_changed(const DiscreteState& now) const {
    for (std::size_t i = 0; i < now.connections.size(); ++i) {
      if (now.connections[i].active != discrete_.connections[i].active ||
          now.connections[i].position != discrete_.connections[i].position ||
          now.connections[i].rotation != discrete_.connections[i].rotation) {
        return true;
      }
    }
    return false;
  }

  const ForcedSystem& system_;
  DiscreteState discrete_;  // that the equations are of
  LoopEquations loops_;
};

}  // namespace spacedyn
