#include "spacedyn/recording/channels.hpp"

#include <cmath>

#include <fmt/format.h>

#include "spacedyn/error.hpp"
#include "spacedyn/recording/result_format.hpp"

namespace spacedyn {
namespace {

struct ChannelName {
  Channel channel;
  std::string_view name;
};

// in the order of their columns
constexpr ChannelName kChannelNames[] = {{Channel::state, "state"},
                                         {Channel::momentum, "momentum"},
                                         {Channel::energy, "energy"},
                                         {Channel::frames, "frames"},
                                         {Channel::joint_torque, "joint_torque"},
                                         {Channel::element_energy, "element_energy"},
                                         {Channel::frame_twists, "frame_twists"},
                                         {Channel::singular_values, "singular_values"},
                                         {Channel::modal_energy, "modal_energy"},
                                         {Channel::element_forces, "element_forces"},
                                         {Channel::constraints, "constraints"},
                                         {Channel::wheels, "wheels"},
                                         {Channel::contacts, "contacts"},
                                         {Channel::actuators, "actuators"},
                                         {Channel::sensors, "sensors"},
                                         {Channel::accelerations, "accelerations"},
                                         {Channel::links, "links"},
                                         {Channel::joint_reactions, "joint_reactions"}};

/// A state may be finite where what follows from it is not, for instance its energy.
[[noreturn]] void refuse_row(const std::vector<Column>& columns, const VectorX& row, double time) {
  std::size_t i = 0;
  while (std::isfinite(row(static_cast<Eigen::Index>(i)))) ++i;
  throw NumericalError(fmt::format("integration stopped at t = {:.9g} s: '{}' is not finite, its "
                                   "row is not written",
                                   time, columns[i].name),
                       time, 0, columns[i].name);
}

}  // namespace

const std::vector<Channel>& all_channels() {
  static const std::vector<Channel> channels = [] {
    std::vector<Channel> all;
    for (const ChannelName& each : kChannelNames) all.push_back(each.channel);
    return all;
  }();
  return channels;
}

const std::vector<Channel>& default_channels() {
  static const std::vector<Channel> channels(all_channels().begin(), all_channels().begin() + 6);
  return channels;
}

std::string_view to_string(Channel channel) {
  for (const ChannelName& each : kChannelNames) {
    if (each.channel == channel) return each.name;
  }
  return "";
}

const std::vector<ResultFormat>& all_result_formats() {
  static const std::vector<ResultFormat> formats{ResultFormat::hdf5, ResultFormat::csv};
  return formats;
}

std::string_view to_string(ResultFormat format) {
  return format == ResultFormat::hdf5 ? "hdf5" : "csv";
}

std::string_view extension(ResultFormat format) {
  return format == ResultFormat::hdf5 ? ".h5" : ".csv";
}

RowSink::~RowSink() = default;

Recorder::Recorder(RowLayout& layout, RowSink& sink)
    : layout_(layout), sink_(sink), row_(static_cast<Eigen::Index>(layout.columns().size())) {}

void Recorder::on_output(const SimulationPoint& point) {
  layout_.fill(point, row_);
  if (!row_.allFinite()) refuse_row(layout_.columns(), row_, point.time);
  sink_.write(row_);
}

bool Recorder::on_step(double /*time*/, const IntegratorStatistics& /*statistics*/) {
  sink_.poll();
  return true;
}

}  // namespace spacedyn
