#include "spacedyn/recording/channels.hpp"

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

}  // namespace spacedyn
