// Simbody's matter subsystem by its operators, realized no further than each needs.
#include <Simbody.h>

#include "bench/contender.hpp"

namespace spacedyn::bench {
namespace {

SimTK::Vec3 simbody(const Vector3& v) { return {v.x(), v.y(), v.z()}; }
SimTK::Rotation simbody(const Matrix3& A) {
  return SimTK::Rotation(
      SimTK::Mat33(A(0, 0), A(0, 1), A(0, 2), A(1, 0), A(1, 1), A(1, 2), A(2, 0), A(2, 1), A(2, 2)),
      true);
}
SimTK::Body::Rigid simbody(const Body& body) {
  const Matrix3& I = body.inertia_L;
  const SimTK::Inertia central(I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2));
  const SimTK::Vec3 center = simbody(body.center_of_mass);
  return SimTK::Body::Rigid(
      SimTK::MassProperties(body.mass, center, central.shiftFromMassCenter(center, body.mass)));
}

/// Its free mobilizer has inertial components, angular first.
class SimbodyContender final : public Contender {
 public:
  explicit SimbodyContender(const Workload& work) : work_(work), matter_(system_) {
    bodies_.push_back(SimTK::MobilizedBody::Free(matter_.Ground(), simbody(work.model.body(0))));
    for (int i = 1; i <= work.model.joint_count(); ++i) {
      const Joint& joint = work.model.joint(i);
      bodies_.push_back(SimTK::MobilizedBody::Pin(
          bodies_[static_cast<std::size_t>(work.model.topology().connection(i))],
          SimTK::Transform(simbody(joint.rotation), simbody(joint.origin)),
          simbody(work.model.body(i)), SimTK::Transform()));
    }
    state_ = system_.realizeTopology();
    system_.realize(state_, SimTK::Stage::Instance);
    for (std::size_t k = 0; k < work.states.size(); ++k) prepare(k);
  }

  const char* name() const override { return "Simbody"; }
  bool offers(Quantity quantity) const override { return quantity <= Quantity::all_jacobians; }

  void evaluate(Quantity quantity, int k) override {
    k_ = static_cast<std::size_t>(k);
    matter_.updQ(state_) = q_[k_];
    if (quantity == Quantity::forward_dynamics || quantity == Quantity::inverse_dynamics) {
      matter_.updU(state_) = u_[k_];
      system_.realize(state_, SimTK::Stage::Velocity);
    } else {
      system_.realize(state_, SimTK::Stage::Position);
    }
    switch (quantity) {
      case Quantity::forward_dynamics:
        system_.realize(state_, SimTK::Stage::Dynamics);
        return matter_.calcAccelerationIgnoringConstraints(state_, tau_[k_], no_wrenches_, result_,
                                                           body_accelerations_);
      case Quantity::inverse_dynamics:
        return matter_.calcResidualForceIgnoringConstraints(state_, no_forces_, no_wrenches_,
                                                            acceleration_[k_], result_);
      case Quantity::inertia_matrix:
        return matter_.calcM(state_, M_);
      case Quantity::frame_jacobian:
      case Quantity::one_frame:
        return matter_.calcFrameJacobian(state_, tool().getMobilizedBodyIndex(),
                                         simbody(work_.tool.position), J_);
      case Quantity::all_jacobians:
        return matter_.calcSystemJacobian(state_, all_J_);
      default:
        return;
    }
  }

  VectorX acceleration() const override { return to_ours(result_); }
  VectorX forces() const override { return to_ours(result_); }
  double kinetic_energy() const override { return 0.5 * (~u_[k_] * (M_ * u_[k_])); }
  Vector6 frame_twist() const override {
    const SimTK::SpatialVec twist = J_ * u_[k_];
    Vector6 ours;
    for (int i = 0; i < 3; ++i) {
      ours(i) = twist[1][i];
      ours(3 + i) = twist[0][i];
    }
    return ours;
  }

 private:
  const SimTK::MobilizedBody& tool() const {
    return bodies_[static_cast<std::size_t>(work_.tool.body)];
  }
  void prepare(std::size_t k) {
    const State& state = work_.states[k];
    bodies_[0].setQToFitTransform(state_, SimTK::Transform(simbody(state.A_0), simbody(state.r_0)));
    SimTK::Vector q = state_.getQ();
    for (int i = 0; i < work_.model.joint_count(); ++i) {
      q[bodies_[static_cast<std::size_t>(i) + 1].getFirstQIndex(state_)] = state.q(i);
    }
    q_.push_back(q);
    u_.push_back(from_ours(state.velocity()));
    acceleration_.push_back(from_ours(work_.acceleration[k]));
    VectorX tau = VectorX::Zero(work_.model.velocity_size());
    tau.tail(work_.model.joint_count()) = work_.tau[k];
    tau_.push_back(from_ours(tau));
    no_forces_ = 0.0 * tau_.back();
    no_wrenches_.resize(matter_.getNumBodies());
    no_wrenches_.setToZero();
  }
  int place(int joint) const {
    return bodies_[static_cast<std::size_t>(joint)].getFirstUIndex(state_);
  }
  SimTK::Vector from_ours(const VectorX& ours) const {
    SimTK::Vector theirs(static_cast<int>(ours.size()));
    for (int i = 0; i < 3; ++i) {
      theirs[place(0) + i] = ours(3 + i);
      theirs[place(0) + 3 + i] = ours(i);
    }
    for (int i = 1; i <= work_.model.joint_count(); ++i) theirs[place(i)] = ours(5 + i);
    return theirs;
  }
  VectorX to_ours(const SimTK::Vector& theirs) const {
    VectorX ours(work_.model.velocity_size());
    for (int i = 0; i < 3; ++i) {
      ours(3 + i) = theirs[place(0) + i];
      ours(i) = theirs[place(0) + 3 + i];
    }
    for (int i = 1; i <= work_.model.joint_count(); ++i) ours(5 + i) = theirs[place(i)];
    return ours;
  }

  const Workload& work_;
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  std::vector<SimTK::MobilizedBody> bodies_;
  SimTK::State state_;
  std::vector<SimTK::Vector> q_, u_, tau_, acceleration_;
  SimTK::Vector no_forces_, result_;
  SimTK::Vector_<SimTK::SpatialVec> no_wrenches_, body_accelerations_;
  SimTK::Matrix M_;
  SimTK::RowVector_<SimTK::SpatialVec> J_;
  SimTK::Matrix_<SimTK::SpatialVec> all_J_;
  std::size_t k_ = 0;
};

}  // namespace

std::unique_ptr<Contender> make_simbody(const Workload& work) {
  return std::make_unique<SimbodyContender>(work);
}

}  // namespace spacedyn::bench
