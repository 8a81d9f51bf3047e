#include "recording/derived_columns.hpp"
#include "spacedyn/assert.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/state/followers.hpp"
#include "system/system_elements.hpp"

namespace spacedyn {
namespace {

/// External force, moment about the system centroid, and joint torques of loads.
void write_sum(const Model& model, const Loads& loads, const LinkFrames& frames,
               const Vector3& centroid, VectorRef values) {
  Vector3 force = loads.F_b.head<3>();
  Vector3 moment = Vector3(loads.F_b.tail<3>()) + (frames.r.front() - centroid).cross(force);
  for (Eigen::Index i = 0; i < loads.force.cols(); ++i) {
    const Vector3 f = loads.force.col(i);
    force += f;
    moment += loads.moment.col(i) + (frames.r[static_cast<std::size_t>(i)] - centroid).cross(f);
  }
  values.head<3>() = force;
  values.segment<3>(3) = moment;
  Eigen::Index next = 6;
  for (const int joint : model.coordinates()) values(next++) = own_force(model, loads.tau, joint);
}

/// Whether its forces follow from the whole system, and stand in a channel of their own.
bool is_constraint(const SystemElements::Slot& slot) { return slot.declared.motion != nullptr; }

class ElementForces final : public DerivedColumns {
 public:
  ElementForces(const ForcedSystem& system, const std::vector<Suffix>& joint_suffixes,
                ColumnNames& names)
      : system_(system),
        elements_(system_),
        workspace_(elements_),
        loads_(*system.model),
        has_passive_joints_(has_passive_joints(*system.model)) {
    // columns of the joints' own springs are there even if no joint has one
    if (!has_passive_joints_) append(PassiveJoints(), joint_suffixes, names);
    for (const SystemElements::Slot& slot : elements_.slots()) {
      if (!is_constraint(slot)) append(slot.element(), joint_suffixes, names);
    }
  }

  void fill(const SimulationPoint& point, VectorRef values) override {
    const EvaluationContext context = context_of(point);
    const Vector3 centroid = center_of_mass(point.model, point.frames);
    const auto width = 6 + static_cast<Eigen::Index>(point.model.coordinates().size());
    Eigen::Index next = 0;
    if (!has_passive_joints_) {
      values.head(width).setZero();
      next = width;
    }
    for (const SystemElements::Slot& slot : elements_.slots()) {
      if (is_constraint(slot)) continue;
      fill(slot, context, point, centroid, values.segment(next, width));
      next += width;
    }
  }

 private:
  void append(const Element& element, const std::vector<Suffix>& joint_suffixes,
              ColumnNames& names) {
    std::vector<Suffix> suffixes = suffixes_of(kWrenchColumns);
    suffixes.insert(suffixes.end(), joint_suffixes.begin(), joint_suffixes.end());
    const std::string stem = names.reserve("forces", element.name(), suffixes);
    const std::string group = group_of("forces", stem);
    add_vectors({stem, group}, kWrenchColumns);
    add(group + "/tau", "", columns_of(stem, joint_suffixes));
  }

  void fill(const SystemElements::Slot& slot, const EvaluationContext& context,
            const SimulationPoint& point, const Vector3& centroid, VectorRef values) {
    // of a force between two bodies what it does to the second
    Vector6 wrench;
    if (slot.force != nullptr && SystemElements::is_on(slot, point.discrete) &&
        slot.force->wrench_between(slice_of(context, slot.slice), wrench)) {
      values.setZero();
      values.head<6>() = wrench;
      return;
    }
    loads_.clear();
    elements_.apply(slot, context, point.discrete, workspace_, loads_);
    write_sum(point.model, loads_, point.frames, centroid, values);
  }

  const ForcedSystem system_;
  const SystemElements elements_;
  SystemElements::Workspace workspace_;
  Loads loads_;
  bool has_passive_joints_;
};

/// What of a source changes, and its place in SourceEnergy.
struct Part {
  const char* name;
  double SourceEnergy::*value;
};

std::vector<Part> parts_of(EnergySource::Kind kind) {
  std::vector<Part> parts{{"work", &SourceEnergy::work}};
  if (kind == EnergySource::Kind::force || kind == EnergySource::Kind::events) {
    parts.push_back({"dissipated", &SourceEnergy::dissipated});
  }
  if (kind == EnergySource::Kind::force) parts.push_back({"stored", &SourceEnergy::stored});
  return parts;
}

class ElementEnergy final : public DerivedColumns {
 public:
  ElementEnergy(const SimulationSetup& setup, ColumnNames& names) {
    const std::vector<EnergySource> sources = energy_sources(setup);
    for (std::size_t i = 0; i < sources.size(); ++i) take(sources[i], i, names);
  }

  void fill(const SimulationPoint& point, VectorRef values) override {
    SPACEDYN_ASSERT(slots_.empty() || slots_.back().source < point.sources.size());
    for (Eigen::Index i = 0; i < values.size(); ++i) {
      const Slot& slot = slots_[static_cast<std::size_t>(i)];
      values(i) = point.sources[slot.source].*slot.value;
    }
  }

 private:
  struct Slot {
    std::size_t source;
    double SourceEnergy::*value;
  };

  void take(const EnergySource& source, std::size_t index, ColumnNames& names) {
    std::vector<Suffix> suffixes;
    const std::vector<Part> parts = parts_of(source.kind);
    for (const Part& part : parts) suffixes.emplace_back(std::string("_") + part.name + "_J", "J");
    const std::string stem = names.reserve("elements", source.name, suffixes);
    const std::string group = group_of("elements", stem);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      add(group + '/' + parts[i].name, "", {{stem + suffixes[i].first, suffixes[i].second}});
      slots_.push_back({index, parts[i].value});
    }
  }

  std::vector<Slot> slots_;
};

}  // namespace

std::unique_ptr<DerivedColumns> element_forces(const ForcedSystem& system,
                                               const std::vector<Suffix>& joint_suffixes,
                                               ColumnNames& names) {
  return std::make_unique<ElementForces>(system, joint_suffixes, names);
}

std::unique_ptr<DerivedColumns> element_energy(const SimulationSetup& setup, ColumnNames& names) {
  return std::make_unique<ElementEnergy>(setup, names);
}

}  // namespace spacedyn
