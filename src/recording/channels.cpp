#include "spacedyn/recording/channels.hpp"

namespace spacedyn {

const std::vector<Channel>& all_channels() {
  static const std::vector<Channel> channels{Channel::state, Channel::momentum, Channel::energy,
                                             Channel::frames, Channel::joint_torque};
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
  }
  return "";
}

}  // namespace spacedyn
