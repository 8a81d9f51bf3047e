#include <algorithm>
#include <cmath>
#include <limits>

#include "math/decompositions.hpp"
#include "model/description_tree.hpp"
#include "model/model_validation.hpp"
#include "model/short_number.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/model/drive_train.hpp"
#include "spacedyn/model/elastic_drive.hpp"
#include "spacedyn/model/joint_traits.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn {
namespace {

// asymmetry or a negative eigenvalue beyond this fraction of the largest is no rounding
constexpr double kMatrixTolerance = 1e-9;

std::string size_text(const MatrixX& matrix) {
  return std::to_string(matrix.rows()) + "×" + std::to_string(matrix.cols());
}

class DriveValidator {
 public:
  DriveValidator(const ModelDescription& description, std::vector<Problem>& problems)
      : description_(description), problems_(problems) {}

  void run() {
    for (std::size_t i = 0; i < description_.couplings.size(); ++i) {
      path_ = "couplings." + std::to_string(i);
      check_coupling(description_.couplings[i]);
    }
    for (std::size_t i = 0; i < description_.transmissions.size(); ++i) {
      path_ = "transmissions." + std::to_string(i);
      check_transmission(description_.transmissions[i]);
    }
  }

 private:
  void error(const std::string& key, const std::string& message, const std::string& hint = "") {
    problems_.push_back({Severity::error, path_ + '.' + key, message, hint});
  }

  const LinkDescription* find(const std::string& joint) const {
    for (const LinkDescription& link : description_.links) {
      if (joint_name(link) == joint) return &link;
    }
    return nullptr;
  }

  const LinkDescription* moving_joint(const std::string& name, const std::string& key) {
    const LinkDescription* link = find(name);
    if (link != nullptr && joint_traits(link->joint.type).size == 1) return link;
    std::vector<std::string> known;
    for (const LinkDescription& each : description_.links) {
      if (joint_traits(each.joint.type).size == 1) known.push_back(joint_name(each));
    }
    error(key,
          "expected the name of a moving joint, got '" + name + "'" + did_you_mean(name, known));
    return nullptr;
  }

  void check_coupling(const JointCouplingDescription& coupling) {
    if (coupling.joints.empty()) error("joints", "expected at least one joint, got none");
    for (std::size_t i = 0; i < coupling.joints.size(); ++i) {
      const std::string key = "joints." + std::to_string(i);
      moving_joint(coupling.joints[i], key);
      for (std::size_t j = 0; j < i; ++j) {
        if (coupling.joints[i] != coupling.joints[j]) continue;
        error(key, "expected each joint once, got '" + coupling.joints[i] + "' again");
      }
    }
    const auto size = static_cast<Eigen::Index>(coupling.joints.size());
    check_matrix(coupling.stiffness, size, "stiffness", "a stiffness that pulls away from rest");
    check_matrix(coupling.damping, size, "damping", "a damping that puts energy in");
    const VectorX& rest = coupling.rest_position;
    if (rest.size() != 0 && rest.size() != size) {
      error("rest_position",
            "expected " + std::to_string(size) + " numbers, got " + std::to_string(rest.size()));
    } else if (!rest.allFinite()) {
      error("rest_position", "expected finite numbers");
    }
  }

  void check_matrix(const MatrixX& matrix, Eigen::Index size, const std::string& key,
                    const std::string& meaning) {
    if (matrix.size() == 0 || size == 0) return;
    if (matrix.rows() != size || matrix.cols() != size) {
      const std::string expected = std::to_string(size);
      error(key, "expected " + expected + "×" + expected + " numbers, got " + size_text(matrix));
      return;
    }
    if (!matrix.allFinite()) {
      error(key, "expected finite numbers");
      return;
    }
    const double scale = matrix.cwiseAbs().maxCoeff();
    const double asymmetry = (matrix - matrix.transpose()).cwiseAbs().maxCoeff();
    if (asymmetry > kMatrixTolerance * scale) {
      error(key,
            "expected a symmetric matrix, got elements that differ by " + short_number(asymmetry));
      return;
    }
    const double least = symmetric_eigenvalues(matrix)(0);
    if (least < -kMatrixTolerance * scale) {
      error(key, "expected a positive semidefinite matrix, got the eigenvalue " +
                     short_number(least) + ": " + meaning);
    }
  }

  void check_transmission(const TransmissionDescription& drive) {
    const LinkDescription* motor = moving_joint(drive.motor, "motor");
    moving_joint(drive.joint, "joint");
    if (drive.motor == drive.joint) error("joint", "expected another joint than that of the motor");
    require(std::isfinite(drive.gear_ratio) && drive.gear_ratio != 0.0, "gear_ratio",
            "expected a finite number other than 0");
    require(std::isfinite(drive.stiffness) && drive.stiffness > 0.0, "stiffness",
            "expected a finite, positive stiffness");
    require(std::isfinite(drive.damping) && drive.damping >= 0.0, "damping",
            "expected a finite number of at least 0");
    require(std::isfinite(drive.backlash) && drive.backlash >= 0.0, "backlash",
            "expected a finite number of at least 0");
    if (motor != nullptr && !has_inertia(*motor)) {
      error("motor",
            "expected a rotor with inertia about its axis, got '" + drive.motor +
                "' without any: an elastic transmission would let it move without resistance",
            "give inertia to the link that the joint carries");
    }
  }

  void require(bool rule, const std::string& key, const std::string& message) {
    if (!rule) error(key, message);
  }

  /// Whether a rotor resists turning by itself; one that carries something is left to others.
  bool has_inertia(const LinkDescription& rotor) const {
    for (const LinkDescription& link : description_.links) {
      if (link.parent == rotor.name) return true;
    }
    if (rotor.joint.type != JointType::revolute || rotor.joint.rotor_inertia > 0.0) return true;
    const Vector3 axis = rotor.joint.axis.normalized();
    return axis.dot(rotor.inertia * axis) +
               rotor.mass * axis.cross(rotor.center_of_mass).squaredNorm() >
           0.0;
  }

  const ModelDescription& description_;
  std::vector<Problem>& problems_;
  std::string path_;
};

}  // namespace

void validate_drive_train(const ModelDescription& description, std::vector<Problem>& problems) {
  DriveValidator(description, problems).run();
}

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
