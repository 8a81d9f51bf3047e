/// @file
/// What can be recorded of a simulation, and under which column names.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/integration/simulator.hpp"

namespace spacedyn {

/// A group of columns of the result.
enum class Channel {
  state,
  momentum,
  energy,
  frames,
  joint_torque,
  element_energy,   ///< work, dissipated and stored energy of each energy source
  frame_twists,     ///< velocity and angular velocity of each frame
  singular_values,  ///< of the generalized Jacobian of each frame, linear and angular rows apart
  modal_energy,     ///< in each mode of the elastic joints
  element_forces,   ///< what each force element and controller does
  constraints,      ///< residuals and wrench of each loop and connection
  wheels,           ///< sinkage, slip and forces of each wheel and tyre
  contacts,         ///< depth, forces, point and slip of each contact
  actuators,        ///< speed, momentum and torque of each reaction wheel, force of each thruster
  sensors,          ///< the latest reading of each sensor
  accelerations,    ///< of the base and of each frame, linear and angular
  links,            ///< centroid and attitude of each link
  joint_reactions   ///< what carries a link exerts on it, at each joint
};

/// All channels, in the order of their columns.
SPACEDYN_EXPORT const std::vector<Channel>& all_channels();
/// Those that a scenario records unless it says otherwise: the first six.
SPACEDYN_EXPORT const std::vector<Channel>& default_channels();
/// The name used in files, for instance `joint_torque`.
SPACEDYN_EXPORT std::string_view to_string(Channel channel);

/// One column: an identifier ending in its unit, the unit itself, and its place in files that hold
/// arrays instead of columns.
struct Column {
  std::string name;          ///< for instance `joints_elbow_rad`
  std::string unit;          ///< for instance `rad`; empty for pure numbers
  std::string dataset = {};  ///< for instance `/joints/q`
  int index = -1;            ///< in the dataset; −1 where the dataset is this column alone
  std::string frame = {};    ///< axes of a vector, `inertial`; empty where axes mean nothing
  double frequency = 0.0;    ///< Hz, of the mode that a column of `/modes/energy` is about
};

class DerivedColumns;

/// Writes the chosen channels of a point as one row of numbers.
///
/// Columns of a joint start with `joints_<name>_`, those of a frame with `frames_<name>_`; in a
/// name each byte that an identifier cannot hold becomes `_`, and a number is appended where two
/// names would become one. Of several robots, those of a base start with `robots_<name>_`, and
/// momentum and energy of each come after those of the whole. Quaternions have w ≥ 0. Inertial
/// axes. Derived channels compute in memory of their own, so two threads need two layouts. The
/// model must outlive the layout.
///
/// Modal energies are those of the joints with stiffness, all other joints held, the base as free
/// as in the set-up, linearized where the springs are at rest: K φ = ω² M φ with φᵀ M φ = 1, modes
/// by ascending ω, E = ½ (η̇² + ω² η²) with η = φᵀ M (q − q_rest). Strain energies add up to that of
/// the springs exactly; M is H* of the elastic joints, H_m where the base is held.
class SPACEDYN_EXPORT RowLayout {
 public:
  /// @param channels  in the order of their columns
  /// @throws DomainError if a channel is given twice
  RowLayout(const Model& model, std::vector<Channel> channels);
  /// The same for a run: base mode, force elements and controllers count.
  /// @param initial  modes are those of this configuration, its elastic joints at rest
  /// @throws DomainError if a channel is given twice
  RowLayout(const SimulationSetup& setup, const State& initial, std::vector<Channel> channels);
  ~RowLayout();
  RowLayout(RowLayout&&) noexcept;
  RowLayout& operator=(RowLayout&&) noexcept;

  /// Columns, the first being `time_s`.
  const std::vector<Column>& columns() const { return columns_; }
  const std::vector<Channel>& channels() const { return channels_; }
  /// @param row  out: one value per column; allocates nothing
  void fill(const SimulationPoint& point, VectorRef row);

 private:
  RowLayout(const Model& model, const SimulationSetup& setup, const State& initial,
            std::vector<Channel> channels);

  std::vector<Channel> channels_;
  Vector3 gravity_ = Vector3::Zero();
  std::vector<Column> columns_;
  std::vector<std::unique_ptr<DerivedColumns>> derived_;  // one per channel, empty for plain ones
};

/// Receives rows one by one.
class SPACEDYN_EXPORT RowSink {
 public:
  virtual ~RowSink();
  virtual void write(ConstVectorRef row) = 0;
  /// Called between rows, however rarely they come; a buffering sink sees to its old rows here.
  virtual void poll() {}
  /// Makes everything written so far readable for others.
  virtual void flush() = 0;
};

/// Observer that lays out each output point and hands the row to a sink.
class SPACEDYN_EXPORT Recorder : public SimulationObserver {
 public:
  Recorder(RowLayout& layout, RowSink& sink);
  void on_output(const SimulationPoint& point) override;
  bool on_step(double time, const IntegratorStatistics& statistics) override;

 private:
  RowLayout& layout_;
  RowSink& sink_;
  VectorX row_;
};

}  // namespace spacedyn
