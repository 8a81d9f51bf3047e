#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "integration/run/setup_checks.hpp"
#include "loading/model/model_assembly.hpp"
#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "math/decompositions.hpp"
#include "spacedyn/analysis/sampled_loops.hpp"
#include "spacedyn/dynamics/mobility.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/inertia/impulse.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/inertia/regularity.hpp"
#include "spacedyn/kinematics/points.hpp"

namespace spacedyn::loading {
namespace {

constexpr double kRounding = 64.0 * std::numeric_limits<double>::epsilon();

/// Whether H of the coordinates that move freely is positive definite.
bool is_regular_where_free(const Scenario& scenario) {
  const Model& model = *scenario.setup.model;
  const Mobility mobility = start_mobility(scenario.setup);
  if (mobility.free().empty()) return true;
  const MatrixX H = inertia_matrix(model, scenario.initial)(mobility.free(), mobility.free());
  const VectorX diagonal = H.diagonal();
  if (!(diagonal.minCoeff() > 0.0)) return false;
  const VectorX scale = diagonal.cwiseSqrt().cwiseInverse();
  const MatrixX normalized = scale.asDiagonal() * H * scale.asDiagonal();
  return symmetric_eigenvalues(normalized)(0) > kRounding * static_cast<double>(H.rows());
}

/// Steps of this part of √(m/k) follow a contact.
constexpr double kStepPart = 0.1;

/// A point of a contact at the start.
struct StartPoint {
  const ContactPair* pair = nullptr;
  ContactPoint at;
  double speed = 0.0;  // towards each other
};

template <typename Visit>
void for_each_point(const ContactPlace& contact, const LinkMotion& start, const Visit& visit) {
  for (const ContactPair& pair : contact.pairs()) {
    const ShapePose a = pair.a.at(start.frames);
    const ShapePose b = pair.on_ground ? ShapePose() : pair.b.at(start.frames);
    for (int number = 0; number < pair.point_count(); ++number) {
      StartPoint point{
          &pair,
          pair.on_ground ? contact_point(a, *contact.terrain(), number) : contact_point(a, b), 0.0};
      const auto velocity = [&](int body) {
        const auto i = static_cast<std::size_t>(body);
        return Vector3(start.velocities.v[i] +
                       start.velocities.omega[i].cross(point.at.point - start.frames.r[i]));
      };
      Vector3 relative = velocity(pair.a.frame.body);
      if (!pair.on_ground) relative -= velocity(pair.b.frame.body);
      point.speed = -point.at.normal.dot(relative);
      visit(point);
    }
  }
}

StartPoint nearest_point(const ContactPlace& contact, const LinkMotion& start) {
  StartPoint nearest;
  for_each_point(contact, start, [&](const StartPoint& point) {
    if (nearest.pair == nullptr || point.at.depth > nearest.at.depth) nearest = point;
  });
  return nearest;
}

std::string other_side(const ContactPair& pair) {
  return pair.on_ground ? "the terrain" : "'" + pair.b.name + "'";
}

/// The mass that an impact at a point feels along its normal; nothing where a body cannot move.
std::optional<double> effective_mass_at(const Scenario& scenario, const LinkMotion& start,
                                        const StartPoint& point) {
  const Model& model = *scenario.setup.model;
  const auto material = [&](int body) {
    return material_point_at(model, start.frames, body, point.at.point);
  };
  const std::vector<int> free = start_mobility(scenario.setup).free();
  const Frame a = material(point.pair->a.frame.body);
  const ImpactEffect effect =
      point.pair->on_ground
          ? impact_effect(model, scenario.initial, a, point.at.normal, free)
          : impact_effect(model, scenario.initial, a, material(point.pair->b.frame.body),
                          point.at.normal, free);
  if (!std::isfinite(effect.effective_mass)) return std::nullopt;
  return effect.effective_mass;
}

/// The longest step that follows a contact: of the speed at which it may begin, as far as the start
/// tells, and of what gravity presses it with.
double longest_step(const Scenario& scenario, const NormalContact& normal, const StartPoint& point,
                    double mass) {
  const double n = normal.settings().exponent, k = normal.settings().stiffness;
  const double g = scenario.setup.gravity.norm();
  const double gap = std::max(0.0, -point.at.depth);
  const double speed =
      std::sqrt(std::max(0.0, point.speed) * std::max(0.0, point.speed) + 2.0 * g * gap);
  // deepest by energy, and at rest
  const double impact = std::pow(0.5 * (n + 1.0) * mass * speed * speed / k, 1.0 / (n + 1.0));
  const double rest = std::pow(mass * g / k, 1.0 / n);
  const double depth = std::max({impact, rest, point.at.depth});
  return kStepPart * std::sqrt(mass / normal.slope(depth));
}

/// Whether the method can follow a rigid contact; else says why not.
bool check_rigid(const ContactPlace& place, const SimulationSetup& setup, ProblemList& problems) {
  if (!place.rigid) return true;
  const MethodTraits method = method_traits(setup.integrator);
  const Value& at = place.between;
  const auto refuse = [&](const std::string& what, const char* hint) {
    problems.error(at, what, hint);
    return false;
  };
  if (!method.steps_contacts) {
    if (!place.rigid->has_patches()) return true;
    return refuse(fmt::format("expected shapes that touch in single points, got some that touch "
                              "along a patch, which {} cannot follow",
                              method.name),
                  "'integrator: {method: time_stepping, step: 0.001}' can; so can compliant laws");
  }
  if (place.rigid->settings().impact == ImpactLaw::poisson) {
    return refuse("expected 'impact: newton' with time_stepping, got 'poisson'", "");
  }
  for (const Event& event : setup.events) {
    if (event.owner != place.rigid.get()) continue;
    return refuse(fmt::format("expected no event about this contact, got '{}': time_stepping "
                              "steps over the instants at which contacts begin and end",
                              event.name),
                  "dop853 finds them");
  }
  return true;
}

/// Reports, at the model's place, an H of the free coordinates that is not positive definite.
void check_start_regularity(const Scenario& scenario, const Value& model, ProblemList& problems) {
  const bool base_free = scenario.setup.base_mode == BaseMode::floating;
  const auto culprit = find_singularity(*scenario.setup.model, scenario.initial, base_free);
  if (!culprit) return;
  // what is prescribed or locked needs no inertia of its own
  const SimulationSetup& setup = scenario.setup;
  const bool some_held = !setup.prescribed_joints.empty() || !setup.locked_joints.empty();
  if (some_held && is_regular_where_free(scenario)) return;
  const Model& robot = *scenario.setup.model;
  const std::vector<std::string> idle = joints_without_inertia(robot);
  const bool follows = std::any_of(idle.begin(), idle.end(), [&](const std::string& name) {
    const std::optional<int> joint = robot.find_joint(name);
    return joint && robot.follower(*joint) != nullptr;
  });
  problems.error(model,
                 "expected a positive definite inertia matrix H at the start, got one in which " +
                     (idle.empty() ? *culprit + " moves" : joints_move(idle)) +
                     " without resistance",
                 "give mass or inertia to what moves there" +
                     std::string(follows        ? ", or a rotor_inertia to the joint that follows"
                                 : idle.empty() ? ""
                                                : ", or impose its motion with 'prescribed'"));
}

/// Warns, at the model's place, of modal appendages that turn too fast at the start.
void check_modal_rates(const Scenario& scenario, const Value& model, ProblemList& problems) {
  if (scenario.modal_appendages.empty()) return;
  ModalRateWatch watch(scenario.modal_appendages);
  watch.see(0.0, LinkMotion(*scenario.setup.model, scenario.initial).velocities);
  for (const std::string& text : watch.warnings()) {
    problems.warning(model, text, "give it as flexible_links, which stiffen");
  }
}

/// Warns where the start is so large that energies, or forces from velocities, overflow.
void check_magnitudes(const Scenario& scenario, const Value& place, ProblemList& problems) {
  const Model& robot = *scenario.setup.model;
  const auto [frames, velocities] = LinkMotion(*scenario.setup.model, scenario.initial);
  const Momentum start = momentum(robot, frames, velocities);
  const double sum = start.linear.squaredNorm() + start.angular_origin.squaredNorm();
  const double energies = kinetic_energy(robot, frames, velocities) +
                          std::abs(gravity_potential(robot, frames, scenario.setup.gravity)) +
                          elastic_energy(robot, scenario.initial.q);
  if (std::isfinite(sum) && std::isfinite(energies)) return;
  problems.warning(
      place,
      std::string("expected a start whose energy and momentum a double can hold, got one "
                  "whose ") +
          (std::isfinite(energies) ? "squared momentum" : "energy") + " overflows",
      "masses, lengths and velocities are in SI units");
}

/// Warns where the method's cost of a step grows with the cube of many coordinates.
void check_cost(const Scenario& scenario, const Value& place, ProblemList& problems) {
  constexpr std::size_t kMany = 300;  // from there on factorizations take most of the time
  const IntegrationMethod method = scenario.setup.integrator.method;
  const bool is_cubic = method == IntegrationMethod::rodas ||
                        method == IntegrationMethod::newmark ||
                        method == IntegrationMethod::variational;
  const std::size_t count = start_mobility(scenario.setup).free().size();
  if (!is_cubic || count < kMany) return;
  const Value named = descend(place, "integrator.method");
  problems.warning(
      named,
      fmt::format("expected a method whose cost grows with the number of coordinates, got "
                  "{}, which factorizes a matrix of {} rows in each step",
                  to_string(method), count),
      "dop853 and the other explicit methods cost O(n) unless the system is stiff");
}

/// Warns where forces begin and end, as of contacts and tethers, that the method's estimate of its
/// error does not see.
void check_kinks(const Scenario& scenario, const Value& place, ProblemList& problems) {
  const IntegrationMethod method = scenario.setup.integrator.method;
  using Method = IntegrationMethod;
  if (method != Method::fehlberg78 && method != Method::bulirsch_stoer) return;
  for (const auto& force : scenario.setup.forces) {
    std::vector<ElementEvent> kinks;
    force->append_events(kinks);
    if (kinks.empty()) continue;
    problems.warning(
        descend(place, "integrator.method"),
        fmt::format("expected a method whose error estimate sees forces begin and end, got {} "
                    "beside '{}': its error may be a thousand times the tolerance",
                    to_string(method), force->name()),
        "dop853, dopri5, cash_karp54 and rodas keep the tolerance there");
    return;
  }
}

/// Warns where the result file will have gigabytes.
void check_result_size(const Scenario& scenario, const Value& place, ProblemList& problems) {
  constexpr double kMuch = 2e9, kBinary = 8.0, kText = 19.0;  // bytes; of a number, of text in mean
  const double rows = scenario.duration / scenario.output_interval + 2.0;
  std::size_t columns = 0;
  try {
    columns = RowLayout(scenario.setup, scenario.initial, scenario.channels).columns().size();
  } catch (const Error&) {
    return;  // told where the scenario is run
  }
  const double bytes = rows * static_cast<double>(columns) *
                       (scenario.format == ResultFormat::csv ? kText : kBinary);
  if (bytes < kMuch) return;
  const Value interval = descend(place, "output.interval");
  problems.warning(
      interval,
      fmt::format("expected a result of at most {:g} GB, got about {:.3g} GB: {:.3g} rows "
                  "of {} columns",
                  kMuch / 1e9, bytes / 1e9, rows, columns),
      "a longer output.interval or fewer output.channels make it smaller");
}

std::vector<SampledLoop> loops_at_start(const Scenario& scenario) {
  try {
    return sampled_loops(scenario.setup, scenario.initial);
  } catch (const Error&) {
    return {};  // a start about which nothing is linear
  }
}

/// Warns, at their sample periods, of controllers whose linear loop about the start is unstable as
/// it is sampled.
void check_sampled_loops(const Scenario& scenario, const ScenarioContext& sections) {
  const auto list = sections.map.find("control");
  if (!list || !list->node->is_sequence()) return;
  for (const SampledLoop& loop : loops_at_start(scenario)) {
    if (!loop.is_unstable) continue;
    const double real = loop.eigenvalue.real(), turn = loop.eigenvalue.imag();
    const std::string eigenvalue =
        fmt::format("{:.3g}", real) + (turn == 0.0 ? "" : fmt::format(" ± {:.3g}i", turn));
    for (std::size_t i = 0; i < list->node->items.size(); ++i) {
      const NodePtr& item = list->node->items[i];
      const std::string name = name_of_item(*item, i);
      if (std::count(loop.controllers.begin(), loop.controllers.end(), name) == 0) continue;
      const std::string path = join_path(list->path, std::to_string(i));
      const Entry* period = item->find("sample_period");
      const Value place = period != nullptr
                              ? Value{period->value.get(), join_path(path, "sample_period")}
                              : Value{item.get(), path};
      sections.problems().warning(
          place,
          fmt::format("expected a sample period at which the loop of {} is stable, got {:g} s: "
                      "linearized about the start, it has the eigenvalue {} from sample to sample",
                      quote(name), loop.sample_period, eigenvalue),
          "a shorter sample_period or delay, or smaller gains");
      break;
    }
  }
}

}  // namespace

void check_start(const Scenario& scenario, const Value& model, const Value& place,
                 const ScenarioContext& sections, bool is_new) {
  ProblemList& problems = sections.problems();
  check_start_regularity(scenario, model, problems);
  if (!is_new) return;
  check_modal_rates(scenario, model, problems);
  check_magnitudes(scenario, place, problems);
  check_cost(scenario, place, problems);
  check_kinks(scenario, place, problems);
  check_result_size(scenario, place, problems);
  check_sampled_loops(scenario, sections);
}

void check_undriven_joints(ScenarioContext& scenario) {
  // where something couples joints one may drive another, and wheels roll on their ground
  if (!scenario.model || scenario.problems().has_errors()) return;
  const Model& model = *scenario.model;
  const bool is_coupled = model.has_loops() || !model.couplings().empty() ||
                          !model.transmissions().empty() || !scenario.setup().connections.empty();
  if (is_coupled || scenario.has_several_robots() || scenario.ground.has_terrain) return;
  if (scenario.names.controlled_joints.empty()) return;
  const std::vector<CompoundJoint>& compounds = model.compound_joints();
  const auto is_part = [&](int i) {
    return std::any_of(compounds.begin(), compounds.end(), [&](const CompoundJoint& whole) {
      return i >= whole.first && i < whole.first + whole.size;
    });
  };
  std::string idle;
  for (const int i : model.coordinates()) {
    const Joint& joint = model.joint(i);
    const bool is_passive = joint.stiffness > 0.0 || joint.damping > 0.0 ||
                            joint.friction.is_present() || joint.spherical != 0;
    const bool is_idle = !is_passive && !is_part(i) && model.wheel(i) == nullptr &&
                         scenario.names.joints.count(i) == 0;
    if (is_idle) idle += (idle.empty() ? "" : ", ") + quote(joint.name);
  }
  if (idle.empty()) return;
  scenario.problems().warning(
      scenario.map.mark(), join_path(scenario.map.path(), "control"),
      "expected a drive, a spring or a lock for each joint beside those that are "
      "controlled: nothing holds " +
          idle,
      "lock joints that are to stay: 'locked: [...]'");
}

void check_contacts(ScenarioContext& scenario) {
  if (scenario.contacts.empty() || !scenario.model || scenario.problems().has_errors()) return;
  const LinkMotion start(*scenario.model, scenario.initial());
  for (const ContactPlace& place : scenario.contacts) {
    if (!check_rigid(place, scenario.setup(), scenario.problems())) continue;
    const StartPoint nearest = nearest_point(place, start);
    const bool may_penetrate = place.may_penetrate || scenario.result.equilibrium;
    const BodyShape& shape = nearest.pair->a;
    const double size = bounding_radius(shape.type, shape.size, shape.hull.get());
    if (nearest.at.depth > kStartPenetration * size && !may_penetrate) {
      scenario.problems().error(
          place.between,
          fmt::format("expected a start without penetration, got '{}' and {} that are {:.6g} m "
                      "inside each other",
                      nearest.pair->a.name, other_side(*nearest.pair), nearest.at.depth),
          place.rigid ? "" : "'penetrating_start: true' accepts it");
      continue;
    }
    const IntegratorOptions& integrator = scenario.setup().integrator;
    if (place.rigid || is_adaptive(integrator)) continue;
    std::optional<double> mass;
    try {
      mass = effective_mass_at(scenario.result, start, nearest);
    } catch (const Error&) {  // told by other checks, or too large to say
    }
    if (!mass) continue;
    const double most = longest_step(scenario.result, place.contact->normal(), nearest, *mass);
    if (!(integrator.step > most)) continue;
    scenario.problems().warning(
        place.stiffness,
        fmt::format("expected a stiffness that steps of {:g} s can follow, got one that needs "
                    "steps of {:.2g} s",
                    integrator.step, most),
        fmt::format("integrator.step: {:.2g}, or an adaptive method", most));
  }
}

}  // namespace spacedyn::loading
