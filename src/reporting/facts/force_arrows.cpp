#include <algorithm>

#include "integration/events/event_replay.hpp"
#include "reporting/facts/contact_arrows.hpp"
#include "reporting/facts/report_motion.hpp"
#include "spacedyn/reporting/report.hpp"
#include "system/system_elements.hpp"

namespace spacedyn {
namespace {

/// Forces and moments on each body while the motion goes on; arrows of idle bodies are dropped.
class WrenchArrows {
 public:
  WrenchArrows(const Model& model, int instants)
      : forces_(static_cast<std::size_t>(model.body_count())), moments_(forces_.size()) {
    for (int i = 0; i < model.body_count(); ++i) {
      const auto body = static_cast<std::size_t>(i);
      const std::string on = " on " + model.body(i).name;
      const Matrix3X zero = Matrix3X::Zero(3, instants);
      forces_[body] = {"Force" + on, "force", "N", zero, zero};
      moments_[body] = {"Moment" + on, "moment", "N m", zero, zero};
    }
  }

  void write(int instant, const LinkFrames& frames, const Loads& loads) {
    for (std::size_t body = 0; body < forces_.size(); ++body) {
      const auto column = static_cast<Eigen::Index>(body);
      forces_[body].origin.col(instant) = moments_[body].origin.col(instant) = frames.r[body];
      forces_[body].vector.col(instant) = loads.force.col(column);
      moments_[body].vector.col(instant) = loads.moment.col(column);
    }
    forces_.front().vector.col(instant) += loads.F_b.head<3>();
    moments_.front().vector.col(instant) += loads.F_b.tail<3>();
  }

  void move_to(std::vector<ReportArrow>& arrows) {
    for (auto* list : {&forces_, &moments_}) {
      for (ReportArrow& arrow : *list) {
        if (!arrow.vector.isZero(0.0)) arrows.push_back(std::move(arrow));
      }
    }
  }

 private:
  std::vector<ReportArrow> forces_, moments_;
};

/// The loads that can be told from a result: it holds neither auxiliary states nor what sampled
/// controllers command.
class KnownLoads {
 public:
  explicit KnownLoads(const SimulationSetup& setup)
      : elements_(setup), workspace_(elements_), discrete_(setup), loads_(*setup.model) {}

  bool is_empty() const {
    return std::none_of(elements_.slots().begin(), elements_.slots().end(), is_known);
  }
  /// Instants ascend.
  const Loads& at(const EvaluationContext& context, EventReplay& events) {
    events.advance(context.time, discrete_);
    loads_.clear();
    for (const SystemElements::Slot& slot : elements_.slots()) {
      if (is_known(slot)) elements_.apply(slot, context, discrete_, workspace_, loads_);
    }
    return loads_;
  }

 private:
  static bool is_known(const SystemElements::Slot& slot) {
    return slot.slice.size == 0 && !slot.is_sampled();
  }

  SystemElements elements_;
  SystemElements::Workspace workspace_;
  DiscreteState discrete_;
  Loads loads_;
};

}  // namespace

void add_force_arrows(ReportData& report, const ResultTable& result, const SimulationSetup& setup) {
  const Model& model = *setup.model;
  const ResultStates states(result, model);
  KnownLoads known(setup);
  if (!states.complete()) return;
  EventReplay events(setup, result.facts.events);
  const std::vector<int> rows = motion_rows(states, model);
  const int instants = static_cast<int>(rows.size());
  WrenchArrows arrows(model, instants);
  ContactArrows contacts(setup, result, instants);
  if (known.is_empty() && contacts.is_empty()) return;
  State state(model);
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  const VectorX none;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    states.read(rows[k], state);
    compute_link_frames(model, state, frames);
    compute_link_velocities(model, state, frames, velocities);
    const double time = result.values(rows[k], 0);
    const EvaluationContext context{time, model, state, frames, velocities, none};
    arrows.write(static_cast<int>(k), frames, known.at(context, events));
    contacts.write(static_cast<int>(k), result, rows[k], context);
  }
  arrows.move_to(report.motion.arrows);
  contacts.move_to(report.motion.arrows);
}

}  // namespace spacedyn
