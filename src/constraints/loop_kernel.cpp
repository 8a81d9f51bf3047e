#include "constraints/loop_kernel.hpp"

#include <algorithm>
#include <cstdint>

#include "constraints/coupling_row.hpp"
#include "constraints/indices.hpp"
#include "constraints/loop_rows.hpp"
#include "dynamics/tree/tree_constants.hpp"
#include "spacedyn/dynamics/tree_motion.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {
namespace {

constexpr int kAlignment = 64 / sizeof(double);

int packs_of(int rows) { return (rows + kRowPack - 1) / kRowPack; }

/// Whether a row of this type is more than an axis that is fixed in the body of the first point.
bool has_own_rows(LoopType type) {
  return type == LoopType::distance || type == LoopType::universal;
}

template <typename Values>
int size_of(const Values& values) {
  return static_cast<int>(values.size());
}

}  // namespace

LoopKernel::LoopKernel(const LoopEquations& equations)
    : equations_(equations),
      motion_(equations.model()),
      rest_(VectorX::Zero(equations.rows())),
      coefficients_(1, 0.0) {
  const Model& model = equations_.model();
  const EliminationPlan plan(model, equations_.loops());
  const TreeConstants constants(model);
  const Tree tree = constants.tree();
  Blocks blocks;
  place_loops(plan, constants.entry());
  bodies_.resize(plan.bodies.size());
  for (int entry = 0; entry < tree.bodies; ++entry) {
    place_body(plan, tree.body[entry], entry, blocks);
  }
  place_elimination(plan, blocks);
  mark_openings(tree);
  allocate();
}

void LoopKernel::place_loops(const EliminationPlan& plan, const std::vector<int>& entry) {
  for (std::size_t i = 0; i < plan.loops.size(); ++i) {
    const Loop& loop = equations_.loops()[i];
    const LoopTraits& traits = loop_traits(loop.type);
    LoopPart part{};
    part.rows = part.most_pivots = plan.loops[i].size;
    part.packs = packs_of(part.rows);
    part.wrench = plan.loops[i].first;
    part.row = rows_;
    part.Y = static_cast<int>(plan.loops[i].Y / 6);
    rows_ += kRowPack * part.packs;
    part.joints = size_of(joints_);
    for (std::size_t k = 0; k < loop.joints.size(); ++k) {
      joints_.push_back({entry[at(loop.joints[k])], size_of(coefficients_)});
      coefficients_.push_back(loop.function ? 0.0
                                            : loop.coefficients(static_cast<Eigen::Index>(k)));
    }
    part.joints_end = size_of(joints_);
    if (loop.function) functions_.push_back(static_cast<int>(i));
    if (traits.joins_points) {
      part.from = entry[at(loop.from.body)];
      part.to = entry[at(loop.to.body)];
      const Matrix3 axes = traits.has_axis ? rotation_from_z_to(loop.axis) : Matrix3::Identity();
      if (has_own_rows(loop.type)) {
        part.is_given = 1;
        given_.push_back({static_cast<int>(i), axes});
      }
      part.translations = traits.translations;
      part.first_axis = first_translation(traits);
      const Matrix3 in_link = loop.from.rotation * axes;
      for (int axis = 0; axis < 3; ++axis) {
        std::copy_n(in_link.col(axis).data(), 3, part.axes + 4 * axis);
      }
      std::copy_n(loop.to.position.data(), 3, part.place);
    }
    parts_.push_back(part);
  }
}

int LoopKernel::block(std::size_t place, int first, int second, Blocks& blocks) {
  const auto [found, is_new] = blocks.insert({place, arrays_.block_size});
  if (is_new) {
    arrays_.block_size += parts_[at(first)].rows * kRowPack * parts_[at(second)].packs;
  }
  return found->second;
}

void LoopKernel::place_body(const EliminationPlan& plan, int body, int entry, Blocks& blocks) {
  const EliminationPlan::BodyPart& from = plan.bodies[at(body)];
  LoopBody& to = bodies_[at(entry)];
  to.closing = size_of(columns_);
  to.open = to.closing + from.closing;
  for (const EliminationPlan::Column& column : from.columns) {
    columns_.push_back({column.loop, static_cast<int>(column.C / 6), open_rows_,
                        static_cast<int>(column.up / 6), 0, 0});
    wrenches_ += column.size;
    if (size_of(columns_) > to.open) open_rows_ += kRowPack * parts_[at(column.loop)].packs;
  }
  to.end = size_of(columns_);
  for (const EliminationPlan::JointRow& row : from.joint_rows) {
    LoopColumn& column = columns_[at(to.closing + row.column)];
    column.coefficient = 1 + static_cast<int>(row.coefficient);
  }
  for (const EliminationPlan::Tip& tip : from.tips) {
    const LoopColumn& column = columns_[at(to.closing + tip.column)];
    tips_.push_back({column.loop, column.C, tip.sign});
  }
  to.couplings = size_of(couplings_);
  for (const EliminationPlan::Coupling& coupling : from.couplings) {
    const int a = to.closing + coupling.first, b = to.closing + coupling.second;
    const int N = block(coupling.N, columns_[at(a)].loop, columns_[at(b)].loop, blocks);
    if (a != b) couplings_.push_back({a, b, N});
  }
  to.couplings_end = size_of(couplings_);
}

void LoopKernel::place_elimination(const EliminationPlan& plan, Blocks& blocks) {
  for (std::size_t i = 0; i < plan.loops.size(); ++i) {
    const EliminationPlan::LoopPart& from = plan.loops[i];
    LoopPart& to = parts_[i];
    const int loop = static_cast<int>(i);
    to.own = block(from.own, loop, loop, blocks);
    to.neighbours = size_of(neighbours_);
    for (const EliminationPlan::Neighbour& other : from.neighbours) {
      neighbours_.push_back({other.loop, block(other.N, loop, other.loop, blocks), T_size_,
                             static_cast<int>(other.C / 6)});
      T_size_ += to.rows * kRowPack * parts_[at(other.loop)].packs;
    }
    to.neighbours_end = size_of(neighbours_);
    to.fill = size_of(fill_);
    for (const EliminationPlan::Coupling& pair : from.fill) {
      const int a = from.neighbours[at(pair.first)].loop, b = from.neighbours[at(pair.second)].loop;
      fill_.push_back(
          {to.neighbours + pair.first, to.neighbours + pair.second, block(pair.N, a, b, blocks)});
    }
    to.fill_end = size_of(fill_);
  }
}

/// The first who writes the wrenches of a column need not add.
void LoopKernel::mark_openings(const Tree& tree) {
  std::vector<bool> is_open(at(wrenches_), false);
  for (const LoopTip& tip : tips_) is_open[at(tip.C)] = true;
  for (int entry = tree.bodies - 1; entry >= 0; --entry) {
    const LoopBody& body = bodies_[at(entry)];
    for (int i = body.open; i < body.end; ++i) {
      LoopColumn& column = columns_[at(i)];
      column.opens = is_open[at(column.up)] ? 0 : 1;
      is_open[at(column.up)] = true;
    }
  }
}

void LoopKernel::allocate() {
  std::size_t size = 0;
  std::vector<std::pair<double**, std::size_t>> places;
  const auto reserve = [&](double*& pointer, int count) {
    places.emplace_back(&pointer, size);
    size += (at(count) + kAlignment - 1) / kAlignment * kAlignment;
  };
  arrays_.padded_rows = rows_;
  reserve(arrays_.W, kWrench * equations_.rows());
  reserve(arrays_.points, 4 * size_of(parts_));
  reserve(arrays_.C, kWrench * wrenches_);
  reserve(arrays_.e, open_rows_);
  reserve(arrays_.N, arrays_.block_size);
  reserve(arrays_.T, T_size_);
  reserve(arrays_.Y, kWrench * equations_.rows());
  for (double** rows : {&arrays_.right, &arrays_.size, &arrays_.terms, &arrays_.pivot,
                        &arrays_.left, &arrays_.lambda}) {
    reserve(*rows, rows_);
  }
  memory_.assign(size + kAlignment, 0.0);
  const auto begin = reinterpret_cast<std::uintptr_t>(memory_.data());
  double* start = memory_.data() + (64 - begin % 64) % 64 / sizeof(double);
  for (const auto& [pointer, place] : places) *pointer = start + place;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    arrays_.points[4 * i + 3] = parts_[i].from == parts_[i].to ? 0.0 : 1.0;
  }
  arrays_.close_at_base =
      std::all_of(bodies_.begin() + 1, bodies_.end(),
                  [](const LoopBody& body) { return body.closing == body.open; })
          ? 1
          : 0;
  arrays_.bodies = bodies_.data();
  arrays_.columns = columns_.data();
  arrays_.couplings = couplings_.data();
  arrays_.fill = fill_.data();
  arrays_.parts = parts_.data();
  arrays_.count = size_of(parts_);
  arrays_.neighbours = neighbours_.data();
  arrays_.joints = joints_.data();
  arrays_.tips = tips_.data();
  arrays_.tip_count = size_of(tips_);
  arrays_.coefficients = coefficients_.data();
}

void LoopKernel::limit_rank(int loop, int rank) { parts_[at(loop)].most_pivots = rank; }

void LoopKernel::write_row(int loop, int row, const Vector3& linear,
                           const Vector3& angular) noexcept {
  double* W = arrays_.W + kWrench * (parts_[at(loop)].wrench + row);
  std::copy_n(angular.data(), 3, W);
  std::copy_n(linear.data(), 3, W + 4);
}

void LoopKernel::prepare(const State& state, const BaumgarteGains& gains,
                         TreeWorkspace& tree) noexcept {
  std::fill_n(arrays_.right, rows_, 0.0);
  for (const int loop : functions_) prepare_function(loop, state);
  const bool draws_back = gains.alpha != 0.0 || gains.beta != 0.0;
  if (given_.empty() && !draws_back) return;
  motion_.take(state);
  export_motion(motion_.state, tree, motion_.frames, motion_.velocities);
  prepare_given_rows();
  if (!draws_back) return;
  equations_.velocity(motion_.frames, motion_.velocities, motion_.state, rest_);
  add_to_right(-2.0 * gains.alpha, rest_);
  equations_.residual(motion_.frames, motion_.state, rest_);
  add_to_right(-gains.beta * gains.beta, rest_);
}

void LoopKernel::prepare_function(int index, const State& state) noexcept {
  const Loop& loop = equations_.loops()[at(index)];
  const LoopPart& part = parts_[at(index)];
  for_each_coefficient(loop, state.q, [&](std::size_t i, double c) {
    coefficients_[at(joints_[at(part.joints) + i].coefficient)] = c;
  });
  arrays_.right[part.row] = coupling_bias(loop, state);
}

void LoopKernel::prepare_given_rows() noexcept {
  for (const GivenLoop& given : given_) {
    const Loop& loop = equations_.loops()[at(given.loop)];
    const LoopPoints points(loop, given.axes, motion_.frames);
    const RelativeMotion relative(loop, points, motion_.frames, motion_.velocities);
    const auto rows = loop_rows(loop, points);
    for (int i = 0; i < loop.rows(); ++i) {
      const LoopRow& row = rows[at(i)];
      const LoopRow rate = row_rate(loop, points, relative, row);
      write_row(given.loop, i, row.linear, row.angular);
      arrays_.right[parts_[at(given.loop)].row + i] =
          -(rate.linear.dot(relative.w) + rate.angular.dot(relative.omega));
    }
  }
}

void LoopKernel::add_to_right(double factor, ConstVectorRef b) noexcept {
  for (const LoopPart& part : parts_) {
    for (int r = 0; r < part.rows; ++r) arrays_.right[part.row + r] += factor * b(part.wrench + r);
  }
}

void LoopKernel::add_multipliers(VectorRef multipliers) const noexcept {
  for (const LoopPart& part : parts_) {
    for (int r = 0; r < part.rows; ++r) {
      multipliers(part.wrench + r) += arrays_.lambda[part.row + r];
    }
  }
}

int LoopKernel::rank() const noexcept {
  return static_cast<int>(std::count(arrays_.pivot, arrays_.pivot + rows_, 1.0));
}

int LoopKernel::rank_of(int loop) const noexcept {
  const double* first = arrays_.pivot + parts_[at(loop)].row;
  return static_cast<int>(std::count(first, first + parts_[at(loop)].rows, 1.0));
}

double LoopKernel::independence(int loop) const noexcept {
  const LoopPart& part = parts_[at(loop)];
  double largest = 0.0;
  for (int r = 0; r < part.rows; ++r) {
    const double response = arrays_.N[part.own + r * (kRowPack * part.packs + 1)];
    largest =
        std::max(largest, arrays_.pivot[part.row + r] * response * arrays_.terms[part.row + r]);
  }
  return 1.0 / largest;
}

}  // namespace spacedyn
