// The four procedures that assemble systems with loops against one another.
#include "textbook/assembly_procedure.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "spacedyn/dynamics/tree_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "support/allocation_guard.hpp"
#include "support/case_name.hpp"
#include "support/loop_models.hpp"
#include "support/message_of.hpp"
#include "support/random_models.hpp"
#include "textbook/assembly_divide.hpp"

namespace spacedyn::testing::assembly_procedures_test {
namespace {

const std::string& joint_of(const LinkDescription& link) {
  return link.joint.name.empty() ? link.name : link.joint.name;
}

/// Two random arms, with loops of all types between them, and a gear.
ModelDescription random_system(RandomModels& random, int seed) {
  ModelDescription robot = random.description({16 + seed % 7, 1, 0.25, true});
  robot.links[8].parent = robot.base.name;
  robot.base.fixed = seed % 3 == 0;
  const std::vector<LoopType> types{LoopType::spherical, LoopType::weld,       LoopType::revolute,
                                    LoopType::planar,    LoopType::universal,  LoopType::distance,
                                    LoopType::prismatic, LoopType::cylindrical};
  const int links = static_cast<int>(robot.links.size());
  const int count = 1 + seed % 2;
  for (int i = 0; i < count; ++i) {
    const std::string name = "loop_" + std::to_string(i);
    // enough joints in between
    const auto from = static_cast<std::size_t>(links - 1 - i),
               to = static_cast<std::size_t>(7 - 3 * i);
    LoopDescription loop = loop_between(name, types[static_cast<std::size_t>(seed + 3 * i) % 8],
                                        name + "_from", name + "_to");
    loop.axis = random.vector(3).normalized();
    loop.second_axis = loop.axis.unitOrthogonal();
    loop.length = 0.4;
    robot.frames.push_back(point_on(loop.from, robot.links[from].name, random.vector(3, 0.5)));
    robot.frames.push_back(point_on(loop.to, robot.links[to].name, random.vector(3, 0.5)));
    robot.loops.push_back(loop);
  }
  LoopDescription gear;
  gear.name = "gear";
  gear.type = LoopType::gear;
  gear.joints = {joint_of(robot.links[2]), joint_of(robot.links[5])};
  gear.ratio = -1.5;
  robot.loops.push_back(gear);
  return robot;
}

/// A chain of four-bars, each on the coupler of the one before, in depth first order.
ModelDescription ladder(int cells, bool fixed) {
  ModelDescription robot;
  robot.name = "ladder";
  robot.base = base_body(5.0, {1.0, 2.0, 3.0});
  robot.base.fixed = fixed;
  std::string parent = "base";
  for (int i = 1; i <= cells; ++i) {
    const std::string n = std::to_string(i);
    const Vector3 foot = i == 1 ? Vector3(0.0, 0.0, 0.0) : Vector3(0.3, 0.0, 0.0);
    robot.links.push_back(rod("crank" + n, parent, 1.0, 1.0, foot));
    robot.links.push_back(rod("rocker" + n, parent, 1.0, 1.0, foot + Vector3(0.5, 0.0, 0.0)));
    robot.links.push_back(rod("coupler" + n, "crank" + n, 1.0, 1.0, {1.0, 0.0, 0.0}));
    robot.frames.push_back(point_on("end" + n, "coupler" + n, {0.5, 0.0, 0.0}));
    robot.frames.push_back(point_on("top" + n, "rocker" + n, {1.0, 0.0, 0.0}));
    robot.loops.push_back(loop_between("pin" + n, LoopType::revolute, "end" + n, "top" + n));
    parent = "coupler" + n;
  }
  return robot;
}

}  // namespace

class AssemblyProcedures : public ::testing::TestWithParam<int> {};

TEST_P(AssemblyProcedures, AgreeOnRandomSystems) {
  RandomModels random(static_cast<unsigned>(40 + GetParam()));
  const Model model = ModelBuilder(random_system(random, GetParam())).build();
  // off the loops as well: equations of accelerations do not ask for φ = 0
  const State state = random.state(model);
  const Loads loads = random.loads(model);
  const ConstrainedMotion expected =
      constrained_motion(model, state, loads, AssemblyProcedure::spanning_tree);
  const double size = expected.acceleration.norm();
  EXPECT_LT((expected.K * expected.acceleration - expected.k).norm(), 1e-9 * size);
  for (const AssemblyProcedure procedure : all_assembly_procedures()) {
    SCOPED_TRACE(std::string(to_string(procedure)));
    const ConstrainedMotion found = constrained_motion(model, state, loads, procedure);
    EXPECT_LT((found.acceleration - expected.acceleration).norm(), 1e-10 * size);
    EXPECT_LT((found.multipliers - expected.multipliers).norm(),
              1e-10 * expected.multipliers.norm());
    EXPECT_EQ(found.rank, expected.rank);
  }
}

TEST_P(AssemblyProcedures, AgreeWithPrescribedCoordinates) {
  RandomModels random(static_cast<unsigned>(90 + GetParam()));
  const Model model = ModelBuilder(random_system(random, GetParam())).build();
  const State state = random.state(model);
  const Loads loads = random.loads(model);
  std::vector<bool> free(static_cast<std::size_t>(model.joint_count()), true);
  free[3] = false;
  const Mobility mobility(false, free);
  const VectorX given = random.vector(model.velocity_size());
  const ConstrainedMotion expected =
      constrained_motion(model, state, loads, mobility, given, AssemblyProcedure::spanning_tree);
  for (const AssemblyProcedure procedure : all_assembly_procedures()) {
    SCOPED_TRACE(std::string(to_string(procedure)));
    const ConstrainedMotion found =
        constrained_motion(model, state, loads, mobility, given, procedure);
    EXPECT_LT((found.acceleration - expected.acceleration).norm(),
              1e-10 * expected.acceleration.norm());
    for (const int row : mobility.prescribed()) EXPECT_EQ(found.acceleration(row), given(row));
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, AssemblyProcedures, ::testing::Range(0, 24), NamedByValue());

/// The row along a link that alone may move is all rounding; a hold made of it is no hold.
TEST(AssemblyProceduresOf, AFourBarThatIsHeldHasNoAcceleration) {
  FourBar bar;
  bar.crank = 0.35;
  bar.coupler = 0.9;
  bar.rocker = 0.7;
  bar.fixed = false;
  const Model model = bar.model();
  RandomModels random(3);
  for (int joint = 1; joint <= 3; ++joint) {
    std::vector<bool> free(3, false);
    free[static_cast<std::size_t>(joint - 1)] = true;
    const Mobility mobility(true, free);
    for (int i = 0; i < 20; ++i) {
      State state = bar.state(model, 0.4);
      state.A_0 = random.state(model).A_0;
      state.omega_0 = {0.3, -0.4, 0.6};
      // as far as a stage of a step leaves the loop open
      state.q(joint - 1) += 1e-9 * (i - 10);
      for (const AssemblyProcedure procedure : all_assembly_procedures()) {
        const ConstrainedMotion found =
            constrained_motion(model, state, Loads(model), mobility, VectorX::Zero(9), procedure);
        EXPECT_NEAR(found.acceleration(5 + joint), 0.0, 1e-11) << to_string(procedure);
      }
    }
  }
}

TEST(AssemblyProceduresOf, LaddersAgree) {
  for (const bool fixed : {true, false}) {
    const Model model = ModelBuilder(ladder(7, fixed)).build();
    RandomModels random(5);
    State state(model);
    for (int i = 0; i < 7; ++i) {
      const double angle = 1.1 + 0.1 * i;
      state.q.segment<3>(3 * i) << angle, angle, -angle;
    }
    state.qd = random.vector(model.joint_count());
    const Loads loads = random.loads(model);
    const ConstrainedMotion expected =
        constrained_motion(model, state, loads, AssemblyProcedure::spanning_tree);
    EXPECT_EQ(expected.rank, 14);
    for (const AssemblyProcedure procedure : all_assembly_procedures()) {
      SCOPED_TRACE(std::string(to_string(procedure)));
      const ConstrainedMotion found = constrained_motion(model, state, loads, procedure);
      EXPECT_LT((found.acceleration - expected.acceleration).norm(),
                1e-10 * expected.acceleration.norm());
      EXPECT_LT((found.multipliers - expected.multipliers).norm(),
                1e-9 * expected.multipliers.norm());
    }
  }
}

TEST(DivideAndConquer, HasLogarithmicallyManyLevels) {
  for (const int cells : {5, 21, 85}) {
    const Model model = ModelBuilder(ladder(cells, true)).build();
    const DivideAndConquerAssembly assembly(model, Mobility(model), model.loops());
    EXPECT_EQ(assembly.levels(), static_cast<int>(std::ceil(std::log2(3 * cells))));
  }
}

TEST(DivideAndConquer, DoesNotDependOnThreads) {
  const Model model = ModelBuilder(ladder(30, false)).build();
  RandomModels random(6);
  LoopMotion motion(model);
  motion.compute(model, random.state(model));
  const Loads loads = random.loads(model);
  DivideAndConquerAssembly assembly(model, Mobility(model), model.loops());
  VectorX one = VectorX::Zero(model.velocity_size()), two = one;
  VectorX multipliers = VectorX::Zero(5 * 30);
  ASSERT_EQ(assembly.solve(motion, loads, one, multipliers, 1), DynamicsStatus::ok);
  ASSERT_EQ(assembly.solve(motion, loads, two, multipliers, 2), DynamicsStatus::ok);
  EXPECT_EQ(one, two);
}

TEST(DivideAndConquer, RefusesBodiesWithoutInertia) {
  ModelDescription robot = ladder(2, true);
  for (LinkDescription& link : robot.links) {
    if (link.name != "rocker1") continue;
    link.mass = 0.0;
    link.inertia.setZero();
  }
  const Model model = ModelBuilder(robot).build();
  EXPECT_EQ(message_of<DomainError>(
                [&] { DivideAndConquerAssembly(model, Mobility(model), model.loops()); }),
            "divide and conquer cannot take model 'ladder': body 'rocker1' has no inertia and does "
            "not carry exactly one other body");
}

TEST(DivideAndConquer, RefusesStars) {
  ModelDescription robot;
  robot.name = "star";
  robot.base = base_body(5.0, {1.0, 2.0, 3.0});
  for (int i = 0; i < 300; ++i) {
    robot.links.push_back(rod("ray" + std::to_string(i), "base", 1.0, 1.0, {0.0, 0.0, 0.0}));
  }
  const Model model = ModelBuilder(robot).build();
  EXPECT_EQ(message_of<DimensionError>(
                [&] { DivideAndConquerAssembly(model, Mobility(model), model.loops()); }),
            "divide and conquer does not pay for model 'star': a part of it has more than 128 "
            "bodies that others are fixed to");
}

TEST(IncrementalAssembly, SolvesForForcesWhereLoopsHold) {
  RandomModels random(11);
  const Model model = ModelBuilder(random_system(random, 7)).build();
  const State state = random.state(model);
  LoopMotion motion(model);
  motion.compute(model, state);
  IncrementalAssembly solver(model, Mobility(model));
  ASSERT_EQ(solver.update(motion.state, motion.frames), DynamicsStatus::ok);
  const MatrixX K = solver.jacobian_transposed().transpose();
  LoopEquations equations(model);
  MatrixX K_T(model.velocity_size(), equations.rows());
  equations.jacobian(motion.frames, motion.state, K_T);
  EXPECT_LT((K - K_T.transpose()).norm(), 1e-14 * K.norm());
  TreeWorkspace tree(model);
  MatrixX H(model.velocity_size(), model.velocity_size());
  composite_rigid_body(state, tree, H);
  const VectorX f = random.vector(model.velocity_size()), b = random.vector(equations.rows());
  VectorX y = f, lambda = b;
  solver.solve(f, b, y, lambda);
  EXPECT_LT((H * y - f - K_T * lambda).norm(), 1e-10 * (H * y).norm());
  EXPECT_LT((K * y - b).norm(), 1e-10 * b.norm());
  VectorX rate = b;
  solver.apply(y, rate);
  EXPECT_LT((rate - K * y).norm(), 1e-12 * rate.norm());
}

TEST(IncrementalAssembly, AllocatesNothing) {
  if (!counts_allocations()) GTEST_SKIP() << "a sanitizer has its own allocator";
  const Model model = ModelBuilder(ladder(9, false)).build();
  RandomModels random(3);
  const State state = random.state(model);
  LoopMotion motion(model);
  motion.compute(model, state);
  LoopWorkspace loops(model, Mobility(model));
  TreeWorkspace tree(model);
  VectorX acceleration = VectorX::Zero(model.velocity_size()), forces = acceleration;
  Loads loads = random.loads(model);
  const long before = allocation_count();
  update_motion(state, acceleration, tree);
  const DynamicsStatus status =
      constrained_dynamics(state, loads, {1.0, 1.0}, loops, tree, acceleration, forces);
  ASSERT_EQ(loops.solver.update(motion.state, motion.frames), DynamicsStatus::ok);
  loops.solver.shorten(loops.multipliers);
  EXPECT_EQ(allocation_count(), before);
  EXPECT_EQ(status, DynamicsStatus::ok);
}

TEST(AssemblyProcedure, HasNames) {
  for (const AssemblyProcedure procedure : all_assembly_procedures()) {
    EXPECT_EQ(find_assembly_procedure(to_string(procedure)), procedure);
  }
  EXPECT_FALSE(find_assembly_procedure("by hand").has_value());
}

}  // namespace spacedyn::testing::assembly_procedures_test
