/// @file
/// What a sweep keeps of a flight. Private.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/recording/channels.hpp"
#include "spacedyn/reporting/run_record.hpp"
#include "spacedyn/study/sweep.hpp"

namespace spacedyn {

/// Where the numbers of a sweep come from: found once in its scenario.
class CollectPlan {
 public:
  CollectPlan() = default;
  explicit CollectPlan(const Scenario& scenario);

  /// Takes one more, and notes its unit. @returns what is wrong with it; empty if nothing
  std::string add(SweepCollect& collect);

  const std::vector<SweepCollect>& collects() const { return collects_; }
  /// What has to be recorded.
  const std::vector<Channel>& channels() const { return channels_; }
  bool needs_summary() const { return needs_summary_; }

 private:
  std::string find_channel(SweepCollect& collect);

  struct Offer {
    Channel channel;
    std::vector<Column> columns;
  };
  std::vector<Offer> offers_;
  std::vector<SweepCollect> collects_;
  std::vector<Channel> channels_;
  bool needs_summary_ = false;
};

/// Reduces the rows of one flight to its numbers.
class Collection final : public RowSink {
 public:
  /// @param columns  of the flight, which may have other ones than the scenario of the sweep
  Collection(const CollectPlan& plan, const std::vector<Column>& columns);

  void write(ConstVectorRef row) override;
  void flush() override {}
  /// Numbers in the order of the plan, NaN where the flight has none.
  /// @param record  of the finished flight
  std::vector<double> finish(const RunRecord& record) const;

 private:
  /// One number of a channel.
  struct Entry {
    const SweepCollect* collect = nullptr;
    int column = -1;      ///< −1: the flight has none
    int quaternion = -1;  ///< first of four columns, of a roll, pitch or yaw
    double last = 0.0;    ///< value of the row before
    double result = 0.0;  ///< as far as the rows have come
    bool is_complete = false;
  };
  double value_of(const Entry& entry, ConstVectorRef row) const;
  void take(Entry& entry, double time, double value) const;

  const CollectPlan& plan_;
  std::vector<Entry> entries_;  // one for each of the plan; those of summaries stay empty
  long rows_ = 0;
  double first_time_ = 0.0, last_time_ = 0.0;
};

}  // namespace spacedyn
