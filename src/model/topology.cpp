#include "spacedyn/model/topology.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "spacedyn/error.hpp"

namespace spacedyn {
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
