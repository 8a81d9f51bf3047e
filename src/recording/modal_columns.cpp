#include <cmath>

#include "constraints/tree_only.hpp"
#include "recording/derived_columns.hpp"
#include "spacedyn/control/inertial_damping.hpp"

namespace spacedyn {
namespace {

constexpr double kTwoPi = 6.283185307179586;

class ModalEnergy final : public DerivedColumns {
 public:
  ModalEnergy(const Model& model, BaseMode base_mode, const State& reference)
      : modes_(elastic_modes("channel 'modal_energy' ", model, base_mode == BaseMode::floating,
                             reference)) {
    const Eigen::Index count = modes_.rest.size();
    displacement_.resize(count);
    rate_.resize(count);
    eta_.resize(count);
    eta_rate_.resize(count);
    std::vector<Column> columns;
    for (Eigen::Index k = 0; k < count; ++k) {
      columns.push_back({"modes_" + std::to_string(k + 1) + "_energy_J", "J"});
      columns.back().frequency = std::sqrt(modes_.omega_squared(k)) / kTwoPi;
    }
    add("/modes/energy", "", columns);
  }

  void fill(const SimulationPoint& point, VectorRef values) override {
    if (values.size() == 0) return;
    for (Eigen::Index k = 0; k < values.size(); ++k) {
      const int i = modes_.joints[static_cast<std::size_t>(k)] - 1;
      displacement_(k) = point.state.q(i) - modes_.rest(k);
      rate_(k) = point.state.qd(i);
    }
    // η = φᵀ M (q − q_rest), E = ½ (η̇² + ω² η²)
    eta_.noalias() = modes_.to_modes.lazyProduct(displacement_);
    eta_rate_.noalias() = modes_.to_modes.lazyProduct(rate_);
    values =
        0.5 * (eta_rate_.array().square() + modes_.omega_squared.array() * eta_.array().square());
  }

 private:
  ElasticModes modes_;
  VectorX displacement_, rate_, eta_, eta_rate_;
};

}  // namespace

std::unique_ptr<DerivedColumns> modal_energy(const Model& model, BaseMode base_mode,
                                             const State& reference) {
  require_tree(model, "channel 'modal_energy'");
  return std::make_unique<ModalEnergy>(model, base_mode, reference);
}

}  // namespace spacedyn
