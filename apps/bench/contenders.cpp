#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>

#include "bench/contender.hpp"
#include "spacedyn/dynamics/forward_dynamics.hpp"
#include "spacedyn/inertia/momentum.hpp"

namespace spacedyn::bench {
namespace {

struct Truth {
  VectorX acceleration, forces;
  double kinetic_energy;
  Vector6 frame_twist;
  double tolerance;  ///< of accelerations, relative
};

Truth truth(const Workload& work, int k) {
  const auto index = static_cast<std::size_t>(k);
  const State& state = work.states[index];
  Loads loads(work.model);
  loads.tau = work.tau[index];
  const MatrixX H = inertia_matrix(work.model, state);
  const VectorX eigenvalues = Eigen::SelfAdjointEigenSolver<MatrixX>(H).eigenvalues();
  const double condition = eigenvalues(eigenvalues.size() - 1) / eigenvalues(0);

  LinkFrames frames(work.model);
  compute_link_frames(work.model, state, frames);
  Matrix6X J_m(6, work.model.joint_count());
  frame_jacobian(work.model, frames, work.tool, J_m);

  const VectorX u = state.velocity();
  return {forward_dynamics(work.model, state, loads),
          inverse_dynamics(work.model, state, work.acceleration[index], Loads(work.model)),
          0.5 * u.dot(H * u), J_m * state.qd + base_jacobian(frames, work.tool) * u.head<6>(),
          std::max(1e-9, 20.0 * std::numeric_limits<double>::epsilon() * condition)};
}

class Judge {
 public:
  Judge(const Workload& work, const Contender& contender, int k)
      : where_(work.name + ", " + contender.name() + ", state " + std::to_string(k)) {}

  void compare(const char* what, const VectorX& actual, const VectorX& expected, double tolerance) {
    const double scale = expected.lpNorm<Eigen::Infinity>();
    const double error = (actual - expected).lpNorm<Eigen::Infinity>() / scale;
    if (error <= tolerance) return;  // false for NaN
    lines.push_back(where_ + ": " + what + " differ by " + std::to_string(error / tolerance) +
                    " times the tolerance");
  }

  std::vector<std::string> lines;

 private:
  std::string where_;
};

}  // namespace

std::vector<std::unique_ptr<Contender>> make_contenders(const Workload& work) {
  std::vector<std::unique_ptr<Contender>> contenders;
  contenders.push_back(make_spacedyn(work));
#ifdef SPACEDYN_BENCH_MUJOCO
  contenders.push_back(make_mujoco(work));
#endif
#ifdef SPACEDYN_BENCH_BULLET
  contenders.push_back(make_bullet(work));
#endif
#ifdef SPACEDYN_BENCH_DART
  contenders.push_back(make_dart(work));
#endif
#ifdef SPACEDYN_BENCH_SIMBODY
  contenders.push_back(make_simbody(work));
#endif
  return contenders;
}

std::vector<std::string> disagreements(const Workload& work,
                                       std::vector<std::unique_ptr<Contender>>& contenders) {
  std::vector<std::string> lines;
  for (int k = 0; k < work.state_count(); ++k) {
    const Truth expected = truth(work, k);
    for (const std::unique_ptr<Contender>& contender : contenders) {
      Judge judge(work, *contender, k);
      const auto ask = [&](Quantity quantity) {
        if (contender->offers(quantity)) contender->evaluate(quantity, k);
        return contender->offers(quantity);
      };
      if (ask(Quantity::forward_dynamics)) {
        judge.compare("accelerations", contender->acceleration(), expected.acceleration,
                      expected.tolerance);
      }
      if (ask(Quantity::inverse_dynamics)) {
        judge.compare("forces", contender->forces(), expected.forces, 1e-9);
      }
      if (ask(Quantity::inertia_matrix)) {
        judge.compare("kinetic energies", VectorX::Constant(1, contender->kinetic_energy()),
                      VectorX::Constant(1, expected.kinetic_energy), 1e-9);
      }
      for (const Quantity quantity : {Quantity::frame_jacobian, Quantity::one_frame}) {
        if (!ask(quantity)) continue;
        judge.compare("frame velocities", contender->frame_twist(), expected.frame_twist, 1e-9);
      }
      lines.insert(lines.end(), judge.lines.begin(), judge.lines.end());
    }
  }
  return lines;
}

}  // namespace spacedyn::bench
