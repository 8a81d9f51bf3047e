#include "dynamics/tree_constants.hpp"

#include <algorithm>
#include <new>

namespace spacedyn {
namespace {

constexpr std::align_val_t kAlignment{64};

/// Bodies in the order of a depth-first walk from the base, children ascending.
std::vector<int> depth_first(const Topology& topology) {
  std::vector<int> order;
  std::vector<int> waiting{0};
  while (!waiting.empty()) {
    const int body = waiting.back();
    waiting.pop_back();
    order.push_back(body);
    const std::vector<int>& children = topology.children(body);
    waiting.insert(waiting.end(), children.rbegin(), children.rend());
  }
  return order;
}

std::vector<int> by_level(const Topology& topology) {
  std::vector<int> order(static_cast<std::size_t>(topology.link_count() + 1));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return topology.depth(a) < topology.depth(b); });
  return order;
}

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
  link.revolute = joint.type == JointType::revolute ? 1.0 : 0.0;
  link.prismatic = 1.0 - link.revolute;
  link.stiffness = joint.stiffness;
  link.damping = joint.damping;
  link.rest_position = joint.rest_position;
}

}  // namespace

void TreeConstants::AlignedDelete::operator()(LinkConstants* links) const {
  ::operator delete(links, kAlignment);
}

TreeConstants::TreeConstants(const Model& model, VisitOrder order)
    : body_(order == VisitOrder::by_level ? by_level(model.topology())
                                          : depth_first(model.topology())),
      entry_(body_.size()),
      lower_(body_.size(), 0),
      collects_(body_.size(), 0) {
  const std::size_t count = body_.size();
  links_.reset(
      static_cast<LinkConstants*>(::operator new(count * sizeof(LinkConstants), kAlignment)));
  for (std::size_t entry = 0; entry < count; ++entry) {
    const int body = body_[entry];
    entry_[static_cast<std::size_t>(body)] = static_cast<int>(entry);
    LinkConstants& link = *new (&links_[entry]) LinkConstants{};
    copy_body(model.body(body), link);
    if (body == 0) continue;
    lower_[entry] = entry_[static_cast<std::size_t>(model.topology().connection(body))];
    copy_joint(model.joint(body), link);
    if (lower_[entry] + 1 != static_cast<int>(entry)) {
      collects_[static_cast<std::size_t>(lower_[entry])] = 1;
    }
  }
}

}  // namespace spacedyn
