#include "spacedyn/forces/element.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "forces/element_checks.hpp"
#include "kinematics/jacobian_columns.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/forces/event_times.hpp"
#include "spacedyn/forces/load_derivatives.hpp"
#include "spacedyn/forces/robot_field.hpp"

namespace spacedyn {

AccelerationField::~AccelerationField() = default;

void RobotField::divide(const Model& model) { robots_ = robots_of(model, robot_count_); }

void RobotField::check(const Model& model) const {
  int count = 1;
  if (robots_.empty() || robots_of(model, count) == robots_) return;
  throw DomainError(owner_prefix(*this) + "it is of another model than '" + model.name() + "'");
}

Vector3 frame_rate(const std::vector<const AccelerationField*>& fields, double time) {
  Vector3 rate = Vector3::Zero();
  for (const AccelerationField* field : fields) rate += field->frame_rate(time);
  return rate;
}

Matrix3 frame_attitude(const std::vector<const AccelerationField*>& fields, double time) {
  Matrix3 attitude = Matrix3::Identity();
  for (const AccelerationField* field : fields) attitude *= field->frame_attitude(time);
  return attitude;
}

Declarations declarations_of(const Element& element) {
  Declarations declared;
  element.declare(declared);
  return declared;
}

void Element::check(const Model&) const {}

void Element::declare(Declarations&) const {}

void Element::auxiliary_rate(const EvaluationContext&, VectorRef zd) const { zd.setZero(); }

void Element::append_events(std::vector<ElementEvent>&) const {}

bool ForceElement::wrench_between(const EvaluationContext&, Vector6&) const { return false; }

EnergyRates ForceElement::act(const EvaluationContext& context, Loads& loads,
                              VectorRef rate) const {
  apply(context, loads);
  if (rate.size() > 0) auxiliary_rate(context, rate);
  return energy_rates(context);
}

void ForceElement::integrands(const EvaluationContext&, VectorRef) const {}

bool ForceElement::differentiate(const EvaluationContext&, LoadDerivatives&) const { return false; }

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

}  // namespace

Schedule::~Schedule() = default;

void Schedule::append_discontinuities(std::vector<double>& times) const {
  for (const Schedule* followed : schedules()) {
    if (followed != nullptr) followed->append_discontinuities(times);
  }
}

void Schedule::append_event_discontinuities(const EventTimes& events,
                                            std::vector<double>& times) const {
  for (const Schedule* followed : schedules()) {
    if (followed != nullptr) followed->append_event_discontinuities(events, times);
  }
}

double EventTimes::first(int event) const {
  const std::vector<double>& own = instants[static_cast<std::size_t>(event)];
  return own.empty() ? kNever : own.front();
}

void EventTimes::open(std::size_t slot, const ThrusterPulse& pulse) {
  if (slot >= pulses.size()) pulses.resize(slot + 1);
  std::vector<ThrusterPulse>& own = pulses[slot];
  if (!own.empty() && pulse.from <= own.back().until) {
    own.back().until = std::max(own.back().until, pulse.until);
  } else {
    own.push_back(pulse);
  }
}

double Instant::first(int event) const { return events == nullptr ? kNever : events->first(event); }

EventStart::EventStart(int event, std::vector<double> breaks)
    : event_(event), breaks_(std::move(breaks)) {
  std::sort(breaks_.begin(), breaks_.end());
  while (!breaks_.empty() && !std::isfinite(breaks_.back())) breaks_.pop_back();
}

double EventStart::since(const Instant& now) const {
  if (!waits()) return now.time;
  const double start = now.first(event_);
  if (!(now.time >= start)) return -kNever;
  // sums and differences round: the instant of a break counts as behind it
  const auto next = std::upper_bound(breaks_.begin(), breaks_.end(), now.time,
                                     [&](double t, double at) { return t < start + at; });
  double since = now.time - start;
  if (next != breaks_.begin()) since = std::max(since, *(next - 1));
  if (next != breaks_.end()) since = std::min(since, std::nextafter(*next, -kNever));
  return since;
}

void EventStart::append(const EventTimes& events, std::vector<double>& times) const {
  if (!waits() || !std::isfinite(events.first(event_))) return;
  const double start = events.first(event_);
  times.push_back(start);
  for (const double after : breaks_) times.push_back(start + after);
}

LoadDerivatives::LoadDerivatives(const Model& model, int auxiliaries)
    : force_configuration(MatrixX::Zero(model.velocity_size(), model.velocity_size())),
      force_velocity(force_configuration),
      force_auxiliary(MatrixX::Zero(model.velocity_size(), auxiliaries)),
      force_time(VectorX::Zero(model.velocity_size())),
      rate_configuration(MatrixX::Zero(auxiliaries, model.velocity_size())),
      rate_velocity(rate_configuration),
      rate_auxiliary(MatrixX::Zero(auxiliaries, auxiliaries)),
      rate_time(VectorX::Zero(auxiliaries)) {}

void LoadDerivatives::clear() {
  for (MatrixX* part : {&force_configuration, &force_velocity, &force_auxiliary,
                        &rate_configuration, &rate_velocity, &rate_auxiliary}) {
    part->setZero();
  }
  force_time.setZero();
  rate_time.setZero();
}

void add_generalized_force(const Model& model, const LinkFrames& frames, int body,
                           const Vector3& force, const Vector3& moment, VectorRef generalized) {
  const Vector3& r = frames.r[static_cast<std::size_t>(body)];
  // J_bᵀ F, then J_mᵀ F, (16)
  generalized.head<3>() += force;
  generalized.segment<3>(3) += moment + (r - frames.r[0]).cross(force);
  for_each_joint_below(model, body, [&](int joint) {
    generalized(LoadDerivatives::joint(joint)) +=
        linear_column(model, frames, joint, r).dot(force) +
        angular_column(model, frames, joint).dot(moment);
  });
}

std::string owner_prefix(const Element& element) { return "'" + element.name() + "': "; }

void check_joint(const Element& element, int joint, const Model& model) {
  if (joint >= 1 && joint <= model.joint_count()) return;
  throw DomainError("'" + element.name() + "' acts on joint " + std::to_string(joint) +
                    ", but model '" + model.name() + "' has joints 1 to " +
                    std::to_string(model.joint_count()));
}

void check_body(const Element& element, int body, const Model& model) {
  if (body >= 0 && body < model.body_count()) return;
  throw DomainError("'" + element.name() + "' acts on body " + std::to_string(body) +
                    ", but model '" + model.name() + "' has bodies 0 to " +
                    std::to_string(model.body_count() - 1));
}

void check_scalar_joint(const Element& element, int joint, const Model& model) {
  check_joint(element, joint, model);
  require_scalar_joint(model, joint, "'" + element.name() + "'");
}

void check_own_joint(const Element& element, int joint, const Model& model) {
  check_scalar_joint(element, joint, model);
  if (const Follower* follower = model.follower(joint)) {
    throw DomainError(owner_prefix(element) + "joint '" + model.joint(joint).name +
                      "' has no coordinate of its own: it follows '" +
                      model.joint(follower->followed).name + "'");
  }
}

void require_scalar_joint(const Model& model, int joint, const std::string& who) {
  if (joint < 1 || joint > model.joint_count() || model.joint(joint).spherical == 0) return;
  throw DomainError(who + " acts on the position of '" + model.joint(joint).name +
                    "', which belongs to a spherical joint and has none of its own");
}

void require_whole_spherical_joints(const Model& model, const std::vector<int>& joints,
                                    const std::string& who) {
  for (const int first : model.spherical_joints()) {
    const auto count = std::count_if(joints.begin(), joints.end(), [&](int joint) {
      return joint >= first && joint < first + 3;
    });
    if (count == 0 || count == 3) continue;
    throw DomainError(who +
                      " must have all three coordinates of the spherical joint that begins "
                      "with '" +
                      model.joint(first).name + "', or none");
  }
}

std::vector<int> robots_of(const Model& model, int& count) {
  std::vector<int> robots(static_cast<std::size_t>(model.body_count()), 0);
  for (int i = 1; i < model.body_count(); ++i) {
    bool begins = false;
    for (const CompoundJoint& joint : model.compound_joints()) {
      begins = begins || (joint.type == JointType::free && joint.first == i);
    }
    const int parent = model.topology().connection(i);
    robots[static_cast<std::size_t>(i)] =
        begins ? count++ : robots[static_cast<std::size_t>(parent)];
  }
  return robots;
}

RobotCentroid::RobotCentroid(const EvaluationContext& context, const std::vector<int>& robots,
                             int robot) {
  Vector3 origin = Vector3::Zero(), moment = origin;
  for (int i = 0; i < context.model.body_count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double m = context.model.body(i).mass;
    if (robots[at] != robot || m == 0.0) continue;
    // summed from one of its bodies, which keeps digits far from the origin
    if (mass == 0.0) origin = context.frames.r[at];
    mass += m;
    moment += m * (context.frames.r[at] - origin);
  }
  if (mass > 0.0) position = origin + moment / mass;
}

}  // namespace spacedyn
