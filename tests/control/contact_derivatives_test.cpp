// What compliant contacts say about derivatives of their loads, against differences of the loads.
#include "load_differences.hpp"
#include "spacedyn/forces/contact_force.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "spacedyn/terrain/profile_terrain.hpp"
#include "support/random_models.hpp"

namespace spacedyn::testing::contact_derivatives_test {
namespace {

/// A shape so large that it touches whatever the posture.
BodyShape large(const std::string& name, CollisionType type, int body, const Vector3& size) {
  BodyShape shape;
  shape.name = name;
  shape.type = type;
  shape.size = size;
  shape.frame = {"", body, {0.3, -0.2, 0.5}, exp_so3({0.5, 1.0, -0.3})};
  return shape;
}

ContactPair on_ground(CollisionType type, const Vector3& size) {
  return {large("foot", type, 4, size), {}, true};
}

/// A large ball near a shape: its surface is beyond the shape's centre.
ContactPair ball_with(CollisionType type, const Vector3& size, int ball = 2, int other = 6) {
  return {large("ball", CollisionType::sphere, ball, {6, 0, 0}), large("other", type, other, size),
          false};
}

ContactPair turned(ContactPair pair) {
  std::swap(pair.a, pair.b);
  return pair;
}

ContactPair capsules(double length_a, double length_b) {
  return {large("a", CollisionType::capsule, 2, {5, length_a, 0}),
          large("b", CollisionType::capsule, 6, {4, length_b, 0}), false};
}

ContactPair balls(int a, int b) {
  return {large("a", CollisionType::sphere, a, {6, 0, 0}),
          large("b", CollisionType::sphere, b, {5, 0, 0}), false};
}

/// Hills whose radius of curvature is some 30 m.
std::shared_ptr<const Terrain> hills() {
  MatrixX heights(41, 41);
  for (Eigen::Index i = 0; i < 41; ++i) {
    for (Eigen::Index k = 0; k < 41; ++k) {
      heights(i, k) =
          1.5 * std::sin(0.3 * static_cast<double>(i)) * std::cos(0.25 * static_cast<double>(k));
    }
  }
  return std::make_shared<HeightField>(heights, 2.0, Vector3(-40, -40, 0));
}

/// A face and a valley of the size of the shapes.
std::shared_ptr<const Terrain> steps() {
  const std::vector<Eigen::Vector2d> points{{-4, -6}, {-4, -1}, {3, -2}, {9, 4}};
  return std::make_shared<ProfileTerrain>(points, 0.4);
}

std::shared_ptr<const Terrain> slope() {
  return std::make_shared<PlaneTerrain>(PlaneTerrain::slope(0.3, 0.8));
}

struct Case {
  const char* name;
  ContactPair pair;
  NormalContact::Settings normal;
  ContactFriction friction;
  double impact_speed;  ///< the first state of each point
  std::shared_ptr<const Terrain> terrain = nullptr;
};

void PrintTo(const Case& item, std::ostream* stream) { *stream << item.name; }

NormalContact::Settings linear(double damping) {
  NormalContact::Settings law;
  law.law = NormalContactLaw::linear;
  law.stiffness = 8.0;
  law.damping = damping;
  return law;
}

NormalContact::Settings hunt_crossley(double exponent = 1.5) {
  NormalContact::Settings law;
  law.stiffness = 8.0;
  law.restitution = 0.6;
  law.exponent = exponent;
  return law;
}

ContactFriction coulomb(double slip_velocity) {
  ContactFriction friction;
  friction.coefficient = 0.4;
  friction.static_coefficient = 0.7;
  friction.slip_velocity = slip_velocity;
  friction.stribeck_velocity = 3.0;
  friction.rolling = 0.2;
  friction.spinning = 0.3;
  friction.slip_rate = slip_velocity;
  return friction;
}

/// @param damping  large: it slides; with little of it the spring alone holds
ContactFriction bristle(double damping) {
  ContactFriction friction = coulomb(0.1);
  friction.law = FrictionLaw::bristle;
  friction.stiffness = 30.0;
  friction.damping = damping;
  return friction;
}

std::vector<Case> all_cases() {
  const ContactPair ball = on_ground(CollisionType::sphere, {8, 0, 0});
  const ContactPair box = on_ground(CollisionType::box, {9, 7, 8});
  return {
      {"LinearBallOnAPlane", ball, linear(1.0), {}, 1.0, slope()},
      {"PullingDamper", ball, linear(200.0), {}, 1.0, slope()},
      {"BallOnHills", ball, hunt_crossley(), coulomb(0.1), 50.0, hills()},
      {"BallFasterThanItsImpact", ball, hunt_crossley(), coulomb(0.1), 1e-3, slope()},
      {"BallThatHardlySlides", ball, hunt_crossley(1.0), coulomb(50.0), 50.0, slope()},
      {"Capsule", on_ground(CollisionType::capsule, {7, 3, 0}), hunt_crossley(2.0), coulomb(0.1),
       50.0, hills()},
      {"CornersOfABox", box, hunt_crossley(), coulomb(0.1), 50.0, slope()},
      {"CornersOnHills", box, linear(1.0), bristle(0.1), 50.0, hills()},
      {"BristleThatHolds", ball, hunt_crossley(), bristle(0.01), 50.0, slope()},
      {"BristleThatSlides", ball, hunt_crossley(), bristle(40.0), 50.0, hills()},
      {"RimsOnASlope", on_ground(CollisionType::cylinder, {7, 6, 0}), hunt_crossley(), coulomb(0.1),
       50.0, slope()},
      {"RimsOnHills", on_ground(CollisionType::cylinder, {7, 6, 0}), linear(1.0), bristle(0.1),
       50.0, hills()},
      {"BallAtAStep", ball, hunt_crossley(), bristle(40.0), 50.0, steps()},
      {"RimsAtAStep", on_ground(CollisionType::cylinder, {7, 6, 0}), hunt_crossley(), coulomb(0.1),
       50.0, steps()},
      {"EllipsoidOnASlope", on_ground(CollisionType::ellipsoid, {9, 7, 8}), hunt_crossley(),
       bristle(40.0), 50.0, slope()},
      {"EllipsoidOnHills", on_ground(CollisionType::ellipsoid, {9, 7, 8}), hunt_crossley(),
       coulomb(0.1), 50.0, hills()},
      {"BallInABox", ball_with(CollisionType::box, {4, 3, 5}), hunt_crossley(), coulomb(0.1), 50.0},
      {"BallAtABox", ball_with(CollisionType::box, {0.2, 0.3, 0.1}), hunt_crossley(), coulomb(0.1),
       50.0},
      {"BoxAtABall", turned(ball_with(CollisionType::box, {0.2, 0.3, 0.1})), linear(1.0),
       bristle(40.0), 50.0},
      {"BallAtACapsule", ball_with(CollisionType::capsule, {0.5, 2, 0}), hunt_crossley(),
       bristle(0.01), 50.0},
      {"BallAtTheEndOfACapsule", ball_with(CollisionType::capsule, {0.5, 0.1, 0}), linear(1.0),
       coulomb(0.1), 50.0},
      {"CapsuleAtABall", turned(ball_with(CollisionType::capsule, {0.5, 2, 0})), hunt_crossley(),
       coulomb(0.1), 50.0},
      {"BallInACylinder", ball_with(CollisionType::cylinder, {5, 8, 0}), hunt_crossley(),
       coulomb(0.1), 50.0},
      {"BallAtACylinder", ball_with(CollisionType::cylinder, {0.1, 0.1, 0}), hunt_crossley(),
       bristle(40.0), 50.0},
      {"BallAtAnEllipsoid", ball_with(CollisionType::ellipsoid, {0.6, 0.4, 0.5}), hunt_crossley(),
       coulomb(0.1), 50.0},
      {"EllipsoidAtABall", turned(ball_with(CollisionType::ellipsoid, {0.6, 0.4, 0.5})),
       hunt_crossley(), bristle(0.01), 50.0},
      {"CrossedCapsules", capsules(4.0, 5.0), hunt_crossley(), coulomb(0.1), 50.0},
      {"EndsOfCapsules", capsules(0.01, 5.0), hunt_crossley(), bristle(40.0), 50.0},
      {"BothEndsOfCapsules", capsules(0.01, 0.02), linear(1.0), coulomb(0.1), 50.0},
      {"TwoBalls", balls(2, 6), hunt_crossley(), coulomb(0.1), 50.0},
      {"TwoBallsOneOnTheBase", balls(5, 0), linear(1.0), coulomb(0.1), 1.0},
      {"TwoBallsThatHold", balls(1, 4), hunt_crossley(), bristle(0.01), 50.0},
      {"TwoBallsThatSlide", balls(6, 2), hunt_crossley(), bristle(40.0), 50.0},
  };
}

class ContactDerivativesOf : public ::testing::TestWithParam<Case> {};

TEST_P(ContactDerivativesOf, Agree) {
  const Case& item = GetParam();
  for (const unsigned seed : {1U, 2U, 3U}) {
    SCOPED_TRACE(seed);
    RandomModels random(seed);
    const Model model = ModelBuilder(random.description(TreeShape{6, 3, 0.3, true})).build();
    State state = random.state(model);
    const auto contact = std::make_shared<ContactForce>(
        "touch", ContactForce::Settings{{item.pair}, item.terrain, item.normal, item.friction});
    state.z = random.vector(contact->auxiliary_size(), 0.04);
    const int each = contact->auxiliary_size() / contact->point_count();
    for (int i = 0; i < contact->point_count(); ++i) state.z(i * each) = item.impact_speed;
    expect_right_derivatives(model, ForceSubject(contact), state);
    // it acts, but for a damper that would pull
    Loads loads(model);
    contact->apply(Snapshot(model, state).at(kTime), loads);
    EXPECT_TRUE(!loads.force.isZero(0.0) || std::string(item.name) == "PullingDamper");
  }
}

INSTANTIATE_TEST_SUITE_P(Contacts, ContactDerivativesOf, ::testing::ValuesIn(all_cases()),
                         [](const auto& item) { return std::string(item.param.name); });

TEST(ContactDerivatives, OfPatchesAreDifferences) {
  const Model model = ModelBuilder(RandomModels(4).description(TreeShape{6, 3, 0.3, true})).build();
  const Vector3 size(9, 7, 8);
  const ContactPair boxes{large("a", CollisionType::box, 2, size),
                          large("b", CollisionType::box, 5, size), false};
  const ContactForce contact("touch", {{boxes}, nullptr, hunt_crossley(), {}});
  State state(model);
  state.z = VectorX::Constant(contact.auxiliary_size(), 1.0);
  LoadDerivatives derivatives(model, contact.auxiliary_size());
  EXPECT_FALSE(contact.differentiate(Snapshot(model, state).at(0.0), derivatives));
  EXPECT_TRUE(stacked(derivatives).isZero(0.0));
}

}  // namespace
}  // namespace spacedyn::testing::contact_derivatives_test
