#include "spacedyn/recording/channels.hpp"

namespace spacedyn {

const std::vector<Channel>& all_channels() {
  static const std::vector<Channel> channels{
      Channel::state,          Channel::momentum,        Channel::energy,
      Channel::frames,         Channel::joint_torque,    Channel::element_energy,
      Channel::frame_twists,   Channel::singular_values, Channel::modal_energy,
      Channel::element_forces, Channel::constraints,     Channel::wheels,
      Channel::contacts,       Channel::actuators,       Channel::sensors};
  return channels;
}

const std::vector<Channel>& default_channels() {
  static const std::vector<Channel> channels(all_channels().begin(), all_channels().begin() + 6);
  return channels;
}

std::string_view to_string(Channel channel) {
  switch (channel) {
    case Channel::state:
      return "state";
    case Channel::momentum:
      return "momentum";
    case Channel::energy:
      return "energy";
    case Channel::frames:
      return "frames";
    case Channel::joint_torque:
      return "joint_torque";
    case Channel::element_energy:
      return "element_energy";
    case Channel::frame_twists:
      return "frame_twists";
    case Channel::singular_values:
      return "singular_values";
    case Channel::modal_energy:
      return "modal_energy";
    case Channel::element_forces:
      return "element_forces";
    case Channel::constraints:
      return "constraints";
    case Channel::wheels:
      return "wheels";
    case Channel::contacts:
      return "contacts";
    case Channel::actuators:
      return "actuators";
    case Channel::sensors:
      return "sensors";
  }
  return "";
}

}  // namespace spacedyn
