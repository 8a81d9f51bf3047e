#include "spacedyn/model/elastic_drive.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/decompositions.hpp"
#include "model/description_tree.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/model/drive_train.hpp"

namespace spacedyn {

ElasticDrive separate_rotor(LinkDescription& link, double stiffness, double damping,
                            double backlash) {
  JointDescription& joint = link.joint;
  const std::string name = joint_name(link);
  if (joint.type != JointType::revolute) {
    throw DomainError("the transmission of joint '" + name + "' needs a revolute joint");
  }
  if (!(joint.rotor_inertia > 0.0)) {
    throw DomainError("the elastic transmission of joint '" + name +
                      "' needs a positive rotor_inertia: the rotor would move without resistance");
  }
  const double N = joint.gear_ratio;
  const double turns = std::abs(N);
  ElasticDrive drive;
  LinkDescription& rotor = drive.rotor;
  rotor.name = link.name + "_rotor";
  rotor.parent = link.parent;
  rotor.joint.name = name + "_motor";
  rotor.joint.origin = joint.origin;
  rotor.joint.axis = joint.axis;
  rotor.joint.effort_limit = joint.effort_limit / turns;
  rotor.joint.velocity_limit = joint.velocity_limit * turns;
  const Vector3 axis = joint.axis.normalized();
  rotor.inertia = 0.5 * joint.rotor_inertia * (Matrix3::Identity() + axis * axis.transpose());
  drive.transmission = {
      name + "_transmission", rotor.joint.name, name, N, stiffness, damping, backlash, {}};

  joint.name = name;
  joint.rotor_inertia = 0.0;
  joint.gear_ratio = 1.0;
  joint.rotor_coupling = RotorCoupling::reflected;
  joint.effort_limit = joint.velocity_limit = std::numeric_limits<double>::infinity();
  return drive;
}

void take_rotor_out(BodyDescription& parent, const LinkDescription& rotor) {
  constexpr double kTolerance = 1e-12;  // as that of validated inertias
  const Matrix3& A = rotor.joint.origin.rotation;
  const Matrix3 given = 0.5 * (parent.inertia + parent.inertia.transpose());
  const Matrix3 rest = given - A * rotor.inertia * A.transpose();
  const double least = symmetric_eigenvalues(rest)(0);
  if (least < -kTolerance * given.trace() && !parent.unphysical_inertia) {
    throw DomainError("the inertia of '" + parent.name + "' is smaller than that of the rotor '" +
                      rotor.name + "', which it should include at rest");
  }
  parent.inertia = 0.5 * (rest + rest.transpose());
}

double Transmission::twist(ConstVectorRef q) const {
  const double angle = q(motor - 1) / gear_ratio - q(joint - 1);
  const double play = 0.5 * backlash;
  return angle - std::clamp(angle, -play, play);
}

double elastic_energy(const JointCoupling& coupling, ConstVectorRef q) {
  const auto stretch = [&](std::size_t i) {
    return q(coupling.joints[i] - 1) - coupling.rest_position(static_cast<Eigen::Index>(i));
  };
  double twice = 0.0;
  for (std::size_t i = 0; i < coupling.joints.size(); ++i) {
    for (std::size_t j = 0; j < coupling.joints.size(); ++j) {
      twice += stretch(i) * stretch(j) *
               coupling.stiffness(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
    }
  }
  return 0.5 * twice;
}

double elastic_energy(const Transmission& transmission, ConstVectorRef q) {
  const double twist = transmission.twist(q);
  return 0.5 * transmission.stiffness * twist * twist;
}

}  // namespace spacedyn
