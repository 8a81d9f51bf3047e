#include "constraints/elimination_plan.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "constraints/indices.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

/// Couplings in the plan: 1 GiB of entries and of the numbers they point to.
constexpr std::size_t kMostCouplings = std::size_t{1} << 22;

/// Fills a plan, body after body from the tips.
class EliminationPlanner {
 public:
  EliminationPlanner(const Model& model, const std::vector<Loop>& loops, EliminationPlan& plan)
      : model_(model),
        loops_(loops),
        plan_(plan),
        present_(at(model.body_count())),
        closing_(present_.size()),
        adjacent_(loops.size()),
        neighbours_(loops.size()),
        home_(loops.size(), 0),
        rank_(loops.size(), -1) {}

  void run() {
    plan_.bodies.resize(present_.size());
    plan_.loops.resize(loops_.size());
    const int count = static_cast<int>(loops_.size());
    for (int loop = 0; loop < count; ++loop) trace(loop);
    for (int body = model_.joint_count(); body >= 0; --body) order(body);
    for (int body = 0; body < model_.body_count(); ++body) place(body);
    for (int body = 1; body < model_.body_count(); ++body) connect(body);
    for (int loop = 0; loop < count; ++loop) mark_tips(loop);
    for (int loop = 0; loop < count; ++loop) eliminate(loop);
  }

 private:
  /// Where a loop is present, and its home.
  void trace(int index) {
    const Loop& loop = loops_[at(index)];
    EliminationPlan::LoopPart& part = plan_.loops[at(index)];
    part.first = plan_.rows;
    part.size = loop.rows();
    plan_.rows += part.size;
    std::vector<int> tips = loop.joints;
    int& home = home_[at(index)];
    if (loop_traits(loop.type).joins_points) {
      tips = {loop.from.body, loop.to.body};
      home = meeting_body(model_, loop.from.body, loop.to.body);
    } else {
      home = model_.topology().connection(tips.front());
      for (const int joint : tips) {
        home = meeting_body(model_, home, model_.topology().connection(joint));
      }
    }
    for (const int tip : tips) {
      for (const int body : joints_down_to(model_, tip, home)) present_[at(body)].insert(index);
    }
    present_[at(home)].insert(index);
    closing_[at(home)].insert(index);
  }

  /// Eliminates symbolically what closes at a body, by least degree, then its joint.
  void order(int body) {
    std::set<std::pair<std::size_t, int>> left;
    for (const int loop : closing_[at(body)]) left.insert({adjacent_[at(loop)].size(), loop});
    while (!left.empty()) {
      const int next = left.begin()->second;
      left.erase(left.begin());
      rank_[at(next)] = ranked_++;
      const std::set<int> others = adjacent_[at(next)];
      neighbours_[at(next)].assign(others.begin(), others.end());
      for (const int a : others) {
        const bool waits = left.erase({adjacent_[at(a)].size(), a}) > 0;
        adjacent_[at(a)].insert(others.begin(), others.end());
        adjacent_[at(a)].erase(a);
        adjacent_[at(a)].erase(next);
        if (waits) left.insert({adjacent_[at(a)].size(), a});
      }
    }
    std::vector<int> open;
    for (const int loop : present_[at(body)]) {
      if (rank_[at(loop)] < 0) open.push_back(loop);
    }
    for (const int a : open) {
      adjacent_[at(a)].insert(open.begin(), open.end());
      adjacent_[at(a)].erase(a);
    }
  }

  void sort_by_rank(std::vector<int>& some) const {
    std::sort(some.begin(), some.end(), [&](int a, int b) { return rank_[at(a)] < rank_[at(b)]; });
  }

  void place(int body) {
    EliminationPlan::BodyPart& part = plan_.bodies[at(body)];
    part.lower = body > 0 ? model_.topology().connection(body) : 0;
    std::vector<int> ordered(present_[at(body)].begin(), present_[at(body)].end());
    sort_by_rank(ordered);
    for (const int loop : ordered) {
      const int size = plan_.loops[at(loop)].size;
      part.columns.push_back({loop, size, plan_.C_size, plan_.e_size, 0});
      plan_.C_size += 6 * at(size);
      if (home_[at(loop)] == body) {
        ++part.closing;
      } else {
        plan_.e_size += at(size);
      }
    }
  }

  int column_index(int body, int loop) const {
    const std::vector<EliminationPlan::Column>& columns = plan_.bodies[at(body)].columns;
    const auto found = std::lower_bound(
        columns.begin(), columns.end(), rank_[at(loop)],
        [&](const EliminationPlan::Column& each, int rank) { return rank_[at(each.loop)] < rank; });
    return static_cast<int>(found - columns.begin());
  }
  std::size_t C_of(int body, int loop) const {
    return plan_.bodies[at(body)].columns[at(column_index(body, loop))].C;
  }

  /// Place of N of two loops, the one that is eliminated earlier first.
  std::size_t coupling(int first, int second) {
    const auto [found, is_new] = places_.insert({{first, second}, plan_.N_size});
    if (is_new) {
      plan_.N_size += at(plan_.loops[at(first)].size) * at(plan_.loops[at(second)].size);
    }
    return found->second;
  }

  void count_coupling() {
    if (++couplings_ <= kMostCouplings) return;
    throw DimensionError("the loops of model '" + model_.name() +
                         "' overlap so much that their couplings take more than 1 GiB");
  }

  void connect(int body) {
    EliminationPlan::BodyPart& part = plan_.bodies[at(body)];
    const int count = static_cast<int>(part.columns.size());
    for (int i = part.closing; i < count; ++i) {
      EliminationPlan::Column& here = part.columns[at(i)];
      here.up = C_of(part.lower, here.loop);
      for (int j = i; j < count; ++j) {
        count_coupling();
        part.couplings.push_back({i, j, coupling(here.loop, part.columns[at(j)].loop)});
      }
    }
  }

  void mark_tips(int index) {
    const Loop& loop = loops_[at(index)];
    if (loop_traits(loop.type).joins_points) {
      for (const auto& [body, sign] : {std::pair(loop.to.body, 1.0), {loop.from.body, -1.0}}) {
        plan_.bodies[at(body)].tips.push_back({column_index(body, index), sign});
      }
      return;
    }
    for (std::size_t i = 0; i < loop.joints.size(); ++i) {
      const int joint = loop.joints[i];
      plan_.bodies[at(joint)].joint_rows.push_back({column_index(joint, index), coefficients_++});
    }
  }

  void eliminate(int index) {
    EliminationPlan::LoopPart& part = plan_.loops[at(index)];
    part.own = coupling(index, index);
    part.Y = plan_.Y_size;
    plan_.Y_size += 6 * at(part.size);
    std::vector<int>& others = neighbours_[at(index)];
    sort_by_rank(others);
    for (const int other : others) {
      const int size = plan_.loops[at(other)].size;
      part.neighbours.push_back(
          {other, size, coupling(index, other), plan_.T_size, C_of(home_[at(index)], other)});
      plan_.T_size += at(part.size) * at(size);
    }
    for (std::size_t i = 0; i < others.size(); ++i) {
      for (std::size_t j = i; j < others.size(); ++j) {
        count_coupling();
        part.fill.push_back(
            {static_cast<int>(i), static_cast<int>(j), coupling(others[i], others[j])});
      }
    }
  }

  const Model& model_;
  const std::vector<Loop>& loops_;
  EliminationPlan& plan_;
  std::vector<std::set<int>> present_, closing_, adjacent_;
  std::vector<std::vector<int>> neighbours_;
  std::vector<int> home_, rank_;
  std::map<std::pair<int, int>, std::size_t> places_;
  int ranked_ = 0;
  std::size_t couplings_ = 0, coefficients_ = 0;
};

}  // namespace

std::vector<int> joints_down_to(const Model& model, int body, int end) {
  std::vector<int> joints;
  for (; body != end; body = model.topology().connection(body)) joints.push_back(body);
  return joints;
}

int meeting_body(const Model& model, int a, int b) {
  // upper bodies have the larger numbers
  while (a != b) {
    int& upper = a > b ? a : b;
    upper = model.topology().connection(upper);
  }
  return a;
}

EliminationPlan::EliminationPlan(const Model& model, const std::vector<Loop>& its_loops) {
  EliminationPlanner(model, its_loops, *this).run();
}

}  // namespace spacedyn
