/// @file
/// The tangents of a run, step by step.
#pragma once

#include "integration/sensitivities/tangent_equation.hpp"

namespace spacedyn {

/// All that is remembered besides x.
std::string bytes_of(const DiscreteState& state);

/// Goes along with a run. Each step is made again with the tangents behind the state; at instants,
/// and where the run moves a state, the runs of both sides of each number do the same at states
/// that are a small step along the tangent away, and half the difference is the new tangent.
class FlightTangents final : public Company {
 public:
  /// @param leader  whose steps are followed
  /// @param observer  may be null
  FlightTangents(RunParts& leader, std::vector<TangentColumn> columns,
                 SensitivityObserver* observer);
  ~FlightTangents() override = default;

  /// Lets both sides of a number begin beside a run that has begun.
  /// @returns how the start of what determines the motion depends on the number
  static VectorX begin_sides(TangentColumn& column, const RunParts& run,
                             const RunInstants& instants);

  void begin(const RunInstants& leader) override;
  double longest_end(bool ends_on_event) override;
  void take_step() override;
  void correct_end() override;
  void show(double time) override;
  void reach_end() override;
  void leave_end(bool is_shown) override;

  /// Ends the runs of all sides and adds their results.
  void finish(SensitivityResult& result);

 private:
  static constexpr double kSides[] = {1.0, -1.0};
  static Run& side(TangentColumn& column, double sign) {
    return sign > 0.0 ? *column.above : *column.below;
  }
  /// Does something with both sides of a number; what they throw is said of the number.
  template <typename Call>
  static void on_sides(TangentColumn& column, double time, const Call& call);
  /// A state beside that of the run.
  void place(const TangentColumn& column, double sign, const VectorX& x, const VectorX& tangent,
             VectorX& placed) const;
  void begin_segments();
  /// Makes the step of the run with the tangents.
  void attempt(bool ends_on_event);
  /// Which events of elements the step nears, and how far apart they are on the sides.
  void look_ahead(bool ends_on_event);
  /// Whether forces of rigid contacts follow from the motion alone.
  void check_forces() const;
  void check_agreement(const TangentColumn& column, double time) const;
  /// How far apart sides of a number pass instants one after another that coincide where a segment
  /// ends, s per unit. Loads that switch there add up, in whichever order.
  double parted_instants(const TangentColumn& column) const;
  /// Lets a side pass them, with the state that it has at the instant of the flight.
  void pass_instants(const TangentColumn& column, Run& side, double time);
  /// Lets the instant of the events at the end of the step move with each number.
  void move_instant(bool at_breakpoint);
  /// ġ of a function along the motion.
  double rate_of(std::size_t event);
  void land_sides(TangentColumn& column);
  /// Shows the state of an instant that does not move on all sides.
  void show_state(double time, const VectorX& x, const VectorX& rate, bool is_inside);
  void hand_out(double time, const VectorX& x);

  RunParts& run_;
  std::vector<TangentColumn> columns_;
  SensitivityObserver* observer_;
  TangentEquation equation_;
  ErrorNorm norm_;
  std::unique_ptr<Stepper> stepper_;
  Step step_;                        // of the state with the tangents
  bool has_rate_ = false;            // of its beginning
  bool is_made_ = false;             // up to the end that the run has
  MatrixX tangents_;                 // where the run is, instants staying where they are
  int cuts_ = 0;                     // of the step in work
  std::vector<double> moved_;        // derivatives of the instant where the run is
  bool at_instant_ = false;          // whether the step ends on an event or a breakpoint
  std::vector<std::size_t> moving_;  // functions whose instant the end of the step is
  VectorX placed_, rate_, y_;
  MatrixX in_charts_;  // the tangents without turns of references
  MatrixX at_end_, stretched_, by_;
};

template <typename Call>
void FlightTangents::on_sides(TangentColumn& column, double time, const Call& call) {
  for (const double sign : kSides) {
    try {
      call(side(column, sign).parts(), sign);
    } catch (const NumericalError& error) {
      refuse_course(column.name, time, error.what());
    }
  }
}

}  // namespace spacedyn
