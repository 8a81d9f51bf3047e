/// @file
/// The loops of a robot as the kernels of its tree see them. Private.
#pragma once

#include <map>
#include <vector>

#include "constraints/elimination_plan.hpp"
#include "dynamics/kernels/loop_arrays.hpp"
#include "dynamics/kernels/tree.hpp"
#include "spacedyn/constraints/constrained_dynamics.hpp"

namespace spacedyn {

/// Plan and memory of LoopArrays: an EliminationPlan in the order in which kernels visit bodies,
/// its rows padded to whole vectors.
class LoopKernel {
 public:
  explicit LoopKernel(const LoopEquations& equations);
  LoopKernel(const LoopKernel&) = delete;
  LoopKernel& operator=(const LoopKernel&) = delete;

  LoopArrays& arrays() { return arrays_; }
  /// At most so many rows of a loop are taken as independent.
  void limit_rank(int loop, int rank);
  /// What LoopArrays::right holds before a solution, and the rows that kernels do not place.
  /// @pre update_motion() of the tree's workspace for this state
  void prepare(const State& state, const BaumgarteGains& gains, TreeWorkspace& tree) noexcept;
  /// multipliers += λ of the last solution.
  void add_multipliers(VectorRef multipliers) const noexcept;
  /// Rows that do not follow from others, of all loops and of one.
  int rank() const noexcept;
  int rank_of(int loop) const noexcept;
  /// As IncrementalAssembly::independence(), of the last solution.
  double independence(int loop) const noexcept;

 private:
  using Blocks = std::map<std::size_t, int>;  // of N: place in the plan, place here
  struct GivenLoop {
    int loop;
    Matrix3 axes;  // in those of `from`
  };

  void prepare_given_rows() noexcept;
  void prepare_function(int loop, const State& state) noexcept;
  void add_to_right(double factor, ConstVectorRef b) noexcept;
  void place_loops(const EliminationPlan& plan, const std::vector<int>& entry);
  void place_body(const EliminationPlan& plan, int body, int entry, Blocks& blocks);
  void place_elimination(const EliminationPlan& plan, Blocks& blocks);
  void mark_openings(const Tree& tree);
  void allocate();
  int block(std::size_t place, int first, int second, Blocks& blocks);
  void write_row(int loop, int row, const Vector3& linear, const Vector3& angular) noexcept;

  LoopEquations equations_;
  LoopMotion motion_;  // where kernels do not suffice
  VectorX rest_;
  std::vector<GivenLoop> given_;
  std::vector<int> functions_;  // loops
  std::vector<LoopBody> bodies_;
  std::vector<LoopColumn> columns_;
  std::vector<LoopCoupling> couplings_, fill_;
  std::vector<LoopPart> parts_;
  std::vector<LoopNeighbour> neighbours_;
  std::vector<LoopJoint> joints_;
  std::vector<LoopTip> tips_;
  std::vector<double> coefficients_, memory_;
  int wrenches_ = 0, rows_ = 0, open_rows_ = 0, T_size_ = 0;
  LoopArrays arrays_{};
};

}  // namespace spacedyn
