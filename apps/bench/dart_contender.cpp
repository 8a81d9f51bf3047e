// DART's skeleton. Setting positions and velocities marks its caches as stale.
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>

#include "bench/contender.hpp"

namespace spacedyn::bench {
namespace {

namespace dd = dart::dynamics;

dd::BodyNode::Properties properties(const Body& body) {
  dd::BodyNode::Properties properties;
  properties.mName = body.name;
  properties.mInertia.setMass(body.mass);
  properties.mInertia.setLocalCOM(body.center_of_mass);
  properties.mInertia.setMoment(body.inertia_L);
  return properties;
}

class DartContender final : public Contender {
 public:
  explicit DartContender(const Workload& work) : work_(work), robot_(dd::Skeleton::create()) {
    robot_->setGravity(Vector3::Zero());
    auto base = robot_->createJointAndBodyNodePair<dd::FreeJoint>(
        nullptr, dd::FreeJoint::Properties(), properties(work.model.body(0)));
    base_ = base.first;
    bodies_.push_back(base.second);
    for (int i = 1; i <= work.model.joint_count(); ++i) add_link(i);
    for (std::size_t k = 0; k < work.states.size(); ++k) prepare(k);
  }

  const char* name() const override { return "DART"; }
  bool offers(Quantity quantity) const override { return quantity <= Quantity::all_jacobians; }

  void evaluate(Quantity quantity, int k) override {
    k_ = static_cast<std::size_t>(k);
    robot_->setPositions(positions_[k_]);
    if (quantity == Quantity::forward_dynamics || quantity == Quantity::inverse_dynamics) {
      robot_->setVelocities(velocities_[k_]);
    }
    switch (quantity) {
      case Quantity::forward_dynamics:
        robot_->setForces(forces_[k_]);
        return robot_->computeForwardDynamics();
      case Quantity::inverse_dynamics:
        robot_->setAccelerations(accelerations_[k_]);
        return robot_->computeInverseDynamics();
      case Quantity::inertia_matrix:
        energy_ = 0.5 * velocities_[k_].dot(robot_->getMassMatrix() * velocities_[k_]);
        return;
      case Quantity::frame_jacobian:
      case Quantity::one_frame:
        J_ = robot_->getWorldJacobian(tool(), work_.tool.position);
        return;
      case Quantity::all_jacobians:
        for (std::size_t body = 1; body < bodies_.size(); ++body) {
          J_ = robot_->getWorldJacobian(bodies_[body],
                                        work_.model.body(static_cast<int>(body)).center_of_mass);
        }
        return;
      default:
        return;
    }
  }

  VectorX acceleration() const override {
    VectorX ours(robot_->getNumDofs());
    ours << bodies_[0]->getCOMLinearAcceleration(), bodies_[0]->getAngularAcceleration(),
        robot_->getAccelerations().tail(ours.size() - 6);
    return ours;
  }
  VectorX forces() const override {
    // its base force is a wrench in body axes, moment first
    const VectorX theirs = robot_->getForces();
    const Matrix3& A_0 = work_.states[k_].A_0;
    VectorX ours(theirs);
    ours.head<3>() = A_0 * theirs.segment<3>(3);
    ours.segment<3>(3) = A_0 * theirs.head<3>();
    return ours;
  }
  double kinetic_energy() const override { return energy_; }
  Vector6 frame_twist() const override {
    VectorX moving = VectorX::Zero(velocities_[k_].size());
    const auto dofs = tool()->getDependentGenCoordIndices();
    for (std::size_t i = 0; i < dofs.size(); ++i) {
      moving(static_cast<Eigen::Index>(i)) = velocities_[k_](static_cast<Eigen::Index>(dofs[i]));
    }
    // columns of the whole robot: the others are zero
    const Vector6 twist = J_.cols() == moving.size() ? Vector6(J_ * velocities_[k_])
                                                     : Vector6(J_ * moving.head(J_.cols()));
    Vector6 ours;
    ours << twist.tail<3>(), twist.head<3>();
    return ours;
  }

 private:
  void add_link(int i) {
    const Model& model = work_.model;
    dd::RevoluteJoint::Properties joint;
    joint.mName = model.joint(i).name;
    joint.mAxis = Vector3::UnitZ();
    joint.mT_ParentBodyToJoint.linear() = model.joint(i).rotation;
    joint.mT_ParentBodyToJoint.translation() = model.joint(i).origin;
    dd::BodyNode* parent = bodies_[static_cast<std::size_t>(model.topology().connection(i))];
    bodies_.push_back(robot_
                          ->createJointAndBodyNodePair<dd::RevoluteJoint>(parent, joint,
                                                                          properties(model.body(i)))
                          .second);
  }
  const dd::BodyNode* tool() const { return bodies_[static_cast<std::size_t>(work_.tool.body)]; }

  /// Its generalized coordinates of the base, by its own conversions.
  void prepare(std::size_t k) {
    const State& state = work_.states[k];
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.linear() = state.A_0;
    pose.translation() = state.r_0;
    const auto twist = [](const Vector3& linear, const Vector3& angular) {
      Vector6 all;
      all << angular, linear;
      return all;
    };
    const Vector6 velocity = twist(state.v_0, state.omega_0);
    const VectorX& u_dot = work_.acceleration[k];
    // spatial acceleration: the linear part at a point that the body carries along
    const Vector6 acceleration =
        twist(u_dot.head<3>() - state.omega_0.cross(state.v_0), u_dot.segment<3>(3));
    const dd::Frame* world = dd::Frame::World();
    base_->setSpatialMotion(&pose, world, &velocity, world, world, &acceleration, world, world);
    const Eigen::Index n = state.q.size();
    positions_.emplace_back(6 + n);
    positions_.back() << base_->getPositions(), state.q;
    velocities_.emplace_back(6 + n);
    velocities_.back() << base_->getVelocities(), state.qd;
    accelerations_.emplace_back(6 + n);
    accelerations_.back() << base_->getAccelerations(), u_dot.tail(n);
    forces_.emplace_back(VectorX::Zero(6 + n));
    forces_.back().tail(n) = work_.tau[k];
  }

  const Workload& work_;
  dd::SkeletonPtr robot_;
  dd::FreeJoint* base_ = nullptr;
  std::vector<dd::BodyNode*> bodies_;
  std::vector<VectorX> positions_, velocities_, accelerations_, forces_;
  dart::math::Jacobian J_;
  double energy_ = 0.0;
  std::size_t k_ = 0;
};

}  // namespace

std::unique_ptr<Contender> make_dart(const Workload& work) {
  return std::make_unique<DartContender>(work);
}

}  // namespace spacedyn::bench
