#include "bench/loop_contender.hpp"

#ifdef SPACEDYN_BENCH_MUJOCO
#include <cstring>
#include <iomanip>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <mujoco/mujoco.h>
#endif

namespace spacedyn::bench {

#ifdef SPACEDYN_BENCH_MUJOCO
namespace {

/// A tree of revolute joints about z on the ground, closed by pins, as MJCF.
class PinnedTree {
 public:
  explicit PinnedTree(const Model& model) : model_(model) {
    begin();
    out() << "<mujoco><compiler angle='radian' coordinate='local' boundmass='0' boundinertia='0'/>"
             "<option gravity='0 -9.81 0'><flag contact='disable'/></option><worldbody>";
    for (const int child : model.topology().children(0)) write(child);
    out() << "</worldbody><equality>";
    for (const Loop& loop : model.loops()) {
      // a pin in a plane is a point that two bodies have in common
      out() << "<connect body1='b" << loop.from.body << "' body2='b" << loop.to.body << "' anchor='"
            << loop.from.position.transpose() << "'/>";
    }
    out() << "</equality></mujoco>";
  }
  mjModel* compile() const {
    auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      const std::string text = texts_[i]->str();
      mj_makeEmptyFileVFS(files.get(), name(i).c_str(), static_cast<int>(text.size()));
      std::memcpy(files->filedata[i], text.data(), text.size());
    }
    char error[1000] = "";
    mjModel* compiled = mj_loadXML(name(0).c_str(), files.get(), error, sizeof error);
    mj_deleteVFS(files.get());
    if (compiled == nullptr) throw std::runtime_error(std::string("MuJoCo: ") + error);
    return compiled;
  }

 private:
  static constexpr int kLevels = 40;  // its parser refuses elements that are nested deeply

  static std::string name(std::size_t file) { return "part" + std::to_string(file) + ".xml"; }
  void begin() {
    texts_.push_back(std::make_unique<std::ostringstream>());
    stack_.push_back(texts_.back().get());
    out() << std::setprecision(17);
  }
  std::ostringstream& out() { return *stack_.back(); }
  void write(int body) {
    const bool apart = model_.topology().depth(body) % kLevels == 0;
    if (apart) {
      out() << "<include file='" << name(texts_.size()) << "'/>";
      begin();
      out() << "<mujocoinclude>";
    }
    const Body& its = model_.body(body);
    const Matrix3& I = its.inertia_L;
    out() << "<body name='b" << body << "' pos='" << model_.joint(body).origin.transpose()
          << "'><inertial mass='" << its.mass << "' pos='" << its.center_of_mass.transpose()
          << "' diaginertia='" << I(0, 0) << ' ' << I(1, 1) << ' ' << I(2, 2)
          << "'/><joint type='hinge' axis='0 0 1'/>";
    for (const int child : model_.topology().children(body)) write(child);
    out() << "</body>";
    if (!apart) return;
    out() << "</mujocoinclude>";
    stack_.pop_back();
  }

  const Model& model_;
  std::vector<std::unique_ptr<std::ostringstream>> texts_;
  std::vector<std::ostringstream*> stack_;
};

class MujocoLoops final : public LoopContender {
 public:
  MujocoLoops(const Model& model, const State& state)
      : m_(PinnedTree(model).compile()), d_(mj_makeData(m_)) {
    for (int body = 1; body < model.body_count(); ++body) {
      const std::string name = "b" + std::to_string(body);
      const int id = mj_name2id(m_, mjOBJ_BODY, name.c_str());
      places_.push_back(m_->jnt_dofadr[m_->body_jntadr[id]]);
      d_->qpos[places_.back()] = state.q(body - 1);
      d_->qvel[places_.back()] = state.qd(body - 1);
    }
  }
  ~MujocoLoops() override {
    mj_deleteData(d_);
    mj_deleteModel(m_);
  }
  MujocoLoops(const MujocoLoops&) = delete;
  MujocoLoops& operator=(const MujocoLoops&) = delete;

  void evaluate() override { mj_forward(m_, d_); }
  VectorX acceleration() const override {
    VectorX result(static_cast<Eigen::Index>(places_.size()));
    for (std::size_t i = 0; i < places_.size(); ++i) {
      result(static_cast<Eigen::Index>(i)) = d_->qacc[places_[i]];
    }
    return result;
  }

 private:
  mjModel* m_;
  mjData* d_;
  std::vector<int> places_;
};

}  // namespace

std::unique_ptr<LoopContender> make_loop_contender(const Model& model, const State& state) {
  return std::make_unique<MujocoLoops>(model, state);
}
#else
std::unique_ptr<LoopContender> make_loop_contender(const Model&, const State&) { return nullptr; }
#endif

}  // namespace spacedyn::bench
