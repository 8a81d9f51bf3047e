#include "recording/example_point.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/recording/channels.hpp"
#include "support/allocation_guard.hpp"
#include "support/message_of.hpp"

namespace spacedyn::recorder_test {
namespace {

using testing::ExamplePoint;

class SpySink final : public RowSink {
 public:
  void write(ConstVectorRef row) override { rows.emplace_back(row); }
  void poll() override { ++polls; }
  void flush() override {}

  std::vector<VectorX> rows;
  int polls = 0;
};

TEST(Recorder, HandsEachOutputToItsSink) {
  const Model model = testing::recorded_model();
  RowLayout layout(model, {Channel::state, Channel::joint_torque});
  const ExamplePoint point(model);
  SpySink sink;
  Recorder recorder(layout, sink);
  recorder.on_output(point.at(0.0));
  recorder.on_output(point.at(0.5));
  ASSERT_EQ(sink.rows.size(), 2U);
  VectorX expected(static_cast<Eigen::Index>(layout.columns().size()));
  layout.fill(point.at(0.5), expected);
  EXPECT_EQ(sink.rows[1], expected);
}

TEST(Recorder, WritesNoRowThatIsNotFinite) {
  const Model model = testing::recorded_model();
  RowLayout layout(model, {Channel::state, Channel::energy});
  ExamplePoint point(model);
  SpySink sink;
  Recorder recorder(layout, sink);
  for (const double bad :
       {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    point.energy.kinetic = bad;
    EXPECT_EQ(testing::message_of<NumericalError>([&] { recorder.on_output(point.at(0.5)); }),
              "integration stopped at t = 0.5 s: 'energy_kinetic_J' is not finite, its row is not "
              "written");
  }
  EXPECT_TRUE(sink.rows.empty());
}

TEST(Recorder, PollsItsSinkAfterEachStepAndLetsTheRunGoOn) {
  const Model model = testing::recorded_model();
  RowLayout layout(model, {});
  SpySink sink;
  Recorder recorder(layout, sink);
  EXPECT_TRUE(recorder.on_step(0.1, {}));
  EXPECT_TRUE(recorder.on_step(0.2, {}));
  EXPECT_EQ(sink.polls, 2);
}

TEST(Recorder, AllocatesNothingPerRow) {
  class CountingSink final : public RowSink {
   public:
    void write(ConstVectorRef row) override { sum += row.sum(); }
    void flush() override {}
    double sum = 0.0;
  };
  const Model model = testing::recorded_model();
  RowLayout layout(model, all_channels());
  const ExamplePoint example(model);
  const SimulationPoint point = example.at(0.5);
  CountingSink sink;
  Recorder recorder(layout, sink);
  const long before = testing::allocation_count();
  for (int i = 0; i < 100; ++i) recorder.on_output(point);
  EXPECT_EQ(testing::allocation_count() - before, 0);
  EXPECT_NE(sink.sum, 0.0);
}

}  // namespace
}  // namespace spacedyn::recorder_test
