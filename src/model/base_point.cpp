#include "spacedyn/model/base_point.hpp"

#include <string>

namespace spacedyn {
namespace {

const char* const kKey = "placed_by";

}  // namespace

BasePoint base_point(const ModelDescription& model) {
  const auto& details = model.base.notes.details;
  return details.empty() || details.count(kKey) == 0 ? BasePoint::centroid : BasePoint::frame;
}

void set_base_point(ModelDescription& model, BasePoint point) {
  auto& details = model.base.notes.details;
  details.erase(kKey);
  if (point == BasePoint::frame) details[kKey] = kBasePointNames[1];
}

}  // namespace spacedyn
