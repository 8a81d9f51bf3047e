#include <algorithm>

#include "loading/body_reader.hpp"
#include "loading/geometry.hpp"
#include "loading/model_assembly.hpp"
#include "loading/model_reader.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/model/modal_appendage.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kTranslation{Dimension::none, Range::any, false, "√kg"};
constexpr Quantity kRotation{Dimension::none, Range::any, false, "√kg m"};

AppendageMode read_mode(const Value& value, ReadContext& context) {
  MapReader map(value, context);
  AppendageMode mode;
  mode.frequency = map.required_number("frequency", quantity::kRate.within(Range::positive));
  mode.damping_ratio =
      map.number("damping_ratio", quantity::kNumber.within(Range::not_negative), 0.0);
  mode.translation = map.vector3("translation", kTranslation, Vector3::Zero());
  mode.rotation = map.vector3("rotation", kRotation, Vector3::Zero());
  map.finish();
  return mode;
}

ModalAppendageDescription read_appendage(const Value& value, ReadContext& context) {
  MapReader map(value, context);
  ModalAppendageDescription appendage;
  read_body(map, true, appendage, false);
  appendage.parent = map.required_text("parent");
  if (const auto origin = map.find("origin")) appendage.origin = read_pose(*origin, context);
  if (const auto modes = map.require("modes", "a list of modes")) {
    for_each_item(*modes, context.problems,
                  [&](const Value& item) { appendage.modes.push_back(read_mode(item, context)); });
  }
  map.finish();
  appendage.notes = map.take_notes();
  return appendage;
}

}  // namespace

void ModelReader::read_modal_appendage(const Value& value, ReadContext& context,
                                       ReadModel& result) {
  const std::size_t errors_before = context.problems.error_count();
  const ModalAppendageDescription appendage = read_appendage(value, context);
  if (context.problems.error_count() == errors_before) {
    for (const Problem& problem : validate_modal_appendage(appendage, "appendage")) {
      const Value place = descend(value, problem.path.substr(sizeof("appendage.") - 1));
      context.problems.add(problem.severity, place.node->mark, place.path, problem.message,
                           problem.hint);
    }
  }
  if (context.problems.error_count() > errors_before) {
    result.names_are_complete = false;
    return;
  }
  try {
    add_modal_appendage(result.description, appendage);
  } catch (const DomainError& error) {
    const Value place = descend(value, "parent");
    context.problems.error(place.node->mark, place.path,
                           std::string("expected a body that can carry it, got ") +
                               describe(*place.node) + ": " + error.what());
    result.names_are_complete = false;
    return;
  }
  double lowest = appendage.modes.front().frequency;
  for (const AppendageMode& mode : appendage.modes) lowest = std::min(lowest, mode.frequency);
  result.modal_appendages.push_back({appendage.name, lowest});
  result.links.resize(result.description.links.size(), {value, std::nullopt});
  result.frames.resize(result.description.frames.size(), {value, std::nullopt});
}

}  // namespace spacedyn::loading
