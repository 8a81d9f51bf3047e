#include "recording/derived_columns.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/dry_friction.hpp"
#include "spacedyn/forces/passive_joints.hpp"
#include "spacedyn/inertia/momentum.hpp"

namespace spacedyn {
namespace {

const std::vector<Suffix>& wrench_suffixes() {
  static const std::vector<Suffix> suffixes{{"_force_x_N", "N"},      {"_force_y_N", "N"},
                                            {"_force_z_N", "N"},      {"_moment_x_N_m", "N m"},
                                            {"_moment_y_N_m", "N m"}, {"_moment_z_N_m", "N m"}};
  return suffixes;
}

class ElementForces final : public DerivedColumns {
 public:
  ElementForces(const SimulationSetup& setup, const std::vector<Suffix>& joint_suffixes,
                ColumnNames& names)
      : dry_friction_(*setup.model), loads_(*setup.model) {
    take(passive_joints_, joint_suffixes, names);
    for (const auto& force : setup.forces) take(*force, joint_suffixes, names);
    for (const auto& controller : setup.controllers) {
      if (controller->sample_period() > 0.0) {
        throw DomainError(
            "channel 'element_forces' cannot be recorded with the sampled controller '" +
            controller->name() + "': leave out the channel or the sample period");
      }
      take(*controller, joint_suffixes, names);
      slots_.back().command.resize(controller->command_size());
    }
    if (dry_friction_.auxiliary_size() > 0) take(dry_friction_, joint_suffixes, names);
    forces_ = setup.forces;
    controllers_ = setup.controllers;
  }

  void fill(const SimulationPoint& point, VectorRef values) override {
    const Vector3 centroid = center_of_mass(point.model, point.frames);
    const auto width = 6 + static_cast<Eigen::Index>(point.model.joint_count());
    Eigen::Index next = 0;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      if (!write_between(i, point, values.segment(next, width))) {
        loads_.clear();
        apply(i, point);
        write(point, centroid, values.segment(next, width));
      }
      next += width;
    }
  }

 private:
  struct Slot {
    int offset;
    int size;
    VectorX command;  // of a controller
  };

  /// Elements own parts of z in this order: forces, controllers, friction.
  void take(const Element& element, const std::vector<Suffix>& joint_suffixes, ColumnNames& names) {
    std::vector<Suffix> suffixes = wrench_suffixes();
    suffixes.insert(suffixes.end(), joint_suffixes.begin(), joint_suffixes.end());
    const std::string stem = names.reserve("forces", element.name(), suffixes);
    const std::string group = "/forces/" + stem.substr(std::string("forces_").size());
    std::vector<Column> all;
    for (const Suffix& suffix : suffixes) all.push_back({stem + suffix.first, suffix.second});
    add(group + "/force", "inertial", {all.begin(), all.begin() + 3});
    add(group + "/moment", "inertial", {all.begin() + 3, all.begin() + 6});
    add(group + "/tau", "", {all.begin() + 6, all.end()});
    slots_.push_back({z_size_, element.auxiliary_size(), {}});
    z_size_ += element.auxiliary_size();
  }

  static Situation situation_of(const Slot& slot, const SimulationPoint& point) {
    return {point.time,   point.model,      point.state,
            point.frames, point.velocities, point.state.z.segment(slot.offset, slot.size)};
  }

  /// What a force between two bodies does to the second. @returns whether it is such a force
  bool write_between(std::size_t i, const SimulationPoint& point, VectorRef values) const {
    if (i == 0 || i > forces_.size()) return false;
    Vector6 wrench;
    if (!forces_[i - 1]->wrench_between(situation_of(slots_[i], point), wrench)) return false;
    values.setZero();
    values.head<6>() = wrench;
    return true;
  }

  void apply(std::size_t i, const SimulationPoint& point) {
    Slot& slot = slots_[i];
    const Situation situation = situation_of(slot, point);
    if (i == 0) return passive_joints_.apply(situation, loads_);
    if (i <= forces_.size()) return forces_[i - 1]->apply(situation, loads_);
    if (i - 1 - forces_.size() == controllers_.size()) {
      return dry_friction_.apply(situation, loads_);
    }
    const Controller& controller = *controllers_[i - 1 - forces_.size()];
    controller.command(situation, slot.command);
    controller.apply(situation, slot.command, loads_);
  }

  void write(const SimulationPoint& point, const Vector3& centroid, VectorRef values) const {
    Vector3 force = loads_.F_b.head<3>();
    Vector3 moment =
        Vector3(loads_.F_b.tail<3>()) + (point.frames.r.front() - centroid).cross(force);
    for (Eigen::Index i = 0; i < loads_.force.cols(); ++i) {
      const Vector3 f = loads_.force.col(i);
      force += f;
      moment +=
          loads_.moment.col(i) + (point.frames.r[static_cast<std::size_t>(i)] - centroid).cross(f);
    }
    values.head<3>() = force;
    values.segment<3>(3) = moment;
    values.tail(loads_.tau.size()) = loads_.tau;
  }

  PassiveJoints passive_joints_;
  DryFriction dry_friction_;
  std::vector<std::shared_ptr<const ForceElement>> forces_;
  std::vector<std::shared_ptr<const Controller>> controllers_;
  std::vector<Slot> slots_;
  int z_size_ = 0;
  Loads loads_;
};

}  // namespace

std::unique_ptr<DerivedColumns> element_forces(const SimulationSetup& setup,
                                               const std::vector<Suffix>& joint_suffixes,
                                               ColumnNames& names) {
  return std::make_unique<ElementForces>(setup, joint_suffixes, names);
}

}  // namespace spacedyn
