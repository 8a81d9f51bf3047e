#include "recording/derived_columns.hpp"
#include "spacedyn/assert.hpp"

namespace spacedyn {
namespace {

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

std::unique_ptr<DerivedColumns> element_energy(const SimulationSetup& setup, ColumnNames& names) {
  return std::make_unique<ElementEnergy>(setup, names);
}

}  // namespace spacedyn
