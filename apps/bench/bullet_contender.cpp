// Bullet's btMultiBody, built in double precision: its articulated-body algorithm.
#include <BulletDynamics/Featherstone/btMultiBody.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include "bench/contender.hpp"

namespace spacedyn::bench {
namespace {

static_assert(sizeof(btScalar) == sizeof(double), "the double-precision build of Bullet");

btVector3 bullet(const Vector3& v) { return {v.x(), v.y(), v.z()}; }
btQuaternion bullet(const Matrix3& rotation) {
  const Eigen::Quaterniond q(rotation);
  return {q.x(), q.y(), q.z(), q.w()};
}

/// Axes in which the inertia of a body is diagonal, in its link frame.
struct PrincipalAxes {
  explicit PrincipalAxes(const Matrix3& inertia) {
    const Eigen::SelfAdjointEigenSolver<Matrix3> solver(inertia);
    axes = solver.eigenvectors();
    if (axes.determinant() < 0.0) axes.col(0) *= -1.0;
    moments = solver.eigenvalues();
  }
  Matrix3 axes;
  Vector3 moments;
};

/// Bodies are held at their centroids, in principal axes; velocities of the base are inertial.
class BulletContender final : public Contender {
 public:
  explicit BulletContender(const Workload& work)
      : work_(work),
        base_(work.model.body(0).inertia_L),
        body_(work.model.joint_count(), work.model.body(0).mass, bullet(base_.moments), false,
              false) {
    std::vector<PrincipalAxes> axes{base_};
    for (int i = 1; i <= work.model.joint_count(); ++i) {
      axes.emplace_back(work.model.body(i).inertia_L);
      add_link(i, axes);
    }
    body_.finalizeMultiDof();
    body_.setLinearDamping(0.0);
    body_.setAngularDamping(0.0);
    body_.setMaxCoordinateVelocity(1e30);
    body_.setUseGyroTerm(true);
    for (const State& state : work.states) {
      attitudes_.push_back(bullet(Matrix3(state.A_0 * base_.axes)).inverse());
    }
  }

  const char* name() const override { return "Bullet"; }
  bool offers(Quantity quantity) const override { return quantity == Quantity::forward_dynamics; }

  void evaluate(Quantity, int k) override {
    k_ = static_cast<std::size_t>(k);
    const State& state = work_.states[k_];
    body_.setBasePos(bullet(state.r_0));
    body_.setWorldToBaseRot(attitudes_[k_]);
    body_.setBaseVel(bullet(state.v_0));
    body_.setBaseOmega(bullet(state.omega_0));
    body_.clearForcesAndTorques();
    for (int i = 0; i < work_.model.joint_count(); ++i) {
      body_.setJointPosMultiDof(i, &state.q(i));
      body_.setJointVelMultiDof(i, &state.qd(i));
      body_.addJointTorque(i, work_.tau[k_](i));
    }
    // accelerations are handed out as the velocity gained in dt = 1
    body_.computeAccelerationsArticulatedBodyAlgorithmMultiDof(1.0, numbers_, vectors_, matrices_,
                                                               false, false, false);
  }

  VectorX acceleration() const override {
    const State& state = work_.states[k_];
    const Eigen::Map<const VectorX> gained(body_.getVelocityVector(), work_.model.velocity_size());
    VectorX ours(gained);
    ours.head<3>() = gained.segment<3>(3);
    ours.segment<3>(3) = gained.head<3>();
    return ours - state.velocity();
  }
  VectorX forces() const override { return {}; }
  double kinetic_energy() const override { return 0.0; }
  Vector6 frame_twist() const override { return Vector6::Zero(); }

 private:
  void add_link(int i, const std::vector<PrincipalAxes>& axes) {
    const Model& model = work_.model;
    const int parent = model.topology().connection(i);
    const Matrix3& own = axes[static_cast<std::size_t>(i)].axes;
    const Matrix3& lower = axes[static_cast<std::size_t>(parent)].axes;
    const Matrix3 to_this = own.transpose() * model.joint(i).rotation.transpose() * lower;
    const Vector3 pivot =
        lower.transpose() * (model.joint(i).origin - model.body(parent).center_of_mass);
    body_.setupRevolute(
        i - 1, model.body(i).mass, bullet(axes[static_cast<std::size_t>(i)].moments), parent - 1,
        bullet(to_this), bullet(Vector3(own.transpose() * Vector3::UnitZ())), bullet(pivot),
        bullet(Vector3(own.transpose() * model.body(i).center_of_mass)), true);
  }

  const Workload& work_;
  PrincipalAxes base_;
  btMultiBody body_;
  std::vector<btQuaternion> attitudes_;
  btAlignedObjectArray<btScalar> numbers_;
  btAlignedObjectArray<btVector3> vectors_;
  btAlignedObjectArray<btMatrix3x3> matrices_;
  std::size_t k_ = 0;
};

}  // namespace

std::unique_ptr<Contender> make_bullet(const Workload& work) {
  return std::make_unique<BulletContender>(work);
}

}  // namespace spacedyn::bench
