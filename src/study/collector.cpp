#include "study/collector.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "reporting/results/metadata.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn {
namespace {

constexpr const char* kRpy = "base_rpy";
constexpr const char* kAttitude = "base/quaternion_wxyz";
/// Short names of datasets.
constexpr std::array<std::array<const char*, 2>, 7> kShortNames{
    {{"base_position", "base/position"},
     {"base_velocity", "base/velocity"},
     {"base_angular_velocity", "base/angular_velocity"},
     {"joint_position", "joints/q"},
     {"joint_velocity", "joints/qd"},
     {"joint_torque", "joints/tau"},
     {kRpy, kAttitude}}};
constexpr int kAngles = 3;

/// The dataset that a channel means, or the channel itself.
std::string dataset_of(const std::string& channel) {
  for (const auto& [name, dataset] : kShortNames) {
    if (channel == name) return dataset;
  }
  return channel;
}

/// Index of the first column of a channel, −1 if there is none; the number of its components.
std::pair<int, int> find_columns(const std::string& channel, const std::vector<Column>& columns) {
  const std::string dataset = '/' + dataset_of(channel);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name == channel) return {static_cast<int>(i), 1};
    if (columns[i].dataset != dataset) continue;
    std::size_t end = i;
    while (end < columns.size() && columns[end].dataset == dataset) ++end;
    return {static_cast<int>(i), channel == kRpy ? kAngles : static_cast<int>(end - i)};
  }
  return {-1, 0};
}

std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> keys(1);
  for (const char c : path) {
    if (c == '.') {
      keys.emplace_back();
    } else {
      keys.back() += c;
    }
  }
  return keys;
}

/// The item of a list that a key means, by position or by the member `name`.
const Json* find_item(const Json& list, const std::string& key) {
  for (const Json& item : list) {
    if (item.is_object() && item.value("name", Json()) == Json(key)) return &item;
  }
  if (key.empty() || key.size() > 8 || key.find_first_not_of("0123456789") != std::string::npos)
    return nullptr;
  const std::size_t position = std::stoul(key);
  return position < list.size() ? &list[position] : nullptr;
}

/// The number at a path of a summary; NaN where it has none.
double number_at(const Json& summary, const std::string& path) {
  const Json* at = &summary;
  for (const std::string& key : split(path)) {
    if (at->is_array()) {
      at = find_item(*at, key);
    } else {
      const auto found = at->is_object() ? at->find(key) : at->end();
      at = found == at->end() ? nullptr : &*found;
    }
    if (at == nullptr) return std::nan("");
  }
  if (at->is_boolean()) return at->get<bool>() ? 1.0 : 0.0;
  return at->is_number() ? at->get<double>() : std::nan("");
}

/// An angle as near as possible to the one before, whole turns apart.
double unwrapped(double angle, double before) {
  return angle + 2.0 * kPi * std::round((before - angle) / (2.0 * kPi));
}

}  // namespace

CollectPlan::CollectPlan(const Scenario& scenario)
    : model_(scenario.setup.model), gravity_(scenario.setup.gravity) {
  for (const Channel channel : all_channels()) {
    try {
      offers_.push_back(
          {channel, RowLayout(scenario.setup, scenario.initial, {channel}).columns()});
    } catch (const Error&) {
      // it is not available with this scenario
    }
  }
}

std::string CollectPlan::add(SweepCollect& collect) {
  std::optional<Channel> source;
  if (collect.channel.empty()) {
    const std::string first = split(collect.summary).front();
    const auto& known = summary_keys();
    if (first == "wall_seconds" || first == "real_time_factor") {
      return fmt::format(
          "expected a number that is the same each time, got '{}'; /wall_seconds has what "
          "each flight took",
          first);
    }
    if (std::find(known.begin(), known.end(), first) == known.end()) {
      return fmt::format("expected a path that begins with a key of 'simulate --json', got '{}'{}",
                         first, did_you_mean(first, known));
    }
    needs_summary_ = true;
  } else if (const std::string problem = find_channel(collect, source); !problem.empty()) {
    return problem;
  }
  collects_.push_back(collect);
  sources_.push_back(source);
  return {};
}

std::string CollectPlan::find_channel(SweepCollect& collect, std::optional<Channel>& source) {
  std::vector<std::string> names;
  for (const auto& [name, dataset] : kShortNames) names.emplace_back(name);
  for (const Offer& offer : offers_) {
    const auto [column, count] = find_columns(collect.channel, offer.columns);
    if (column >= 0 && collect.component >= count) {
      return count == 1 ? "expected no component or 0 of a single column, got " +
                              std::to_string(collect.component)
                        : fmt::format("expected a component from 0 to {}, got {}", count - 1,
                                      collect.component);
    }
    if (column >= 0) {
      const auto own = static_cast<std::size_t>(column + collect.component);
      collect.unit = collect.channel == kRpy ? "rad" : offer.columns[own].unit;
      if (collect.at == SweepCollect::At::integral) {
        collect.unit += collect.unit.empty() ? "s" : " s";
      }
      source = offer.channel;
      if (std::count(channels_.begin(), channels_.end(), offer.channel) == 0) {
        channels_.push_back(offer.channel);
        std::sort(channels_.begin(), channels_.end());
      }
      return {};
    }
    for (const Column& each : offer.columns) {
      names.push_back(each.name);
      if (!each.dataset.empty()) names.push_back(each.dataset.substr(1));
    }
  }
  return fmt::format("expected a column or a dataset of the results of the scenario, got '{}'{}",
                     collect.channel, did_you_mean(collect.channel, names));
}

std::shared_ptr<RowLayout> CollectPlan::layout_for(const Scenario& scenario) const {
  // the channels after these are about elements, which each variant has of its own
  const auto is_plain = [](Channel channel) { return channel <= Channel::joint_torque; };
  const bool is_common = scenario.setup.model == model_ && scenario.setup.gravity == gravity_ &&
                         std::all_of(channels_.begin(), channels_.end(), is_plain);
  const auto make = [&] {
    return std::make_unique<RowLayout>(scenario.setup, scenario.initial, channels_);
  };
  if (!is_common) return make();
  std::unique_ptr<RowLayout> layout;
  {
    const std::lock_guard<std::mutex> lock(spares_->mutex);
    auto& spares = spares_->layouts;
    if (!spares.empty()) {
      layout = std::move(spares.back());
      spares.pop_back();
    }
  }
  if (!layout) layout = make();
  return {layout.release(), [spares = spares_](RowLayout* used) {
            const std::lock_guard<std::mutex> lock(spares->mutex);
            spares->layouts.emplace_back(used);
          }};
}

ChannelNumber::ChannelNumber(const SweepCollect& collect, const std::vector<Column>& columns)
    : component_(collect.component) {
  const auto [first, count] = find_columns(collect.channel, columns);
  if (first < 0 || component_ >= count) return;
  column_ = first + component_;
  if (collect.channel == kRpy) quaternion_ = first;
}

double ChannelNumber::next(ConstVectorRef row) {
  if (quaternion_ < 0) return row(column_);
  const Eigen::Quaterniond attitude(row(quaternion_), row(quaternion_ + 1), row(quaternion_ + 2),
                                    row(quaternion_ + 3));
  const double angle = rpy_from_matrix(attitude.toRotationMatrix())(component_);
  last_ = is_first_ ? angle : unwrapped(angle, last_);
  is_first_ = false;
  return last_;
}

Collection::Collection(const CollectPlan& plan, const std::vector<Column>& columns)
    : plan_(plan), entries_(plan.collects().size()) {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const SweepCollect& collect = plan.collects()[i];
    if (collect.channel.empty()) continue;
    entries_[i].collect = &collect;
    entries_[i].number = ChannelNumber(collect, columns);
  }
}

void Collection::take(Entry& entry, double time, double value) const {
  using At = SweepCollect::At;
  const bool is_first = rows_ == 0;
  const double step = time - last_time_;
  double& result = entry.result;
  switch (entry.collect->at) {
    case At::end:
      result = value;
      break;
    case At::max:
      result = is_first ? value : std::max(result, value);
      break;
    case At::min:
      result = is_first ? value : std::min(result, value);
      break;
    case At::max_abs:
      result = std::max(is_first ? 0.0 : result, std::abs(value));
      break;
    case At::rms:
      result += is_first ? 0.0 : 0.5 * step * (value * value + entry.last * entry.last);
      break;
    case At::integral:
      result += is_first ? 0.0 : 0.5 * step * (value + entry.last);
      break;
    case At::time: {
      const double wanted = entry.collect->time;
      if (entry.is_complete || time < wanted) break;
      // a row of that instant is taken as it is; else both sides of the interval count
      const double part = is_first || step <= 0.0 ? 1.0 : (wanted - last_time_) / step;
      result = part == 1.0 ? value : entry.last + part * (value - entry.last);
      entry.is_complete = true;
      break;
    }
  }
  entry.last = value;
}

void Collection::write(ConstVectorRef row) {
  const double time = row(0);
  if (rows_ == 0) first_time_ = last_time_ = time;
  for (Entry& entry : entries_) {
    if (entry.number.is_there()) take(entry, time, entry.number.next(row));
  }
  last_time_ = time;
  ++rows_;
}

std::vector<double> Collection::finish(const RunRecord& record) const {
  std::vector<double> values(entries_.size(), std::nan(""));
  const Json summary = plan_.needs_summary() ? summary_object(record) : Json();
  const double length = last_time_ - first_time_;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    if (entry.collect == nullptr) {
      values[i] = number_at(summary, plan_.collects()[i].summary);
      continue;
    }
    if (!entry.number.is_there() || rows_ == 0) continue;
    const auto at = entry.collect->at;
    if (at == SweepCollect::At::time && !entry.is_complete) continue;
    values[i] = entry.result;
    if (at != SweepCollect::At::rms) continue;
    values[i] = length > 0.0 ? std::sqrt(entry.result / length) : std::abs(entry.last);
  }
  return values;
}

Samples::Samples(const CollectPlan& plan, const std::vector<Column>& columns,
                 const std::vector<double>& times)
    : times_(times), samples_(times.size() * plan.collects().size(), std::nan("")) {
  for (const SweepCollect& collect : plan.collects()) numbers_.emplace_back(collect, columns);
}

void Samples::write(ConstVectorRef row) {
  // times of rows are those that were asked for; others may come between
  const bool is_wanted = next_ < times_.size() && row(0) == times_[next_];
  for (std::size_t k = 0; k < numbers_.size(); ++k) {
    if (!numbers_[k].is_there()) continue;
    const double value = numbers_[k].next(row);
    if (is_wanted) samples_[next_ * numbers_.size() + k] = value;
  }
  if (is_wanted) ++next_;
}

std::vector<double> Samples::finish(const RunRecord& /*record*/) const { return samples_; }

}  // namespace spacedyn
