#include "bench/contender.hpp"
#include "spacedyn/dynamics/derivatives.hpp"
#include "spacedyn/dynamics/forward_dynamics.hpp"
#include "spacedyn/inertia/generalized_jacobian.hpp"
#include "spacedyn/integration/simulator.hpp"

namespace spacedyn::bench {
namespace {

class NoObserver final : public SimulationObserver {
 public:
  void on_output(const SimulationPoint&) override {}
};

/// The torques of a workload, held constant while the Simulator runs; its own springs act besides.
class HeldTorques final : public ForceElement {
 public:
  explicit HeldTorques(const VectorX& tau) : ForceElement("held"), tau_(tau) {}
  void apply(const Situation&, Loads& loads) const override { loads.tau += tau_; }

 private:
  VectorX tau_;
};

class SpacedynContender final : public Contender {
 public:
  explicit SpacedynContender(const Workload& work)
      : work_(work),
        mobility_(work.model),
        workspace_(work.model, mobility_),
        loads_(work.model),
        acceleration_(VectorX::Zero(work.model.velocity_size())),
        forces_(acceleration_),
        response_(work.model),
        derivatives_workspace_(work.model),
        derivatives_(work.model),
        jacobians_(static_cast<std::size_t>(work.model.body_count()),
                   Matrix6X::Zero(6, work.model.joint_count())) {}

  const char* name() const override { return "spacedyn"; }
  bool offers(Quantity) const override { return true; }

  void evaluate(Quantity quantity, int k) override {
    k_ = static_cast<std::size_t>(k);
    switch (quantity) {
      case Quantity::forward_dynamics:
        return solve_forward();
      case Quantity::inverse_dynamics:
        return solve_inverse();
      case Quantity::inertia_matrix:
        return form_inertia();
      case Quantity::endpoint_jacobian:
        compute_link_frames(work_.model, state(), workspace_.frames);
        return endpoint_jacobian(work_.model, workspace_.frames, work_.tool, jacobians_[0]);
      case Quantity::all_jacobians:
        return form_jacobians();
      case Quantity::generalized_jacobian:
        return form_generalized_jacobian();
      case Quantity::derivatives:
        loads_.tau = work_.tau[k_];
        static_cast<void>(forward_dynamics_derivatives(state(), loads_, mobility_,
                                                       derivatives_workspace_, derivatives_));
        return;
      case Quantity::rk4_steps:
        return simulate();
    }
  }

  VectorX acceleration() const override { return acceleration_; }
  VectorX forces() const override { return forces_; }
  double kinetic_energy() const override {
    const VectorX u = state().velocity();
    return 0.5 * u.dot(workspace_.H * u);
  }
  Vector6 endpoint_twist() const override {
    return jacobians_[0] * state().qd +
           base_jacobian(workspace_.frames, work_.tool) * state().velocity().head<6>();
  }

 private:
  const State& state() const { return work_.states[k_]; }

  void solve_forward() {
    loads_.tau = work_.tau[k_];
    update_kinematics(work_.model, state(), workspace_);
    if (hybrid_dynamics(work_.model, state(), loads_, mobility_, workspace_, acceleration_,
                        forces_) != DynamicsStatus::ok) {
      acceleration_.setZero();
    }
  }
  void solve_inverse() {
    loads_.tau.setZero();
    update_kinematics(work_.model, state(), workspace_);
    compute_link_accelerations(work_.model, state(), workspace_.frames, workspace_.velocities,
                               work_.acceleration[k_], workspace_.accelerations);
    inverse_dynamics(work_.model, workspace_.frames, workspace_.velocities,
                     workspace_.accelerations, loads_, workspace_.reactions, forces_);
  }
  void form_inertia_blocks() {
    compute_link_frames(work_.model, state(), workspace_.frames);
    compute_inertia_blocks(work_.model, workspace_.frames, workspace_.jacobians,
                           workspace_.inertia);
  }
  void form_inertia() {
    form_inertia_blocks();
    assemble_inertia_matrix(workspace_.inertia, workspace_.H);
  }
  void form_jacobians() {
    compute_link_frames(work_.model, state(), workspace_.frames);
    for (int body = 1; body < work_.model.body_count(); ++body) {
      Matrix6X& J = jacobians_[static_cast<std::size_t>(body)];
      translational_jacobian(work_.model, workspace_.frames, body, J.topRows<3>());
      rotational_jacobian(work_.model, workspace_.frames, body, J.bottomRows<3>());
    }
  }

  void form_generalized_jacobian() {
    form_inertia_blocks();
    endpoint_jacobian(work_.model, workspace_.frames, work_.tool, jacobians_[0]);
    if (compute_base_response(work_.model, workspace_.inertia, response_) != InertiaStatus::ok) {
      return;
    }
    generalized_jacobian(jacobians_[0], base_jacobian(workspace_.frames, work_.tool), response_,
                         jacobians_[1]);
  }
  void simulate() {
    NoObserver observer;
    const double duration = kRk4Steps * kRk4Step;
    simulator(k_).run(state(), duration, duration, observer);
  }
  /// Made on first use.
  Simulator& simulator(std::size_t k) {
    if (simulators_.empty()) {
      SimulationSetup setup;
      setup.model = std::make_shared<const Model>(work_.model);
      setup.integrator.method = IntegrationMethod::rk4;
      setup.integrator.step = kRk4Step;
      for (const VectorX& tau : work_.tau) {
        setup.forces = {std::make_shared<const HeldTorques>(tau)};
        simulators_.emplace_back(setup);
      }
    }
    return simulators_[k];
  }

  const Workload& work_;
  Mobility mobility_;
  DynamicsWorkspace workspace_;
  Loads loads_;
  VectorX acceleration_, forces_;
  BaseResponse response_;
  DerivativesWorkspace derivatives_workspace_;
  ForwardDynamicsDerivatives derivatives_;
  std::vector<Simulator> simulators_;
  std::vector<Matrix6X> jacobians_;
  std::size_t k_ = 0;
};

}  // namespace

std::unique_ptr<Contender> make_spacedyn(const Workload& work) {
  return std::make_unique<SpacedynContender>(work);
}

}  // namespace spacedyn::bench
