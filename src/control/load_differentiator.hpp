/// @file
/// Derivatives of the loads of single elements: what they say themselves, else differences.
#pragma once

#include <vector>

#include "spacedyn/control/controller.hpp"
#include "spacedyn/dynamics/mobility.hpp"
#include "spacedyn/forces/load_derivatives.hpp"

namespace spacedyn {

/// The part of z that belongs to one element.
struct AuxiliarySlice {
  int offset = 0, size = 0;
};

/// The same instant with one element's part of z.
inline EvaluationContext slice_of(const EvaluationContext& whole, const AuxiliarySlice& slice) {
  return {whole.time,         whole.model,        whole.state,
          whole.frames,       whole.velocities,   whole.state.z.segment(slice.offset, slice.size),
          whole.q_step_start, whole.acceleration, whole.mobility,
          whole.events,       whole.readings};
}

/// The same instant with what a sampled controller remembers in the place of z.
inline EvaluationContext with_memory(const EvaluationContext& whole, const VectorX& memory) {
  return {whole.time,       whole.model,  whole.state,        whole.frames,
          whole.velocities, memory,       whole.q_step_start, whole.acceleration,
          whole.mobility,   whole.events, whole.readings};
}

/// Adds (to − from) · factor of loads, generalized at an instant.
void add_generalized_change(const EvaluationContext& at, const Loads& from, const Loads& to,
                            double factor, VectorRef force);

/// Asks elements for derivatives of their loads and takes differences where they do not know.
///
/// Differences are central, at ∛eps · max(1, |x|): ten digits of smooth loads. They cost two calls
/// of the element, not of the dynamics, for each free coordinate, each of its velocities and each
/// of its own auxiliary states, with kinematics, once for all elements, if one uses links.
/// Coordinates that are not free are not varied. Allocates on construction, and as long as there
/// are more elements that do not know than ever before.
class LoadDifferentiator {
 public:
  /// @param gravity  that loads show to elements, m/s²
  LoadDifferentiator(const Model& model, int auxiliaries, int largest_command,
                     const Vector3& gravity);

  /// An instant, what is free there, and how far ahead in time elements are smooth.
  struct Point {
    const EvaluationContext& context;
    const Mobility& mobility;
    double delay;  ///< s, of differences in time, which look two of them ahead; 0: no derivative
    bool by_differences = true;  ///< whether elements that do not know are differentiated at all
  };

  /// Adds what an element says itself; others wait for complete().
  void add(const ForceElement& element, const AuxiliarySlice& slice, const Point& point,
           LoadDerivatives& derivatives);
  /// What a controller commands.
  struct Command {
    const VectorX& value;
    CommandMode mode;
    const VectorX* slope;  ///< of one that is held, in time; null if it is constant
  };
  /// @param command  its vectors must outlive complete()
  void add(const Controller& controller, const AuxiliarySlice& slice, const Command& command,
           const Point& point, LoadDerivatives& derivatives);
  /// Adds differences of all that wait.
  void complete(const Point& point, LoadDerivatives& derivatives);

 private:
  /// Loads and ż at one state.
  struct Sample {
    Sample(const Model& model, int auxiliaries) : loads(model), rate(VectorX::Zero(auxiliaries)) {}
    Loads loads;
    VectorX rate;
  };
  /// An element that does not know: a force or a controller.
  struct Task {
    const Element* element;
    const ForceElement* force;
    const Controller* controller;
    AuxiliarySlice slice;
    CommandMode mode = CommandMode::held;
    const VectorX* command = nullptr;
    const VectorX* slope = nullptr;
    double time = 0.0;  ///< of the command
    const Mobility* mobility = nullptr;
  };
  /// What one does at the moved state.
  void sample(const Task& task, const Model& model, double time, const LinkFrames& frames,
              const LinkVelocities& velocities, Sample& sample);
  /// Of all that wait, by what a move changes.
  template <typename Move>
  void differentiate(const Point& point, const Move& move, const LinkFrames& frames, double reach,
                     VectorRef force, VectorRef rate);
  void add_by_auxiliaries(const Task& task, const Point& point, LoadDerivatives& derivatives);
  void add_by_time(const Point& point, LoadDerivatives& derivatives);
  /// Adds (to − from) · factor, generalized at the context.
  void add_change(const EvaluationContext& at, const AuxiliarySlice& slice, const Sample& from,
                  const Sample& to, double factor, VectorRef force, VectorRef rate) const;

  State moved_;
  LinkFrames frames_;
  LinkVelocities velocities_;
  Sample ahead_, here_;
  std::vector<Task> waiting_;
  std::vector<Sample> behind_;  // one for each that waits
  VectorX command_;
  const EventTimes* events_ = nullptr;  // of the instant in work
};

}  // namespace spacedyn
