/// @file
/// What a running simulation and those who watch it share.
#pragma once

#include <chrono>
#include <condition_variable>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/reporting/live.hpp"
#include "spacedyn/reporting/result_table.hpp"
#include "spacedyn/reporting/run_record.hpp"

namespace spacedyn::cli {

/// What one viewer has seen.
struct LiveViewer {
  int run = 0;
  double time = -std::numeric_limits<double>::infinity();  ///< of the last row, s
  unsigned change = 0;                                     ///< of the state
};

/// What a viewer has not seen yet.
struct LiveNews {
  LiveState state;
  ResultTable rows;  ///< the first row of the run, then the new ones; or none
  std::shared_ptr<const Scenario> scenario;
  std::shared_ptr<const ReportData> ending;  ///< what the run left behind; none while it goes on
};

/// Rows, pace and requests; all members may be called by several threads at a time.
class LiveSession {
 public:
  /// @param overrides  of the first run, which viewers may change before it begins
  LiveSession(double speed, std::vector<Override> overrides) : overrides_(std::move(overrides)) {
    state_.run = 0;
    state_.speed = speed;
  }
  virtual ~LiveSession() = default;
  LiveSession(const LiveSession&) = delete;
  LiveSession& operator=(const LiveSession&) = delete;

  /// @name For the simulation
  /// @{
  /// Starts a run, which is paused if viewers asked for that before.
  /// @param scenario  for the viewers alone, not the one that runs
  void begin(std::shared_ptr<const Scenario> scenario, std::vector<Override> overrides);
  void add_row(ConstVectorRef row);
  void add_event(const EventRecord& event);
  /// Returns when it is time to show a simulated time, and at once if the run is to end.
  void wait_until_due(double time);
  bool is_to_end() const;
  /// @param ending  audit, events and facts for the viewers
  void end(RunStatus status, const std::string& message, std::shared_ptr<const ReportData> ending);
  /// Waits for the request to start again, with which overrides; nothing on an interrupt.
  std::optional<std::vector<Override>> wait_for_restart();
  /// @}

  /// @name For the viewers, whose server is loaded on demand and finds virtual functions alone
  /// @{
  /// Waits a while for something that a viewer has not seen, and marks it as seen.
  /// @return nothing if there is nothing new
  virtual std::optional<LiveNews> wait_for_news(LiveViewer& viewer,
                                                std::chrono::milliseconds patience);
  virtual void set_paused(bool paused);
  virtual void set_speed(double speed);
  virtual std::vector<Override> overrides() const;
  /// Asks for another run, not paused.
  virtual void restart(std::vector<Override> overrides);
  /// Ends all waiting.
  virtual void close();
  virtual bool is_closed() const;
  /// @}

 private:
  using Clock = std::chrono::steady_clock;

  void set_anchor(double time);
  void notify();
  bool ends() const { return restart_.has_value() || closed_; }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  LiveState state_;
  unsigned change_ = 0;
  std::shared_ptr<const Scenario> scenario_;
  std::shared_ptr<const ReportData> ending_;
  std::vector<Override> overrides_;
  std::vector<Column> columns_;
  std::vector<VectorX> rows_;
  std::vector<EventRecord> events_;  // of the run so far
  std::optional<std::vector<Override>> restart_;
  bool closed_ = false;
  Clock::time_point anchor_;  // when anchor_time_ was due
  double anchor_time_ = 0.0;
};

}  // namespace spacedyn::cli
