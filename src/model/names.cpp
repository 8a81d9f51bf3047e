#include "spacedyn/model/names.hpp"

#include <algorithm>
#include <numeric>

#include "model/description_tree.hpp"
#include "model/short_number.hpp"

namespace spacedyn {
namespace {

void prefix_shapes(const std::string& prefix, BodyDescription& body) {
  for (CollisionShape& shape : body.collisions) shape.name = prefix + shape.name;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

namespace {

/// Letters that are wrong; two neighbours that have changed places are one.
std::size_t slips(std::string_view written, std::string_view name) {
  const auto [a, b] = std::mismatch(written.begin(), written.end(), name.begin(), name.end());
  const bool swapped = written.end() - a > 1 && name.end() - b > 1 && a[0] == b[1] && a[1] == b[0];
  if (swapped && std::equal(a + 2, written.end(), b + 2, name.end())) return 1;
  return edit_distance(written, name);
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& known) {
  constexpr std::size_t kLongest = 100;  // longer texts are no misspelling of anything
  if (name.size() > kLongest) return {};
  // a third of the letters may be wrong, and at least two, but no more than half
  std::size_t best = std::max<std::size_t>(2, name.size() / 3) + 1;
  std::string nearest;
  for (const std::string& candidate : known) {
    const std::size_t distance = slips(name, candidate);
    if (distance < best && 2 * distance <= std::max(name.size(), candidate.size())) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known) {
  const std::string nearest = nearest_name(name, known);
  return nearest.empty() ? "" : ", did you mean '" + nearest + "'?";
}

ModelDescription prefixed(ModelDescription description, const std::string& prefix) {
  description.base.name = prefix + description.base.name;
  prefix_shapes(prefix, description.base);
  for (LinkDescription& link : description.links) {
    link.joint.name = prefix + joint_name(link);
    if (link.joint.mimic) link.joint.mimic->joint = prefix + link.joint.mimic->joint;
    link.name = prefix + link.name;
    link.parent = prefix + link.parent;
    prefix_shapes(prefix, link);
  }
  for (FrameDescription& frame : description.frames) {
    frame.name = prefix + frame.name;
    frame.link = prefix + frame.link;
    if (frame.thruster && !frame.thruster->tank.empty()) {
      frame.thruster->tank = prefix + frame.thruster->tank;
    }
  }
  for (JointCouplingDescription& coupling : description.couplings) {
    coupling.name = prefix + coupling.name;
    for (std::string& joint : coupling.joints) joint = prefix + joint;
  }
  for (TransmissionDescription& transmission : description.transmissions) {
    transmission.name = prefix + transmission.name;
    transmission.motor = prefix + transmission.motor;
    transmission.joint = prefix + transmission.joint;
  }
  for (LoopDescription& loop : description.loops) {
    loop.name = prefix + loop.name;
    for (std::string* point : {&loop.from, &loop.to}) {
      if (!point->empty()) *point = prefix + *point;
    }
    for (std::string& joint : loop.joints) joint = prefix + joint;
  }
  return description;
}

}  // namespace spacedyn
