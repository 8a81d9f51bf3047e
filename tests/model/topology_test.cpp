#include "spacedyn/model/topology.hpp"

#include <random>

#include "spacedyn/error.hpp"
#include "support/reference_data.hpp"

namespace spacedyn::testing::topology_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class TopologyReference : public ::testing::TestWithParam<std::string> {};

TEST_P(TopologyReference, IncidenceAgrees) {
  const nlohmann::json& model = reference(GetParam()).at("model");
  const Topology topology(model.at("BB").get<std::vector<int>>());
  const auto expected = model.at("SS").get<std::vector<std::vector<int>>>();
  const auto base = model.at("S0").get<std::vector<int>>();
  const Topology::IntMatrix S = topology.incidence_matrix();
  for (int i = 1; i <= topology.link_count(); ++i) {
    for (int j = 1; j <= topology.link_count(); ++j) {
      const int value = expected[static_cast<std::size_t>(i - 1)][static_cast<std::size_t>(j - 1)];
      EXPECT_EQ(S(i - 1, j - 1), value) << i << ", " << j;
      EXPECT_EQ(topology.incidence(i, j), value) << i << ", " << j;
    }
    EXPECT_EQ(topology.base_incidence()(i - 1), base[static_cast<std::size_t>(i - 1)]);
  }
}

INSTANTIATE_TEST_SUITE_P(AllModels, TopologyReference, ::testing::ValuesIn(reference_names()),
                         [](const auto& instance) { return instance.param; });

// the sample tree: 0 carries 1 and 4; 1 carries 2 and 3; 4 carries 5
Topology sample() { return Topology({0, 1, 1, 0, 4}); }

std::vector<int> list(const LinkList& links) { return {links.begin(), links.end()}; }

TEST(Topology, KnowsPathsSubtreesAndTips) {
  const Topology tree = sample();
  EXPECT_THAT(tree.path(3), ElementsAre(1, 3));
  EXPECT_THAT(tree.path(0), IsEmpty());
  EXPECT_THAT(tree.subtree(1), ElementsAre(1, 2, 3));
  EXPECT_THAT(tree.subtree(0), ::testing::ElementsAreArray({0, 1, 2, 3, 4, 5}));
  EXPECT_THAT(list(tree.children(0)), ElementsAre(1, 4));
  EXPECT_THAT(list(tree.roots()), ElementsAre(1, 4));
  EXPECT_THAT(list(tree.children(1)), ElementsAre(2, 3));
  EXPECT_THAT(list(tree.children(3)), IsEmpty());
  EXPECT_THAT(list(tree.terminals()), ElementsAre(2, 3, 5));
  EXPECT_EQ(tree.depth(5), 2);
  EXPECT_EQ(tree.depth(0), 0);
  EXPECT_EQ(tree.terminal_incidence(), (Topology::IntRowVector(5) << 0, 1, 1, 0, 1).finished());
  EXPECT_EQ(tree.base_incidence(), (Topology::IntRowVector(5) << 1, 0, 0, 1, 0).finished());
}

TEST(Topology, AncestorsIncludeTheBaseAndTheBodyItself) {
  const Topology tree = sample();
  EXPECT_TRUE(tree.is_ancestor(0, 5));
  EXPECT_TRUE(tree.is_ancestor(5, 5));
  EXPECT_TRUE(tree.is_ancestor(4, 5));
  EXPECT_FALSE(tree.is_ancestor(1, 5));
  EXPECT_FALSE(tree.is_ancestor(5, 4));
}

TEST(Topology, ABaseAloneIsATree) {
  const Topology alone;
  EXPECT_EQ(alone.link_count(), 0);
  EXPECT_EQ(alone.incidence_matrix().size(), 0);
  EXPECT_THAT(alone.subtree(0), ElementsAre(0));
}

TEST(Topology, RandomTreesAgreeWithAWalkTowardsTheBase) {
  std::mt19937 generator(7);
  for (int repetition = 0; repetition < 50; ++repetition) {
    std::vector<int> connection(40);
    for (int i = 0; i < 40; ++i) {
      connection[static_cast<std::size_t>(i)] = std::uniform_int_distribution<int>(0, i)(generator);
    }
    const Topology tree(connection);
    for (int body = 1; body <= 40; ++body) {
      std::vector<int> walk;
      for (int at = body; at > 0; at = connection[static_cast<std::size_t>(at - 1)]) {
        walk.insert(walk.begin(), at);
      }
      EXPECT_EQ(tree.path(body), walk);
      EXPECT_EQ(tree.depth(body), static_cast<int>(walk.size()));
      for (const int ancestor : walk) EXPECT_TRUE(tree.is_ancestor(ancestor, body));
    }
  }
}

TEST(Topology, ColumnsOfSSumToMinusTheBaseConnection) {
  // each link leaves one body and enters another: 1ᵀ S + S_0 = 0
  for (const std::string& name : reference_names()) {
    const Topology tree(reference(name).at("model").at("BB").get<std::vector<int>>());
    EXPECT_TRUE((tree.incidence_matrix().colwise().sum() + tree.base_incidence()).isZero());
  }
}

TEST(Topology, RefusesForwardSelfAndNegativeReferencesAllAtOnce) {
  try {
    Topology({0, 2, 5, -1});
    FAIL() << "an impossible tree was accepted";
  } catch (const DomainError& error) {
    EXPECT_STREQ(error.what(),
                 "connection of link 2 is 2, expected 0 to 1; connection of link 3 is 5, "
                 "expected 0 to 2; connection of link 4 is -1, expected 0 to 3");
  }
}

TEST(Topology, TenThousandLinksHaveNoDenseMatrix) {
  std::vector<int> chain(10000);
  for (std::size_t i = 0; i < chain.size(); ++i) chain[i] = static_cast<int>(i);
  const Topology topology(chain);
  EXPECT_EQ(topology.depth(10000), 10000);
  EXPECT_EQ(topology.incidence(9999, 10000), 1);
  try {
    topology.incidence_matrix();
    FAIL() << "a dense matrix of 10000 links was formed";
  } catch (const DimensionError& error) {
    EXPECT_STREQ(error.what(),
                 "the incidence matrix of 10000 links is not formed; the limit is 2000 links, use "
                 "incidence(i, j) instead");
  }
}

}  // namespace
}  // namespace spacedyn::testing::topology_test
