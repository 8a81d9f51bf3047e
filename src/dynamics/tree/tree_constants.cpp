#include "dynamics/tree/tree_constants.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <type_traits>

#include "dynamics/tree/tree_walk.hpp"

namespace spacedyn {
namespace {

constexpr std::align_val_t kBlockAlignment{64};

/// Slides in a row that lead far away; a single one is that of a carriage or a telescope.
constexpr int kFewestSlides = 2;

void copy_body(const Body& body, LinkConstants& link) {
  const Matrix3& I = body.inertia_L;
  const double inertia[] = {I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2)};
  std::copy(std::begin(inertia), std::end(inertia), link.I);
  std::copy_n(body.center_of_mass.data(), 3, link.c);
  link.mass = body.mass;
}

void copy_joint(const Joint& joint, LinkConstants& link) {
  std::copy_n(joint.rotation.data(), 9, link.C);
  std::copy_n(joint.origin.data(), 3, link.l);
  link.turn = joint.turn;
  link.slide = joint.slide;
  link.stiffness = joint.stiffness;
  link.damping = joint.damping;
  link.rest_position = joint.rest_position;
  link.armature = joint.armature;
}

/// Zeroed blocks on cache lines of their own.
template <typename Block>
std::unique_ptr<Block[], void (*)(Block*)> aligned(std::size_t count) {
  static_assert(std::is_trivially_copyable_v<Block>);
  void* memory = ::operator new(count * sizeof(Block), kBlockAlignment);
  std::memset(memory, 0, count * sizeof(Block));
  return {static_cast<Block*>(memory),
          [](Block* blocks) { ::operator delete(blocks, kBlockAlignment); }};
}

/// Spreads the numbers of a body over the rows of its block.
void copy_rows(const LinkConstants& link, int lane, LinkBlock& block) {
  double numbers[sizeof link / sizeof(double)];
  std::memcpy(numbers, &link, sizeof link);
  for (int row = 0; row < kLinkRows; ++row) block.rows[row][lane] = numbers[row];
}

}  // namespace

TreeConstants::TreeConstants(const Model& model)
    : body_(depth_first_order(model.topology())),
      entry_(body_.size()),
      lower_(body_.size(), 0),
      run_(body_.size(), 0),
      links_(aligned<LinkConstants>(body_.size())),
      blocks_(nullptr, nullptr),
      block_count_((static_cast<int>(body_.size()) + kBlock - 1) / kBlock) {
  blocks_ = aligned<LinkBlock>(static_cast<std::size_t>(block_count_));
  for (std::size_t entry = 0; entry < body_.size(); ++entry) {
    const int body = body_[entry];
    entry_[static_cast<std::size_t>(body)] = static_cast<int>(entry);
    copy_body(model.body(body), links_[entry]);
    if (body > 0) {
      lower_[entry] = entry_[static_cast<std::size_t>(model.topology().connection(body))];
      copy_joint(model.joint(body), links_[entry]);
    }
  }
  sum_carried_masses();
  for (std::size_t entry = body_.size(); entry-- > 0;) {
    copy_rows(links_[entry], static_cast<int>(entry % kBlock), blocks_[entry / kBlock]);
  }
  for (const int first : model.spherical_joints()) {
    spherical_.push_back(entry_[static_cast<std::size_t>(first)]);
  }
  find_openings(model.topology());
  plan_visits();
  bound_inertias();
}

void TreeConstants::set_rotation(int entry, const Matrix3& C) {
  std::copy_n(C.data(), 9, links_[static_cast<std::size_t>(entry)].C);
  LinkBlock& block = blocks_[static_cast<std::size_t>(entry / kBlock)];
  for (int i = 0; i < 9; ++i) block.rows[kRowC + i][entry % kBlock] = C.data()[i];
}

void TreeConstants::sum_carried_masses() {
  for (std::size_t entry = body_.size(); entry-- > 0;) links_[entry].carried_mass = 0.0;
  for (std::size_t entry = body_.size(); entry-- > 0;) {
    links_[entry].carried_mass += links_[entry].mass;
    if (entry > 0) {
      links_[static_cast<std::size_t>(lower_[entry])].carried_mass += links_[entry].carried_mass;
    }
  }
}

void TreeConstants::set_body(int entry, const Body& body) {
  LinkConstants& link = links_[static_cast<std::size_t>(entry)];
  copy_body(body, link);
  copy_rows(link, entry % kBlock, blocks_[static_cast<std::size_t>(entry / kBlock)]);
}

void TreeConstants::update_carried_masses() {
  sum_carried_masses();
  for (std::size_t entry = 0; entry < body_.size(); ++entry) {
    blocks_[entry / kBlock].rows[kRowCarriedMass][entry % kBlock] = links_[entry].carried_mass;
  }
}

void TreeConstants::bound_inertias() {
  // mass, first and second moment of all that a body carries, each at its greatest distance from
  // the frame origin; joints that slide are taken where they are at zero
  struct Moments {
    double mass = 0.0, first = 0.0, second = 0.0;
    void add_at(double distance, const Moments& upper) {
      mass += upper.mass;
      first += upper.first + distance * upper.mass;
      second += upper.second + distance * (2.0 * upper.first + distance * upper.mass);
    }
  };
  const auto length = [](const double* v) { return std::hypot(v[0], v[1], v[2]); };
  // nothing is sure of what has no inertia
  const auto inverse = [](double bound) { return bound > 0.0 ? 1.0 / bound : 0.0; };
  std::vector<Moments> carried(body_.size());
  for (std::size_t entry = body_.size(); entry-- > 0;) {
    LinkConstants& link = links_[entry];
    Moments& whole = carried[entry];
    whole.add_at(length(link.c), {link.mass, 0.0, link.I[0] + link.I[3] + link.I[5]});
    if (entry == 0) break;
    link.inverse_bound =
        inverse(link.turn * whole.second + link.slide * link.slide * whole.mass + link.armature);
    carried[static_cast<std::size_t>(lower_[entry])].add_at(length(link.l), whole);
  }
  Moments about_centroid;
  about_centroid.add_at(length(links_[0].c), carried[0]);
  inverse_base_bound_[0] = inverse(about_centroid.second);
  inverse_base_bound_[1] = inverse(about_centroid.mass);
}

void TreeConstants::find_openings(const Topology& topology) {
  const auto size = static_cast<int>(body_.size());
  origin_.assign(body_.size(), 0);
  opens_.assign(body_.size(), 0);
  const auto link = [&](int entry) -> const LinkConstants& {
    return links_[static_cast<std::size_t>(entry)];
  };
  // whether an entry slides and its body, numbered next, follows the one before
  const auto goes_on = [&](int entry) {
    const auto i = static_cast<std::size_t>(entry);
    return entry < size && lower_[i] == entry - 1 && body_[i] == body_[i - 1] + 1;
  };
  const auto weighs_nothing = [&](int entry) {
    const LinkConstants& it = link(entry);
    return it.mass == 0.0 && std::all_of(it.I, it.I + 6, [](double I) { return I == 0.0; });
  };
  const auto carries_one = [&](int entry) {
    return topology.children(body_[static_cast<std::size_t>(entry)]).size() == 1;
  };
  for (int entry = 1; entry < size; ++entry) {
    const auto i = static_cast<std::size_t>(entry);
    if (lower_[i] != 0) {
      origin_[i] = origin_[static_cast<std::size_t>(lower_[i])];
      continue;
    }
    int slides = link(entry).turn == 0.0 ? 1 : 0;
    while (slides > 0 && goes_on(entry + slides) && link(entry + slides).turn == 0.0) ++slides;
    if (slides < kFewestSlides) continue;
    bool is_free = slides == 3 &&
                   std::find(spherical_.begin(), spherical_.end(), entry + 3) != spherical_.end();
    for (int k = 0; is_free && k < 6; ++k) {
      is_free = (k == 0 || goes_on(entry + k)) &&
                (k == 5 || (weighs_nothing(entry + k) && carries_one(entry + k))) &&
                std::all_of(link(entry + k).l, link(entry + k).l + 3,
                            [k](double l) { return k == 0 || l == 0.0; });
    }
    openings_.push_back({entry, slides, is_free ? 6 : 0});
    origin_[i] = static_cast<int>(openings_.size());
    opens_[i] = slides;
  }
}

void TreeConstants::plan_visits() {
  visits_.assign(body_.size(), Visit{});
  for (std::size_t entry = 1; entry < body_.size(); ++entry) {
    const auto lower = static_cast<std::size_t>(lower_[entry]);
    const bool goes_on = lower > 0 && lower + 1 == entry && body_[lower] + 1 == body_[entry];
    run_[entry] = goes_on ? run_[lower] : static_cast<int>(entry);
  }
  for (std::size_t entry = body_.size() - 1; entry > 0; --entry) {
    const auto lower = static_cast<std::size_t>(lower_[entry]);
    Visit& visit = visits_[entry];
    visit.hands_on = lower + 1 == entry && opens_[entry] == 0 ? 1 : 0;
    if (visit.hands_on != 0) continue;
    visit.opens = 1 - visits_[lower].collects;
    visits_[lower].collects = 1;
  }
}

Tree TreeConstants::tree() const {
  return {static_cast<int>(body_.size()),
          lower_.data(),
          body_.data(),
          run_.data(),
          links_.get(),
          blocks_.get(),
          block_count_,
          visits_.data(),
          spherical_.data(),
          static_cast<int>(spherical_.size()),
          origin_.data(),
          opens_.data(),
          openings_.data(),
          static_cast<int>(openings_.size()),
          {inverse_base_bound_[0], inverse_base_bound_[1]}};
}

}  // namespace spacedyn
