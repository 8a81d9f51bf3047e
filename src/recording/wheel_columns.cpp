#include "recording/derived_columns.hpp"
#include "spacedyn/forces/wheel_element.hpp"
#include "system/system_elements.hpp"

namespace spacedyn {
namespace {

struct WheelQuantity {
  const char* dataset;
  const char* suffix;
  const char* unit;
  double WheelReading::*value;
};

constexpr WheelQuantity kWheelQuantities[] = {
    {"sinkage", "_sinkage_m", "m", &WheelReading::sinkage},
    {"slip", "_slip", "", &WheelReading::slip},
    {"slip_angle", "_slip_angle_rad", "rad", &WheelReading::slip_angle},
    {"drawbar_pull", "_drawbar_pull_N", "N", &WheelReading::drawbar_pull},
    {"side_force", "_side_force_N", "N", &WheelReading::side_force},
    {"vertical_force", "_vertical_force_N", "N", &WheelReading::vertical_force},
    {"resistance_torque", "_resistance_torque_N_m", "N m", &WheelReading::resistance_torque}};

class WheelColumns final : public DerivedColumns {
 public:
  WheelColumns(const ForcedSystem& system, ColumnNames& names)
      : system_(system), elements_(system_) {
    std::vector<Suffix> suffixes;
    for (const WheelQuantity& quantity : kWheelQuantities) {
      suffixes.emplace_back(quantity.suffix, quantity.unit);
    }
    for (const SystemElements::Slot& slot : elements_.slots()) {
      const auto* wheel = dynamic_cast<const WheelElement*>(slot.force);
      if (wheel == nullptr) continue;
      wheels_.push_back({wheel, slot.slice});
      const std::string stem = names.reserve("wheels", wheel->name(), suffixes);
      const std::string group = group_of("wheels", stem);
      for (const WheelQuantity& quantity : kWheelQuantities) {
        add(group + '/' + quantity.dataset, Column{stem + quantity.suffix, quantity.unit});
      }
    }
  }

  void fill(const SimulationPoint& point, VectorRef values) override {
    const EvaluationContext context = context_of(point);
    Eigen::Index next = 0;
    for (const Wheel& wheel : wheels_) {
      const WheelReading reading = wheel.element->reading(slice_of(context, wheel.slice));
      for (const WheelQuantity& quantity : kWheelQuantities) {
        values(next++) = reading.*quantity.value;
      }
    }
  }

 private:
  struct Wheel {
    const WheelElement* element;
    AuxiliarySlice slice;
  };
  const ForcedSystem system_;
  const SystemElements elements_;
  std::vector<Wheel> wheels_;
};

}  // namespace

std::unique_ptr<DerivedColumns> wheel_columns(const ForcedSystem& system, ColumnNames& names) {
  return std::make_unique<WheelColumns>(system, names);
}

}  // namespace spacedyn
