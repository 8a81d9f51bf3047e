// A floating robot as an equation of motion x' = FDx(x, tau), [RBDA] (3.9), in the hands of
// Boost.Odeint.
#include <cstdio>
#include <memory>

#include <spacedyn/spacedyn.hpp>

#include <spacedyn/integration/dop853.hpp>
#include <spacedyn/integration/odeint_stepper.hpp>
#include <textbook/canonical_forms.hpp>

namespace sd = spacedyn;
namespace odeint = boost::numeric::odeint;

int main(int argument_count, char** arguments) try {
  if (argument_count != 2) throw sd::Error("usage: example_odeint_flight ROBOT.yaml");
  const std::shared_ptr<const sd::Model> robot = sd::load_model(arguments[1]).model;

  sd::CanonicalForm form(*robot, sd::AttitudeCoordinates::quaternion);
  sd::VectorX tau = sd::VectorX::Zero(form.velocity_size());
  tau(6) = 1.0;  // N m at the first joint
  const auto equation = [&](const sd::VectorX& x, sd::VectorX& rate, double) {
    rate.resize(x.size());
    form.FDx(x, tau, rate);
  };

  // from rest: an adaptive method, and rows at equal times from its dense output
  const sd::State start(*robot);
  sd::VectorX x = form.state_vector(start);
  const auto print = [&](const sd::VectorX& row, double time) {
    const sd::State state =
        form.state(row.head(form.position_size()), row.tail(form.velocity_size()));
    std::printf("%3.1f s  joints %7.4f %7.4f rad  base yaw %7.4f rad\n", time, state.q(0),
                state.q(1), sd::rpy_from_matrix(state.A_0).z());
  };
  odeint::integrate_const(odeint::make_dense_output(1e-11, 1e-11, sd::Dop853()), equation, x, 0.0,
                          4.0, 1.0, print);

  // the same by another method of odeint, without dense output
  sd::VectorX other = form.state_vector(start);
  odeint::integrate_adaptive(
      odeint::make_controlled(1e-11, 1e-11, odeint::runge_kutta_fehlberg78<sd::VectorX>()),
      equation, other, 0.0, 4.0, 0.1);

  // and the same by the simulator, which steps with a stepper of odeint
  sd::SimulationSetup setup;
  setup.model = robot;
  setup.forces.push_back(std::make_shared<sd::FunctionForce>(
      "motor",
      [](const sd::EvaluationContext& /*now*/, sd::Loads& loads) { loads.tau(0) += 1.0; }));
  setup.integrator.stepper = sd::make_stepper(odeint::runge_kutta_cash_karp54<sd::VectorX>());
  setup.integrator.relative_tolerance = 1e-11;
  sd::SimulationObserver end_only;
  const sd::State end = sd::Simulator(setup).run(start, 4.0, 4.0, end_only).state;

  const bool agree = (x - other).norm() < 1e-9 && (form.state_vector(end) - x).norm() < 1e-8;
  std::printf("all methods agree to 1e-8: %s\n", agree ? "yes" : "no");
  return 0;
} catch (const sd::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
