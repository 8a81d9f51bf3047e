#include <functional>

#include "loading/keys/mapping.hpp"
#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "spacedyn/constraints/loop_assembly.hpp"
#include "spacedyn/inertia/robot_momentum.hpp"
#include "spacedyn/state/robot_state.hpp"

namespace spacedyn::loading {
namespace {

Mapping<StartMomentum> start_momentum_keys() {
  using namespace kind;
  Mapping<StartMomentum> keys("Momentum of the robot, from which the motion of its base follows");
  keys.allow("linear", &StartMomentum::linear, kind::vector(in("N s"), "Inertial, N s, default 0"));
  keys.allow("angular", &StartMomentum::angular,
             kind::vector(in("N m s"), "About the robot's centroid, N m s, default 0"));
  return keys;
}

/// Sums over all bodies, the base included.
RobotSums sums_of(const Model& model, const State& state) {
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  compute_link_frames(model, state, frames);
  compute_link_velocities(model, state, frames, velocities);
  RobotSums sums;
  sums.mass = model.total_mass();
  sums.r_g = center_of_mass(model, frames);
  sums.momentum = momentum(model, frames, velocities);
  for (int i = 0; i < model.body_count(); ++i) {
    const auto body = static_cast<std::size_t>(i);
    const Vector3 arm = frames.r[body] - sums.r_g;
    sums.inertia +=
        frames.A[body] * model.body(i).inertia_L * frames.A[body].transpose() +
        model.body(i).mass * (arm.squaredNorm() * Matrix3::Identity() - arm * arm.transpose());
  }
  return sums;
}

RobotSums sums_of(const Model& model, const Robot& robot, const State& state) {
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  compute_link_frames(model, state, frames);
  compute_link_velocities(model, state, frames, velocities);
  return robot_sums(model, robot, frames, velocities);
}

/// Moves a base so that its robot has a momentum: L_g = L_g(ω_0 = 0) + I_g ω_0, I_g with the joints
/// held, and P = w v_g. What rounding leaves is taken away in a second pass.
void give_momentum(const StartMomentum& wanted, BaseMotion base,
                   const std::function<RobotSums(const BaseMotion&)>& sums_with) {
  for (int pass = 0; pass < 3; ++pass) {
    const RobotSums now = sums_with(base);
    const Vector3 turn = now.inertia.ldlt().solve(wanted.angular - now.momentum.angular_centroid);
    base.omega_0 += turn;
    base.v_0 += (wanted.linear - now.momentum.linear) / now.mass - turn.cross(now.r_g - base.r_0);
  }
  sums_with(base);
}

}  // namespace

std::string start_momentum_schema() { return once<start_momentum_keys>().schema(); }

void read_start_momentum(ScenarioContext& scenario, MapReader& map) {
  const auto value = map.find("momentum");
  if (!value) return;
  StartMomentum& wanted = scenario.starts.momentum.emplace();
  wanted.place = *value;
  once<start_momentum_keys>().read_whole(*value, scenario.context(), wanted);
  if (scenario.setup().base_mode != BaseMode::floating) {
    map.error_at("momentum",
                 "expected no momentum here, got some: the motion of a base that does not float "
                 "does not follow from it");
  }
  const BaseStart& base = scenario.starts.base;
  for (const std::optional<Value>* given : {&base.velocity, &base.angular_velocity}) {
    if (!*given) continue;
    scenario.problems().error(
        **given, "expected no velocity of the base here, got one: it follows from the momentum");
  }
}

void start_with_momentum(ScenarioContext& scenario) {
  if (!scenario.model || scenario.problems().has_errors()) return;
  const Model& model = *scenario.model;
  State& state = scenario.initial();
  std::optional<Value> place;
  if (scenario.starts.momentum) {
    place = scenario.starts.momentum->place;
    give_momentum(*scenario.starts.momentum,
                  {state.r_0, state.A_0, Vector3::Zero(), Vector3::Zero()},
                  [&](const BaseMotion& base) {
                    state.v_0 = base.v_0;
                    state.omega_0 = base.omega_0;
                    return sums_of(model, state);
                  });
  }
  for (const RobotStart& one : scenario.robots) {
    if (!one.starts.momentum) continue;
    place = one.starts.momentum->place;
    const Robot& robot = *model.find_robot(one.name);
    BaseMotion base = base_motion(model, robot, state);
    base.v_0.setZero();
    base.omega_0.setZero();
    give_momentum(*one.starts.momentum, base, [&](const BaseMotion& moved) {
      set_base_motion(model, robot, moved, state);
      return sums_of(model, robot, state);
    });
  }
  const std::vector<Loop> loops = start_loops(scenario);
  if (!place || loops.empty()) return;
  const LoopResidual opening = velocity_residual(model, loops, state);
  if (opening.value <= kLoopTolerance) return;
  scenario.problems().error(*place, "expected momenta that keep loop " + quote(opening.loop) +
                                        " closed, got some that open it");
}

}  // namespace spacedyn::loading
