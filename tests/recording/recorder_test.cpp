#include "recording/example_point.hpp"
#include "spacedyn/recording/channels.hpp"

namespace spacedyn {
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
  const RowLayout layout(model, {Channel::state, Channel::joint_torque});
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

TEST(Recorder, PollsItsSinkAfterEachStepAndLetsTheRunGoOn) {
  const Model model = testing::recorded_model();
  const RowLayout layout(model, {});
  SpySink sink;
  Recorder recorder(layout, sink);
  EXPECT_TRUE(recorder.on_step(0.1, {}));
  EXPECT_TRUE(recorder.on_step(0.2, {}));
  EXPECT_EQ(sink.polls, 2);
}

}  // namespace
}  // namespace spacedyn
