#include "integration/contacts/impact.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "integration/contacts/loop_closure.hpp"
#include "kinematics/jacobian_columns.hpp"
#include "spacedyn/dynamics/tree_dynamics.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {

ImpulseSolver::ImpulseSolver(const Model& model, const State& state, const Mobility& mobility,
                             const std::vector<Loop>& loops, const MatrixX& kept_K_T)
    : motion_(model),
      size_(model.velocity_size()),
      workspace_(model, mobility),
      kept_K_T_(kept_K_T),
      kept_responses_(size_, kept_K_T.cols()) {
  motion_.compute(model, state);
  if (!loops.empty()) {
    loops_ = std::make_unique<IncrementalAssembly>(model, mobility, loops);
    if (loops_->update(motion_.state, motion_.frames) != DynamicsStatus::ok) loops_.reset();
  }
  VectorX own(kept_K_T.cols());
  for (Eigen::Index i = 0; i < kept_K_T.cols(); ++i) {
    kept_responses_.col(i) = response_in_loops(kept_K_T.col(i));
    own(i) = kept_K_T.col(i).dot(free_response(kept_K_T.col(i)));
  }
  if (own.size() > 0) {
    kept_inverse_ = inverse_of_delassus(kept_K_T_.transpose() * kept_responses_, own);
  }
}

VectorX ImpulseSolver::free_response(ConstVectorRef impulse) const {
  VectorX change = VectorX::Zero(size_);
  if (solve_inertia(motion_.state, impulse, workspace_, change) == DynamicsStatus::ok)
    return change;
  throw NumericalError("the inertia matrix is not positive definite at an event", 0.0, 0,
                       "inertia matrix");
}

VectorX ImpulseSolver::response(const VectorX& impulse) const {
  return restrained(response_in_loops(impulse));
}

VectorX ImpulseSolver::response_in_loops(const VectorX& impulse) const {
  if (loops_ == nullptr) return free_response(impulse);
  // impulses of the loops keep K Δu = 0
  VectorX change(size_), multipliers(loops_->equations().rows());
  loops_->solve(impulse, VectorX::Zero(multipliers.size()), change, multipliers);
  return change;
}

ImpulseSolver::Rows ImpulseSolver::rows(MatrixX K_T, bool may_depend) const {
  Rows rows;
  rows.responses = MatrixX::Zero(size_, K_T.cols());
  const bool is_held = loops_ != nullptr || kept_K_T_.cols() > 0;
  const bool needs_own = may_depend || is_held;
  if (needs_own) rows.own = VectorX::Zero(K_T.cols());
  for (Eigen::Index i = 0; i < K_T.cols(); ++i) {
    const VectorX column = K_T.col(i);
    rows.responses.col(i) = response(column);
    if (!needs_own) continue;
    rows.own(i) = column.dot(is_held ? free_response(column) : VectorX(rows.responses.col(i)));
  }
  rows.G = K_T.transpose() * rows.responses;
  rows.K_T = std::move(K_T);
  return rows;
}

VectorX ImpulseSolver::closing(const VectorX& opening) const {
  return restrained(closing_in_loops(opening));
}

VectorX ImpulseSolver::closing_in_loops(const VectorX& opening) const {
  VectorX change = VectorX::Zero(size_);
  if (loops_ != nullptr) loops_->respond(-opening, change);
  return change;
}

VectorX ImpulseSolver::multipliers(const VectorX& impulse, const VectorX& opening) const {
  // the loops take away what was open, and what other impulses would open
  const VectorX kept = kept_multipliers(response_in_loops(impulse) + closing_in_loops(opening));
  VectorX change(size_), multipliers(opening.size());
  loops_->solve(impulse - kept_K_T_ * kept, -opening, change, multipliers);
  loops_->shorten(multipliers);
  return multipliers;
}

VectorX generalized_impulse(const Model& model, const LinkFrames& frames, const Frame& at,
                            const Vector3& linear, const Vector3& angular) {
  VectorX impulse = VectorX::Zero(model.velocity_size());
  const Vector3 point = frame_position(frames, at);
  impulse.head<3>() = linear;
  impulse.segment<3>(3) = angular + (point - frames.r[0]).cross(linear);
  for (const int joint : model.topology().path(at.body)) {
    impulse(joint + 5) = linear_column(model, frames, joint, point).dot(linear) +
                         angular_column(model, frames, joint).dot(angular);
  }
  return impulse;
}

namespace {

/// Energy gained counts as rounding below this part of what flows.
constexpr double kEnergyRounding = 1e-14;
/// Halvings of the interval in which the reduced restitution lies.
constexpr int kRestitutionHalvings = 50;

}  // namespace

ImpactSolution::ImpactSolution(const Impact& impact, EquationsOfMotion& equations,
                               RestingContacts& contacts, VectorX& x)
    : impact_(impact),
      equations_(equations),
      contacts_(contacts),
      x_(x),
      solver_(equations.model(), equations.state(), contacts.released(equations),
              equations.held().active_loops(), motion_rows(equations)) {
  add_imposed();
  first_stop_ = conditions_.size();
  for (std::size_t i = 0; i < contacts.stops().size(); ++i) {
    if (contacts.is_held(i)) add_stop(i, 0.0);
  }
  for (const Impact::Arrival& arrival : impact.arrivals)
    add_stop(arrival.stop, arrival.restitution);
  for (const Impact::PointArrival& point : impact.points) {
    add_point(point.point, point.restitution, point.law);
  }
  const auto& states = equations.discrete().contact_points;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (states[i].holds()) add_point(i, 0.0, ImpactLaw::newton);
  }
}

void ImpactSolution::add_row(const VectorX& column, const ConstraintRow& row) {
  columns_.push_back(column);
  conditions_.push_back(row);
}

void ImpactSolution::add_imposed() {
  for (const Impact::Imposed& target : impact_.imposed) {
    ConstraintRow row;
    row.least = target.velocity;
    add_row(VectorX::Unit(equations_.model().velocity_size(), target.joint + 5), row);
    joints_.push_back(target.joint);
  }
}

bool ImpactSolution::is_decided(int joint) const { return is_among(joints_, joint); }

void ImpactSolution::add_stop(std::size_t stop, double restitution) {
  const RestingContacts::Stop& place = contacts_.stops()[stop];
  if (is_decided(place.joint)) return;
  const double before = -place.outward * velocity(place.joint);
  ConstraintRow row;
  row.kind = ConstraintRow::Kind::unilateral;
  row.least = before < 0.0 ? -restitution * before : 0.0;
  row.terms = std::abs(before);
  add_row(-place.outward * VectorX::Unit(equations_.model().velocity_size(), place.joint + 5), row);
  joints_.push_back(place.joint);
  stops_.push_back({stop, row.least});
}

void ImpactSolution::add_point(std::size_t point, double restitution, ImpactLaw law) {
  const bool is_known = std::any_of(points_.begin(), points_.end(),
                                    [&](const PointRow& other) { return other.point == point; });
  if (is_known) return;
  const RigidPoints& all = equations_.rigid()->points();
  const EvaluationContext context = equations_.context();
  const RigidPointMotion motion = all.motion(context, point);
  const double friction = all.points()[point].contact->settings().friction;
  points_.push_back(
      {point, restitution, law, static_cast<int>(conditions_.size()), friction > 0.0, motion});
  VectorX column(equations_.model().velocity_size());
  for (int k = 0; k < (friction > 0.0 ? 3 : 1); ++k) {
    all.column(context, point, motion.at.point, motion.axes.col(k), column);
    ConstraintRow row;
    row.kind = k == 0 ? ConstraintRow::Kind::unilateral : ConstraintRow::Kind::tangential;
    row.terms = motion.velocity.norm();
    if (k == 0 && friction > 0.0) row.friction = friction;
    add_row(column, row);
  }
}

VectorX ImpactSolution::opening() const {
  const LoopEquations& loops = equations_.held().loops()->solver.equations();
  const LoopMotion& motion = equations_.own_motion();
  VectorX rate = VectorX::Zero(loops.rows());
  loops.velocity(motion.frames, motion.velocities, motion.state, rate);
  return rate;
}

void ImpactSolution::assemble() {
  const Eigen::Index size = equations_.model().velocity_size();
  MatrixX K_T = MatrixX::Zero(size, static_cast<Eigen::Index>(columns_.size()));
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    K_T.col(static_cast<Eigen::Index>(i)) = columns_[i];
  }
  before_ = K_T.transpose() * x_.segment(equations_.layout().v_0(), size);
  for (const PointRow& point : points_) {
    // prescribed bodies move as well, and what is known is exact
    before_.segment(point.row, point.has_friction ? 3 : 1) =
        point.motion.velocity.head(point.has_friction ? 3 : 1);
  }
  rows_ = solver_.rows(std::move(K_T), !points_.empty());
  given_ = impact_.impulse.size() > 0 ? solver_.response(impact_.impulse) : VectorX::Zero(size);
  if (impact_.closes_loops && solver_.has_loops()) given_ += solver_.closing(opening());
  given_rates_ = rows_.K_T.transpose() * given_;
}

void ImpactSolution::solve(ImpactOutcome& outcome) {
  assemble();
  if (!solve_phases(1.0)) {
    outcome.failed = true;
    return;
  }
  if (impact_.is_collision()) limit_energy();
  outcome.residual = residual_;
  const VectorX change = given_ + rows_.responses * reactions_;
  if (impact_.closes_loops && solver_.has_loops()) {
    VectorX impulse = rows_.K_T * reactions_;
    if (impact_.impulse.size() > 0) impulse += impact_.impulse;
    outcome.multipliers = solver_.multipliers(impulse, opening());
  }
  x_.segment(equations_.layout().v_0(), change.size()) += change;
  for (std::size_t i = 0; i < stops_.size(); ++i) end_stop(i);
  // what is known is exact
  for (const Impact::Imposed& target : impact_.imposed) velocity(target.joint) = target.velocity;
}

/// Newton's law in one phase; Poisson's in two, compression and expansion.
bool ImpactSolution::solve_phases(double factor) {
  const bool has_poisson = std::any_of(points_.begin(), points_.end(), [](const PointRow& point) {
    return point.law == ImpactLaw::poisson && point.restitution > 0.0;
  });
  for (std::size_t i = 0; i < stops_.size(); ++i) least_after(i) = factor * stops_[i].bounce;
  for (const PointRow& point : points_) {
    ConstraintRow& row = conditions_[static_cast<std::size_t>(point.row)];
    const double before = before_(point.row);
    row.least_reaction = 0.0;
    row.least = before < 0.0 && !has_poisson ? -factor * point.restitution * before : 0.0;
  }
  if (!solve_rows()) return false;
  if (!has_poisson) return true;
  const VectorX compression = reactions_;
  const VectorX given_rates = given_rates_;
  given_rates_ += rows_.G * compression;
  for (const PointRow& point : points_) {
    ConstraintRow& row = conditions_[static_cast<std::size_t>(point.row)];
    const double back = factor * point.restitution;
    if (point.law == ImpactLaw::poisson) {
      row.least_reaction = back * compression(point.row);
    } else {
      row.least = std::max(0.0, -back * before_(point.row));
    }
  }
  const bool is_solved = solve_rows();
  given_rates_ = given_rates;
  reactions_ += compression;
  return is_solved;
}

bool ImpactSolution::solve_rows() {
  ComplementarityProblem problem(conditions_, rows_.G, rows_.own, before_ + given_rates_);
  const auto status = problem.solve();
  reactions_ = problem.reactions();
  active_ = problem.active();
  residual_ = std::max(residual_, points_.empty() ? 0.0 : problem.residual());
  return status == ComplementarityProblem::Status::solved || points_.empty() || fail();
}

bool ImpactSolution::fail() {
  const std::size_t point = points_.front().point;
  return equations_.failure().note(Failure::Cause::contact_not_solved,
                                   equations_.rigid()->points().points()[point].contact->name());
}

double ImpactSolution::gained_energy() const {
  return reactions_.dot(before_ + 0.5 * (rows_.G * reactions_));
}

void ImpactSolution::limit_energy() {
  const bool has_friction = std::any_of(points_.begin(), points_.end(),
                                        [](const PointRow& point) { return point.has_friction; });
  const bool bounces = std::any_of(stops_.begin(), stops_.end(),
                                   [](const StopRow& stop) { return stop.bounce > 0.0; }) ||
                       std::any_of(points_.begin(), points_.end(),
                                   [](const PointRow& point) { return point.restitution > 0.0; });
  if (!has_friction || !bounces) return;
  const double flows = reactions_.cwiseAbs().dot(before_.cwiseAbs());
  if (gained_energy() <= kEnergyRounding * flows) return;
  double low = 0.0, high = 1.0;
  for (int i = 0; i < kRestitutionHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    const bool is_solved = solve_phases(middle);
    (is_solved && gained_energy() <= 0.0 ? low : high) = middle;
  }
  equations_.failure().clear();
  solve_phases(low);
}

void ImpactSolution::end_stop(std::size_t i) {
  const RestingContacts::Stop& place = contacts_.stops()[stops_[i].stop];
  double& rate = velocity(place.joint);
  const double after = least_after(i);
  // roundings must not send a joint through its stop
  const bool is_behind = -place.outward * rate <= after;
  if (active_[first_stop_ + i] || is_behind) {
    rate = after == 0.0 ? 0.0 : -place.outward * after;
  } else if (contacts_.is_held(stops_[i].stop)) {
    contacts_.set_held(equations_, stops_[i].stop, false);
  }
}

void ImpactSolution::count_points(AuditIntegrals& integrals, bool is_unsupported,
                                  std::vector<double>& lost) {
  if (points_.empty()) return;
  lost.assign(equations_.rigid()->points().contacts().size(), 0.0);
  const VectorX after = before_ + given_rates_ + rows_.G * reactions_;
  const RigidPoints& all = equations_.rigid()->points();
  const Vector3 r_g = center_of_mass(equations_.model(), equations_.frames());
  for (const PointRow& point : points_) {
    const int count = point.has_friction ? 3 : 1;
    const VectorX reaction = reactions_.segment(point.row, count);
    const VectorX mean = 0.5 * (before_ + after).segment(point.row, count);
    ContactImpact impact;
    impact.impulse = reaction(0);
    impact.friction_work =
        point.has_friction ? std::min(0.0, reaction.tail<2>().dot(mean.tail<2>())) : 0.0;
    impact.energy_lost = -reaction.dot(mean);
    const std::size_t contact = all.points()[point.point].contact_index;
    lost[contact] += impact.energy_lost;
    equations_.balance().add_contact_loss(contact, impact, x_);
    if (!all.points()[point.point].pair->on_ground || !is_unsupported) continue;
    const Vector3 impulse = point.motion.axes.leftCols(count) * reaction;
    integrals.impulse += impulse;
    integrals.angular_impulse += (point.motion.at.point - r_g).cross(impulse);
  }
}

ImpactOutcome strike(const Impact& impact, EquationsOfMotion& equations, RestingContacts& contacts,
                     VectorX& x, double time) {
  ImpactOutcome outcome;
  if (!equations.update_kinematics(x, time)) return outcome;
  const Momentum before = equations.momentum();
  const double kinetic = equations.audit_point().energy.kinetic;
  ImpactSolution solution(impact, equations, contacts, x);
  solution.solve(outcome);
  if (outcome.failed) return outcome;
  equations.update_kinematics(x, time);

  AuditIntegrals integrals = impact.integrals;
  solution.count_points(integrals, equations.held().is_unsupported(), outcome.lost);
  const double lost_at_points = std::accumulate(outcome.lost.begin(), outcome.lost.end(), 0.0);
  const double gained = equations.audit_point().energy.kinetic - kinetic;
  outcome.energy_lost = -gained;
  if (!equations.held().is_unsupported()) {
    const Momentum after = equations.momentum();
    integrals.impulse = after.linear - before.linear;
    integrals.angular_impulse = after.angular_centroid - before.angular_centroid;
  }
  const bool is_external = impact.impulse.size() > 0;
  (is_external ? integrals.work : integrals.dissipated) =
      is_external ? gained + lost_at_points : -gained - lost_at_points;
  integrals.throughput = std::abs(gained);
  equations.balance().add(integrals, x);
  return outcome;
}

}  // namespace spacedyn
