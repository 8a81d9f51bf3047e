// What an element of one's own declares, in the result and among the warnings.
#include "recording/example_point.hpp"
#include "recording/rows.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/recording/run_watches.hpp"
#include "support/allocation_guard.hpp"

namespace spacedyn::declared_columns_test {
namespace {

using ::testing::ElementsAre;
using testing::ExamplePoint;
using testing::names;
using testing::setup_of;
using testing::values;

/// Has a state of its own, and does nothing.
class Probe final : public ForceElement {
 public:
  explicit Probe(std::string name) : ForceElement(std::move(name)) {}
  void apply(const EvaluationContext&, Loads&) const override {}
  int auxiliary_size() const override { return 1; }
  void auxiliary_initial(VectorRef z) const override { z(0) = 3.0; }
  void declare(Declarations& declared) const override {
    declared.outputs.push_back({"wheels",
                                {{"age", "_age_s", "s"}, {"charge", "_charge", ""}},
                                [](const EvaluationContext& context, VectorRef now) {
                                  now << context.time, context.auxiliary(0);
                                }});
    declared.doubt = [this](const EvaluationContext& start, const EvaluationContext& end,
                            const auto& has_happened) -> std::string {
      const bool is_kept = start.auxiliary(0) == end.auxiliary(0);
      return is_kept && !has_happened("discharge") ? name() + " is still charged" : "";
    };
  }
};

SimulationSetup with_probes(const Model& model) {
  SimulationSetup setup = setup_of(model);
  setup.forces = {std::make_shared<Probe>("left"), std::make_shared<Probe>("right")};
  return setup;
}

TEST(DeclaredColumns, BelongToTheirElements) {
  const Model model = testing::recorded_model();
  ExamplePoint point(model);
  point.state.z = Eigen::Vector2d(4.0, 5.0);
  const SimulationSetup setup = with_probes(model);
  RowLayout layout(setup, State(model), {Channel::wheels});
  EXPECT_THAT(names(layout), ElementsAre("time_s", "wheels_left_age_s", "wheels_left_charge",
                                         "wheels_right_age_s", "wheels_right_charge"));
  EXPECT_EQ(layout.columns()[3].dataset, "/wheels/right/age");
  EXPECT_EQ(layout.columns()[3].unit, "s");
  EXPECT_THAT(values(layout, point.at(7.0)), ElementsAre(7.0, 4.0, 7.0, 5.0));
  VectorX row(5);
  const long before = testing::allocation_count();
  layout.fill(point.at(7.0), row);
  EXPECT_EQ(testing::allocation_count(), before);
}

TEST(DeclaredColumns, ComeWithDoubtsAboutTheRun) {
  const Model model = testing::recorded_model();
  const SimulationSetup setup = with_probes(model);
  SimulationResult result;
  result.state = State(model);
  result.state.z = Eigen::Vector2d(3.0, 2.0);
  EXPECT_THAT(element_warnings(setup, State(model), result), ElementsAre("left is still charged"));
  result.events.push_back({});
  result.events.back().name = "discharge";
  EXPECT_THAT(element_warnings(setup, State(model), result), ElementsAre());
}

}  // namespace
}  // namespace spacedyn::declared_columns_test
