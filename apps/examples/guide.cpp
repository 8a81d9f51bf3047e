// The program of docs/cpp.md, which shows its parts one after another with what they print.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <spacedyn/spacedyn.hpp>

namespace sd = spacedyn;

namespace {

std::shared_ptr<const sd::Model> load(const std::string& folder) {
  const sd::LoadedModel loaded = sd::load_model(folder + "/robots/planar_2r.yaml");
  for (const sd::Diagnostic& warning : loaded.warnings) std::puts(sd::to_string(warning).c_str());

  const std::shared_ptr<const sd::Model> robot = loaded.model;
  std::printf("%s: %d joints, %g kg\n", robot->name().c_str(), robot->joint_count(),
              robot->total_mass());
  const sd::Frame hand = robot->frame("hand");
  std::printf("%s is on body %d\n", hand.name.c_str(), hand.body);
  return robot;
}

sd::Model built() {
  sd::ModelDescription robot;
  robot.name = "inspector";
  robot.base.name = "bus";
  robot.base.mass = 120.0;
  robot.base.inertia = sd::Vector3(14.0, 12.0, 16.0).asDiagonal();

  sd::LinkDescription arm;
  arm.name = "arm";
  arm.parent = "bus";
  arm.mass = 5.0;
  arm.center_of_mass = {0.5, 0.0, 0.0};
  arm.inertia = sd::Vector3(0.01, 0.4, 0.4).asDiagonal();
  arm.joint.name = "shoulder";
  arm.joint.origin.position = {0.5, 0.0, 0.3};
  robot.links.push_back(arm);
  return sd::ModelBuilder(robot).build();
}

void compute(const sd::Model& robot) {
  sd::State state(robot);
  state.q << 0.3, -0.5;
  state.qd << 0.1, 0.2;
  sd::Loads loads(robot);
  loads.tau << 1.0, 0.0;

  const sd::VectorX acceleration = sd::forward_dynamics(robot, state, loads);
  const sd::VectorX forces = sd::inverse_dynamics(robot, state, acceleration, loads);
  std::printf("joints: %.4f %.4f rad/s^2, from %.4f N m\n", acceleration(6), acceleration(7),
              forces(6));

  const sd::MatrixX H = sd::inertia_matrix(robot, state);
  const sd::Matrix6X J = sd::generalized_jacobian(robot, state, robot.frame("hand"));
  std::printf("H is %dx%d, J* is %dx%d\n", int(H.rows()), int(H.cols()), int(J.rows()),
              int(J.cols()));
}

void compute_often(const sd::Model& robot) {
  sd::TreeWorkspace workspace(robot);
  sd::State state(robot);
  state.q << 0.3, -0.5;
  const sd::Loads loads(robot);
  sd::VectorX acceleration = sd::VectorX::Zero(robot.velocity_size());
  sd::VectorX forces(robot.velocity_size());
  double fastest = 0.0;
  for (int i = 0; i < 1000; ++i) {
    state.qd << 0.001 * i, 0.0;
    const sd::DynamicsStatus status =
        sd::forward_dynamics(state, loads, workspace, acceleration, forces);
    if (status != sd::DynamicsStatus::ok) throw sd::Error("the inertia matrix is singular");
    fastest = std::max(fastest, acceleration.tail(2).cwiseAbs().maxCoeff());
  }
  std::printf("joints accelerate by up to %.4f rad/s^2\n", fastest);
}

void simulate(const std::shared_ptr<const sd::Model>& robot) {
  sd::JointPd::Settings reach;
  reach.joints = {1, 2};
  reach.stiffness = sd::VectorX::Constant(2, 200.0);
  reach.damping = sd::VectorX::Constant(2, 100.0);
  reach.effort_limit = sd::VectorX::Constant(2, 20.0);
  reach.reference = std::make_shared<sd::QuinticReference>(
      sd::VectorX::Zero(2), sd::VectorX::Constant(2, 1.5), 0.0, 10.0);

  sd::SimulationSetup setup;
  setup.model = robot;
  setup.controllers.push_back(std::make_shared<sd::JointPd>("reach", reach));
  setup.integrator.relative_tolerance = 1e-10;

  const sd::Trajectory trajectory = sd::simulate(setup, sd::State(*robot), 20.0, 0.5);
  const sd::TrajectoryPoint& last = trajectory.points.back();
  std::printf("%zu states until %g s, joints at %.3f %.3f rad, base turned by %.3f rad\n",
              trajectory.points.size(), last.time, last.state.q(0), last.state.q(1),
              sd::rpy_from_matrix(last.state.A_0).z());
  std::printf("momentum is kept to 1e-12: %s\n",
              trajectory.result.audit.momentum_drift() < 1e-12 ? "yes" : "no");
}

class HoldPosture final : public sd::Controller {
 public:
  HoldPosture(std::string name, sd::VectorX posture)
      : Controller(std::move(name)), posture_(std::move(posture)) {}

  double sample_period() const override { return 0.01; }
  bool uses_links() const override { return false; }
  int command_size() const override { return static_cast<int>(posture_.size()); }
  void command(const sd::EvaluationContext& now, sd::VectorRef torque) const override {
    torque = 200.0 * (posture_ - now.state.q) - 100.0 * now.state.qd;
  }
  void apply(const sd::EvaluationContext& /*now*/, sd::ConstVectorRef torque,
             sd::Loads& loads) const override {
    loads.tau += torque;
  }

 private:
  sd::VectorX posture_;
};

class Mooring final : public sd::ForceElement {
 public:
  Mooring(std::string name, sd::Frame at, sd::Vector3 anchor, double stiffness)
      : ForceElement(std::move(name)), at_(std::move(at)), anchor_(anchor), k_(stiffness) {}

  void apply(const sd::EvaluationContext& now, sd::Loads& loads) const override {
    const auto body = static_cast<std::size_t>(at_.body);
    loads.add_wrench(at_.body, now.frames.r[body], sd::frame_position(now.frames, at_),
                     k_ * stretch(now), sd::Vector3::Zero());
  }
  double stored_energy(const sd::EvaluationContext& now) const override {
    return 0.5 * k_ * stretch(now).squaredNorm();
  }
  sd::EnergyRates energy_rates(const sd::EvaluationContext& now) const override {
    return {-k_ * stretch(now).dot(sd::point_velocity(now.frames, now.velocities, at_)), 0.0};
  }

 private:
  sd::Vector3 stretch(const sd::EvaluationContext& now) const {
    return anchor_ - sd::frame_position(now.frames, at_);
  }
  sd::Frame at_;
  sd::Vector3 anchor_;
  double k_;
};

void extend(const std::shared_ptr<const sd::Model>& robot) {
  sd::SimulationSetup setup;
  setup.model = robot;
  setup.controllers.push_back(std::make_shared<HoldPosture>("hold", sd::VectorX::Constant(2, 0.5)));
  setup.forces.push_back(
      std::make_shared<Mooring>("mooring", robot->frame("hand"), sd::Vector3(3.0, 1.0, 0.0), 5.0));
  setup.forces.push_back(std::make_shared<sd::FunctionForce>(
      "push", [](const sd::EvaluationContext& now, sd::Loads& loads) {
        loads.F_b(0) += now.time < 1.0 ? 0.5 : 0.0;
      }));
  sd::Event stop;
  stop.name = "bent";
  stop.value = sd::joint_position_event(2, 0.4);
  stop.actions.push_back(sd::StopAction{});
  setup.events.push_back(stop);

  const sd::SimulationResult result = sd::simulate(setup, sd::State(*robot), 20.0, 0.1).result;
  std::printf("stopped by %s after %.2f s\n", result.stopped_by.c_str(), result.time);
  std::printf("energy is accounted for to 1e-6: %s\n",
              result.audit.energy_residual() < 1e-6 ? "yes" : "no");
}

void fly(const std::string& folder) {
  sd::Scenario scenario = sd::load_scenario(folder + "/scenarios/planar_reorientation.yaml",
                                            {{"duration", "5"}, {"integrator.method", "dopri5"}});
  scenario.setup.forces.push_back(std::make_shared<sd::FunctionForce>(
      "leak", [](const sd::EvaluationContext&, sd::Loads& loads) { loads.F_b(5) += 1e-3; }));
  const sd::SimulationResult result = sd::simulate(scenario).result;
  std::printf("%s: %g s, base at %.4f rad\n", scenario.name.c_str(), result.time,
              sd::rpy_from_matrix(result.state.A_0).z());
}

void step(const std::shared_ptr<const sd::Model>& robot) {
  sd::ExternalController::Settings drives;
  drives.joints = {1, 2};
  drives.effort_limit = sd::VectorX::Constant(2, 20.0);
  drives.sample_period = 0.1;

  sd::Scenario scenario;
  scenario.setup.model = robot;
  scenario.setup.controllers.push_back(std::make_shared<sd::ExternalController>("policy", drives));
  scenario.initial = sd::State(*robot);
  scenario.duration = 20.0;
  scenario.output_interval = 0.1;

  sd::Simulation simulation(scenario);
  const sd::VectorX goal = sd::VectorX::Constant(2, 0.5);
  do {
    const sd::State& now = simulation.state();
    simulation.command("policy", 8.0 * (goal - now.q) - 12.0 * now.qd);
  } while (simulation.step(0.1));
  std::printf("after %g s the joints are at %.3f %.3f rad\n", simulation.time(),
              simulation.state().q(0), simulation.state().q(1));
}

void fly_many(const std::shared_ptr<const sd::Model>& robot) {
  constexpr int kCount = 1000;
  sd::BatchStates states(*robot, kCount);
  for (int i = 0; i < kCount; ++i) {
    sd::State state(*robot);
    state.qd << 0.001 * i, -0.2;
    states.set(i, state);
  }
  sd::BatchDynamics dynamics(robot, {0, sd::Vector3::Zero()});  // a thread per core, no gravity
  const sd::TiledVectors forces(robot->velocity_size(), kCount);
  const int lost = dynamics.integrate(states, forces, {0.0, 0.01, 500, nullptr});
  std::printf("%d flights of 5 s, %d lost; the last arm is at %.4f rad\n", kCount, lost,
              states.get(kCount - 1).q(0));
}

void read_wrong() {
  try {
    sd::parse_model(
        "spacedyn: 1\nmodel: {name: robot, base: {name: bus, mas: 10, inertia: [1, 1, 1]}}\n",
        "robot.yaml");
  } catch (const sd::ParseError& error) {
    for (const sd::Diagnostic& problem : error.diagnostics()) {
      std::puts(sd::to_string(problem).c_str());
    }
  }
}

}  // namespace

int main(int argument_count, char** arguments) try {
  const std::string folder = argument_count == 2 ? arguments[1] : SPACEDYN_MODELS;
  const std::shared_ptr<const sd::Model> robot = load(folder);
  std::printf("\n%s: %d joint\n\n", built().name().c_str(), built().joint_count());
  compute(*robot);
  std::puts("");
  compute_often(*robot);
  std::puts("");
  simulate(robot);
  std::puts("");
  extend(robot);
  std::puts("");
  fly(folder);
  std::puts("");
  step(robot);
  std::puts("");
  fly_many(robot);
  std::puts("");
  read_wrong();
  return 0;
} catch (const sd::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
