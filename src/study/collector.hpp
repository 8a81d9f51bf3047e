/// @file
/// What a sweep keeps of a flight. Private.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
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
  /// The channel of each of them; none of those of the summary.
  const std::vector<std::optional<Channel>>& sources() const { return sources_; }
  /// What has to be recorded.
  const std::vector<Channel>& channels() const { return channels_; }
  bool needs_summary() const { return needs_summary_; }
  /// A layout of these for a flight. Those that depend on a model alone are used again by other
  /// flights of it, one after another. May be called by several threads at once.
  std::shared_ptr<RowLayout> layout_for(const Scenario& scenario) const;

 private:
  std::string find_channel(SweepCollect& collect, std::optional<Channel>& source);

  struct Offer {
    Channel channel;
    std::vector<Column> columns;
  };
  /// Layouts for the model of the scenario that no flight uses now.
  struct Spares {
    std::mutex mutex;
    std::vector<std::unique_ptr<RowLayout>> layouts;
  };
  std::vector<Offer> offers_;
  std::vector<SweepCollect> collects_;
  std::vector<std::optional<Channel>> sources_;
  std::vector<Channel> channels_;
  bool needs_summary_ = false;
  std::shared_ptr<const Model> model_;
  Vector3 gravity_ = Vector3::Zero();
  std::shared_ptr<Spares> spares_ = std::make_shared<Spares>();
};

/// A number of a channel, row after row of a flight.
class ChannelNumber {
 public:
  ChannelNumber() = default;
  /// @param columns  of the flight, which may have other ones than the scenario of the plan
  ChannelNumber(const SweepCollect& collect, const std::vector<Column>& columns);

  /// Whether the flight has it.
  bool is_there() const { return column_ >= 0; }
  /// Its value in the next row; angles go on over whole turns.
  double next(ConstVectorRef row);

 private:
  int column_ = -1;
  int quaternion_ = -1;  ///< first of four columns, of a roll, pitch or yaw
  int component_ = 0;
  double last_ = 0.0;
  bool is_first_ = true;
};

/// Reduces the rows of one flight to the numbers that are kept of it.
class FlightNumbers : public RowSink {
 public:
  void flush() override {}
  /// Numbers in the order of the plan, NaN where the flight has none.
  /// @param record  of the finished flight
  virtual std::vector<double> finish(const RunRecord& record) const = 0;
};

/// One number for each item of the plan.
class Collection final : public FlightNumbers {
 public:
  Collection(const CollectPlan& plan, const std::vector<Column>& columns);

  void write(ConstVectorRef row) override;
  std::vector<double> finish(const RunRecord& record) const override;

 private:
  /// One number of a channel.
  struct Entry {
    const SweepCollect* collect = nullptr;
    ChannelNumber number;
    double last = 0.0;    ///< value of the row before
    double result = 0.0;  ///< as far as the rows have come
    bool is_complete = false;
  };
  void take(Entry& entry, double time, double value) const;

  const CollectPlan& plan_;
  std::vector<Entry> entries_;  // one for each of the plan; those of summaries stay empty
  long rows_ = 0;
  double first_time_ = 0.0, last_time_ = 0.0;
};

/// The channels of the plan at some instants, all of one instant after those of the one before.
class Samples final : public FlightNumbers {
 public:
  /// @param times  s, ascending; rows of these times come
  Samples(const CollectPlan& plan, const std::vector<Column>& columns,
          const std::vector<double>& times);

  void write(ConstVectorRef row) override;
  std::vector<double> finish(const RunRecord& record) const override;

 private:
  const std::vector<double>& times_;
  std::vector<ChannelNumber> numbers_;
  std::size_t next_ = 0;  // of the times
  std::vector<double> samples_;
};

}  // namespace spacedyn
