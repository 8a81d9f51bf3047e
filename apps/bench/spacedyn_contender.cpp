#include "bench/contender.hpp"
#include "spacedyn/dynamics/derivatives.hpp"
#include "spacedyn/dynamics/momentum_maps.hpp"
#include "spacedyn/dynamics/tree_dynamics.hpp"
#include "spacedyn/dynamics/tree_motion.hpp"
#include "spacedyn/integration/simulator.hpp"

namespace spacedyn::bench {
namespace {

/// The torques of a workload, held constant while the Simulator runs; its own springs act besides.
class HeldTorques final : public ForceElement {
 public:
  explicit HeldTorques(const VectorX& tau) : ForceElement("held"), tau_(tau) {}
  bool uses_links() const override { return false; }
  void apply(const EvaluationContext&, Loads& loads) const override { loads.tau += tau_; }

 private:
  VectorX tau_;
};

/// What takes memory of order n² or more: made only if asked for.
struct Dense {
  explicit Dense(const Model& model)
      : H(model.velocity_size(), model.velocity_size()),
        J(static_cast<std::size_t>(model.body_count()), Matrix6X::Zero(6, model.joint_count())),
        J_star(J.front()),
        derivatives_workspace(model),
        derivatives(model) {
    for (int body = 0; body < model.body_count(); ++body) {
      centroids.push_back({"", body, model.body(body).center_of_mass, Matrix3::Identity()});
    }
  }

  MatrixX H;
  std::vector<Matrix6X> J;
  Matrix6X J_star;
  std::vector<Frame> centroids;
  DerivativesWorkspace derivatives_workspace;
  ForwardDynamicsDerivatives derivatives;
};

class SpacedynContender final : public Contender {
 public:
  explicit SpacedynContender(const Workload& work)
      : work_(work),
        workspace_(work.model),
        loads_(work.model),
        acceleration_(VectorX::Zero(work.model.velocity_size())),
        forces_(acceleration_) {}

  const char* name() const override { return "spacedyn"; }
  bool offers(Quantity) const override { return true; }

  void evaluate(Quantity quantity, int k) override {
    k_ = static_cast<std::size_t>(k);
    switch (quantity) {
      case Quantity::forward_dynamics:
        return solve_forward();
      case Quantity::inverse_dynamics:
        return inverse_dynamics(state(), work_.acceleration[k_], no_loads(), workspace_, forces_);
      case Quantity::inertia_matrix:
        return composite_rigid_body(state(), workspace_, dense().H);
      case Quantity::frame_jacobian:
        update_poses(state(), workspace_);
        return frame_jacobian(workspace_, work_.tool, dense().J[0]);
      case Quantity::one_frame:
        update_path_poses(state(), work_.tool.body, workspace_);
        pose_ = frame_pose(state(), workspace_, work_.tool);
        return frame_jacobian(workspace_, work_.tool, dense().J[0]);
      case Quantity::all_jacobians:
        return form_jacobians();
      case Quantity::generalized_jacobian:
        return form_generalized_jacobian();
      case Quantity::derivatives:
        loads_.tau = work_.tau[k_];
        static_cast<void>(forward_dynamics_derivatives(state(), loads_, workspace_.mobility(),
                                                       dense().derivatives_workspace,
                                                       dense().derivatives));
        return;
      case Quantity::rk4_steps:
        return simulate();
    }
  }

  VectorX acceleration() const override { return acceleration_; }
  VectorX forces() const override { return forces_; }
  double kinetic_energy() const override {
    const VectorX u = state().velocity();
    return 0.5 * u.dot(dense_->H * u);
  }
  Vector6 frame_twist() const override {
    LinkFrames frames(work_.model);
    compute_link_frames(work_.model, state(), frames);
    return dense_->J[0] * state().qd +
           base_jacobian(frames, work_.tool) * state().velocity().head<6>();
  }

 private:
  const State& state() const { return work_.states[k_]; }
  const Loads& no_loads() {
    loads_.tau.setZero();
    return loads_;
  }
  Dense& dense() {
    if (!dense_) dense_ = std::make_unique<Dense>(work_.model);
    return *dense_;
  }

  void solve_forward() {
    loads_.tau = work_.tau[k_];
    if (forward_dynamics(state(), loads_, workspace_, acceleration_, forces_) !=
        DynamicsStatus::ok) {
      acceleration_.setZero();
    }
  }
  void form_jacobians() {
    Dense& all = dense();
    update_poses(state(), workspace_);
    for (std::size_t body = 1; body < all.J.size(); ++body) {
      frame_jacobian(workspace_, all.centroids[body], all.J[body]);
    }
  }
  void form_generalized_jacobian() {
    Dense& all = dense();
    update_poses(state(), workspace_);
    static_cast<void>(spacedyn::generalized_jacobian(workspace_, work_.tool, all.J_star));
  }
  void simulate() {
    SimulationObserver observer;
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
  TreeWorkspace workspace_;
  FramePose pose_;
  Loads loads_;
  VectorX acceleration_, forces_;
  std::unique_ptr<Dense> dense_;
  std::vector<Simulator> simulators_;
  std::size_t k_ = 0;
};

}  // namespace

std::unique_ptr<Contender> make_spacedyn(const Workload& work) {
  return std::make_unique<SpacedynContender>(work);
}

}  // namespace spacedyn::bench
