// Gravity of a polyhedron: a point mass from afar, Laplace's equation, a cube's closed form, and
// meshes that enclose nothing.
#include <cmath>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "spacedyn/dynamics/instruction_set.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/body_field.hpp"
#include "spacedyn/forces/central_bodies.hpp"
#include "spacedyn/forces/polyhedron.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/constants.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::polyhedron_test {
namespace {

TriangleMesh tetrahedron() {
  return {{{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}},
          {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

/// Edges of length 2 about the origin, each square of two triangles.
TriangleMesh cube() {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i) {
    mesh.points.emplace_back((i & 1) != 0 ? 1.0 : -1.0, (i & 2) != 0 ? 1.0 : -1.0,
                             (i & 4) != 0 ? 1.0 : -1.0);
  }
  for (const auto& [a, b, c, d] : std::vector<std::array<int, 4>>{
           {0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
  }
  return mesh;
}

/// Every triangle in four, new vertices on the unit sphere.
TriangleMesh refined(const TriangleMesh& mesh) {
  TriangleMesh fine;
  fine.points = mesh.points;
  std::map<std::pair<int, int>, int> middles;
  const auto middle = [&](int a, int b) {
    const auto key = std::minmax(a, b);
    const auto [place, is_new] = middles.emplace(key, static_cast<int>(fine.points.size()));
    if (is_new) {
      fine.points.push_back(
          (mesh.points[static_cast<std::size_t>(a)] + mesh.points[static_cast<std::size_t>(b)])
              .normalized());
    }
    return place->second;
  };
  for (const auto& [a, b, c] : mesh.triangles) {
    const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
    for (const std::array<int, 3>& part :
         std::vector<std::array<int, 3>>{{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}}) {
      fine.triangles.push_back(part);
    }
  }
  return fine;
}

TriangleMesh sphere(int refinements) {
  TriangleMesh mesh{
      {{1.0, 0.0, 0.0},
       {-1.0, 0.0, 0.0},
       {0.0, 1.0, 0.0},
       {0.0, -1.0, 0.0},
       {0.0, 0.0, 1.0},
       {0.0, 0.0, -1.0}},
      {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}};
  for (int i = 0; i < refinements; ++i) mesh = refined(mesh);
  return mesh;
}

TEST(PolyhedronGravity, AFineSphereIsAPointMass) {
  const Polyhedron fine(sphere(4));
  const double mu = fine.volume();
  for (const Vector3& r : {Vector3(1.5, 0.2, -0.3), Vector3(-0.5, 2.0, 1.0)}) {
    const auto field = fine.field(r);
    // symmetric, so that facets of 5° leave only harmonics of degree 4 and above
    const double distance = r.norm();
    EXPECT_NEAR(field.potential / (mu / distance), 1.0, 5e-5);
    EXPECT_LE((field.gradient + mu / std::pow(distance, 3) * r).norm(),
              3e-4 * mu / (distance * distance));
    const Matrix3 expected = mu / std::pow(distance, 5) *
                             (3.0 * r * r.transpose() - distance * distance * Matrix3::Identity());
    EXPECT_LE((field.second - expected).norm(), 3e-3 * expected.norm());
  }
}

TEST(PolyhedronGravity, LaplacianIsZeroOutsideAndFourPiInside) {
  for (const TriangleMesh& mesh : {tetrahedron(), cube(), sphere(2)}) {
    const Polyhedron body(mesh);
    const auto outside = body.field({2.0, -1.5, 0.7});
    EXPECT_NEAR(outside.second.trace(), 0.0, 1e-13);
    EXPECT_NEAR(outside.solid_angle, 0.0, 1e-13);
    const auto inside = body.field({0.1, 0.2, 0.15});
    EXPECT_NEAR(inside.second.trace(), -4.0 * kPi, 1e-12);
    EXPECT_NEAR(inside.solid_angle, 4.0 * kPi, 1e-12);
  }
}

TEST(PolyhedronGravity, DerivativesAreThoseOfThePotential) {
  const Polyhedron body(tetrahedron());
  const double h = 1e-5;
  for (const Vector3& r : {Vector3(0.9, 0.8, 0.4), Vector3(0.1, 0.2, 0.3), Vector3(-1, 2, 3)}) {
    for (int axis = 0; axis < 3; ++axis) {
      const auto above = body.field(r + h * Vector3::Unit(axis));
      const auto below = body.field(r - h * Vector3::Unit(axis));
      const auto here = body.field(r);
      EXPECT_NEAR((above.potential - below.potential) / (2.0 * h), here.gradient(axis), 1e-9);
      EXPECT_LE(((above.gradient - below.gradient) / (2.0 * h) - here.second.col(axis)).norm(),
                1e-8);
    }
  }
}

TEST(PolyhedronGravity, ACubeHasItsClosedFormAtItsCentre) {
  // ∫ dV/|r| over a cube of edge 2a at its centre: 2 a² (3 ln(2 + √3) − π/2)·2
  const Polyhedron body(cube());
  EXPECT_NEAR(body.volume(), 8.0, 1e-14);
  const auto centre = body.field(Vector3::Zero());
  const double expected = 4.0 * (3.0 * std::log(2.0 + std::sqrt(3.0)) - 0.5 * kPi);
  EXPECT_NEAR(centre.potential, expected, 1e-12);
  EXPECT_LE(centre.gradient.norm(), 1e-13);
}

/// U and its gradient by the sums over edges and faces one by one, in extended precision.
struct Reference {
  using Vector = Eigen::Matrix<long double, 3, 1>;
  long double potential = 0.0L;
  Vector gradient = Vector::Zero();
};
Reference reference_field(const TriangleMesh& mesh, const Vector3& at) {
  using Vector = Reference::Vector;
  Reference sum;
  const Vector r = at.cast<long double>();
  for (const auto& triangle : mesh.triangles) {
    Vector corner[3];
    for (int k = 0; k < 3; ++k) {
      corner[k] = mesh.points[static_cast<std::size_t>(triangle[static_cast<std::size_t>(k)])]
                      .cast<long double>() -
                  r;
    }
    const auto& [a, b, c] = corner;
    const Vector n = (b - a).cross(c - a).normalized();
    const long double na = a.norm(), nb = b.norm(), nc = c.norm();
    const long double omega =
        2.0L *
        std::atan2(a.dot(b.cross(c)), na * nb * nc + na * b.dot(c) + nb * c.dot(a) + nc * a.dot(b));
    const long double height = n.dot(a);
    sum.potential -= 0.5L * omega * height * height;
    sum.gradient += omega * height * n;
    // half edges: each face adds its own part of the dyad
    for (int k = 0; k < 3; ++k) {
      const Vector &from = corner[k], &to = corner[(k + 1) % 3];
      const long double length = (to - from).norm();
      const long double L = std::log1p(2.0L * length / (from.norm() + to.norm() - length));
      const Vector outward = ((to - from) / length).cross(n);
      sum.potential += 0.5L * L * from.dot(n) * from.dot(outward);
      sum.gradient -= L * n * from.dot(outward);
    }
  }
  return sum;
}

TEST(PolyhedronGravity, EveryInstructionSetAgreesWithExtendedPrecision) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> part(-1.0, 1.0);
  const InstructionSet before = instruction_set();
  for (const TriangleMesh& mesh : {tetrahedron(), cube(), sphere(1)}) {
    const Polyhedron body(mesh);
    for (int i = 0; i < 300; ++i) {
      Vector3 r;
      for (int k = 0; k < 3; ++k) r(k) = part(random);
      // within, near and far
      r *= i % 3 == 0 ? 0.9 : i % 3 == 1 ? 3.0 : 40.0;
      const Reference exact = reference_field(mesh, r);
      for (const InstructionSet set : supported_instruction_sets()) {
        use_instruction_set(set);
        const Polyhedron::Field field = body.field(r);
        // sums of 60 terms up to |r|² and |r|, which cancel from afar
        const double size = std::max(1.0, r.norm());
        EXPECT_NEAR(field.potential, static_cast<double>(exact.potential),
                    1e-15 * size * size * 20.0);
        EXPECT_LT((field.gradient - exact.gradient.cast<double>()).norm(), 1e-15 * size * 20.0);
      }
    }
  }
  use_instruction_set(before);
}

TEST(PolyhedronGravity, IsFiniteOnCornersEdgesAndFaces) {
  const Polyhedron body(cube());
  for (const Vector3& r :
       {Vector3(1.0, 1.0, 1.0), Vector3(1.0, 1.0, 0.3), Vector3(1.0, 0.2, 0.3)}) {
    const Polyhedron::Field on = body.field(r), beside = body.field(1.0000001 * r);
    EXPECT_NEAR(on.potential, beside.potential, 1e-5);
    EXPECT_LT((on.gradient - beside.gradient).norm(), 1e-5);
  }
}

TEST(PolyhedronGravity, TurnsSurfacesThatFaceInward) {
  TriangleMesh inward = cube();
  for (auto& corners : inward.triangles) std::swap(corners[0], corners[1]);
  EXPECT_EQ(Polyhedron(inward).field({3, 1, 2}).potential,
            Polyhedron(inward).field({3, 1, 2}).potential);
  EXPECT_NEAR(Polyhedron(inward).field({3, 1, 2}).potential,
              Polyhedron(cube()).field({3, 1, 2}).potential, 1e-14);
}

TEST(PolyhedronGravity, RefusesSurfacesThatAreNotClosed) {
  const auto refusal = [](const TriangleMesh& mesh) {
    return message_of<DomainError>([&] { Polyhedron{mesh}; });
  };
  TriangleMesh open = cube();
  open.triangles.pop_back();
  EXPECT_EQ(refusal(open), "the surface has a hole at the edge from vertex 2 to 6");
  TriangleMesh turned = cube();
  std::swap(turned.triangles[0][0], turned.triangles[0][1]);
  EXPECT_EQ(refusal(turned).substr(0, 45), "the surface turns over or branches at its edg");
  TriangleMesh flat = tetrahedron();
  flat.points[3] = Vector3(0.3, 0.3, 0.0);
  EXPECT_EQ(refusal(flat), "the surface encloses no volume");
  EXPECT_EQ(refusal({}), "the surface has fewer than 4 triangles");
  TriangleMesh strange = cube();
  strange.triangles[3][1] = 9;
  EXPECT_EQ(refusal(strange), "triangle 4 has vertex 10, but there are 8");
}

std::shared_ptr<BodyField> asteroid(const TriangleMesh& mesh, const Vector3& spin) {
  BodyAxes axes;
  axes.angular_velocity = spin;
  return std::make_shared<BodyField>("asteroid", std::make_shared<PolyhedronGravity>(mesh, 2.0),
                                     axes);
}

TEST(PolyhedronGravity, FlightsKeepTheEnergyBalanceStandingOrSpinning) {
  for (const Vector3& spin : {Vector3(0, 0, 0), Vector3(0.1, 0.0, 0.3)}) {
    SimulationSetup setup;
    setup.model = std::make_shared<Model>(one_link());
    setup.integrator = adaptive(IntegrationMethod::dop853, 1e-11);
    setup.forces = {asteroid(cube(), spin)};
    State initial(*setup.model);
    initial.r_0 = Vector3(5.0, 0.0, 0.0);
    initial.v_0 = Vector3(0.0, 0.6, 0.1);
    initial.omega_0 = Vector3(0.1, 0.2, 0.0);
    const SimulationResult result = simulate(setup, initial, 30.0);
    EXPECT_LE(result.audit.energy_residual(), 1e-9);
    EXPECT_LE(result.audit.momentum_drift(), 1e-9);
    EXPECT_GT((result.state.r_0 - initial.r_0).norm(), 3.0);
  }
}

TEST(PolyhedronGravity, TorqueAgreesWithThatOfAPointMass) {
  SimulationSetup setup;
  setup.model = std::make_shared<Model>(single_body(2.0, {1.0, 2.0, 2.5}));
  setup.integrator = adaptive(IntegrationMethod::dop853, 1e-12);
  State initial(*setup.model);
  initial.r_0 = Vector3(40.0, 10.0, 5.0);
  setup.forces = {asteroid(sphere(4), Vector3::Zero())};
  const State polyhedron = simulate(setup, initial, 50.0).state;
  setup.forces = {std::make_shared<CentralBodies>(
      "bodies", std::vector<CentralBody>{{"point", 2.0, Vector3::Zero()}})};
  const State point = simulate(setup, initial, 50.0).state;
  EXPECT_LE((polyhedron.omega_0 - point.omega_0).norm(), 2e-3 * point.omega_0.norm());
  EXPECT_GT(point.omega_0.norm(), 1e-6);
  // that of the point mass has the force on the inertia, too, 3 I/(2 m r²) of the weight
  EXPECT_LE((polyhedron.r_0 - point.r_0).norm(), 2e-3);
}

TEST(Oblateness, IsTheGradientOfItsPotentialAndTurnsTheNode) {
  CentralBody earth{"earth",    3.986004418e14, Vector3::Zero(),
                    1.08263e-3, 6378137.0,      Vector3(0.0, 0.6, 0.8)};
  const Vector3 r(5.0e6, -4.0e6, 3.5e6);
  for (int axis = 0; axis < 3; ++axis) {
    const Vector3 h = 50.0 * Vector3::Unit(axis);
    const double slope = (earth.potential(r + h) - earth.potential(r - h)) / 100.0;
    EXPECT_NEAR(slope, earth.gradient(r)(axis), 1e-9 * earth.gradient(r).norm());
  }
  // node of a circular orbit: −3/2 n J₂ (R/a)² cos i
  earth.axis = Vector3::UnitZ();
  SimulationSetup setup;
  setup.model = std::make_shared<Model>(single_body(1.0, {1e-9, 1e-9, 1e-9}));
  setup.integrator = adaptive(IntegrationMethod::dop853, 1e-11);
  setup.forces = {
      std::make_shared<CentralBodies>("bodies", std::vector<CentralBody>{earth}, *setup.model)};
  const double a = 7.0e6, n = std::sqrt(earth.mu / a) / a, inclination = 0.9;
  State initial(*setup.model);
  initial.r_0 = Vector3(a, 0.0, 0.0);
  initial.v_0 = n * a * Vector3(0.0, std::cos(inclination), std::sin(inclination));
  const double duration = 10.0 * 2.0 * kPi / n;
  const State end = simulate(setup, initial, duration).state;
  const Vector3 h = end.r_0.cross(end.v_0);
  const double node = std::atan2(h.x(), -h.y());
  const double rate = -1.5 * n * 1.08263e-3 * std::pow(6378137.0 / a, 2) * std::cos(inclination);
  EXPECT_NEAR(node / (rate * duration), 1.0, 0.01);  // of first order in J₂
}

}  // namespace
}  // namespace spacedyn::testing::polyhedron_test
