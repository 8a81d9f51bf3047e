#include "integration/sensitivities/flight_adjoint.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "integration/sensitivities/flight_tangents.hpp"
#include "spacedyn/assert.hpp"

namespace spacedyn {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw NotDifferentiableError("the adjoint does not go back through " + what +
                               "; sensitivities do, unless they name it as well");
}

void check_system(const RunParts& run) {
  const EquationsOfMotion& equations = run.equations;
  if (equations.held().loops() != nullptr || equations.held().motions() != nullptr) {
    refuse("loops and connections");
  }
  if (equations.rigid() != nullptr) refuse("rigid contacts");
  if (equations.flow() != nullptr) refuse("propellant that leaves tanks");
  if (equations.has_prescribed_motion()) refuse("prescribed motion");
  if (run.setup.integrator.project_momentum) refuse("projections of momentum");
  for (const auto& controller : run.setup.controllers) {
    if (controller->sample_period() > 0.0) {
      refuse("the samples of controller '" + controller->name() + "'");
    }
  }
  if (!run.setup.sensors.empty())
    refuse("samples of sensor '" + run.setup.sensors.front().name + "'");
}

/// Whether loads of both begin and end at the same instants.
bool keep_time_alike(const Timeline& one, const Timeline& other, double duration) {
  const double never = std::numeric_limits<double>::infinity();
  for (double time = 0.0; time < duration; time = one.next(time, never).time) {
    const Breakpoint a = one.next(time, never), b = other.next(time, never);
    if (a.time != b.time || a.last_before != b.last_before) return false;
  }
  return true;
}

/// Answers the i-th question with the i-th unit vector, and keeps where it was asked.
class Tracer final : public DifferentialEquation {
 public:
  void operator()(const VectorX& x, VectorX& rate, double /*time*/) override {
    places.push_back(x);
    rate.setZero(x.size());
    SPACEDYN_ASSERT(static_cast<Eigen::Index>(places.size()) < x.size());
    rate(static_cast<Eigen::Index>(places.size())) = 1.0;
  }
  bool has_failed() const override { return false; }
  std::vector<VectorX> places;
};

}  // namespace

StepPullback::StepPullback(RunParts& run, Eigen::Index columns, int objectives)
    : equations_(run.equations),
      jacobian_(run.equations),
      loads_(run.equations, columns),
      turns_(run.equations.model(), objectives),
      norm_(run.equations.layout(), run.setup.integrator),
      stepper_(make_stepper(run.setup, norm_, run.equations)),
      covectors_(MatrixX::Zero(run.equations.layout().integrals(), objectives)),
      acceleration_(VectorX::Zero(run.equations.model().velocity_size())) {
  find_coefficients();
}

void StepPullback::find_coefficients() {
  const Eigen::Index size = equations_.layout().size();
  Tracer tracer;
  Step step(static_cast<int>(size));
  step.t_new = 1.0;
  step.x_old = VectorX::Unit(size, 0);
  tracer(step.x_old, step.rate_old, 0.0);
  stepper_->attempt(tracer, step);
  tracer.places.push_back(step.x_new);
  const auto rows = static_cast<Eigen::Index>(tracer.places.size());
  coefficients_.resize(rows, rows - 1);
  for (Eigen::Index j = 0; j < rows; ++j) {
    coefficients_.row(j) =
        tracer.places[static_cast<std::size_t>(j)].segment(1, rows - 1).transpose();
  }
}

void StepPullback::pass_end(const KeptStep& step) {
  if (step.by.size() > 0) {
    covectors_ += step.by;
    turns_.add_transposed(step.x_left, step.by);
  }
  if (step.has_moved) turns_.give_back(step.x_left, step.x_new, covectors_);
}

void StepPullback::pass_start(const VectorX& x, const MatrixX& by) {
  covectors_ += by;
  turns_.add_transposed(x, by);
  turns_.give_back(x, x, covectors_);
}

/// Keeps where the equations are asked, and what they answer.
class StepPullback::Keeper final : public DifferentialEquation {
 public:
  explicit Keeper(StepPullback& owner) : owner_(owner) { owner.count_ = 0; }
  void operator()(const VectorX& x, VectorX& rate, double time) override {
    owner_.equations_(x, rate, time);
    ++owner_.evaluations_;
    if (owner_.stages_.size() <= owner_.count_) owner_.stages_.emplace_back();
    Stage& stage = owner_.stages_[owner_.count_++];
    stage.time = time;
    stage.x = x;
    stage.rate = rate;
  }
  bool has_failed() const override { return owner_.equations_.has_failed(); }

 private:
  StepPullback& owner_;
};

void StepPullback::make_stages(const KeptStep& kept) {
  Keeper keeper(*this);
  Step step(static_cast<int>(kept.x_old.size()));
  step.t_old = kept.t_old;
  step.t_new = kept.t_new;
  step.x_old = kept.x_old;
  keeper(step.x_old, step.rate_old, step.t_old);
  stepper_->attempt(keeper, step);
  SPACEDYN_ASSERT(static_cast<Eigen::Index>(count_) == coefficients_.cols());
}

bool StepPullback::push(std::size_t stage, double h) {
  const auto own = static_cast<Eigen::Index>(stage);
  const double of_end = coefficients_(coefficients_.rows() - 1, own);
  pushed_ = h * of_end * covectors_;
  bool acts = of_end != 0.0;
  for (std::size_t i = stage + 1; i < count_; ++i) {
    const double part = coefficients_(static_cast<Eigen::Index>(i), own);
    if (part == 0.0 || !stages_[i].acts) continue;
    pushed_ += h * part * stages_[i].pulled;
    acts = true;
  }
  stages_[stage].acts = acts;
  return acts;
}

bool StepPullback::pull(Stage& stage) {
  jacobian_.compute(equations_, stage.x, stage.time);
  ++evaluations_;
  if (equations_.has_failed()) return false;
  jacobian_.apply_transposed(equations_.layout(), pushed_, stage.pulled, in_charts_);
  turns_.add_transposed(stage.x, stage.pulled);
  stage.pulled += in_charts_;
  return true;
}

FlightAdjoint::FlightAdjoint(RunParts& leader, std::vector<TangentColumn> columns,
                             const std::vector<BoundedVariation>& variations,
                             FlightObjectives& objectives, const std::vector<double>& stops)
    : run_(leader),
      columns_(std::move(columns)),
      variations_(variations),
      objectives_(objectives),
      back_(leader, static_cast<Eigen::Index>(columns_.size()), objectives.count()),
      starts_(MatrixX::Zero(leader.equations.layout().integrals(),
                            static_cast<Eigen::Index>(columns_.size()))),
      acting_(columns_.size(), true),
      products_(MatrixX::Zero(objectives.count(), starts_.cols())) {
  check_system(leader);
  const Timeline own(leader.setup, leader.duration, stops);
  for (TangentColumn& column : columns_) {
    const RunParts &above = column.above->parts(), &below = column.below->parts();
    column.scope = scope_of(leader.equations, above.equations, below.equations);
    if (!column.has_setups) continue;
    if (!column.scope.is_of_loads) {
      throw NotDifferentiableError(
          column.name +
          " changes more than loads and the masses and inertias of bodies, which the "
          "adjoint does not see; sensitivities do");
    }
    for (const RunParts* side : {&above, &below}) {
      if (keep_time_alike(own, Timeline(side->setup, leader.duration, stops), leader.duration)) {
        continue;
      }
      throw NotDifferentiableError(column.name +
                                   " moves instants at which loads begin or end, which the adjoint "
                                   "does not see; sensitivities do");
    }
  }
}

void FlightAdjoint::begin(const RunInstants& leader) {
  if (!run_.account.result().events.empty()) {
    refuse("events: '" + run_.account.result().events.front().name + "' happens at the start");
  }
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    TangentColumn& column = columns_[j];
    starts_.col(static_cast<Eigen::Index>(j)) = FlightTangents::begin_sides(column, run_, leader);
    const std::string own = bytes_of(run_.equations.discrete());
    for (const Run* side : {column.above.get(), column.below.get()}) {
      if (bytes_of(side->parts().equations.discrete()) == own) continue;
      refuse_course(column.name, 0.0, "what is remembered at the start depends on it");
    }
    column.shares_events = column.shares_memory = true;
    column.acts = column.has_setups;
  }
  charts_ = std::make_shared<const AttitudeCharts>(run_.equations.charts());
  first_ = run_.step.x_old;
  first_by_ = covectors_at(0.0, first_);
  note_segment();
}

void FlightAdjoint::note_segment() {
  segments_.push_back({run_.step.t_old, run_.breakpoint.time, run_.breakpoint.last_before});
}

MatrixX FlightAdjoint::covectors_at(double time, const VectorX& x) {
  MatrixX by = MatrixX::Zero(starts_.rows(), objectives_.count());
  if (!run_.equations.update_kinematics(x, time)) run_.account.fail_at(time);
  objectives_.differentiate(time, run_.equations.state(), by);
  if (by.rows() != starts_.rows() || by.cols() != objectives_.count() || !by.allFinite()) {
    throw DomainError(fmt::format(
        "derivatives of objectives at t = {:.6g} s must be finite, in {} rows and {} columns", time,
        starts_.rows(), objectives_.count()));
  }
  back_.turns().from_displacements(x, by);
  return by;
}

void FlightAdjoint::take_step() {
  const Step& step = run_.step;
  steps_.push_back({step.t_old, step.t_new, step.x_old, {}, {}, charts_, segments_.size() - 1});
}

void FlightAdjoint::reach_end() {
  if (run_.happened) {
    const std::size_t event = run_.events.fired().front();
    refuse(fmt::format("events: '{}' happens at t = {:.6g} s",
                       run_.events.guard(event).name(run_.equations), run_.step.t_new));
  }
  steps_.back().x_new = run_.step.x_new;
}

void FlightAdjoint::leave_end(bool is_shown) {
  KeptStep& kept = steps_.back();
  const VectorX& x = run_.step.x_old;
  kept.has_moved = !(run_.equations.charts() == *charts_);
  VectorX now = x.head(starts_.rows()), before = kept.x_new.head(starts_.rows());
  if (kept.has_moved) {
    charts_ = std::make_shared<const AttitudeCharts>(run_.equations.charts());
    back_.turns().for_each([&](int row, double, Eigen::Index) {
      now.segment<3>(row).setZero();
      before.segment<3>(row).setZero();
    });
  }
  if (now != before) {
    refuse(fmt::format("what moves the state at t = {:.6g} s", run_.step.t_old));
  }
  kept.x_left = x;
  if (is_shown) kept.by = covectors_at(run_.step.t_old, x);
  if (run_.step.t_old == segments_.back().end && !run_.ends()) note_segment();
}

void FlightAdjoint::enter(const KeptStep& step) {
  run_.equations.failure().clear();
  VectorX passed = step.x_old;
  run_.equations.charts().adopt(*step.charts, passed);
  if (step.segment == entered_) return;
  entered_ = step.segment;
  const Segment& segment = segments_[entered_];
  run_.equations.begin_segment(step.x_old, segment.begin);
  run_.equations.end_segment_at(segment.last_before);
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    acting_[j] = variations_[j].from < segment.end && segment.begin < variations_[j].until;
  }
  must_check_ = true;
}

void FlightAdjoint::finish(AdjointResult& result) {
  const Uncounted pause(run_.equations.watch());
  entered_ = segments_.size();
  while (!steps_.empty()) {
    const KeptStep& step = steps_.back();
    back_.pass_end(step);
    enter(step);
    back_.go_back_over(step,
                       [this](double time, LoadDifferences& loads) { add_numbers(time, loads); });
    if (run_.equations.has_failed() || !back_.covectors().allFinite()) {
      throw NotDifferentiableError(fmt::format(
          "the step from t = {:.6g} s cannot be made again with its derivatives", step.t_old));
    }
    steps_.pop_back();
  }
  back_.pass_start(first_, first_by_);
  result.by = products_ + back_.covectors().transpose() * starts_;
  result.evaluations = back_.evaluations();
}

void FlightAdjoint::add_numbers(double time, LoadDifferences& loads) {
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    TangentColumn& column = columns_[j];
    if (!column.acts || !(acting_[j] || must_check_)) continue;
    const auto own = static_cast<Eigen::Index>(j);
    if (!loads.add(column, own, 0.0)) {
      refuse_course(column.name, time,
                    "the equations there have no derivatives that the adjoint knows");
    }
    if (acting_[j] || !loads.differs(own)) continue;
    throw DomainError(
        fmt::format("{} acts at t = {:.6g} s, beyond the times from {:g} to {:g} s "
                    "within which it is said to act",
                    column.name, time, variations_[j].from, variations_[j].until));
  }
  must_check_ = false;
  back_.add_products(products_);
}

}  // namespace spacedyn
