// MuJoCo's smooth dynamics by its own stages; no contact, no constraint, no actuator is computed.
#include <cstring>
#include <iomanip>
#include <sstream>
#include <stdexcept>

#include <mujoco/mujoco.h>

#include <Eigen/Geometry>

#include "bench/contender.hpp"

namespace spacedyn::bench {
namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The robot as MJCF, in several files: its parser refuses elements that are nested deeply.
class Mjcf {
 public:
  explicit Mjcf(const Model& model) : model_(model) {
    std::ostringstream& out = new_file();
    out << "<mujoco><compiler angle='radian' coordinate='local' boundmass='0' boundinertia='0'/>"
        << "<option gravity='0 0 0' integrator='RK4' timestep='" << kRk4Step
        << "'><flag constraint='disable' "
           "contact='disable'/></option><worldbody>";
    write_body(out, 0);
    out << "</worldbody></mujoco>";
  }

  static std::string name(std::size_t file) { return "part" + std::to_string(file) + ".xml"; }

  /// The file system that MuJoCo reads; free with mj_deleteVFS().
  std::unique_ptr<mjVFS> files() const {
    auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      const std::string text = texts_[i]->str();
      mj_makeEmptyFileVFS(files.get(), name(i).c_str(), static_cast<int>(text.size()));
      std::memcpy(files->filedata[i], text.data(), text.size());
    }
    return files;
  }

 private:
  static constexpr int kLevels = 40;

  std::ostringstream& new_file() {
    texts_.push_back(std::make_unique<std::ostringstream>());
    *texts_.back() << std::setprecision(17);
    return *texts_.back();
  }
  void write_body(std::ostringstream& out, int body) {
    const Body& b = model_.body(body);
    const Matrix3& I = b.inertia_L;
    out << "<body name='b" << body << "'";
    if (body > 0) write_pose(out, model_.joint(body));
    out << "><inertial mass='" << b.mass << "' pos='" << b.center_of_mass.transpose()
        << "' fullinertia='" << I(0, 0) << ' ' << I(1, 1) << ' ' << I(2, 2) << ' ' << I(0, 1) << ' '
        << I(0, 2) << ' ' << I(1, 2) << "'/>";
    out << (body == 0 ? "<freejoint/>" : "<joint type='hinge' axis='0 0 1'/>");
    for (const int child : model_.topology().children(body)) {
      if (model_.topology().depth(child) % kLevels != 0) {
        write_body(out, child);
        continue;
      }
      out << "<include file='" << name(texts_.size()) << "'/>";
      std::ostringstream& rest = new_file();
      rest << "<mujocoinclude>";
      write_body(rest, child);
      rest << "</mujocoinclude>";
    }
    out << "</body>";
  }
  static void write_pose(std::ostringstream& out, const Joint& joint) {
    const Eigen::Quaterniond q(joint.rotation);
    out << " pos='" << joint.origin.transpose() << "' quat='" << q.w() << ' ' << q.x() << ' '
        << q.y() << ' ' << q.z() << "'";
  }

  const Model& model_;
  std::vector<std::unique_ptr<std::ostringstream>> texts_;
};

mjModel* compile(const Model& model) {
  const auto files = Mjcf(model).files();
  char error[1000] = "";
  mjModel* compiled = mj_loadXML(Mjcf::name(0).c_str(), files.get(), error, sizeof error);
  mj_deleteVFS(files.get());
  if (compiled == nullptr) throw std::runtime_error(std::string("MuJoCo: ") + error);
  return compiled;
}

/// Its free joint moves with inertial linear and body angular components.
class MujocoContender final : public Contender {
 public:
  explicit MujocoContender(const Workload& work)
      : work_(work), m_(compile(work.model)), d_(mj_makeData(m_)), J_(6, m_->nv) {
    all_J_.resize(static_cast<std::size_t>(work.model.body_count()), J_);
    for (int body = 0; body < work.model.body_count(); ++body) {
      const std::string name = "b" + std::to_string(body);
      ids_.push_back(mj_name2id(m_, mjOBJ_BODY, name.c_str()));
      if (body > 0) address_.push_back(m_->jnt_dofadr[m_->body_jntadr[ids_.back()]]);
    }
    for (std::size_t k = 0; k < work.states.size(); ++k) prepare(k);
  }
  ~MujocoContender() override {
    mj_deleteData(d_);
    mj_deleteModel(m_);
  }
  MujocoContender(const MujocoContender&) = delete;
  MujocoContender& operator=(const MujocoContender&) = delete;

  const char* name() const override { return "MuJoCo"; }
  bool offers(Quantity quantity) const override {
    return quantity != Quantity::generalized_jacobian && quantity != Quantity::derivatives;
  }

  void evaluate(Quantity quantity, int k) override {
    k_ = static_cast<std::size_t>(k);
    mju_copy(d_->qpos, positions_[k_].data(), m_->nq);
    mju_copy(d_->qvel, velocities_[k_].data(), m_->nv);
    switch (quantity) {
      case Quantity::forward_dynamics:
        return solve_forward();
      case Quantity::inverse_dynamics:
        place();
        mj_comVel(m_, d_);
        mju_copy(d_->qacc, accelerations_[k_].data(), m_->nv);
        return mj_rne(m_, d_, 1, d_->qfrc_inverse);
      case Quantity::inertia_matrix:
        place();
        return mj_crb(m_, d_);
      case Quantity::frame_jacobian:
      case Quantity::one_frame:
        place();
        return point_jacobian(work_.tool, J_);
      case Quantity::all_jacobians:
        place();
        for (std::size_t body = 1; body < all_J_.size(); ++body) {
          mj_jacBodyCom(m_, d_, all_J_[body].data(), all_J_[body].data() + 3 * m_->nv, ids_[body]);
        }
        return;
      case Quantity::rk4_steps:
        mju_copy(d_->qfrc_applied, torques_[k_].data(), m_->nv);
        for (int step = 0; step < kRk4Steps; ++step) mj_step(m_, d_);
        return;
      default:
        return;
    }
  }

  VectorX acceleration() const override { return to_ours(d_->qacc); }
  VectorX forces() const override { return to_ours(d_->qfrc_inverse); }
  double kinetic_energy() const override {
    const VectorX& u = velocities_[k_];
    VectorX momentum(m_->nv);
    mj_mulM(m_, d_, momentum.data(), u.data());
    return 0.5 * u.dot(momentum);
  }
  Vector6 frame_twist() const override { return J_ * velocities_[k_]; }

 private:
  void prepare(std::size_t k) {
    const State& state = work_.states[k];
    const Eigen::Quaterniond q(state.A_0);
    VectorX position(m_->nq);
    position.head<7>() << state.r_0, q.w(), q.x(), q.y(), q.z();
    for (std::size_t i = 0; i < address_.size(); ++i) {
      position(address_[i] + 1) = state.q(static_cast<Eigen::Index>(i));
    }
    positions_.push_back(position);
    velocities_.push_back(from_ours(state.velocity(), state.A_0));
    accelerations_.push_back(from_ours(work_.acceleration[k], state.A_0));
    VectorX tau = VectorX::Zero(m_->nv);
    tau.tail(m_->nv - 6) = work_.tau[k];
    torques_.push_back(from_ours(tau, state.A_0));
  }
  VectorX from_ours(const VectorX& ours, const Matrix3& A_0) const {
    VectorX theirs(m_->nv);
    theirs.head<3>() = ours.head<3>();
    theirs.segment<3>(3) = A_0.transpose() * ours.segment<3>(3);
    for (std::size_t i = 0; i < address_.size(); ++i) {
      theirs(address_[i]) = ours(static_cast<Eigen::Index>(i) + 6);
    }
    return theirs;
  }
  VectorX to_ours(const mjtNum* theirs) const {
    VectorX ours(m_->nv);
    ours.head<3>() = Eigen::Map<const Vector3>(theirs);
    ours.segment<3>(3) = work_.states[k_].A_0 * Eigen::Map<const Vector3>(theirs + 3);
    for (std::size_t i = 0; i < address_.size(); ++i) {
      ours(static_cast<Eigen::Index>(i) + 6) = theirs[address_[i]];
    }
    return ours;
  }

  void place() {
    mj_kinematics(m_, d_);
    mj_comPos(m_, d_);
  }
  void solve_forward() {
    place();
    mj_crb(m_, d_);
    mj_factorM(m_, d_);
    mj_comVel(m_, d_);
    mj_rne(m_, d_, 0, d_->qfrc_bias);
    mju_sub(d_->qfrc_smooth, torques_[k_].data(), d_->qfrc_bias, m_->nv);
    mj_solveM(m_, d_, d_->qacc, d_->qfrc_smooth, 1);
  }
  void point_jacobian(const Frame& frame, RowMatrix& J) {
    const int id = ids_[static_cast<std::size_t>(frame.body)];
    mjtNum point[3];
    mju_rotVecMat(point, frame.position.data(), d_->xmat + 9 * id);
    mju_addTo3(point, d_->xpos + 3 * id);
    mj_jac(m_, d_, J.data(), J.data() + 3 * m_->nv, point, id);
  }

  const Workload& work_;
  mjModel* m_;
  mjData* d_;
  RowMatrix J_;
  std::vector<RowMatrix> all_J_;
  std::vector<int> ids_, address_;
  std::vector<VectorX> positions_, velocities_, accelerations_, torques_;
  std::size_t k_ = 0;
};

}  // namespace

std::unique_ptr<Contender> make_mujoco(const Workload& work) {
  return std::make_unique<MujocoContender>(work);
}

}  // namespace spacedyn::bench
