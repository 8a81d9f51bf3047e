#include <array>

#include "integration/stepper.hpp"

namespace spacedyn {

const std::vector<IntegrationMethod>& all_integration_methods() {
  static const std::vector<IntegrationMethod> methods{
      IntegrationMethod::dopri5,          IntegrationMethod::rk4,
      IntegrationMethod::euler_rodrigues, IntegrationMethod::rk4_quaternion,
      IntegrationMethod::simpson,         IntegrationMethod::newmark};
  return methods;
}

std::string_view to_string(IntegrationMethod method) {
  constexpr std::array<std::string_view, 6> kNames{"dopri5",         "rk4",     "euler_rodrigues",
                                                   "rk4_quaternion", "simpson", "newmark"};
  return kNames[static_cast<std::size_t>(method)];
}

bool is_adaptive(IntegrationMethod method) { return method == IntegrationMethod::dopri5; }

std::unique_ptr<Stepper> make_stepper(const IntegratorOptions& options) {
  switch (options.method) {
    case IntegrationMethod::rk4:
      return make_rk4_stepper();
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
