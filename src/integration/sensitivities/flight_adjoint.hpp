/// @file
/// Covectors of objectives of a run, step by step backwards.
#pragma once

#include "integration/sensitivities/tangent_equation.hpp"
#include "spacedyn/integration/adjoint.hpp"

namespace spacedyn {

/// A step that was taken, in the charts of its beginning.
struct KeptStep {
  double t_old, t_new;
  VectorX x_old, x_new;
  VectorX x_left;  ///< where the next one begins, in the charts of that
  std::shared_ptr<const AttitudeCharts> charts;
  std::size_t segment;
  bool has_moved = false;  ///< whether charts have at its end
  MatrixX by = {};         ///< covectors of its end; empty where it is no output
};

/// Takes covectors λ of the state, a column for each objective, back over steps of an explicit
/// Runge-Kutta method: from those of the end of one to those of its beginning.
class StepPullback {
 public:
  StepPullback(RunParts& run, Eigen::Index columns, int objectives);

  /// The end of a step, before which nothing has been done with it.
  void pass_end(const KeptStep& step);
  /// @param visit  called at each stage that counts with its instant and what knows numbers there
  template <typename Visit>
  void go_back_over(const KeptStep& step, const Visit& visit);
  /// Adds what is wanted of the start.
  void pass_start(const VectorX& x, const MatrixX& by);
  /// Adds products of the covectors of the rate of a stage with ∂ẋ/∂p to those of numbers.
  void add_products(MatrixX& products) {
    loads_.add_products(pushed_, jacobian_.response(), products);
  }

  const MatrixX& covectors() const { return covectors_; }
  const ChartTurns& turns() const { return turns_; }
  long evaluations() const { return evaluations_; }

 private:
  struct Stage {
    double time = 0.0;
    VectorX x = {}, rate = {};
    MatrixX pulled = {};  ///< covectors of x
    bool acts = false;    ///< whether these are not zero
  };
  class Keeper;
  void find_coefficients();
  void make_stages(const KeptStep& kept);
  /// Covectors of the rate of a stage, from those of later ones. @returns whether there are any
  bool push(std::size_t stage, double h);
  /// Takes them to the state of the stage. @returns false after a failure
  bool pull(Stage& stage);

  EquationsOfMotion& equations_;
  MotionJacobian jacobian_;
  LoadDifferences loads_;
  ChartTurns turns_;
  ErrorNorm norm_;
  std::unique_ptr<Stepper> stepper_;
  MatrixX coefficients_;  ///< stage j is at x_old + h Σ c_ji k_i, the end by the last row
  std::vector<Stage> stages_;
  std::size_t count_ = 0;  ///< of stages
  MatrixX covectors_, pushed_, in_charts_;
  VectorX acceleration_;
  long evaluations_ = 0;
};

template <typename Visit>
void StepPullback::go_back_over(const KeptStep& step, const Visit& visit) {
  equations_.begin_step(step.x_old, step.t_old);
  make_stages(step);
  for (std::size_t j = count_; j-- > 0;) {
    if (!push(j, step.t_new - step.t_old)) continue;
    if (!pull(stages_[j])) return;
    acceleration_ = stages_[j].rate.segment(equations_.layout().v_0(), acceleration_.size());
    loads_.begin(acceleration_);
    visit(stages_[j].time, loads_);
  }
  for (std::size_t j = 0; j < count_; ++j) {
    if (stages_[j].acts) covectors_ += stages_[j].pulled;
  }
}

/// Goes along with a run and keeps its steps; then goes back over them.
class FlightAdjoint final : public Company {
 public:
  /// @param leader      whose steps are kept
  /// @param variations  of the columns, must outlive this object
  /// @param stops       instants to land on
  /// @throws NotDifferentiableError if it is known before that there is no way back
  FlightAdjoint(RunParts& leader, std::vector<TangentColumn> columns,
                const std::vector<BoundedVariation>& variations, FlightObjectives& objectives,
                const std::vector<double>& stops);
  ~FlightAdjoint() override = default;

  void begin(const RunInstants& leader) override;
  double longest_end(bool /*ends_on_event*/) override { return run_.step.t_new; }
  void take_step() override;
  void correct_end() override {}
  void show(double /*time*/) override {}
  void reach_end() override;
  void leave_end(bool is_shown) override;

  /// Goes back from the end to the start.
  void finish(AdjointResult& result);

 private:
  struct Segment {
    double begin, end, last_before;
  };
  void note_segment();
  MatrixX covectors_at(double time, const VectorX& x);
  void enter(const KeptStep& step);
  void add_numbers(double time, LoadDifferences& loads);

  RunParts& run_;
  std::vector<TangentColumn> columns_;
  const std::vector<BoundedVariation>& variations_;
  FlightObjectives& objectives_;
  StepPullback back_;
  std::vector<KeptStep> steps_;
  std::vector<Segment> segments_;
  std::size_t entered_ = 0;  ///< one of them, or none
  std::shared_ptr<const AttitudeCharts> charts_;
  VectorX first_;              ///< the start
  MatrixX starts_, first_by_;  ///< how it depends on numbers; covectors there
  std::vector<bool> acting_;   ///< numbers in the segment in work
  bool must_check_ = false;    ///< whether the others do not
  MatrixX products_;
};

}  // namespace spacedyn
