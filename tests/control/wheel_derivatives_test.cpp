// What wheels on soil and tyres say about derivatives of their loads, against differences of the
// loads.
#include <cmath>

#include "load_differences.hpp"
#include "spacedyn/forces/tyre_force.hpp"
#include "spacedyn/forces/wheel_force.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "spacedyn/terrain/mesh_terrain.hpp"
#include "support/random_models.hpp"

namespace spacedyn::testing::wheel_derivatives_test {
namespace {

constexpr int kWheel = 5, kLeader = 2;
// large, so that steps of differences are short beside the sinkage
constexpr double kRadius = 4.0, kWidth = 2.0, kSinkage = 0.5;

Soil deep_soil() {
  Soil soil;
  soil.cohesion = 2.0;
  soil.friction_angle = 0.6;
  soil.k_c = 1.0;
  soil.k_phi = 30.0;
  soil.exponent = 1.0;
  soil.density = 1.0;
  soil.shear_modulus_x = {0.9, 0.4};
  soil.shear_modulus_y = {0.7, 0.3};
  soil.a0 = 0.4;
  soil.a1 = 0.15;
  soil.lambda = 0.5;
  soil.destructive_angle = 0.46;
  soil.unloading_modulus = {60.0, 100.0};
  return soil;
}

enum class Ground { plane, hills, edge };

/// Grounds in which a wheel at a place sinks by some kSinkage. Edges run aslant below its centre.
std::shared_ptr<const Terrain> ground_under(const Vector3& center, Ground ground) {
  const double surface = center.z() - (kRadius - kSinkage) * 0.97;
  if (ground == Ground::plane) {
    const Vector3 normal = Vector3(0.15, -0.2, 1.0).normalized();
    return std::make_shared<PlaneTerrain>(normal, normal.dot(center) - (kRadius - kSinkage) * 0.97);
  }
  if (ground == Ground::hills) {
    MatrixX heights(41, 41);
    for (Eigen::Index i = 0; i < 41; ++i) {
      for (Eigen::Index k = 0; k < 41; ++k) {
        heights(i, k) =
            1.5 * std::sin(0.3 * static_cast<double>(i)) * std::cos(0.25 * static_cast<double>(k));
      }
    }
    const Vector3 corner(center.x() - 41.3, center.y() - 38.7, 0.0);
    const double below = HeightField(heights, 2.0, corner).height(center.x(), center.y());
    return std::make_shared<HeightField>(heights, 2.0,
                                         corner + (surface - below) * Vector3::UnitZ());
  }
  TriangleMesh roof;
  const auto add = [&](double x, double y, double z) {
    roof.points.emplace_back(center.x() + x, center.y() + y, surface + z);
  };
  add(-40, -25, 0);
  add(40, 25, 0.4);
  add(40, -40, -20);
  add(-40, 40, -20);
  roof.triangles = {{0, 2, 1}, {0, 1, 3}};
  return std::make_shared<MeshTerrain>(roof, Vector3::Zero());
}

/// A robot whose wheel stands some 17° off upright; its axis points aside, turned about z.
struct Rover {
  Model model;
  State state;

  explicit Rover(unsigned seed)
      : model(described(seed)), state(RandomModels(seed + 10).state(model)) {
    state.v_0 *= 3.0;
    const Vector3 wanted = Vector3(std::cos(1.0 * seed), std::sin(1.0 * seed), 0.1).normalized();
    const Vector3 now = Snapshot(model, state).frames().k[kWheel];
    state.A_0 =
        (rotation_from_z_to(wanted) * rotation_from_z_to(now).transpose() * state.A_0).eval();
  }
  static Model described(unsigned seed) {
    ModelDescription description = RandomModels(seed).description(TreeShape{6, 3, 0.3, false});
    for (int link : {kWheel, kLeader}) {
      description.links[static_cast<std::size_t>(link - 1)].joint.type = JointType::revolute;
    }
    return ModelBuilder(description).build();
  }
  Vector3 place(int link) const {
    return Snapshot(model, state).frames().o[static_cast<std::size_t>(link)];
  }
};

struct SoilCase {
  const char* name;
  Ground ground;
  void (*change)(WheelForce::Settings&);
};

void PrintTo(const SoilCase& item, std::ostream* stream) { *stream << item.name; }

class WheelDerivativesOf : public ::testing::TestWithParam<SoilCase> {};

void expect_that_it_acts(const Rover& rover, const ForceElement& wheel) {
  Loads loads(rover.model);
  wheel.apply(Snapshot(rover.model, rover.state).at(kTime), loads);
  EXPECT_GT(loads.force.col(kWheel).norm(), 1.0);
}

TEST_P(WheelDerivativesOf, Agree) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    SCOPED_TRACE(seed);
    const Rover rover(seed);
    WheelForce::Settings settings;
    settings.link = kWheel;
    settings.wheel = {kRadius, kWidth, 0.1};
    settings.soil = deep_soil();
    settings.terrain = ground_under(rover.place(kWheel), GetParam().ground);
    settings.sinkage_damping = 0.3;
    settings.slip_velocity = 0.05;
    GetParam().change(settings);
    const auto wheel = std::make_shared<WheelForce>("wheel", settings);
    expect_right_derivatives(rover.model, ForceSubject(wheel), rover.state);
    expect_that_it_acts(rover, *wheel);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Soils, WheelDerivativesOf,
    ::testing::Values(SoilCase{"OnASlope", Ground::plane, [](WheelForce::Settings&) {}},
                      SoilCase{"OnHills", Ground::hills, [](WheelForce::Settings&) {}},
                      SoilCase{"OnAnEdge", Ground::edge, [](WheelForce::Settings&) {}},
                      SoilCase{"NearStandstill", Ground::hills,
                               [](WheelForce::Settings& s) { s.slip_velocity = 8.0; }},
                      SoilCase{"WithAnExponent", Ground::plane,
                               [](WheelForce::Settings& s) { s.soil.exponent = 1.2; }},
                      SoilCase{"WithSlipSinkage", Ground::plane,
                               [](WheelForce::Settings& s) { s.soil.exponent_slip = 0.3; }},
                      SoilCase{"WithoutDamping", Ground::hills,
                               [](WheelForce::Settings& s) { s.sinkage_damping = 0.0; }}),
    [](const auto& item) { return std::string(item.param.name); });

TEST(WheelDerivatives, AgreeInRuts) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    SCOPED_TRACE(seed);
    Rover rover(seed);
    const Vector3 center = rover.place(kWheel);
    WheelForce::Settings settings;
    settings.link = kWheel;
    settings.wheel = {kRadius, kWidth, 0.0};
    settings.soil = deep_soil();
    settings.terrain = ground_under(center, Ground::hills);
    settings.sinkage_damping = 0.3;
    settings.slip_velocity = 0.05;
    // the leader is where it is, over a ground of its own
    settings.follows = {
        {kLeader, 4.0 * kRadius, kWidth, ground_under(rover.place(kLeader), Ground::hills)}};
    const auto wheel = std::make_shared<WheelForce>("wheel", settings);
    // a path below the wheel, most of it pressed by 0.4 m
    VectorX& z = rover.state.z;
    z = RandomModels(seed + 30).vector(wheel->auxiliary_size(), 0.05);
    const Vector3 point = settings.terrain->nearest(center).point;
    const double spacing = 24.0 * kRadius / 64.0;
    z(0) = 20.3 * spacing;
    for (int k = 0; k < 64; ++k) {
      auto cell = z.segment<5>(1 + 5 * k);
      const double mass = 0.9 + cell(0);
      const Vector3 place = point + Vector3(spacing * (k - 12) + cell(1), 0.7 + cell(2), cell(3));
      cell << mass, mass * place, mass * (0.4 + cell(4));
    }
    expect_right_derivatives(rover.model, ForceSubject(wheel), rover.state);
    expect_that_it_acts(rover, *wheel);
    // the rut matters, and the leader goes on pressing it
    const Snapshot now(rover.model, rover.state);
    const double load = wheel->reading(now.at(kTime)).vertical_force;
    WheelForce::Settings other = settings;
    other.follows.clear();
    const double untouched = WheelForce("alone", other).reading(now.at(kTime)).vertical_force;
    EXPECT_GT(std::abs(load / untouched - 1.0), 0.01);
    other.link = kLeader;
    other.terrain = settings.follows[0].terrain;
    other.wheel.radius = settings.follows[0].radius;
    EXPECT_GT(WheelForce("leader", other).reading(now.at(kTime)).sinkage, 0.0);
  }
}

struct TyreCase {
  const char* name;
  Ground ground;
  double deflection;  ///< m
  void (*change)(TyreForce::Settings&);
};

void PrintTo(const TyreCase& item, std::ostream* stream) { *stream << item.name; }

class TyreDerivativesOf : public ::testing::TestWithParam<TyreCase> {};

TEST_P(TyreDerivativesOf, Agree) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    SCOPED_TRACE(seed);
    Rover rover(seed);
    TyreForce::Settings settings;
    settings.link = kWheel;
    settings.radius = kRadius;
    settings.width = kWidth;
    settings.terrain = ground_under(rover.place(kWheel), GetParam().ground);
    settings.stiffness = 20.0;
    settings.damping = 0.4;
    settings.friction = 0.8;
    settings.slip_stiffness = 8.0;
    settings.cornering_stiffness = 6.0;
    settings.rolling_resistance = 0.05;
    GetParam().change(settings);
    rover.state.z = GetParam().deflection * Eigen::Vector2d(1.0, -0.6);
    const auto tyre = std::make_shared<TyreForce>("tyre", settings);
    expect_right_derivatives(rover.model, ForceSubject(tyre), rover.state);
    expect_that_it_acts(rover, *tyre);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Tyres, TyreDerivativesOf,
    ::testing::Values(TyreCase{"BrushThatHolds", Ground::plane, 0.3, [](TyreForce::Settings&) {}},
                      TyreCase{"BrushThatSlides", Ground::hills, 2.0, [](TyreForce::Settings&) {}},
                      TyreCase{"BrushOnAnEdge", Ground::edge, 0.3, [](TyreForce::Settings&) {}},
                      TyreCase{"PacejkasFormula", Ground::hills, 0.3,
                               [](TyreForce::Settings& s) { s.model = TyreModel::pacejka; }},
                      TyreCase{"PacejkasFormulaSliding", Ground::plane, 8.0,
                               [](TyreForce::Settings& s) {
                                 s.model = TyreModel::pacejka;
                                 s.curvature = -0.4;
                               }},
                      TyreCase{"HardlyTurning", Ground::hills, 0.3,
                               [](TyreForce::Settings& s) { s.slip_velocity = 60.0; }}),
    [](const auto& item) { return std::string(item.param.name); });

TEST(TyreDerivatives, OfAWheelAboveTheGroundAreThoseOfItsRelease) {
  const Rover rover(1);
  TyreForce::Settings settings;
  settings.link = kWheel;
  settings.radius = 1.0;
  settings.terrain = ground_under(rover.place(kWheel), Ground::plane);
  settings.stiffness = settings.friction = settings.slip_stiffness = settings.cornering_stiffness =
      1.0;
  State state = rover.state;
  state.z = Eigen::Vector2d(0.2, 0.1);
  expect_right_derivatives(rover.model, ForceSubject(std::make_shared<TyreForce>("tyre", settings)),
                           state);
}

}  // namespace
}  // namespace spacedyn::testing::wheel_derivatives_test
