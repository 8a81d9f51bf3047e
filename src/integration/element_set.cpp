#include "integration/element_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "integration/timeline.hpp"

namespace spacedyn {
namespace {

/// Shows an element its share; the situation itself where it owns all of z, or nobody owns any.
template <typename Share, typename Visit>
void show(const Situation& whole, const Share& share, Visit visit) {
  if (share.size == whole.auxiliary.size()) {
    visit(whole);
  } else {
    visit(share_of(whole, share));
  }
}

constexpr double kNever = std::numeric_limits<double>::infinity();

/// Nearest multiples of a resolution.
void round_to(double resolution, VectorX& values) {
  if (resolution == 0.0) return;
  for (double& value : values) value = resolution * std::round(value / resolution);
}

}  // namespace

ElementSet::ElementSet(const Model& model,
                       const std::vector<std::shared_ptr<const ForceElement>>& forces,
                       const std::vector<std::shared_ptr<const Controller>>& controllers)
    : dry_friction_(model), read_(model) {
  if (has_passive_joints(model)) forces_.push_back({&passive_joints_, {}});
  for (const auto& force : forces) forces_.push_back({force.get(), take_share(*force)});
  for (const auto& controller : controllers) {
    controllers_.push_back(make_slot(*controller, take_share(*controller)));
  }
  if (dry_friction_.auxiliary_size() > 0) {
    forces_.push_back({&dry_friction_, take_share(dry_friction_)});
  }
  powers_.resize(forces_.size() + controllers_.size());
}

bool ElementSet::uses_links() const {
  const auto forces = [](const ForceSlot& slot) { return slot.element->uses_links(); };
  const auto controllers = [](const ControllerSlot& slot) { return slot.controller->uses_links(); };
  return std::any_of(forces_.begin(), forces_.end(), forces) ||
         std::any_of(controllers_.begin(), controllers_.end(), controllers);
}

ElementSet::Share ElementSet::take_share(const Element& element) {
  const Share share{auxiliary_size(), element.auxiliary_size()};
  for (int i = 1; i <= share.size; ++i) {
    auxiliary_names_.push_back("state " + std::to_string(i) + " of '" + element.name() + "'");
  }
  return share;
}

void ElementSet::initial_auxiliary(VectorRef z) const {
  for (const ForceSlot& slot : forces_) {
    if (slot.share.size == 0) continue;
    slot.element->auxiliary_initial(z.segment(slot.share.offset, slot.share.size));
  }
  for (const ControllerSlot& slot : controllers_) {
    if (slot.share.size == 0) continue;
    slot.controller->auxiliary_initial(z.segment(slot.share.offset, slot.share.size));
  }
}

ElementSet::ControllerSlot ElementSet::make_slot(const Controller& controller, Share share) const {
  ControllerSlot slot;
  slot.controller = &controller;
  slot.share = share;
  slot.period = controller.sample_period();
  slot.next_index = 0;
  slot.command = VectorX::Zero(controller.command_size());
  slot.digitization = controller.digitization();
  if (slot.period > 0.0 && slot.digitization.delay > 0.0) {
    const auto most = static_cast<std::size_t>(slot.digitization.delay / slot.period) + 3;
    slot.delayed.assign(most, slot.command);
  }
  return slot;
}

double ElementSet::ControllerSlot::next_effect() const {
  if (delayed.empty() || first_delayed == next_index) return kNever;
  return instant(first_delayed) + digitization.delay;
}

void ElementSet::sample(const Situation& situation) {
  for (ControllerSlot& slot : controllers_) {
    if (slot.period == 0.0) continue;
    const double now = latest_same_instant(situation.time);
    while (slot.instant(slot.next_index) <= now) {
      VectorX& command =
          slot.delayed.empty() ? slot.command : slot.delayed_command(slot.next_index);
      if (slot.on) compute_command(situation, slot, command);
      ++slot.next_index;
    }
    pass_on(slot, now);
  }
}

void ElementSet::pass_on(ControllerSlot& slot, double now) {
  while (slot.next_effect() <= now) {
    if (slot.on) slot.command = slot.delayed_command(slot.first_delayed);
    ++slot.first_delayed;
  }
}

void ElementSet::compute_command(const Situation& situation, ControllerSlot& slot,
                                 VectorX& command) {
  const Digitization& digital = slot.digitization;
  if (digital.position_resolution == 0.0 && digital.velocity_resolution == 0.0) {
    slot.controller->command(share_of(situation, slot.share), command);
  } else {
    read_ = situation.state;
    round_to(digital.position_resolution, read_.q);
    round_to(digital.velocity_resolution, read_.qd);
    const Situation seen{situation.time,   situation.model,      read_,
                         situation.frames, situation.velocities, situation.auxiliary};
    slot.controller->command(share_of(seen, slot.share), command);
  }
  round_to(digital.command_resolution, command);
}

void ElementSet::switch_controller(const std::string& name, bool on) {
  for (ControllerSlot& slot : controllers_) {
    if (slot.controller->name() != name || slot.on == on) continue;
    slot.on = on;
    slot.command.setZero();
    slot.first_delayed = slot.next_index;
  }
}

void ElementSet::transfer(Archive& archive) {
  for (ControllerSlot& slot : controllers_) {
    archive(slot.next_index, slot.command, slot.on, slot.first_delayed);
    for (VectorX& command : slot.delayed) archive(command);
  }
}

double ElementSet::next_sample() const {
  double next = kNever;
  for (const ControllerSlot& slot : controllers_) {
    if (slot.period == 0.0) continue;
    next = std::min({next, slot.instant(slot.next_index), slot.next_effect()});
  }
  return next;
}

void ElementSet::apply(const Situation& situation, Loads& loads,
                       const std::function<double()>& power_of_loads) {
  auto power = powers_.begin();
  double sum = 0.0;
  const auto weigh = [&] {
    const double before = sum;
    sum = power_of_loads();
    (power++)->loads = sum - before;
  };
  for (const ForceSlot& slot : forces_) {
    show(situation, slot.share, [&](const Situation& own) { slot.element->apply(own, loads); });
    weigh();
  }
  for (ControllerSlot& slot : controllers_) {
    if (slot.on) {
      show(situation, slot.share, [&](const Situation& own) {
        if (slot.period == 0.0) slot.controller->command(own, slot.command);
        slot.controller->apply(own, slot.command, loads);
      });
    }
    weigh();
  }
}

void ElementSet::auxiliary_rate(const Situation& situation, VectorRef zd) const {
  for (const ForceSlot& slot : forces_) {
    if (slot.share.size == 0) continue;
    slot.element->auxiliary_rate(share_of(situation, slot.share),
                                 zd.segment(slot.share.offset, slot.share.size));
  }
  for (const ControllerSlot& slot : controllers_) {
    if (slot.share.size == 0) continue;
    slot.controller->auxiliary_rate(share_of(situation, slot.share),
                                    zd.segment(slot.share.offset, slot.share.size));
  }
}

int ElementSet::largest_command() const {
  Eigen::Index largest = 0;
  for (const ControllerSlot& slot : controllers_) largest = std::max(largest, slot.command.size());
  return static_cast<int>(largest);
}

void ElementSet::differentiate(const LoadDifferentiator::Point& point,
                               LoadDifferentiator& differentiator,
                               LoadDerivatives& derivatives) const {
  for (const ForceSlot& slot : forces_) {
    differentiator.add(*slot.element, slot.share, point, derivatives);
  }
  for (const ControllerSlot& slot : controllers_) {
    const CommandMode mode = slot.period > 0.0 ? CommandMode::held : CommandMode::continuous;
    if (slot.on) {
      differentiator.add(*slot.controller, slot.share, slot.command, mode, point, derivatives);
    } else if (slot.share.size > 0) {
      differentiator.add_rate(*slot.controller, slot.share, point, derivatives);
    }
  }
}

double ElementSet::stored_energy(const Situation& situation) const {
  double energy = 0.0;
  for (const ForceSlot& slot : forces_) {
    show(situation, slot.share,
         [&](const Situation& own) { energy += slot.element->stored_energy(own); });
  }
  return energy;
}

void ElementSet::stored_energies(const Situation& situation,
                                 std::vector<SourceEnergy>& sources) const {
  auto source = sources.begin();
  for (const ForceSlot& slot : forces_) {
    show(situation, slot.share,
         [&](const Situation& own) { (source++)->stored = slot.element->stored_energy(own); });
  }
}

const std::vector<ElementPower>& ElementSet::powers(const Situation& situation) {
  auto power = powers_.begin();
  for (const ForceSlot& slot : forces_) {
    show(situation, slot.share, [&](const Situation& own) {
      power->stored = slot.element->stored_power(own);
      power->dissipated = slot.element->dissipated_power(own);
    });
    ++power;
  }
  return powers_;
}

std::vector<EnergySource> ElementSet::energy_sources() const {
  std::vector<EnergySource> sources;
  for (const ForceSlot& slot : forces_) {
    sources.push_back({slot.element->name(), EnergySource::Kind::force});
  }
  for (const ControllerSlot& slot : controllers_) {
    sources.push_back({slot.controller->name(), EnergySource::Kind::controller});
  }
  return sources;
}

}  // namespace spacedyn
