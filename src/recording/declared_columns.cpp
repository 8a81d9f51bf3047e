#include "recording/derived_columns.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "system/system_elements.hpp"

namespace spacedyn {
namespace {

class DeclaredColumns final : public DerivedColumns {
 public:
  DeclaredColumns(const ForcedSystem& system, const std::string& channel, ColumnNames& names)
      : system_(system), elements_(system_) {
    for (const SystemElements::Slot& slot : elements_.slots()) {
      for (OutputColumns& output : declarations_of(slot.element()).outputs) {
        if (output.channel != channel) continue;
        std::vector<Suffix> suffixes;
        for (const OutputQuantity& each : output.quantities) {
          suffixes.emplace_back(each.suffix, each.unit);
        }
        const std::string stem = names.reserve(channel, slot.element().name(), suffixes);
        const std::string group = group_of(channel, stem) + '/';
        for (const OutputQuantity& each : output.quantities) {
          add(group + each.dataset, Column{stem + each.suffix, each.unit});
        }
        outputs_.push_back({std::move(output), slot.slice});
      }
    }
  }

  void fill(const SimulationPoint& point, VectorRef values) override {
    const EvaluationContext context = context_of(point);
    Eigen::Index next = 0;
    for (const Output& output : outputs_) {
      const auto count = static_cast<Eigen::Index>(output.columns.quantities.size());
      output.columns.read(slice_of(context, output.slice), values.segment(next, count));
      next += count;
    }
  }

 private:
  struct Output {
    OutputColumns columns;
    AuxiliarySlice slice;
  };
  const ForcedSystem system_;
  const SystemElements elements_;
  std::vector<Output> outputs_;
};

}  // namespace

std::unique_ptr<DerivedColumns> declared_columns(const ForcedSystem& system,
                                                 const std::string& channel, ColumnNames& names) {
  return std::make_unique<DeclaredColumns>(system, channel, names);
}

}  // namespace spacedyn
