#include "integration/contacts/impact_solution.hpp"

#include <algorithm>
#include <cmath>

#include "integration/contacts/is_among.hpp"
#include "integration/contacts/motion_closure.hpp"

namespace spacedyn {
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
              equations.active_loops(), motion_rows(equations)) {
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
  const LoopEquations& loops = equations_.loops()->solver.equations();
  const LoopMotion& motion = equations_.loop_motion();
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
  return equations_.fail(Failure::Cause::contact_not_solved,
                         *equations_.rigid()->points().points()[point].contact);
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
  equations_.clear_failure();
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
    equations_.add_contact_loss(contact, impact, x_);
    if (!all.points()[point.point].pair->on_ground || !is_unsupported) continue;
    const Vector3 impulse = point.motion.axes.leftCols(count) * reaction;
    integrals.impulse += impulse;
    integrals.angular_impulse += (point.motion.at.point - r_g).cross(impulse);
  }
}

}  // namespace spacedyn
