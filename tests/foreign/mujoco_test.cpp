// MuJoCo reads the same URDF and MJCF: inertia matrix, bias forces and places agree.
#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

#include <mujoco/mujoco.h>

#include "foreign/foreign_texts.hpp"
#include "loading/temporary_folder.hpp"
#include "spacedyn/dynamics/inverse_dynamics.hpp"
#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/state/conventions.hpp"

namespace spacedyn::mujoco_test {
namespace {

using testing::kPit;
using testing::kSatelliteMjcf;
using testing::kServicerUrdf;
using testing::replaced;

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// MuJoCo's reading of a text.
class Peer {
 public:
  Peer(const std::string& text, const std::string& file, const std::string& mesh = "") {
    auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    add_file(text, file, *files);
    if (!mesh.empty()) add_file(mesh, "mesh.obj", *files);
    char error[1000] = "";
    model_ = mj_loadXML(file.c_str(), files.get(), error, sizeof(error));
    mj_deleteVFS(files.get());
    if (model_ == nullptr) throw std::runtime_error(error);
    data_ = mj_makeData(model_);
  }
  ~Peer() {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  mjModel& model() const { return *model_; }
  mjData& data() const { return *data_; }

  /// First velocity of a joint.
  int dof(const std::string& joint) const {
    const int id = mj_name2id(model_, mjOBJ_JOINT, joint.c_str());
    return id < 0 ? -1 : model_->jnt_dofadr[id];
  }
  int position(const std::string& joint) const {
    return model_->jnt_qposadr[mj_name2id(model_, mjOBJ_JOINT, joint.c_str())];
  }
  MatrixX inertia() const {
    RowMajor full(model_->nv, model_->nv);
    mj_fullM(model_, full.data(), data_->qM);
    return full;
  }
  VectorX bias() const { return Eigen::Map<const VectorX>(data_->qfrc_bias, model_->nv); }

 private:
  static void add_file(const std::string& text, const std::string& name, mjVFS& files) {
    mj_makeEmptyFileVFS(&files, name.c_str(), static_cast<int>(text.size()));
    std::memcpy(files.filedata[files.nfile - 1], text.data(), text.size());
  }

  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
};

/// Where the coordinates of our joints stand among MuJoCo's velocities, after a base of so many.
std::vector<int> places(const Peer& peer, const Model& model, int base) {
  std::vector<int> result;
  for (int k = 0; k < base; ++k) result.push_back(k);
  for (int i = 1; i <= model.joint_count(); ++i) result.push_back(peer.dof(model.joint(i).name));
  return result;
}

// MuJoCo keeps a tensor as principal axes, which its iteration finds to some 1e-9 of the tensor;
// where the file has the axes, both say the same but for rounding.
constexpr double kFoundAxes = 5e-9, kGivenAxes = 1e-12;

void expect_near(const MatrixX& ours, const MatrixX& theirs, const char* what,
                 double tolerance = kFoundAxes) {
  EXPECT_LT((ours - theirs).cwiseAbs().maxCoeff(), tolerance * (1.0 + theirs.cwiseAbs().maxCoeff()))
      << what;
}

/// Place and orientation of every body that MuJoCo knows.
void expect_same_places(const Model& model, const State& state, const Peer& peer,
                        double tolerance) {
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  for (int id = 1; id < peer.model().nbody; ++id) {
    const char* name = mj_id2name(&peer.model(), mjOBJ_BODY, id);
    const Frame& body = model.frame(name);
    const Eigen::Map<const Vector3> place(peer.data().xpos + 3 * id);
    expect_near(frame_position(frames, body), place, name, tolerance);
    const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> axes(peer.data().xmat +
                                                                              9 * id);
    expect_near(frame_orientation(frames, body), axes, name, tolerance);
  }
}

void compare_servicer(const std::string& text, double tolerance) {
  Peer peer(text, "servicer.urdf");
  const LoadedModel loaded = parse_model(text, "servicer.urdf");
  const Model& model = *loaded.model;
  State state = testing::bent_state(model);
  state.r_0 = model.body(0).center_of_mass;  // the root is where the world is
  for (int i = 1; i <= model.joint_count(); ++i) {
    peer.data().qpos[peer.position(model.joint(i).name)] = state.q(i - 1);
    peer.data().qvel[peer.dof(model.joint(i).name)] = state.qd(i - 1);
  }
  mj_forward(&peer.model(), &peer.data());
  expect_same_places(model, state, peer, kGivenAxes);
  const int n = model.joint_count();
  const std::vector<int> at = places(peer, model, 0);
  expect_near(inertia_matrix(model, state).bottomRightCorner(n, n), peer.inertia()(at, at), "H",
              tolerance);
  expect_near(bias_forces(model, state, Vector3(0, 0, -9.81)).tail(n), peer.bias()(at), "bias",
              tolerance);
}

TEST(Mujoco, ReadsTheSameUrdf) {
  // MuJoCo has no axis by default, and nails the root to the world
  const std::string text = replaced(kServicerUrdf, "<origin xyz=\"0 0 0.2\"/>",
                                    "<origin xyz=\"0 0 0.2\"/><axis xyz=\"1 0 0\"/>");
  compare_servicer(text, kFoundAxes);
  compare_servicer(
      replaced(replaced(text, R"(ixy="0.01" ixz="-0.02" iyz="0.03")", R"(ixy="0" ixz="0" iyz="0")"),
               R"(ixz="0.05")", R"(ixz="0")"),
      kGivenAxes);
}

/// A satellite that moves in every coordinate, ours and theirs.
void compare_satellite(const std::string& text, double tolerance = kFoundAxes) {
  Peer peer(text, "satellite.xml");
  const LoadedModel loaded = parse_model(text, "satellite.xml");
  const Model& model = *loaded.model;
  ASSERT_EQ(peer.model().nv, model.velocity_size());
  const VectorX joints = testing::bent_state(model).q, rates = testing::bent_state(model).qd;
  VectorX positions(7 + model.joint_count()), velocities(6 + model.joint_count());
  const Quaternion attitude = Quaternion(0.8, 0.3, -0.4, 0.2).normalized();
  positions << 1.0, -0.5, 0.3, attitude.x(), attitude.y(), attitude.z(), joints, attitude.w();
  velocities << 0.1, 0.2, -0.3, 0.5, -0.4, 0.6, rates;
  const State state = state_from(Convention::rbdl, model, positions, velocities);
  mjData& data = peer.data();
  for (int k = 0; k < 3; ++k) data.qpos[k] = positions(k);
  const double quat[] = {attitude.w(), attitude.x(), attitude.y(), attitude.z()};
  std::memcpy(data.qpos + 3, quat, sizeof(quat));
  for (int k = 0; k < 6; ++k) data.qvel[k] = velocities(k);
  for (int i = 1; i <= model.joint_count(); ++i) {
    data.qpos[peer.position(model.joint(i).name)] = joints(i - 1);
    data.qvel[peer.dof(model.joint(i).name)] = rates(i - 1);
  }
  mj_forward(&peer.model(), &data);
  const std::vector<int> at = places(peer, model, 6);
  const MatrixX X = velocity_map(Convention::rbdl, model, state);
  const MatrixX H = inertia_matrix(model, state);
  expect_near(H, X.transpose() * peer.inertia()(at, at) * X, "H", tolerance);
  // v̇_0 has ω × (ω × r) that the acceleration of the origin has not
  VectorX drift = VectorX::Zero(H.rows());
  const Vector3 arm = state.A_0 * model.body(0).center_of_mass;
  drift.head<3>() = state.omega_0.cross(state.omega_0.cross(arm));
  const VectorX bias = bias_forces(model, state, Vector3(0, 0, -9.81));
  expect_near(bias + H * drift, X.transpose() * peer.bias()(at), "bias", tolerance);
  expect_same_places(model, state, peer, kGivenAxes);
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  for (const char* site : {"port", "tool"}) {
    const int id = mj_name2id(&peer.model(), mjOBJ_SITE, site);
    const Eigen::Map<const Vector3> place(data.site_xpos + 3 * id);
    expect_near(frame_position(frames, model.frame(site)), place, site, tolerance);
    const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> axes(data.site_xmat +
                                                                              9 * id);
    expect_near(frame_orientation(frames, model.frame(site)), axes, site, tolerance);
  }
}

TEST(Mujoco, ReadsTheSameMjcf) { compare_satellite(kSatelliteMjcf); }

TEST(Mujoco, AgreesToRoundingWhereAxesAreGiven) {
  const std::string bus = R"(<freejoint name="root"/>
      <inertial pos="0.1 0 0.2" mass="300" diaginertia="40 50 60" euler="10 20 30"/>)";
  const std::string text = replaced(kSatelliteMjcf, R"(<freejoint name="root"/>)", bus);
  compare_satellite(replaced(text, R"(fullinertia="0.1 0.2 0.25 0.01 -0.02 0.03")",
                             R"(diaginertia="0.1 0.2 0.25" axisangle="1 2 3 40")"),
                    kGivenAxes);
}

// the pit pulled out into a roof
const std::string kRoof = replaced(kPit, "v 0.125 0.0 -0.125", "v 0.125 0.0 0.625");

void compare_mesh(const std::string& mesh, const std::string& compiler,
                  const std::string& attributes = "scale='1 2 0.5'") {
  const testing::TemporaryFolder folder;
  folder.write("mesh.obj", mesh);
  for (const std::string geom : {"density='500'", "mass='7'"}) {
    const std::string text = "<mujoco><compiler " + compiler +
                             "/><asset><mesh name='m' file='mesh.obj' " + attributes +
                             "/></asset>"
                             "<worldbody><body name='b'><freejoint/><geom type='mesh' mesh='m' "
                             "pos='1 0.5 0' euler='20 30 40' " +
                             geom + "/></body></worldbody></mujoco>";
    Peer peer(text, "b.xml", mesh);
    const auto model = load_model(folder.write("b.xml", text)).model;
    const BaseDescription& ours = model->description().base;
    const mjModel& theirs = peer.model();
    // MuJoCo keeps meshes in single precision
    EXPECT_NEAR(ours.mass, theirs.body_mass[1], 1e-7 * ours.mass) << compiler;
    const Eigen::Map<const Vector3> center(theirs.body_ipos + 3);
    // MuJoCo keeps the points of a mesh about its centroid
    EXPECT_LT((ours.center_of_mass - center).norm(), 1e-7) << compiler;
    const double* quat = theirs.body_iquat + 4;
    const Matrix3 axes = Quaternion(quat[0], quat[1], quat[2], quat[3]).toRotationMatrix();
    const Eigen::Map<const Vector3> moments(theirs.body_inertia + 3);
    const Matrix3 tensor = axes * moments.asDiagonal() * axes.transpose();
    expect_near(ours.inertia, tensor, "inertia", 1e-7);
  }
}

TEST(Mujoco, WeighsTheSameMeshes) {
  compare_mesh(kPit, "exactmeshinertia='true'");
  compare_mesh(kRoof, "exactmeshinertia='true'");
  for (const std::string reference :
       {"refpos='0.1 -0.2 0.3'", "refquat='0.8 0.3 -0.4 0.2'",
        "refpos='0.1 -0.2 0.3' refquat='0.8 0.3 -0.4 0.2' scale='1 2 0.5'"}) {
    compare_mesh(kPit, "exactmeshinertia='true'", reference);
  }
}

TEST(Mujoco, WeighsTheSameShells) {
  const testing::TemporaryFolder folder;
  folder.write("mesh.obj", kPit);
  const std::string solid =
      "<mujoco><compiler exactmeshinertia='true'/><asset><mesh name='m' file='mesh.obj' "
      "scale='1 2 0.5'/></asset><worldbody><body name='b'><freejoint/><geom type='mesh' mesh='m' "
      "density='3'/></body></worldbody></mujoco>";
  const std::string shell = replaced(solid, "density", "shellinertia='true' density");
  const Peer peer(shell, "b.xml", kPit);
  const auto base = [&](const std::string& text) {
    return load_model(folder.write("b.xml", text)).model->description().base;
  };
  const BaseDescription ours = base(shell);
  EXPECT_NEAR(ours.mass, peer.model().body_mass[1], 1e-6 * ours.mass);
  // MuJoCo 2.2 takes the tensor of a shell about the centroid of what it encloses
  const Vector3 d = ours.center_of_mass - base(solid).center_of_mass;
  const Matrix3 tensor =
      ours.inertia + ours.mass * (d.squaredNorm() * Matrix3::Identity() - d * d.transpose());
  Vector3 theirs = Eigen::Map<const Vector3>(peer.model().body_inertia + 3);
  std::sort(theirs.begin(), theirs.end());
  const Eigen::SelfAdjointEigenSolver<Matrix3> solver(tensor);
  expect_near(solver.eigenvalues(), theirs, "moments", 1e-6);
}

TEST(Mujoco, ReadsTheSameConventions) {
  compare_satellite(replaced(kSatelliteMjcf, "eulerseq=\"XYz\"", "eulerseq=\"zyx\""));
  compare_satellite(replaced(kSatelliteMjcf, "angle=\"degree\"", "angle=\"radian\""));
  compare_satellite(replaced(kSatelliteMjcf, "angle=\"degree\"", "inertiafromgeom=\"true\" "));
  compare_satellite(replaced(kSatelliteMjcf, "angle=\"degree\"", "settotalmass=\"100\" "));
  compare_satellite(replaced(kSatelliteMjcf, "angle=\"degree\"", "inertiagrouprange=\"0 1\" "));
  compare_satellite(
      replaced(kSatelliteMjcf, "diaginertia=\"0.3 0.2 0.1\"", "diaginertia=\"0.3 0.31 0.02\""));
  compare_satellite(replaced(kSatelliteMjcf, "zaxis=\"1 0 0\"", "zaxis=\"0 0 -2\""));
  compare_satellite(replaced(kSatelliteMjcf,
                             "type=\"capsule\" size=\"0.04\" fromto=\"0 0 0 0.2 0.1 0.9\"",
                             "type=\"cylinder\" size=\"0.04\" fromto=\"0.2 0.1 0.9 0 0 0\""));
}

TEST(Mujoco, ReadsTheSameBallJoint) {
  const std::string text = R"(<mujoco model="swing">
  <compiler angle="radian"/>
  <worldbody>
    <body name="boom" pos="0.2 0 1" euler="0.3 -0.2 0.5">
      <joint name="ball" type="ball" pos="0 0.1 0" damping="0.1"/>
      <inertial pos="0.4 0 0.1" mass="3" diaginertia="0.1 0.3 0.35"/>
      <body name="hand" pos="0.8 0 0">
        <joint name="wrist" axis="0 1 0"/>
        <inertial pos="0.1 0 0" mass="1" diaginertia="0.02 0.03 0.025"/>
      </body>
    </body>
  </worldbody>
</mujoco>)";
  Peer peer(text, "swing.xml");
  const LoadedModel loaded = parse_model(text, "swing.xml");
  const Model& model = *loaded.model;
  ASSERT_TRUE(model.find_compound_joint("ball"));
  const int ball = model.find_compound_joint("ball")->first, wrist = *model.find_joint("wrist");
  State state(model);
  state.q.segment<3>(ball - 1) = Vector3(0.4, -0.9, 0.7);
  state.qd.segment<3>(ball - 1) = Vector3(1.0, 2.0, -0.5);
  state.q(wrist - 1) = 0.6;
  state.qd(wrist - 1) = -1.5;
  const Quaternion turn(exp_so3(Vector3(state.q.segment<3>(ball - 1))));
  const double quat[] = {turn.w(), turn.x(), turn.y(), turn.z()};
  std::memcpy(peer.data().qpos + peer.position("ball"), quat, sizeof(quat));
  peer.data().qpos[peer.position("wrist")] = state.q(wrist - 1);
  std::vector<int> at(4);
  for (int k = 0; k < 3; ++k) {
    at[static_cast<std::size_t>(ball - 1 + k)] = peer.dof("ball") + k;
    peer.data().qvel[peer.dof("ball") + k] = state.qd(ball - 1 + k);
  }
  at[static_cast<std::size_t>(wrist - 1)] = peer.dof("wrist");
  peer.data().qvel[peer.dof("wrist")] = state.qd(wrist - 1);
  mj_forward(&peer.model(), &peer.data());
  expect_near(inertia_matrix(model, state).bottomRightCorner<4, 4>(), peer.inertia()(at, at), "H");
  expect_near(bias_forces(model, state, Vector3(0, 0, -9.81)).tail<4>(), peer.bias()(at), "bias");
}

}  // namespace
}  // namespace spacedyn::mujoco_test
