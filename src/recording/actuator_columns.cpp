#include <algorithm>

#include "recording/derived_columns.hpp"
#include "spacedyn/control/attitude_pd.hpp"
#include "spacedyn/control/momentum_dumping.hpp"
#include "spacedyn/forces/magnetic_torquer.hpp"
#include "spacedyn/forces/reaction_wheels.hpp"
#include "spacedyn/forces/thruster_force.hpp"
#include "system/system_elements.hpp"

namespace spacedyn {
namespace {

/// The torquers to which a controller gives dipoles; null if to none.
const TorquerAllocation* magnetized_by(const Controller& controller) {
  if (const auto* dumping = dynamic_cast<const MomentumDumping*>(&controller)) {
    return dumping->torquers();
  }
  const auto* attitude = dynamic_cast<const AttitudePd*>(&controller);
  return attitude == nullptr ? nullptr : attitude->torquers();
}

/// Speed, spin momentum and motor torque of each reaction wheel; force of each thruster; dipole of
/// each torquer; singularity measure of gyros that a controller steers.
class ActuatorColumns final : public DerivedColumns {
 public:
  ActuatorColumns(const ForcedSystem& system, ColumnNames& names)
      : system_(system), wheels_(wheel_joints(*system_.model)) {
    for (const int joint : wheels_) {
      add_actuator(system_.model->joint(joint).name,
                   {{"speed", "_speed_rad_s", "rad/s"},
                    {"momentum", "_momentum_N_m_s", "N m s"},
                    {"torque", "_torque_N_m", "N m"}},
                   names);
    }
    for (const Thruster& thruster : system_.model->thrusters()) {
      add_actuator(thruster.name, {{"force", "_force_N", "N"}}, names);
      sources_.emplace_back();
      tanks_.push_back(-1);
      for (std::size_t i = 0; i < system_.model->tanks().size(); ++i) {
        if (system_.model->tanks()[i].name == thruster.drive.tank) {
          tanks_.back() = static_cast<int>(i);
        }
      }
      for (const auto& force : system_.forces) {
        const auto* source = dynamic_cast<const ThrusterForce*>(force.get());
        if (source != nullptr && source->thruster().name == thruster.name) {
          sources_.back().push_back(source);
        }
      }
    }
    for (const auto& force : system_.forces) {
      const auto* torquer = dynamic_cast<const MagneticTorquer*>(force.get());
      if (torquer == nullptr) continue;
      add_actuator(torquer->name(), {{"dipole", "_dipole_A_m2", "A m²"}}, names);
      torquers_.push_back(torquer);
    }
    find_openers();
    for (const auto& controller : system_.controllers) {
      const auto* attitude = dynamic_cast<const AttitudePd*>(controller.get());
      if (attitude == nullptr || attitude->gyros() == nullptr) continue;
      add_actuator(attitude->name(), {{"singularity", "_singularity", ""}}, names);
      steered_.push_back(
          {attitude->gyros()->settings().gimbals, GyroCluster(attitude->gyros()->size())});
    }
  }

  void fill(const SimulationPoint& point, VectorRef values) override {
    Eigen::Index next = 0;
    for (const int joint : wheels_) {
      const WheelDrive& drive = *point.model.wheel(joint);
      const double speed = point.state.qd(joint - 1);
      values(next++) = speed;
      values(next++) = drive.spin_inertia * speed;
      values(next++) = point.forces(joint + 5) - friction_torque(drive, speed);
    }
    const Eigen::Index first = next;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      double force = 0.0;
      const bool is_fed = !is_shut(static_cast<Eigen::Index>(i), point.discrete);
      for (const ThrusterForce* source : sources_[i]) {
        if (is_fed) force += source->thruster().drive.force * source->opening(point.time);
      }
      values(next++) = force;
    }
    for (const MagneticTorquer* torquer : torquers_) values(next++) = torquer->dipole(point.time);
    for (Steered& steered : steered_) {
      compute_gyro_cluster(point.model, point.frames, point.state.qd, steered.gimbals,
                           steered.cluster);
      values(next++) = steered.cluster.singularity;
    }
    for (Opener& opener : openers_) {
      const DiscreteState::ControllerState& state = point.discrete.controllers[opener.controller];
      if (!state.acts()) continue;
      const Controller& controller = *system_.controllers[opener.controller];
      if (state.valves.size() > 0) {
        controller.nozzles()->openings(state.valves, state.command, point.time, opener.command);
      } else if (controller.sample_period() > 0.0) {
        opener.command = state.command;
      } else {
        controller.command(context_of(point), opener.command);
      }
      for (std::size_t k = 0; k < opener.columns.size(); ++k) {
        const auto i = static_cast<Eigen::Index>(k);
        if (opener.columns[k] < 0 || is_shut(opener.columns[k], point.discrete)) continue;
        values(first + opener.columns[k]) += opener.scale(i) * opener.command(i);
      }
    }
  }

 private:
  /// A controller that opens thrusters or gives torquers dipoles.
  struct Opener {
    std::size_t controller;
    std::vector<Eigen::Index> columns;  // after those of wheels, −1 without one
    VectorX scale;                      // force of a thruster that is open, N; 1 of torquers
    VectorX command;
  };
  /// Whether a column after those of wheels is that of a thruster whose tank is empty.
  bool is_shut(Eigen::Index column, const DiscreteState& discrete) const {
    const auto i = static_cast<std::size_t>(column);
    return i < tanks_.size() && tanks_[i] >= 0 &&
           discrete.tank_is_empty[static_cast<std::size_t>(tanks_[i])];
  }
  void find_openers() {
    for (std::size_t i = 0; i < system_.controllers.size(); ++i) {
      const Controller& controller = *system_.controllers[i];
      Opener opener{i,
                    {},
                    VectorX::Ones(controller.command_size()),
                    VectorX::Zero(controller.command_size())};
      if (const ThrusterAllocation* nozzles = controller.nozzles()) {
        for (const Thruster& opened : nozzles->thrusters()) add_thruster(opened, opener);
      } else if (const TorquerAllocation* torquers = magnetized_by(controller)) {
        for (const Torquer& torquer : torquers->torquers()) add_torquer(torquer, opener);
      } else {
        continue;
      }
      openers_.push_back(std::move(opener));
    }
  }
  struct Steered {
    std::vector<int> gimbals;
    GyroCluster cluster;
  };
  void add_thruster(const Thruster& opened, Opener& opener) const {
    const auto& all = system_.model->thrusters();
    const auto named = std::find_if(all.begin(), all.end(),
                                    [&](const Thruster& each) { return each.name == opened.name; });
    opener.scale(static_cast<Eigen::Index>(opener.columns.size())) = opened.drive.force;
    opener.columns.push_back(named - all.begin());
  }
  /// A torquer that is no force of the system has no column.
  void add_torquer(const Torquer& magnetized, Opener& opener) const {
    const auto named =
        std::find_if(torquers_.begin(), torquers_.end(),
                     [&](const MagneticTorquer* each) { return each->name() == magnetized.name; });
    const auto first = static_cast<Eigen::Index>(sources_.size());
    opener.columns.push_back(named == torquers_.end() ? -1 : first + (named - torquers_.begin()));
  }

  struct Quantity {
    const char* dataset;
    const char* suffix;
    const char* unit;
  };
  void add_actuator(const std::string& name, const std::vector<Quantity>& quantities,
                    ColumnNames& names) {
    std::vector<Suffix> suffixes;
    for (const Quantity& quantity : quantities)
      suffixes.emplace_back(quantity.suffix, quantity.unit);
    const std::string stem = names.reserve("actuators", name, suffixes);
    const std::string group = group_of("actuators", stem);
    for (const Quantity& quantity : quantities) {
      add(group + '/' + quantity.dataset, Column{stem + quantity.suffix, quantity.unit});
    }
  }

  const ForcedSystem system_;
  std::vector<int> wheels_;
  std::vector<std::vector<const ThrusterForce*>> sources_;  // of each thruster
  std::vector<const MagneticTorquer*> torquers_;
  std::vector<Opener> openers_;
  std::vector<Steered> steered_;
  std::vector<int> tanks_;  // likewise, −1 if it has none
};

}  // namespace

std::unique_ptr<DerivedColumns> actuator_columns(const ForcedSystem& system, ColumnNames& names) {
  return std::make_unique<ActuatorColumns>(system, names);
}

}  // namespace spacedyn
