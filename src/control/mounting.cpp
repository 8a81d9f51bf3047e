#include "control/mounting.hpp"

#include <algorithm>

#include "model/description_tree.hpp"

namespace spacedyn {
namespace {

/// Axes of a link that is, or is merged into, a body; those of the body under another name.
Matrix3 axes_of(const Model& model, const std::string& link, int body) {
  const auto frame = model.find_frame(link);
  return frame && frame->body == body ? frame->rotation : model.body(body).user_axes;
}

}  // namespace

Matrix3 axes_of_carrier(const Model& model, int joint) {
  const std::vector<LinkDescription>& links = model.description().links;
  const auto carried = std::find_if(links.begin(), links.end(), [&](const LinkDescription& link) {
    return joint_name(link) == model.joint(joint).name;
  });
  const int body = model.topology().connection(joint);
  return axes_of(model, carried == links.end() ? "" : carried->parent, body);
}

Matrix3 axes_of_owner(const Model& model, const Frame& point) {
  const std::vector<FrameDescription>& frames = model.description().frames;
  const auto named = std::find_if(frames.begin(), frames.end(), [&](const FrameDescription& frame) {
    return frame.name == point.name;
  });
  if (named != frames.end()) return axes_of(model, named->link, point.body);
  // a point on a link itself has the axes of the link
  const auto itself = model.find_frame(point.name);
  return itself && itself->body == point.body ? itself->rotation : model.body(point.body).user_axes;
}

}  // namespace spacedyn
