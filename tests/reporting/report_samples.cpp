#include "reporting/report_samples.hpp"

#include <cmath>
#include <limits>

#include "spacedyn/control/joint_pd.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/forces/contact_force.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/model_builder.hpp"

namespace spacedyn::testing {
namespace {

/// Keeps the rows of all outputs.
class RowKeeper final : public SimulationObserver {
 public:
  explicit RowKeeper(const Model& model) : layout_(model, default_channels()) {}

  void on_output(const SimulationPoint& point) override {
    rows_.emplace_back(static_cast<Eigen::Index>(layout_.columns().size()));
    layout_.fill(point, rows_.back());
  }

  ResultTable table(const std::string& path) const {
    ResultTable table;
    table.path = path;
    table.columns = layout_.columns();
    table.values.resize(static_cast<Eigen::Index>(rows_.size()),
                        static_cast<Eigen::Index>(table.columns.size()));
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      table.values.row(static_cast<Eigen::Index>(i)) = rows_[i].transpose();
    }
    return table;
  }

 private:
  RowLayout layout_;
  std::vector<VectorX> rows_;
};

/// The six joints of the arm, by name: the paddles come before or after them.
std::vector<int> arm_joints(const Model& model) {
  std::vector<int> joints;
  for (const char* name : {"shoulder_yaw", "shoulder_pitch", "elbow_pitch", "wrist_pitch",
                           "wrist_yaw", "wrist_roll"}) {
    joints.push_back(*model.find_joint(name));
  }
  return joints;
}

constexpr double kDegree = kPi / 180.0;

VectorX six(double a, double b, double c, double d, double e, double f) {
  VectorX vector(6);
  vector << a, b, c, d, e, f;
  return vector;
}

std::shared_ptr<const Controller> slew(const Model& model, const VectorX& from, double fraction) {
  JointPd::Settings settings;
  settings.joints = arm_joints(model);
  settings.stiffness = fraction * six(600, 600, 250, 60, 20, 10);
  settings.damping = settings.stiffness;
  settings.effort_limit = VectorX::Constant(6, std::numeric_limits<double>::infinity());
  settings.reference =
      std::make_shared<QuinticReference>(from, kDegree * six(60, -75, 100, -60, 30, 45), 2.0, 20.0);
  return std::make_shared<JointPd>("slew", settings);
}

RunFacts facts_of(const SimulationResult& result, const std::string& scenario) {
  RunFacts facts;
  facts.scenario = scenario;
  facts.status = "complete";
  facts.started = "2024-06-11T08:00:00Z";
  facts.duration = facts.time = result.time;
  facts.wall_seconds = 0.25;
  facts.momentum_drift = result.audit.momentum_drift();
  facts.energy_residual = result.audit.energy_residual();
  facts.integrator = {{"method", "dopri5"},
                      {"steps", std::to_string(result.statistics.steps)},
                      {"evaluations", std::to_string(result.statistics.evaluations)}};
  facts.versions = {{"spacedyn", "0.1.0"}};
  return facts;
}

LinkDescription chain_link(int i) {
  LinkDescription link;
  link.name = "link_" + std::to_string(i);
  link.parent = i == 1 ? "base" : "link_" + std::to_string(i - 1);
  link.mass = 1.0;
  link.center_of_mass = {0.2, 0.0, 0.0};
  link.inertia = Vector3(0.002, 0.014, 0.014).asDiagonal();
  link.joint.name = "joint_" + std::to_string(i);
  link.joint.axis = i % 2 == 0 ? Vector3::UnitZ() : Vector3::UnitY();
  link.joint.origin.position = {i == 1 ? 0.5 : 0.4, 0.0, 0.0};
  return link;
}

}  // namespace

SampleResult flown_arm(double duration, double stiffness) {
  const std::string file = std::string(SPACEDYN_MODELS) + "/robots/ets7_paddles.yaml";
  const LoadedModel loaded = load_model(file);
  SampleResult sample;
  sample.setup.model = loaded.model;
  const Model& model = *loaded.model;
  const VectorX from = kDegree * six(0, -30, 60, -30, 0, 0);
  sample.setup.controllers = {slew(model, from, stiffness)};
  VectorX push = VectorX::Zero(6);
  push << 20.0, 0.0, 10.0, 0.0, 0.0, 5.0;
  sample.setup.forces = {std::make_shared<AppliedWrench>(
      "push", model.frame("hand"), WrenchAxes::inertial, TimeTable::constant(push, 24.0, 26.0))};
  State state(model);
  const std::vector<int> joints = arm_joints(model);
  for (Eigen::Index i = 0; i < 6; ++i) state.q(joints[static_cast<std::size_t>(i)] - 1) = from(i);
  RowKeeper keeper(model);
  const SimulationResult result = Simulator(sample.setup).run(state, duration, 0.05, keeper);
  sample.table = keeper.table("results/ets7_slew/ets7_slew.csv");
  sample.table.facts = facts_of(result, "ets7_slew");
  for (const auto& [path, text] : loaded.sources)
    sample.table.facts.sources.emplace_back(path, text);
  return sample;
}

SampleResult winding_chain(int bodies, double duration, int rows) {
  ModelDescription description;
  description.name = "chain";
  description.base.name = "base";
  description.base.mass = 50.0;
  description.base.inertia = Vector3(8.0, 8.0, 8.0).asDiagonal();
  for (int i = 1; i < bodies; ++i) description.links.push_back(chain_link(i));
  description.frames.push_back({"tip", description.links.back().name, {{0.4, 0.0, 0.0}, {}}, {}});
  description.frames.back().origin.rotation = Matrix3::Identity();

  SampleResult sample;
  sample.setup.model = std::make_shared<const Model>(ModelBuilder(description).build());
  const Model& model = *sample.setup.model;
  RowKeeper keeper(model);
  State state(model);
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  const VectorX none = VectorX::Zero(model.velocity_size());
  VectorX forces = none;
  const std::vector<SourceEnergy> sources(1);
  const Mobility mobility(model);
  const DiscreteState discrete(sample.setup);
  const VectorX multipliers;
  const std::vector<ContactReading> readings;
  const Loads loads(model);
  for (int row = 0; row < rows; ++row) {
    const double t = duration * row / (rows - 1);
    state.r_0 = Vector3(std::sin(0.02 * t), 0.3 * std::cos(0.05 * t), 0.1 * std::sin(0.3 * t));
    state.A_0 = rotation_z(0.02 * t) * rotation_x(0.3 * std::sin(0.1 * t));
    state.omega_0 = {0.0, 0.0, 0.02};
    for (Eigen::Index i = 0; i < state.q.size(); ++i) {
      const double phase = 0.2 * t + 0.4 * static_cast<double>(i);
      state.q(i) = 0.25 * std::sin(phase);
      state.qd(i) = 0.05 * std::cos(phase);
      forces(6 + i) = 3.0 * std::cos(1.7 * phase);
    }
    compute_link_frames(model, state, frames);
    compute_link_velocities(model, state, frames, velocities);
    const Momentum total = momentum(model, frames, velocities);
    const Energy energy{kinetic_energy(model, frames, velocities), 0.0, 0.0};
    keeper.on_output({t,
                      model,
                      state,
                      frames,
                      velocities,
                      none,
                      forces,
                      total,
                      energy,
                      {},
                      sources,
                      mobility,
                      discrete,
                      multipliers,
                      readings,
                      none,
                      loads});
  }
  sample.table = keeper.table("results/chain/chain.csv");
  sample.table.facts.scenario = "winding chain";
  return sample;
}

SampleResult hostile_result() {
  const std::string script = "</script><script>hacked = 1</script>";
  const std::string image = "<img src=x onerror=\"hacked = 2\">";
  SampleResult sample = winding_chain(3, 10.0, 101);
  ModelDescription description = sample.setup.model->description();
  description.name = "<!--<script>" + image;
  description.base.name = image;
  description.links[0].name = script;
  description.links[0].parent = image;
  description.links[0].joint.name = "\"' onmouseover='hacked = 3' ünï → 関節";
  description.links[1].parent = script;
  description.frames[0].name = "'\"><b>tip</b>";
  sample.setup.model = std::make_shared<const Model>(ModelBuilder(description).build());
  sample.table.columns = RowLayout(*sample.setup.model, default_channels()).columns();
  RunFacts& facts = sample.table.facts;
  facts.scenario = script + image + "\xff]]>";
  facts.status = "<b>complete</b>";
  facts.message = script;
  facts.sources = {{script, "# " + script + "\n<!-- " + image + " -->\n"}};
  facts.versions = {{"spacedyn", "<i>0.1.0</i>"}};
  sample.table.columns.push_back({"evil_" + image, script});
  const Eigen::Index rows = sample.table.values.rows();
  sample.table.values.conservativeResize(rows, sample.table.values.cols() + 1);
  sample.table.values.rightCols(1) = sample.table.values.col(0);
  sample.table.warnings = {script};
  return sample;
}

}  // namespace spacedyn::testing
