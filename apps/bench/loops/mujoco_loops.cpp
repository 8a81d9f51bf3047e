// MuJoCo: the tree as MJCF, loops as connect and weld of <equality>.
#include <mujoco/mujoco.h>

#include <array>
#include <cstring>
#include <iomanip>
#include <sstream>
#include <stdexcept>
#include <vector>

#include <Eigen/Geometry>

#include "bench/loops/loop_peer.hpp"

namespace spacedyn::bench {
namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Quaterniond quaternion(const Vector3& turn) {
  return Eigen::Quaterniond(Eigen::AngleAxisd(turn.norm(), turn.normalized()));
}

/// Where the points of the loops are, and how many constraints each takes.
struct EqualityRows {
  bool weld;
  Pose from, to;  ///< in the frames of the bodies
};

/// The model as MJCF; numbers of constraints are put into the compiled model.
class Mjcf {
 public:
  Mjcf(const Model& model, const MujocoSettings& settings) : robot_(model.description()) {
    out_ << std::setprecision(17)
         << "<mujoco><size njmax='2000'/>"
            "<compiler angle='radian' coordinate='local' boundmass='0' boundinertia='0'/>"
         << "<option iterations='100' solver='" << settings.solver << "' jacobian='"
         << settings.jacobian << "' tolerance='" << settings.tolerance
         << "'><flag contact='disable' warmstart='disable'/></option><default><equality"
         << " solimp='0.9999 0.9999 0.001'/></default><worldbody>";
    const bool floats = !robot_.base.fixed;
    if (floats) begin(robot_.base, Pose(), "<freejoint/>");
    write_children(robot_.base.name);
    if (floats) out_ << "</body>";
    out_ << "</worldbody><equality>";
    for (const LoopDescription& loop : robot_.loops) write(loop, settings.pins);
    out_ << "</equality></mujoco>";
  }

  mjModel* compile() const {
    const std::string text = out_.str();
    auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "loops.xml", static_cast<int>(text.size()));
    std::memcpy(files->filedata[0], text.data(), text.size());
    std::array<char, 1000> error{};
    mjModel* compiled =
        mj_loadXML("loops.xml", files.get(), error.data(), static_cast<int>(error.size()));
    mj_deleteVFS(files.get());
    if (compiled == nullptr) throw std::runtime_error(std::string("MuJoCo: ") + error.data());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      mjtNum* data = compiled->eq_data + mjNEQDATA * i;
      const EqualityRows& equality = rows_[i];
      Eigen::Map<Vector3>(data + (equality.weld ? 3 : 0)) = equality.from.position;
      Eigen::Map<Vector3>(data + (equality.weld ? 0 : 3)) = equality.to.position;
      if (!equality.weld) continue;
      const Eigen::Quaterniond q(equality.from.rotation * equality.to.rotation.transpose());
      data[6] = q.w();
      Eigen::Map<Vector3>(data + 7) = q.vec();
    }
    return compiled;
  }
  /// Constraints of each loop.
  const std::vector<int>& counts() const { return counts_; }

 private:
  void begin(const BodyDescription& body, const Pose& origin, const std::string& joints) {
    const Matrix3& I = body.inertia;
    const Eigen::Quaterniond q(origin.rotation);
    out_ << "<body name='" << body.name << "' pos='" << origin.position.transpose() << "' quat='"
         << q.w() << ' ' << q.vec().transpose() << "'><inertial mass='" << body.mass << "' pos='"
         << body.center_of_mass.transpose() << "' fullinertia='" << I(0, 0) << ' ' << I(1, 1) << ' '
         << I(2, 2) << ' ' << I(0, 1) << ' ' << I(0, 2) << ' ' << I(1, 2) << "'/>" << joints;
  }
  void write_children(const std::string& parent) {
    for (const LinkDescription& link : robot_.links) {
      if (link.parent != parent) continue;
      begin(link, link.joint.origin, joints_of(link.joint));
      write_children(link.name);
      out_ << "</body>";
    }
  }
  static std::string joint(const char* type, const Vector3& axis) {
    std::ostringstream out;
    out << std::setprecision(17) << "<joint type='" << type << "' axis='" << axis.transpose()
        << "'/>";
    return out.str();
  }
  static std::string joints_of(const JointDescription& given) {
    switch (given.type) {
      case JointType::revolute:
        return joint("hinge", given.axis);
      case JointType::prismatic:
        return joint("slide", given.axis);
      case JointType::universal:
        return joint("hinge", given.axis) + joint("hinge", given.second_axis);
      case JointType::spherical:
        return "<joint type='ball'/>";
      default:
        throw std::runtime_error(given.name + ": a joint that is not made for MuJoCo");
    }
  }
  void write(const LoopDescription& loop, PinRows pins) {
    const FrameDescription &from = frame(loop.from), &to = frame(loop.to);
    const bool weld = loop.type == LoopType::weld;
    const bool axis = loop.type == LoopType::revolute && pins == PinRows::joint;
    if (!weld && !axis && loop.type != LoopType::spherical && loop.type != LoopType::revolute) {
      throw std::runtime_error(loop.name + ": a loop that is not made for MuJoCo");
    }
    counts_.push_back(axis ? 2 : 1);
    for (int i = 0; i < counts_.back(); ++i) {
      // two points of an axis are a hinge
      EqualityRows rows{weld, from.origin, to.origin};
      rows.from.position += i * rows.from.rotation * loop.axis;
      rows.to.position += i * rows.to.rotation * loop.axis;
      rows_.push_back(rows);
      out_ << (weld ? "<weld" : "<connect anchor='0 0 0'") << " body1='" << from.link << "' body2='"
           << to.link << "'/>";
    }
  }
  const FrameDescription& frame(const std::string& name) const {
    for (const FrameDescription& frame : robot_.frames) {
      if (frame.name == name) return frame;
    }
    throw std::runtime_error(name + ": no such frame");
  }

  const ModelDescription& robot_;
  std::ostringstream out_;
  std::vector<EqualityRows> rows_;
  std::vector<int> counts_;
};

/// Its free and ball joints have angular velocities in the axes of the carried body.
class MujocoLoops final : public LoopPeer {
 public:
  MujocoLoops(const Model& model, const MujocoSettings& settings)
      : settings_(settings), floats_(!model.has_fixed_base()), size_(model.velocity_size()) {
    const Mjcf text(model, settings);
    m_ = text.compile();
    d_ = mj_makeData(m_);
    counts_ = text.counts();
    for (const LinkDescription& link : model.description().links) {
      const std::string& name = link.joint.name.empty() ? link.name : link.joint.name;
      const auto compound = model.find_compound_joint(name);
      const int first = m_->body_jntadr[mj_name2id(m_, mjOBJ_BODY, link.name.c_str())];
      parts_.push_back({5 + (compound ? compound->first : model.find_joint(name).value()),
                        compound ? compound->size : 1, m_->jnt_qposadr[first],
                        m_->jnt_dofadr[first], link.joint.type == JointType::spherical});
    }
  }
  ~MujocoLoops() override {
    mj_deleteData(d_);
    mj_deleteModel(m_);
  }
  MujocoLoops(const MujocoLoops&) = delete;
  MujocoLoops& operator=(const MujocoLoops&) = delete;

  void place(const State& state, const Loads& loads) override {
    Eigen::Map<Vector3>(m_->opt.gravity) = loads.gravity;
    A_0_ = state.A_0;
    q_.resize(m_->nq);
    if (floats_) {
      const Eigen::Quaterniond q(state.A_0);
      q_.head<7>() << state.r_0, q.w(), q.vec();
    }
    for (const Part& part : parts_) {
      if (part.ball) {
        const Eigen::Quaterniond q = quaternion(state.q.segment<3>(part.row - 6));
        q_.segment<4>(part.q) << q.w(), q.vec();
      } else {
        q_.segment(part.q, part.size) = state.q.segment(part.row - 6, part.size);
      }
    }
    u_ = from_ours(state.velocity());
    VectorX tau(size_);
    tau << loads.F_b, loads.tau;
    tau = from_ours(tau);
    mju_copy(d_->qfrc_applied, tau.data(), m_->nv);
    if (settings_.with_bias) find_bias();
  }

  void evaluate() override {
    mju_copy(d_->qpos, q_.data(), m_->nq);
    mju_copy(d_->qvel, u_.data(), m_->nv);
    mj_fwdPosition(m_, d_);
    if (settings_.softness != 1.0) harden();
    mj_fwdVelocity(m_, d_);
    if (settings_.with_bias) mju_subFrom(d_->efc_aref, bias_.data(), d_->nefc);
    mj_fwdActuation(m_, d_);
    mj_fwdAcceleration(m_, d_);
    mj_fwdConstraint(m_, d_);
  }

  VectorX acceleration() const override {
    VectorX ours = VectorX::Zero(size_);
    const Eigen::Map<const VectorX> theirs(d_->qacc, m_->nv);
    if (floats_) ours.head<6>() << theirs.head<3>(), A_0_ * theirs.segment<3>(3);
    for (const Part& part : parts_) {
      ours.segment(part.row, part.size) = theirs.segment(part.u, part.size);
    }
    return ours;
  }
  Vector3 force(int loop) const override {
    Vector3 sum = Vector3::Zero();
    int row = 0;
    for (int i = 0, equality = 0; i <= loop; ++i) {
      for (int k = 0; k < counts_[static_cast<std::size_t>(i)]; ++k, ++equality) {
        // rows are those of the first point less those of the second
        if (i == loop) sum -= Eigen::Map<const Vector3>(d_->efc_force + row);
        row += m_->eq_type[equality] == mjEQ_WELD ? 6 : 3;
      }
    }
    return sum;
  }

 private:
  struct Part {
    int row, size;  ///< of coordinates in ours
    int q, u;       ///< first of its positions and velocities
    bool ball;
  };

  VectorX from_ours(const VectorX& ours) const {
    VectorX theirs(m_->nv);
    if (floats_) theirs.head<6>() << ours.head<3>(), A_0_.transpose() * ours.segment<3>(3);
    for (const Part& part : parts_) {
      theirs.segment(part.u, part.size) = ours.segment(part.row, part.size);
    }
    return theirs;
  }
  /// J̇ u by differences of order 4 along the motion.
  void find_bias() {
    constexpr double kStep = 1e-4;
    RowMatrix change = RowMatrix::Zero(0, 0);
    for (const auto& [steps, weight] :
         {std::pair<int, double>{-2, 1.0}, {-1, -8.0}, {1, 8.0}, {2, -1.0}}) {
      mju_copy(d_->qpos, q_.data(), m_->nq);
      mj_integratePos(m_, d_->qpos, u_.data(), kStep * steps);
      mj_fwdPosition(m_, d_);
      if (mj_isSparse(m_) != 0) throw std::runtime_error("MuJoCo: bias needs a dense Jacobian");
      if (change.size() == 0) change.setZero(d_->nefc, m_->nv);
      change += weight / (12.0 * kStep) * Eigen::Map<const RowMatrix>(d_->efc_J, d_->nefc, m_->nv);
    }
    bias_ = change * u_;
  }
  void harden() {
    for (int i = 0; i < d_->nefc; ++i) {
      d_->efc_R[i] *= settings_.softness;
      d_->efc_D[i] = 1.0 / d_->efc_R[i];
    }
  }

  MujocoSettings settings_;
  bool floats_;
  Eigen::Index size_;
  mjModel* m_ = nullptr;
  mjData* d_ = nullptr;
  std::vector<Part> parts_;
  std::vector<int> counts_;
  Matrix3 A_0_ = Matrix3::Identity();
  VectorX q_, u_, bias_;
};

}  // namespace

std::unique_ptr<LoopPeer> make_mujoco_loops(const Model& model, const MujocoSettings& settings) {
  return std::make_unique<MujocoLoops>(model, settings);
}

}  // namespace spacedyn::bench
