#include <array>

#include "integration/steppers/stepper.hpp"
#include "spacedyn/integration/simulator.hpp"

namespace spacedyn {

std::unique_ptr<Stepper> make_dop853_stepper(const ErrorNorm& norm);
std::unique_ptr<Stepper> make_dopri5_stepper();
std::unique_ptr<Stepper> make_euler_stepper();
std::unique_ptr<Stepper> make_midpoint_stepper();
std::unique_ptr<Stepper> make_rk4_stepper();
std::unique_ptr<Stepper> make_cash_karp54_stepper();
std::unique_ptr<Stepper> make_fehlberg78_stepper();
std::unique_ptr<Stepper> make_bulirsch_stoer_stepper(const ErrorNorm& norm);
std::unique_ptr<Stepper> make_adams_bashforth_moulton_stepper();
std::unique_ptr<Stepper> make_rodas_stepper(EquationsOfMotion& equations);
std::unique_ptr<Stepper> make_variational_stepper(const SimulationSetup& setup,
                                                  EquationsOfMotion& equations);
std::unique_ptr<Stepper> make_euler_rodrigues_stepper(EquationsOfMotion& equations);
std::unique_ptr<Stepper> make_rk4_quaternion_stepper(EquationsOfMotion& equations);
std::unique_ptr<Stepper> make_simpson_stepper();
std::unique_ptr<Stepper> make_time_stepping_stepper(const SimulationSetup& setup,
                                                    EquationsOfMotion& equations);
std::unique_ptr<Stepper> make_newmark_stepper(double beta, double gamma,
                                              EquationsOfMotion& equations);

namespace {

using Maker = std::unique_ptr<Stepper> (*)(const SimulationSetup& setup, const ErrorNorm& norm,
                                           EquationsOfMotion& equations);

struct Method {
  MethodTraits traits;
  Maker make;
};

template <std::unique_ptr<Stepper> (*make)()>
std::unique_ptr<Stepper> plain(const SimulationSetup& /*setup*/, const ErrorNorm& /*norm*/,
                               EquationsOfMotion& /*equations*/) {
  return make();
}

template <std::unique_ptr<Stepper> (*make)(const ErrorNorm&)>
std::unique_ptr<Stepper> with_norm(const SimulationSetup& /*setup*/, const ErrorNorm& norm,
                                   EquationsOfMotion& /*equations*/) {
  return make(norm);
}

/// Of methods that use more of a system than its rates.
template <std::unique_ptr<Stepper> (*make)(EquationsOfMotion&)>
std::unique_ptr<Stepper> of_motion(const SimulationSetup& /*setup*/, const ErrorNorm& /*norm*/,
                                   EquationsOfMotion& equations) {
  return make(equations);
}

std::unique_ptr<Stepper> variational(const SimulationSetup& setup, const ErrorNorm& /*norm*/,
                                     EquationsOfMotion& equations) {
  return make_variational_stepper(setup, equations);
}

std::unique_ptr<Stepper> time_stepping(const SimulationSetup& setup, const ErrorNorm& /*norm*/,
                                       EquationsOfMotion& equations) {
  return make_time_stepping_stepper(setup, equations);
}

std::unique_ptr<Stepper> newmark(const SimulationSetup& setup, const ErrorNorm& /*norm*/,
                                 EquationsOfMotion& equations) {
  return make_newmark_stepper(setup.integrator.newmark_beta, setup.integrator.newmark_gamma,
                              equations);
}

constexpr auto kCorrected = CentroidPathRule::corrected;
constexpr auto kExact = CentroidPathRule::exact;
constexpr auto kAsComputed = CentroidPathRule::as_computed;

/// In the order of IntegrationMethod: name, order, adaptive, imposes motion, turns spherical
/// joints, β and γ, centroid, closes loops, steps contacts.
constexpr std::array<Method, 16> kMethods{{
    {{"dop853", 8, true, true, true, false, kCorrected, true}, with_norm<make_dop853_stepper>},
    {{"dopri5", 5, true, true, true, false, kCorrected, true}, plain<make_dopri5_stepper>},
    {{"euler", 1, false, true, true, false, kCorrected, true}, plain<make_euler_stepper>},
    {{"midpoint", 2, false, true, true, false, kCorrected, true}, plain<make_midpoint_stepper>},
    {{"rk4", 4, false, true, true, false, kCorrected, true}, plain<make_rk4_stepper>},
    {{"cash_karp54", 5, true, true, true, false, kCorrected, true},
     plain<make_cash_karp54_stepper>},
    {{"fehlberg78", 8, true, true, true, false, kCorrected, true}, plain<make_fehlberg78_stepper>},
    {{"bulirsch_stoer", 8, true, true, true, false, kCorrected, true},
     with_norm<make_bulirsch_stoer_stepper>},
    {{"adams_bashforth_moulton", 6, false, true, true, false, kCorrected, true},
     plain<make_adams_bashforth_moulton_stepper>},
    {{"rodas", 4, true, true, true, false, kCorrected, true}, of_motion<make_rodas_stepper>},
    {{"variational", 2, false, false, false, false, kExact, false}, variational},
    {{"euler_rodrigues", 1, false, true, true, false, kAsComputed, true},
     of_motion<make_euler_rodrigues_stepper>},
    {{"rk4_quaternion", 4, false, true, true, false, kAsComputed, true},
     of_motion<make_rk4_quaternion_stepper>},
    {{"simpson", 3, false, true, true, false, kAsComputed, true}, plain<make_simpson_stepper>},
    {{"newmark", 2, false, true, true, true, kAsComputed, false}, newmark},
    {{"time_stepping", 2, false, true, true, false, kCorrected, false, true}, time_stepping},
}};

const Method& describe(IntegrationMethod method) {
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

const MethodTraits& method_traits(IntegrationMethod method) { return describe(method).traits; }

std::string_view to_string(IntegrationMethod method) { return method_traits(method).name; }

MethodTraits method_traits(const IntegratorOptions& options) {
  return options.stepper ? options.stepper->traits() : method_traits(options.method);
}

bool is_adaptive(IntegrationMethod method) { return method_traits(method).adaptive; }

const std::vector<LoopStabilization>& all_loop_stabilizations() {
  static const std::vector<LoopStabilization> all{
      LoopStabilization::projection, LoopStabilization::baumgarte, LoopStabilization::none};
  return all;
}

std::string_view to_string(LoopStabilization stabilization) {
  static constexpr std::array<std::string_view, 3> kNames{"projection", "baumgarte", "none"};
  return kNames[static_cast<std::size_t>(stabilization)];
}

std::unique_ptr<Stepper> make_stepper(const SimulationSetup& setup, const ErrorNorm& norm,
                                      EquationsOfMotion& equations) {
  if (setup.integrator.stepper) return make_own_stepper(*setup.integrator.stepper);
  return describe(setup.integrator.method).make(setup, norm, equations);
}

}  // namespace spacedyn
