/// @file
/// All force elements and controllers of a run, with their shares of z and their held commands.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "control/load_differentiator.hpp"
#include "integration/archive.hpp"
#include "spacedyn/control/controller.hpp"
#include "spacedyn/forces/dry_friction.hpp"
#include "spacedyn/forces/element.hpp"
#include "spacedyn/forces/passive_joints.hpp"
#include "spacedyn/integration/energy_sources.hpp"

namespace spacedyn {

/// Power of one element, W.
struct ElementPower {
  double loads = 0.0;   ///< what its loads do on the bodies
  double stored = 0.0;  ///< dV/dt
  double dissipated = 0.0;

  double work() const { return loads + stored + dissipated; }
};

/// Calls each element with its own auxiliary states and remembers what sampled controllers hold.
class ElementSet {
 public:
  /// The joints' own elements, then those given; auxiliary states of joints come last.
  ElementSet(const Model& model, const std::vector<std::shared_ptr<const ForceElement>>& forces,
             const std::vector<std::shared_ptr<const Controller>>& controllers);

  /// Whether some element looks at frames and velocities of links at each evaluation.
  bool uses_links() const;
  int auxiliary_size() const { return static_cast<int>(auxiliary_names_.size()); }
  /// `state 1 of 'motor'` and so on, one name per auxiliary state.
  const std::vector<std::string>& auxiliary_names() const { return auxiliary_names_; }
  void initial_auxiliary(VectorRef z) const;

  /// Lets every controller with a sample instant at or before the situation compute its command,
  /// and commands whose delay is over take effect.
  void sample(const Situation& situation);
  /// The next instant at which a controller samples or its command takes effect; infinite if none.
  double next_sample() const;

  /// A controller that is off commands nothing; one that samples begins again at its next instant.
  void switch_controller(const std::string& name, bool on);

  /// Adds all loads; continuous controllers compute their commands first.
  /// @param loads          without any before
  /// @param power_of_loads power of the loads so far, W: asked after each element
  void apply(const Situation& situation, Loads& loads,
             const std::function<double()>& power_of_loads);
  void auxiliary_rate(const Situation& situation, VectorRef zd) const;

  /// Size of the largest command of all controllers.
  int largest_command() const;
  /// Adds derivatives of all loads and of ż; commands between samples are held.
  void differentiate(const LoadDifferentiator::Point& point, LoadDifferentiator& differentiator,
                     LoadDerivatives& derivatives) const;

  /// Held commands, next sample instants, and who is on.
  void transfer(Archive& archive);

  /// The force elements, then the controllers; everything below is in this order.
  std::vector<EnergySource> energy_sources() const;
  double stored_energy(const Situation& situation) const;
  /// One number for each element.
  void stored_energies(const Situation& situation, std::vector<SourceEnergy>& sources) const;
  /// At the situation of the last apply().
  const std::vector<ElementPower>& powers(const Situation& situation);

 private:
  using Share = AuxiliaryShare;
  struct ForceSlot {
    const ForceElement* element;
    Share share;
  };
  struct ControllerSlot {
    const Controller* controller;
    Share share;
    double period;
    long next_index;  // of the next sample instant, next_index · period
    VectorX command;
    Digitization digitization = {};
    std::vector<VectorX> delayed = {};  // commands on their way, one for each sample instant, in a
                                        // ring; memory for all that a delay can hold back
    long first_delayed = 0;             // sample instant of the oldest of them
    bool on = true;

    double instant(long index) const { return static_cast<double>(index) * period; }
    double next_effect() const;
    VectorX& delayed_command(long index) {
      return delayed[static_cast<std::size_t>(index) % delayed.size()];
    }
  };
  ControllerSlot make_slot(const Controller& controller, Share share) const;
  void compute_command(const Situation& situation, ControllerSlot& slot, VectorX& command);
  /// Sends delayed commands on their way and takes those that have arrived.
  void pass_on(ControllerSlot& slot, double now);
  Share take_share(const Element& element);

  PassiveJoints passive_joints_;
  DryFriction dry_friction_;
  std::vector<std::string> auxiliary_names_;
  std::vector<ForceSlot> forces_;
  std::vector<ControllerSlot> controllers_;
  std::vector<ElementPower> powers_;
  State read_;  // what a controller reads of joints with coarse sensors
};

}  // namespace spacedyn
