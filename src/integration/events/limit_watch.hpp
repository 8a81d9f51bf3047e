/// @file
/// Notes joints that pass their position limits, and what contacts do, without a word in the
/// motion.
#pragma once

#include <functional>
#include <vector>

#include "integration/contacts/contact_account.hpp"
#include "integration/equations/archive.hpp"
#include "integration/events/root_search.hpp"
#include "spacedyn/forces/contact_force.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "system/system_elements.hpp"

namespace spacedyn {

/// Watches the limits of all joints that no stop of theirs keeps inside.
///
/// No excursion inside a step is passed over, see RootSearch; steps are not shortened: the instant
/// is that of the dense output, to the tolerance of events. An excursion counts once, from where it
/// leaves the limits until it is back inside.
class LimitWatch {
 public:
  explicit LimitWatch(const SimulationSetup& setup);

  bool is_idle() const { return sides_.empty(); }
  /// Takes over the start; limits at which an impulsive stop stands are none to watch.
  void start(const SimulationSetup& setup, const EvaluationContext& context);

  /// Looks at a step.
  /// @param parts     into which the step is divided at first
  /// @param state_at  at an instant inside; valid until its next call
  /// @param passed    receives each excursion that begins, in the order of time
  void see(double t_old, double t_new, int parts, const State& end,
           const std::function<const State&(double)>& state_at,
           const std::function<void(const EventRecord&)>& passed);

  void transfer(Archive& archive);

 private:
  /// One limit of one joint.
  struct Side {
    int joint = 0;
    double limit = 0.0;
    double outward = 0.0;   // ±1
    double rounding = 0.0;  // of positions there
    bool beyond = false;

    /// How far beyond the limit a position is.
    double excess(double q) const { return outward * (q - limit); }
    void transfer(Archive& archive) { archive(joint, limit, outward, rounding, beyond); }
  };
  class StepView;
  bool stays_far(const Side& side, double h, const State& end) const;
  void look(const VectorX& q, const VectorX& qd, RootSearch::Node& node) const;
  double find_passage(const Side& side, double left, double right,
                      const std::function<const State&(double)>& state_at) const;

  std::shared_ptr<const Model> model_;
  std::vector<Side> sides_;
  std::vector<EventRecord> passed_;  // in one part of a step
  RootSearch::Indices near_;         // sides that a joint may pass in this step
  VectorX q_, qd_;                   // at the end of the last step
  VectorX q_end_, qd_end_;
  RootSearch search_{0};
  RootSearch::Node left_, right_;
  double tolerance_ = 0.0;  // of instants of the last step, s
};

/// Looks at each step after its events have been found. The greatest force inside a step is that of
/// the dense output.
class ContactWatch {
 public:
  explicit ContactWatch(const SimulationSetup& setup);

  bool is_idle() const { return contacts_.empty(); }
  /// @param unit  of time, for root_tolerance(), s
  void start(const EvaluationContext& context, double unit);
  /// @param context_at  an instant of the step with the whole of z; valid until its next call
  void see(double t_old, double t_new, double unit, int parts,
           const std::function<EvaluationContext(double)>& context_at);
  /// @param integrals  of all elements
  std::vector<ContactSummary> summaries(double time, ConstVectorRef integrals) const;

  void transfer(Archive& archive);

 private:
  struct Contact {
    const ContactForce* element = nullptr;
    AuxiliarySlice slice;
    int first_integral = 0;
    double force = 0.0;
    ContactAccount account;

    void transfer(Archive& archive) { archive(account, force); }
  };
  static void begin_or_end(Contact& contact, bool touches, double time);
  static double force_at(const Contact& contact, const EvaluationContext& whole);
  void refine(Contact& contact, double left, double right,
              const std::function<EvaluationContext(double)>& context_at) const;

  std::vector<Contact> contacts_;
  std::vector<double> times_, forces_;  // of a step
};

}  // namespace spacedyn
