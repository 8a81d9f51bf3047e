#include "integration/impulses/step_contacts.hpp"

#include <algorithm>
#include <cmath>

#include "integration/equations/rigid_points.hpp"

namespace spacedyn {
namespace {

/// Steps in a row with an impulse after which a contact rests.
constexpr long kRestingSteps = 3;
/// Shapes further inside each other than this part of their size are moved apart, unless velocities
/// within the tolerance take them there.
constexpr double kInside = 1e-9;
constexpr int kPartingSweeps = 30;
/// What approaches by more than so many times what forces change in the step strikes, and bounces;
/// the rest is put down.
constexpr double kStrike = 2.0;
/// Part of the work of impulses that is rounding.
constexpr double kGain = 1e-9;
constexpr int kRestitutionBisections = 10;
/// A point is where one was in the last step if it has moved by less than this part of its shape.
constexpr double kSamePlace = 0.1;

}  // namespace

StepContacts::StepContacts(const SimulationSetup& setup, const EquationsOfMotion& equations)
    : limits_{setup.integrator.contact_tolerance, setup.integrator.contact_iterations,
              [&equations] { equations.watch().leave_if_asked(); }},
      finder_(equations.elements()),
      sweeps_(*setup.model),
      effects_(finder_.contacts().size()),
      parting_(VectorX::Zero(setup.model->velocity_size())),
      free_(parting_) {
  for (const ContactFinder::Contact& contact : finder_.contacts()) {
    rows_.emplace_back();
    rows_.back().account.told.name = contact.element->name();
    rows_.back().account.told.is_rigid = true;
  }
  const auto radius = [](const BodyShape& shape) {
    return bounding_radius(shape.type, shape.size, shape.hull.get());
  };
  for (const ContactFinder::Pair& pair : finder_.pairs()) {
    size_ = std::max(size_, radius(pair.shapes->a));
    if (!pair.shapes->on_ground) size_ = std::max(size_, radius(pair.shapes->b));
  }
  const std::size_t points = finder_.most_points();
  found_.reserve(points);
  places_.reserve(points);
  is_halted_.reserve(points);
  memory_.reserve(points);
  next_memory_.reserve(points);
  gaps_.reserve(points);
  residuals_.reserve(points);
  sweeps_.reserve(points);
}

bool StepContacts::start(EquationsOfMotion& equations, const Motion& motion, const MatrixX* added) {
  h_ = motion.h;
  has_parted_ = false;
  found_.clear();
  if (!is_idle()) finder_.find(equations.frames(), equations.velocities(), motion.h, found_);
  if (found_.empty() && added == nullptr) return true;
  sweeps_.begin(equations.model(), equations.frames(), equations.mobility(), added);
  if (!add_points(equations)) return false;
  sweeps_.divide();
  residuals_.assign(sweeps_.group_count(), 0.0);
  return true;
}

void StepContacts::solve(Motion& motion) {
  if (found_.empty()) return;
  is_halted_.clear();
  for (std::size_t i = 0; i < found_.size(); ++i) set_conditions(i, motion);
  for (std::size_t g = 0; g < sweeps_.group_count(); ++g) find_impulses(g, motion);
}

double StepContacts::correct(ConstVectorRef change, Motion& motion) {
  const double size = change.lpNorm<Eigen::Infinity>();
  motion.after += change;
  if (size > limits_.tolerance && !found_.empty()) {
    for (std::size_t g = 0; g < sweeps_.group_count(); ++g) {
      residuals_[g] = sweeps_.solve(sweeps_.group(g), limits_, motion.after).residual;
    }
  }
  return size;
}

void StepContacts::finish(Motion& motion) {
  collect(motion);
  remember();
  motion.displacement = 0.5 * motion.h * (motion.before + motion.after);
  if (!found_.empty()) move_apart(motion);
}

void StepContacts::find_impulses(std::size_t g, Motion& motion) {
  const ContactSweeps::Group group = sweeps_.group(g);
  const auto solve = [&] {
    sweeps_.apply_impulses(group, motion.after);
    residuals_[g] = sweeps_.solve(group, limits_, motion.after).residual;
  };
  const auto copy = [&](const VectorX& from, VectorX& to) {
    for (const std::size_t i : group) {
      sweeps_.for_each_robot(
          i, [&](int first, int size) { to.segment(first, size) = from.segment(first, size); });
    }
  };
  copy(motion.after, free_);
  solve();
  if (!adds_energy(group, motion)) return;
  // as Kane has shown, Newton's law of restitution and friction may add energy
  double low = 0.0, high = 1.0;
  for (int i = 0; i <= kRestitutionBisections; ++i) {
    const double part = i < kRestitutionBisections ? 0.5 * (low + high) : low;
    for (const std::size_t k : group) {
      ContactSweeps::Point& point = sweeps_.point(k);
      const double bounce = places_[k].bounce;
      if (bounce > 0.0) point.least = part * bounce;
    }
    copy(free_, motion.after);
    solve();
    (adds_energy(group, motion) ? high : low) = part;
  }
}

bool StepContacts::adds_energy(ContactSweeps::Group group, const Motion& motion) const {
  double sum = 0.0, terms = 0.0;
  bool bounces = false;
  for (const std::size_t i : group) {
    const ContactSweeps::Point& point = sweeps_.point(i);
    if (!(point.impulse(0) > 0.0)) continue;
    bounces = bounces || places_[i].bounce > 0.0;
    const Vector3 mean =
        0.5 * (sweeps_.velocity(i, motion.before) + sweeps_.velocity(i, motion.after));
    sum += point.impulse.dot(mean);
    terms += point.impulse.norm() * mean.norm();
  }
  return bounces && sum > kGain * terms;
}

bool StepContacts::add_points(EquationsOfMotion& equations) {
  const LinkFrames& frames = equations.frames();
  const auto centroid = [&](int body) { return frames.r[static_cast<std::size_t>(body)]; };
  places_.clear();
  for (const FoundPoint& found : found_) {
    const ContactPair& pair = *finder_.pairs()[found.pair].shapes;
    Place place;
    place.axes = contact_axes(found.at.normal);
    place.a = pair.a.frame.body;
    place.b = pair.on_ground ? -1 : pair.b.frame.body;
    place.arm_a = found.at.point - centroid(place.a);
    place.arm_b.setZero();
    if (!pair.on_ground) place.arm_b = found.at.point - centroid(place.b);
    place.on_a = frames.A[static_cast<std::size_t>(place.a)].transpose() * place.arm_a;
    places_.push_back(place);
    if (!sweeps_.add(place.a, place.b, found.at.point, place.axes)) {
      return equations.failure().note(Failure::Cause::inertia_not_positive_definite);
    }
  }
  return true;
}

void StepContacts::set_conditions(std::size_t i, const Motion& motion) {
  const FoundPoint& found = found_[i];
  const RigidContact::Settings& settings = finder_.contacts()[found.contact].element->settings();
  const Vector3 before = sweeps_.velocity(i, motion.before);
  ContactSweeps::Point& point = sweeps_.point(i);
  const bool sticks = before.tail<2>().norm() < limits_.tolerance;
  point.friction = sticks ? settings.static_friction : settings.friction;
  const double gap = -found.at.depth, half = 0.5 * motion.h;
  const double free = sweeps_.velocity(i, motion.after)(0);
  const bool strikes = before(0) < -kStrike * std::abs(free - before(0));
  const double bounce = strikes ? -settings.restitution * before(0) : 0.0;
  const bool meets = gap <= 0.0 || gap + half * free < 0.0;
  point.least = gap <= 0.0 ? std::min(0.0, -before(0)) : -gap / half;
  if (strikes && meets) point.least = bounce;
  Place& place = places_[i];
  place.bounce = meets ? bounce : 0.0;
  place.strikes = strikes && meets;
  is_halted_.push_back(place.strikes && bounce == 0.0);
  const Vector3 guess = place.axes.transpose() * first_guess(i);
  point.impulse(0) = std::max(0.0, guess(0));
  if (point.friction > 0.0) point.impulse.tail<2>() = guess.tail<2>();
}

Vector3 StepContacts::first_guess(std::size_t i) const {
  const FoundPoint& found = found_[i];
  const auto first =
      std::lower_bound(memory_.begin(), memory_.end(), found.pair,
                       [](const Memory& memory, std::size_t pair) { return memory.pair < pair; });
  const BodyShape& shape = finder_.pairs()[found.pair].shapes->a;
  double nearest = kSamePlace * bounding_radius(shape.type, shape.size, shape.hull.get());
  Vector3 guess = Vector3::Zero();
  for (auto at = first; at != memory_.end() && at->pair == found.pair; ++at) {
    const double distance = (at->place - places_[i].on_a).norm();
    if (distance >= nearest) continue;
    nearest = distance;
    guess = at->impulse;
  }
  return guess;
}

void StepContacts::move_apart(Motion& motion) {
  gaps_.clear();
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const double travel = 0.5 * motion.h * sweeps_.velocity(i, motion.after)(0);
    gaps_.push_back(travel - found_[i].at.depth);
  }
  const double least = std::max(kInside * size_, 0.5 * motion.h * limits_.tolerance);
  parting_.setZero();
  for (std::size_t g = 0; g < sweeps_.group_count(); ++g) {
    const ContactSweeps::Group group = sweeps_.group(g);
    bool parts = false;
    for (const std::size_t i : group) {
      const bool is_open = is_halted_[i] && sweeps_.point(i).impulse(0) > 0.0 && gaps_[i] > least;
      parts = parts || gaps_[i] < -least || is_open;
      is_halted_[i] = is_open;
    }
    if (parts) sweeps_.part(group, gaps_, is_halted_, least, kPartingSweeps, parting_);
    has_parted_ = has_parted_ || parts;
  }
}

void StepContacts::clear_struck(VectorRef velocities) const {
  for (std::size_t i = 0; i < found_.size(); ++i) {
    if (!places_[i].strikes) continue;
    sweeps_.for_each_robot(i,
                           [&](int first, int size) { velocities.segment(first, size).setZero(); });
  }
}

void StepContacts::wrenches(double h, std::vector<BodyWrench>& wrenches) const {
  wrenches.clear();
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const Vector3& impulse = sweeps_.point(i).impulse;
    if (!(impulse(0) > 0.0)) continue;
    const Place& place = places_[i];
    const Vector3 force = place.axes * impulse / h;
    const Vector3& point = found_[i].at.point;
    wrenches.push_back({place.a, force, place.arm_a.cross(force), point});
    if (place.b >= 0) wrenches.push_back({place.b, -force, -place.arm_b.cross(force), point});
  }
}

void StepContacts::collect(const Motion& motion) {
  std::fill(effects_.begin(), effects_.end(), Effect());
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const FoundPoint& found = found_[i];
    Effect& effect = effects_[found.contact];
    const Vector3& impulse = sweeps_.point(i).impulse;
    const Vector3 after = sweeps_.velocity(i, motion.after);
    const double depth = found.at.depth - 0.5 * motion.h * after(0);
    ContactReading& reading = effect.reading;
    if (reading.normal_force == 0.0 && (!effect.touches || depth > reading.depth)) {
      if (impulse(0) == 0.0) reading.point = found.at.point;
    }
    reading.depth = effect.touches ? std::max(reading.depth, depth) : depth;
    effect.touches = true;
    if (!(impulse(0) > 0.0)) continue;
    const Vector3 mean = 0.5 * (sweeps_.velocity(i, motion.before) + after);
    effect.impulse += impulse(0);
    effect.friction_work += std::min(0.0, impulse.tail<2>().dot(mean.tail<2>()));
    effect.lost -= impulse.dot(mean);
    effect.residual = std::max(effect.residual, residuals_[sweeps_.group_of(i)]);
    reading.normal_force += impulse(0) / motion.h;
    reading.slip_velocity = std::max(reading.slip_velocity, after.tail<2>().norm());
  }
  // places and friction, weighted with the normal forces
  for (Effect& effect : effects_) {
    if (effect.impulse > 0.0) effect.reading.point.setZero();
  }
  for (std::size_t i = 0; i < found_.size(); ++i) {
    Effect& effect = effects_[found_[i].contact];
    const Vector3& impulse = sweeps_.point(i).impulse;
    if (!(impulse(0) > 0.0)) continue;
    effect.reading.point += impulse(0) / effect.impulse * found_[i].at.point;
    effect.friction += places_[i].axes.rightCols<2>() * impulse.tail<2>();
  }
  for (Effect& effect : effects_) effect.reading.friction = effect.friction.norm() / motion.h;
}

void StepContacts::remember() {
  next_memory_.clear();
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const Vector3& impulse = sweeps_.point(i).impulse;
    if (!(impulse(0) > 0.0)) continue;
    next_memory_.push_back({found_[i].pair, places_[i].on_a, places_[i].axes * impulse});
  }
}

void StepContacts::count(const EquationsOfMotion& equations, VectorX& x) const {
  const StateLayout& layout = equations.layout();
  for (std::size_t i = 0; i < effects_.size(); ++i) {
    const Effect& effect = effects_[i];
    if (effect.impulse == 0.0) continue;
    const ContactFinder::Contact& contact = finder_.contacts()[i];
    AuditIntegrals change;
    change.dissipated = effect.lost;
    add_integrals(change, static_cast<int>(contact.slot), x.tail(layout.integral_count()));
    auto integrals = x.tail(layout.element_integrals).segment<2>(contact.first_integral);
    integrals(0) += effect.impulse;
    integrals(1) += effect.friction_work;
  }
}

void StepContacts::count_parting(const EquationsOfMotion& equations, double energy, VectorX& x) {
  effects_[found_.front().contact].lost -= energy;
  AuditIntegrals change;
  change.dissipated = -energy;
  const ContactFinder::Contact& contact = finder_.contacts()[found_.front().contact];
  add_integrals(change, static_cast<int>(contact.slot),
                x.tail(equations.layout().integral_count()));
}

void StepContacts::finish_step(double start, double end, const Note& note) {
  memory_.swap(next_memory_);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    Row& row = rows_[i];
    ContactAccount& account = row.account;
    const Effect& effect = effects_[i];
    const bool touches = effect.impulse > 0.0;
    account.press(effect.impulse / h_);
    account.told.energy_lost += effect.lost;
    account.leave(effect.residual);
    if (touches) {
      if (++row.steps == 1) {
        row.first = start;
        account.begin(start);
        note(start, account.told.name + " touches");
      }
      account.told.last = end;
      if (row.steps == kRestingSteps) {
        account.holds = true;
        note(row.first, account.told.name + " rests");
      }
      continue;
    }
    if (account.holds) note(start, account.told.name + " lifts");
    account.holds = false;
    row.steps = 0;
  }
}

std::vector<ContactSummary> StepContacts::summaries(double time, ConstVectorRef integrals) const {
  std::vector<ContactSummary> list;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const int first = finder_.contacts()[i].first_integral;
    list.push_back(rows_[i].account.completed(time, integrals.segment<2>(first)));
  }
  return list;
}

void StepContacts::read(const EquationsOfMotion& equations,
                        std::vector<ContactReading>& readings) const {
  for (std::size_t i = 0; i < effects_.size(); ++i) {
    readings.push_back(effects_[i].reading);
    if (effects_[i].touches) continue;
    const RigidContact::Settings& settings = finder_.contacts()[i].element->settings();
    readings.back().depth =
        deepest_point(settings.pairs, settings.terrain.get(), equations.frames());
  }
}

void StepContacts::transfer(Archive& archive) {
  archive(memory_);
  for (Row& row : rows_) archive(row);
  const bool is_sorted =
      std::is_sorted(memory_.begin(), memory_.end(),
                     [](const Memory& one, const Memory& two) { return one.pair < two.pair; });
  archive.require(is_sorted && (memory_.empty() || memory_.back().pair < finder_.pairs().size()));
}

}  // namespace spacedyn
