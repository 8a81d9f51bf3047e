/// @file
/// Keeps account of the contacts of a run: when they begin and end, and their greatest forces.
#pragma once

#include <functional>
#include <vector>

#include "integration/contacts/contact_account.hpp"
#include "spacedyn/forces/contact_force.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "system/system_elements.hpp"

namespace spacedyn {

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
