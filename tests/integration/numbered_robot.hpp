/// @file
/// A robot whose flight depends on a number of one element or body, the others being the very same.
#pragma once

#include "integration/sensitivity_flights.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/forces/spring_damper.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/random_models.hpp"

namespace spacedyn::testing {

enum class Number {
  mass,
  inertia,
  rotor,
  joint_damping,
  spring,
  torque,
  integral,
  start_of_torque
};
constexpr Number kNumbersOfLoads[] = {Number::mass,          Number::inertia, Number::rotor,
                                      Number::joint_damping, Number::spring,  Number::torque,
                                      Number::integral};

/// A robot with springs between its bodies, a table of torques and a controller. What does not
/// depend on the number is the very same object in all flights.
class NumberedRobot {
 public:
  NumberedRobot() {
    RandomModels random(23);
    description_ = random.description({4, 2, 0.3, true});
    for (LinkDescription& link : description_.links) link.joint.stiffness = 6.0;
    description_.links[2].joint.rotor_inertia = 0.3;
    description_.links[2].joint.damping = 0.3;
    model_ = std::make_shared<const Model>(ModelBuilder(description_).build());
    initial_ = random.state(*model_);
    const VectorX wrench = random.vector(6);
    still_ = {spring(20.0),
              std::make_shared<AppliedWrench>("push", frame(2), WrenchAxes::body,
                                              TimeTable::constant(wrench, 0.0, 0.5)),
              torque(0.8, 0.31)};
    law_ = law(4.0);
  }

  IntegratorOptions integrator = rk4(0.02);
  double spin = 1.0;  ///< times that of the start

  /// As it is.
  double value(Number number) const {
    switch (number) {
      case Number::mass:
        return description_.links[2].mass;
      case Number::inertia:
        return 1.0;
      case Number::spring:
        return 20.0;
      case Number::torque:
        return 0.8;
      case Number::integral:
        return 4.0;
      case Number::start_of_torque:
        return 0.31;
      default:
        return 0.3;
    }
  }
  Flight usual() const { return with(Number::torque, value(Number::torque)); }

  Flight with(Number number, double value) const {
    Flight flight;
    flight.setup.model = model_;
    flight.setup.gravity = {0.0, 0.4, -1.0};
    flight.setup.integrator = integrator;
    flight.setup.forces = still_;
    flight.setup.controllers = {law_};
    flight.initial = initial_;
    flight.initial.omega_0 *= spin;
    switch (number) {
      case Number::spring:
        flight.setup.forces[0] = spring(value);
        break;
      case Number::torque:
        flight.setup.forces[2] = torque(value, 0.31);
        break;
      case Number::start_of_torque:
        flight.setup.forces[2] = torque(0.8, value);
        break;
      case Number::integral:
        flight.setup.controllers = {law(value)};
        break;
      default:
        flight.setup.model = changed_model(number, value);
    }
    return flight;
  }

 private:
  Frame frame(int body) const { return {"", body, Vector3(0.3, -0.2, 0.1), Matrix3::Identity()}; }
  std::shared_ptr<const ForceElement> spring(double stiffness) const {
    return std::make_shared<SpringDamper>(
        "spring", SpringDamper::Settings{frame(0), frame(3), stiffness, 1.5, 0.4});
  }
  static std::shared_ptr<const ForceElement> torque(double size, double from) {
    MatrixX values(1, 3);
    values << 0.4, size, -0.3;
    return std::make_shared<AppliedJointTorque>("torque", 2,
                                                TimeTable({from, from + 0.3, 0.9}, values));
  }
  static std::shared_ptr<const Controller> law(double integral) {
    JointPd::Settings pd;
    pd.joints = {1, 4};
    pd.stiffness = VectorX::Constant(2, 12.0);
    pd.damping = VectorX::Constant(2, 2.0);
    pd.integral = VectorX::Constant(2, integral);
    pd.effort_limit = VectorX::Constant(2, 1e3);
    pd.reference = std::make_shared<QuinticReference>(VectorX::Zero(2), VectorX::Ones(2), 0.1, 0.7);
    return std::make_shared<JointPd>("hold", pd);
  }
  std::shared_ptr<const Model> changed_model(Number number, double value) const {
    ModelDescription description = description_;
    LinkDescription& link = description.links[2];
    if (number == Number::mass) link.mass = value;
    if (number == Number::inertia) link.inertia *= value;
    if (number == Number::rotor) link.joint.rotor_inertia = value;
    if (number == Number::joint_damping) link.joint.damping = value;
    return std::make_shared<const Model>(ModelBuilder(description).build());
  }

  ModelDescription description_;
  std::shared_ptr<const Model> model_;
  State initial_;
  std::vector<std::shared_ptr<const ForceElement>> still_;
  std::shared_ptr<const Controller> law_;
};

}  // namespace spacedyn::testing
