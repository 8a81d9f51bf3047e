#include <array>

#include "integration/stepper.hpp"

namespace spacedyn {
namespace {

struct Description {
  std::string_view name;
  bool adaptive;
};

constexpr std::array<Description, 15> kMethods{{{"dop853", true},
                                                {"dopri5", true},
                                                {"euler", false},
                                                {"midpoint", false},
                                                {"rk4", false},
                                                {"cash_karp54", true},
                                                {"fehlberg78", true},
                                                {"bulirsch_stoer", true},
                                                {"adams_bashforth_moulton", false},
                                                {"rodas", true},
                                                {"variational", false},
                                                {"euler_rodrigues", false},
                                                {"rk4_quaternion", false},
                                                {"simpson", false},
                                                {"newmark", false}}};

const Description& describe(IntegrationMethod method) {
  return kMethods[static_cast<std::size_t>(method)];
}

}  // namespace

const std::vector<IntegrationMethod>& all_integration_methods() {
  static const std::vector<IntegrationMethod> methods = [] {
    std::vector<IntegrationMethod> all;
    for (std::size_t i = 0; i < kMethods.size(); ++i) {
      all.push_back(static_cast<IntegrationMethod>(i));
    }
    return all;
  }();
  return methods;
}

std::string_view to_string(IntegrationMethod method) { return describe(method).name; }

bool is_adaptive(IntegrationMethod method) { return describe(method).adaptive; }

std::unique_ptr<Stepper> make_stepper(const SimulationSetup& setup, const ErrorNorm& norm) {
  const IntegratorOptions& options = setup.integrator;
  switch (options.method) {
    case IntegrationMethod::dop853:
      return make_dop853_stepper(norm);
    case IntegrationMethod::euler:
      return make_euler_stepper();
    case IntegrationMethod::midpoint:
      return make_midpoint_stepper();
    case IntegrationMethod::rk4:
      return make_rk4_stepper();
    case IntegrationMethod::cash_karp54:
      return make_cash_karp54_stepper();
    case IntegrationMethod::fehlberg78:
      return make_fehlberg78_stepper();
    case IntegrationMethod::bulirsch_stoer:
      return make_bulirsch_stoer_stepper(norm);
    case IntegrationMethod::adams_bashforth_moulton:
      return make_adams_bashforth_moulton_stepper();
    case IntegrationMethod::rodas:
      return make_rodas_stepper();
    case IntegrationMethod::variational:
      return make_variational_stepper(setup);
    case IntegrationMethod::euler_rodrigues:
      return make_euler_rodrigues_stepper();
    case IntegrationMethod::rk4_quaternion:
      return make_rk4_quaternion_stepper();
    case IntegrationMethod::simpson:
      return make_simpson_stepper();
    case IntegrationMethod::newmark:
      return make_newmark_stepper(options.newmark_beta, options.newmark_gamma);
    case IntegrationMethod::dopri5:
      break;
  }
  return make_dopri5_stepper();
}

}  // namespace spacedyn
