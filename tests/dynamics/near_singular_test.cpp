// Inertia that is lost, or nearly: every way of forward dynamics reports it, or none does.
#include "spacedyn/dynamics/derivatives.hpp"
#include "spacedyn/dynamics/inertia_factorization.hpp"
#include "spacedyn/dynamics/tree_dynamics.hpp"
#include "support/conditioning.hpp"
#include "support/random_models.hpp"
#include "support/reference_data.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::near_singular_test {
namespace {

/// What each way says, and the accelerations of the two main ones.
struct Answers {
  std::vector<DynamicsStatus> status;
  VectorX acceleration, paper_acceleration;
  MatrixX H;

  Answers(const Model& model, const State& state, const Loads& loads)
      : acceleration(VectorX::Zero(model.velocity_size())), paper_acceleration(acceleration) {
    const Mobility mobility(model);
    VectorX forces(acceleration.size());
    DynamicsWorkspace paper(model, mobility);
    update_kinematics(model, state, paper);
    status.push_back(
        hybrid_dynamics(model, state, loads, mobility, paper, paper_acceleration, forces));
    H = paper.H;
    TreeWorkspace workspace(model);
    status.push_back(forward_dynamics(state, loads, workspace, acceleration, forces));
    const VectorX ones = VectorX::Ones(forces.size());
    status.push_back(solve_inertia(state, ones, workspace, forces));
    InertiaFactorization factorization(model);
    status.push_back(factorization.factorize(H));
    DerivativesWorkspace derivatives_workspace(model);
    ForwardDynamicsDerivatives derivatives(model);
    status.push_back(
        forward_dynamics_derivatives(state, loads, mobility, derivatives_workspace, derivatives));
  }
};

void expect_singular(const Model& model, const State& state, const Loads& loads) {
  const Answers answers(model, state, loads);
  for (std::size_t way = 0; way < answers.status.size(); ++way) {
    EXPECT_EQ(answers.status[way], DynamicsStatus::inertia_not_positive_definite)
        << model.name() << ", way " << way;
  }
}

/// Two joints on one axis; the link between them has inertia ε.
Model coaxial(double inertia, bool fixed) {
  const Vector3 small = Vector3::Constant(inertia);
  ModelDescription robot =
      ModelBuilder("coaxial")
          .set_base(base_body(3.0, {1.0, 2.0, 3.0}))
          .add_link(link_body("first", "base", inertia, small, {0.3, 0.2, 0.1}, Vector3::Zero()))
          .add_link(
              link_body("second", "first", 1.0, {1.0, 1.0, 1.0}, Vector3::Zero(), {0.5, 0.0, 0.0}))
          .description();
  robot.base.fixed = fixed;
  return ModelBuilder(robot).build();
}

class NearSingular : public ::testing::TestWithParam<InstructionSet> {
 protected:
  NearSingular() { use_instruction_set(GetParam()); }
  ~NearSingular() override { use_instruction_set(supported_instruction_sets().back()); }
};

TEST_P(NearSingular, JointsThatMoveNoMassAreReported) {
  // rotations make zeros of rounding
  for (unsigned seed = 1; seed <= 20; ++seed) {
    RandomModels random(seed);
    for (const Model& model : {massless_tip(), coaxial(0.0, false)}) {
      expect_singular(model, random.state(model), random.loads(model));
    }
  }
}

TEST_P(NearSingular, ABaseThatMovesNoMassIsReported) {
  // it turns about the axis of its only joint
  const Model model = ModelBuilder("empty base")
                          .set_base(base_body(0.0, Vector3::Zero()))
                          .add_link(link_body("arm", "base", 1.0, {1.0, 1.0, 1.0}, {0.0, 0.0, 0.2},
                                              {0.5, 0.0, 0.0}))
                          .build();
  RandomModels random(1);
  for (const double q : {-2.0, 0.0, 0.3, 1.0}) {
    State state(model);
    state.q(0) = q;
    expect_singular(model, state, random.loads(model));
  }
}

TEST_P(NearSingular, AllAlgorithmsDrawTheSameLine) {
  for (const bool fixed : {false, true}) {
    for (int exponent = 0; exponent <= 18; ++exponent) {
      const double inertia = std::pow(10.0, -exponent);
      const Model model = coaxial(inertia, fixed);
      RandomModels random(static_cast<unsigned>(exponent) + 1);
      State state = random.state(model);
      if (fixed) state.v_0 = state.omega_0 = Vector3::Zero();
      const Answers answers(model, state, random.loads(model));
      // within a factor of thirty of 64 eps rounding may decide
      if (exponent == 14 || exponent == 13) continue;
      for (std::size_t way = 0; way < answers.status.size(); ++way) {
        EXPECT_EQ(answers.status[way], exponent < 13
                                           ? DynamicsStatus::ok
                                           : DynamicsStatus::inertia_not_positive_definite)
            << "inertia " << inertia << ", way " << way;
      }
      if (exponent >= 13) continue;
      const int first = fixed ? 6 : 0;
      const MatrixX H = answers.H.bottomRightCorner(8 - first, 8 - first);
      EXPECT_LE(relative_difference(answers.acceleration, answers.paper_acceleration),
                solution_tolerance(H, 10.0));
    }
  }
}

/// λ_max/λ_min by power iterations, never more than it is.
double least_condition(const MatrixX& H) {
  const Eigen::LLT<MatrixX> factors(H);
  VectorX large = VectorX::Ones(H.rows()).normalized(), small = large;
  double largest = 0.0, inverse_smallest = 0.0;
  for (int i = 0; i < 30; ++i) {
    large = H * large;
    small = factors.solve(small);
    largest = large.norm(), inverse_smallest = small.norm();
    large /= largest, small /= inverse_smallest;
  }
  return largest * inverse_smallest;
}

TEST(BothWays, TreesOfUpToAThousandLinksAccelerateTheSameBothWays) {
  for (const TreeShape& shape : {TreeShape{100, 1, 0.0, true}, TreeShape{300, 3, 0.2, true},
                                 TreeShape{1000, 40, 0.2, true}}) {
    RandomModels random(21);
    const Model model = random.model(shape);
    const State state = random.state(model);
    const Loads loads = random.loads(model);
    const Mobility mobility(model);
    VectorX acceleration(model.velocity_size()), expected(acceleration), forces(acceleration);
    TreeWorkspace workspace(model);
    ASSERT_EQ(forward_dynamics(state, loads, workspace, acceleration, forces), DynamicsStatus::ok);
    DynamicsWorkspace paper(model, mobility);
    update_kinematics(model, state, paper);
    ASSERT_EQ(hybrid_dynamics(model, state, loads, mobility, paper, expected, forces),
              DynamicsStatus::ok);
    EXPECT_LE(relative_difference(acceleration, expected),
              20.0 * std::numeric_limits<double>::epsilon() * least_condition(paper.H));
  }
}

INSTANTIATE_TEST_SUITE_P(Sets, NearSingular, ::testing::ValuesIn(supported_instruction_sets()),
                         [](const auto& set) { return std::string(to_string(set.param)); });

}  // namespace
}  // namespace spacedyn::testing::near_singular_test
