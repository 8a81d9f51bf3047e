#include "spacedyn/integration/simulator.hpp"

#include "integration/run.hpp"
#include "integration/setup_checks.hpp"
#include "integration/smoothness.hpp"

namespace spacedyn {

SimulationObserver::~SimulationObserver() = default;

class Simulator::Implementation {
 public:
  explicit Implementation(SimulationSetup setup) : setup_(std::move(setup)) { check_setup(setup_); }

  const SimulationSetup& setup() const { return setup_; }

 private:
  SimulationSetup setup_;
};

Simulator::Simulator(SimulationSetup setup)
    : implementation_(std::make_unique<Implementation>(std::move(setup))) {}

Simulator::~Simulator() = default;
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;

const SimulationSetup& Simulator::setup() const { return implementation_->setup(); }

SimulationResult Simulator::run(const State& initial, double duration, double output_interval,
                                SimulationObserver& observer) {
  check_times(duration, output_interval);
  const int auxiliary_size =
      ElementSet(*setup().model, setup().forces, setup().controllers).auxiliary_size();
  check_start(setup(), initial, auxiliary_size);
  check_imposed_motion(setup(), duration);
  return Run(setup(), initial, duration, output_interval, observer).go();
}

}  // namespace spacedyn
