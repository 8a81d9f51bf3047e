#include "live_session.hpp"

#include <algorithm>

#include "interrupt.hpp"

namespace spacedyn::cli {
namespace {

using Milliseconds = std::chrono::milliseconds;

/// How often waiting threads look for an interrupt, which notifies none of them.
constexpr Milliseconds kPollInterval{50};
/// A simulation that lags more does not hurry to make up for it.
constexpr std::chrono::duration<double> kForgivenLag{0.25};
/// Rows kept for viewers who come late; of more, every second one is dropped.
constexpr std::size_t kMostRows = 20000;

void thin(std::vector<VectorX>& rows) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < rows.size(); i += 2) rows[kept++].swap(rows[i]);
  rows.resize(kept);
}

/// The rows from one on, after the first of all if that is another: changes are derived from it.
MatrixX with_start(const std::vector<VectorX>& rows, std::vector<VectorX>::const_iterator next) {
  const Eigen::Index before = next == rows.begin() ? 0 : 1;
  MatrixX values(std::distance(next, rows.end()) + before, rows.front().size());
  values.row(0) = rows.front().transpose();
  for (Eigen::Index i = before; i < values.rows(); ++i) values.row(i) = (next++)->transpose();
  return values;
}

}  // namespace

void LiveSession::begin(std::shared_ptr<const Scenario> scenario, std::vector<Override> overrides) {
  const std::lock_guard lock(mutex_);
  scenario_ = std::move(scenario);
  overrides_ = std::move(overrides);
  columns_ = RowLayout(scenario_->setup, scenario_->initial, scenario_->channels).columns();
  rows_.clear();
  events_.clear();
  ending_.reset();
  ++state_.run;
  state_.running = true;
  state_.duration = scenario_->duration;
  state_.status = to_string(RunStatus::running);
  state_.message.clear();
  set_anchor(0.0);
  notify();
}

void LiveSession::add_row(ConstVectorRef row) {
  const std::lock_guard lock(mutex_);
  if (rows_.size() >= kMostRows) thin(rows_);
  rows_.emplace_back(row);
  changed_.notify_all();
}

void LiveSession::add_event(const EventRecord& event) {
  const std::lock_guard lock(mutex_);
  events_.push_back(event);
}

void LiveSession::wait_until_due(double time) {
  std::unique_lock lock(mutex_);
  while (!ends() && !interrupt_requested()) {
    if (state_.paused) {
      changed_.wait_for(lock, kPollInterval);
      set_anchor(time);
      continue;
    }
    const Clock::time_point now = Clock::now();
    const std::chrono::duration<double> wait((time - anchor_time_) / state_.speed);
    const auto due = anchor_ + std::chrono::duration_cast<Clock::duration>(wait);
    if (now >= due) {
      if (now - due > kForgivenLag) set_anchor(time);
      return;
    }
    changed_.wait_until(lock, std::min(due, now + kPollInterval));
  }
}

bool LiveSession::is_to_end() const {
  const std::lock_guard lock(mutex_);
  return ends();
}

void LiveSession::end(RunStatus status, const std::string& message,
                      std::shared_ptr<const ReportData> ending) {
  const std::lock_guard lock(mutex_);
  ending_ = std::move(ending);
  state_.running = false;
  state_.status = to_string(status);
  state_.message = message;
  notify();
}

std::optional<std::vector<Override>> LiveSession::wait_for_restart() {
  std::unique_lock lock(mutex_);
  while (!ends() && !interrupt_requested()) changed_.wait_for(lock, kPollInterval);
  if (closed_ || interrupt_requested()) return std::nullopt;
  auto command = std::move(restart_);
  restart_.reset();
  return command;
}

std::optional<LiveNews> LiveSession::wait_for_news(LiveViewer& viewer, Milliseconds patience) {
  std::unique_lock lock(mutex_);
  const auto is_new = [&](const VectorX& row) { return row(0) > viewer.time; };
  const auto any_news = [&] {
    return closed_ || viewer.run != state_.run || viewer.change != change_ ||
           (!rows_.empty() && is_new(rows_.back()));
  };
  if (!changed_.wait_for(lock, patience, any_news) || !scenario_) return std::nullopt;
  if (viewer.run != state_.run) viewer = {state_.run, LiveViewer().time, 0};
  LiveNews news;
  news.state = state_;
  news.scenario = scenario_;
  news.ending = ending_;
  news.rows.path = scenario_->name;
  news.rows.columns = columns_;
  const auto first = std::find_if(rows_.begin(), rows_.end(), is_new);
  if (first != rows_.end()) news.rows.values = with_start(rows_, first);
  news.rows.facts.events = events_;
  viewer.change = change_;
  if (!rows_.empty()) viewer.time = rows_.back()(0);
  return news;
}

void LiveSession::set_paused(bool paused) {
  const std::lock_guard lock(mutex_);
  state_.paused = paused;
  notify();
}

void LiveSession::set_speed(double speed) {
  const std::lock_guard lock(mutex_);
  const std::chrono::duration<double> passed = Clock::now() - anchor_;
  set_anchor(anchor_time_ + passed.count() * state_.speed);
  state_.speed = speed;
  notify();
}

std::vector<Override> LiveSession::overrides() const {
  const std::lock_guard lock(mutex_);
  return overrides_;
}

void LiveSession::restart(std::vector<Override> overrides) {
  const std::lock_guard lock(mutex_);
  restart_ = std::move(overrides);
  state_.paused = false;
  notify();
}

void LiveSession::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  notify();
}

bool LiveSession::is_closed() const {
  const std::lock_guard lock(mutex_);
  return closed_;
}

void LiveSession::set_anchor(double time) {
  anchor_ = Clock::now();
  anchor_time_ = time;
}

void LiveSession::notify() {
  ++change_;
  changed_.notify_all();
}

}  // namespace spacedyn::cli
