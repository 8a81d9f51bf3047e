#include "spacedyn/model/model.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "model/assembly.hpp"
#include "model/model_validation.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "spacedyn/model/names.hpp"
#include "spacedyn/model/topology.hpp"

namespace spacedyn {
namespace {

constexpr std::string_view kCentroidSuffix = ".com";

bool ends_with(std::string_view text, std::string_view suffix) {
  return text.size() > suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

}  // namespace

void Model::index_names() {
  for (int i = 0; i < body_count(); ++i) body_by_name_.emplace(body(i).name, i);
  for (int i = 1; i <= joint_count(); ++i) joint_by_name_.emplace(joint(i).name, i);
  carriers_.assign(bodies_.size(), false);
  for (const CompoundJoint& compound : compound_joints_) {
    for (int i = compound.first; i < compound.first + compound.size - 1; ++i) {
      carriers_[static_cast<std::size_t>(i)] = true;
    }
  }
  for (int i = 1; i <= joint_count(); ++i) {
    if (joint(i).spherical == 1) spherical_joints_.push_back(i);
  }
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    frame_by_name_.emplace(frames_[i].name, static_cast<int>(i));
  }
}

const WheelDrive* Model::wheel(int i) const {
  const auto found = wheels_.find(i);
  return found == wheels_.end() ? nullptr : &found->second;
}

void Model::find_followers() {
  for (const LinkDescription& link : description_.links) {
    const std::optional<MimicDescription>& given = link.joint.mimic;
    if (!given) continue;
    followers_.push_back(
        {*find_body(link.name), *find_joint(given->joint), given->ratio, given->offset});
  }
  std::sort(followers_.begin(), followers_.end(),
            [](const Follower& a, const Follower& b) { return a.joint < b.joint; });
  for (int i = 1; i <= joint_count(); ++i) {
    if (follower(i) == nullptr) coordinates_.push_back(i);
  }
  for (const Follower& each : followers_) {
    Loop gear;
    gear.name = joint(each.joint).name;
    gear.type = LoopType::gear;
    gear.joints = {each.followed, each.joint};
    gear.coefficients = Eigen::Vector2d(-each.ratio, 1.0);
    gear.offset = each.offset;
    gear.is_mimic = true;
    loops_.push_back(std::move(gear));
  }
}

const Follower* Model::follower(int i) const {
  const auto found =
      std::lower_bound(followers_.begin(), followers_.end(), i,
                       [](const Follower& each, int joint) { return each.joint < joint; });
  return found != followers_.end() && found->joint == i ? &*found : nullptr;
}

void Model::find_robots() {
  for (const RobotDescription& given : description_.robots) {
    const std::string prefix = given.name + '.', alias = prefix + "base";
    const auto base = find_frame(given.base);
    if (!base) continue;  // cut away
    Robot robot;
    robot.name = given.name;
    robot.base = {given.base, base->body, base->position + base->rotation * given.base_centroid,
                  base->rotation};
    robot.base_mass = given.base_mass;
    robot.is_carried = given.is_carried && base->body != 0;
    robot.floats = base->body != 0 && !robot.is_carried;
    // bodies of a robot follow one another
    for (int i = 1; i < body_count(); ++i) {
      if (body(i).name.compare(0, prefix.size(), prefix) != 0) continue;
      if (robot.end == 0) robot.first = i;
      robot.end = i + 1;
    }
    if (robot.end == 0) robot.first = robot.end = 1;  // none, where joints begin
    // the base goes by this name as well
    if (const auto frame = frame_by_name_.find(given.base); frame != frame_by_name_.end()) {
      frame_by_name_.emplace(alias, frame->second);
      merged_centroid_.emplace(alias, merged_centroid_.find(given.base)->second);
    } else if (base->body != 0) {
      body_by_name_.emplace(alias, base->body);
    }
    robots_.push_back(std::move(robot));
  }
}

const Robot* Model::find_robot(std::string_view name) const {
  for (const Robot& robot : robots_) {
    if (robot.name == name) return &robot;
  }
  return nullptr;
}

std::optional<int> Model::find_body(std::string_view name) const {
  const auto found = body_by_name_.find(name);
  if (found == body_by_name_.end()) return std::nullopt;
  return found->second;
}

std::optional<int> Model::find_joint(std::string_view name) const {
  const auto found = joint_by_name_.find(name);
  if (found == joint_by_name_.end()) return std::nullopt;
  return found->second;
}

std::optional<CompoundJoint> Model::find_compound_joint(std::string_view name) const {
  for (const CompoundJoint& joint : compound_joints_) {
    if (joint.name == name) return joint;
  }
  return std::nullopt;
}

std::optional<Frame> Model::find_frame(std::string_view name) const {
  if (const auto found = frame_by_name_.find(name); found != frame_by_name_.end()) {
    return frames_[static_cast<std::size_t>(found->second)];
  }
  if (const auto number = find_body(name)) {
    return Frame{std::string(name), *number, Vector3::Zero(), body(*number).user_axes};
  }
  if (!ends_with(name, kCentroidSuffix)) return std::nullopt;
  const std::string_view owner = name.substr(0, name.size() - kCentroidSuffix.size());
  if (const auto number = find_body(owner)) {
    return Frame{std::string(name), *number, body(*number).center_of_mass, body(*number).user_axes};
  }
  const auto merged = merged_centroid_.find(owner);
  if (merged == merged_centroid_.end()) return std::nullopt;
  return Frame{std::string(name), merged->second.body, merged->second.position,
               merged->second.rotation};
}

Frame Model::frame(std::string_view name) const {
  if (auto found = find_frame(name)) return *found;
  std::vector<std::string> known;
  for (const Frame& frame : frames_) known.push_back(frame.name);
  for (const Body& body : bodies_) known.push_back(body.name);
  throw DomainError("no frame, link or centroid is named '" + std::string(name) + "'" +
                    did_you_mean(name, known));
}

Vector3 Model::c(int i, int j) const {
  if (i == 0) return c_0(j);
  if (i == j) return -body(i).center_of_mass;
  if (topology_.connection(j) != i) return Vector3::Zero();
  return joint(j).origin - body(i).center_of_mass;
}

Vector3 Model::l(int i, int j) const {
  return i != j && topology_.connection(j) == i ? joint(j).origin : Vector3::Zero();
}

Vector3 Model::c_0(int j) const {
  if (topology_.connection(j) != 0) return Vector3::Zero();
  return joint(j).origin - body(0).center_of_mass;
}

Vector3 Model::c_e(const Frame& frame) const {
  return frame.position - body(frame.body).center_of_mass;
}

Vector3 Model::l_e(const Frame& frame) const { return frame.position; }

ModelBuilder& ModelBuilder::set_base(BaseDescription base) {
  description_.base = std::move(base);
  return *this;
}

ModelBuilder& ModelBuilder::add_link(LinkDescription link) {
  description_.links.push_back(std::move(link));
  return *this;
}

ModelBuilder& ModelBuilder::add_frame(FrameDescription frame) {
  description_.frames.push_back(std::move(frame));
  return *this;
}

std::vector<Problem> ModelBuilder::validate() const { return validate_description(description_); }

Model ModelBuilder::build() const {
  std::vector<Problem> problems = validate();
  const bool refused = std::any_of(problems.begin(), problems.end(), [](const Problem& problem) {
    return problem.severity == Severity::error;
  });
  if (refused) throw ModelError(std::move(problems));

  AssembledParts parts = assemble(description_);
  Model model;
  model.description_ = description_;
  model.warnings_ = std::move(problems);
  model.topology_ = Topology(std::move(parts.connection));
  model.bodies_ = std::move(parts.bodies);
  model.joints_ = std::move(parts.joints);
  model.compound_joints_ = std::move(parts.compound_joints);
  model.frames_ = std::move(parts.frames);
  model.couplings_ = std::move(parts.couplings);
  model.transmissions_ = std::move(parts.transmissions);
  model.merged_centroid_ = std::move(parts.merged_centroids);
  for (const Body& body : model.bodies_) model.total_mass_ += body.mass;
  model.index_names();
  model.find_robots();
  // points of loops are looked up as users look them up
  for (const LoopDescription& loop : description_.loops) {
    model.loops_.push_back(make_loop(loop, model));
  }
  model.find_followers();
  for (const FrameDescription& frame : description_.frames) {
    if (frame.thruster) model.thrusters_.push_back(make_thruster(frame, model));
  }
  for (const LinkDescription& link : description_.links) {
    if (link.tank) model.tanks_.push_back(make_tank(link, model));
    if (link.joint.wheel) model.wheels_[*model.find_body(link.name)] = *link.joint.wheel;
  }
  return model;
}

namespace {

void check_connection(const std::vector<int>& connection) {
  std::string problems;
  for (std::size_t i = 0; i < connection.size(); ++i) {
    const int link = static_cast<int>(i) + 1;
    if (connection[i] >= 0 && connection[i] < link) continue;
    problems += (problems.empty() ? "" : "; ");
    problems += "connection of link " + std::to_string(link) + " is " +
                std::to_string(connection[i]) + ", expected 0 to " + std::to_string(link - 1);
  }
  if (!problems.empty()) throw DomainError(problems);
}

}  // namespace

Topology::Topology(std::vector<int> connection) : connection_(std::move(connection)) {
  check_connection(connection_);
  const auto n = connection_.size();
  row_begin_.assign(n + 2, 0);
  for (const int lower : connection_) ++row_begin_[static_cast<std::size_t>(lower) + 1];
  std::partial_sum(row_begin_.begin(), row_begin_.end(), row_begin_.begin());
  carried_.resize(n);
  depth_.assign(n + 1, 0);
  std::vector<int> next = row_begin_;
  for (int link = 1; link <= link_count(); ++link) {
    const auto lower = static_cast<std::size_t>(connection_[static_cast<std::size_t>(link) - 1]);
    carried_[static_cast<std::size_t>(next[lower]++)] = link;
    depth_[static_cast<std::size_t>(link)] = depth_[lower] + 1;
    if (children(link).empty()) terminals_.push_back(link);
  }
}

int Topology::incidence(int i, int j) const {
  if (i == j) return -1;
  return connection(j) == i ? 1 : 0;
}

Topology::IntMatrix Topology::incidence_matrix() const {
  const int n = link_count();
  if (n > kMaxDenseLinks) {
    throw DimensionError("the incidence matrix of " + std::to_string(n) +
                         " links is not formed; the limit is " + std::to_string(kMaxDenseLinks) +
                         " links, use incidence(i, j) instead");
  }
  IntMatrix S = -IntMatrix::Identity(n, n);
  for (int i = 1; i <= n; ++i) {
    for (const int j : children(i)) S(i - 1, j - 1) = 1;
  }
  return S;
}

Topology::IntRowVector Topology::base_incidence() const {
  IntRowVector S_0 = IntRowVector::Zero(link_count());
  for (const int link : roots()) S_0(link - 1) = 1;
  return S_0;
}

Topology::IntRowVector Topology::terminal_incidence() const {
  IntRowVector S_e = IntRowVector::Zero(link_count());
  for (const int link : terminals()) S_e(link - 1) = 1;
  return S_e;
}

std::vector<int> Topology::path(int body) const {
  std::vector<int> links(static_cast<std::size_t>(depth(body)));
  for (auto place = links.rbegin(); place != links.rend(); ++place) {
    *place = body;
    body = connection(body);
  }
  return links;
}

bool Topology::is_ancestor(int ancestor, int body) const {
  while (body > ancestor) body = connection(body);
  return body == ancestor;
}

std::vector<int> Topology::subtree(int body) const {
  std::vector<int> bodies{body};
  for (std::size_t next = 0; next < bodies.size(); ++next) {
    const LinkList upper = children(bodies[next]);
    bodies.insert(bodies.end(), upper.begin(), upper.end());
  }
  std::sort(bodies.begin(), bodies.end());
  return bodies;
}

}  // namespace spacedyn
