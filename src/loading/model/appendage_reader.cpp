#include <algorithm>

#include "loading/keys/geometry.hpp"
#include "loading/model/body_reader.hpp"
#include "loading/model/model_assembly.hpp"
#include "loading/model/model_reader.hpp"
#include "loading/schema/schema_definition.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/model/modal_appendage.hpp"

namespace spacedyn::loading {
namespace {

Mapping<AppendageMode> mode_keys() {
  using namespace kind;
  using Mode = AppendageMode;
  Mapping<Mode> keys("A mode of modal mass 1");
  keys.require("frequency", &Mode::frequency,
               number(positive(kRate), "Of the clamped mode, rad/s"));
  keys.allow("damping_ratio", &Mode::damping_ratio,
             number(not_negative(kNumber), "Over the critical one, default 0"));
  keys.allow("translation", &Mode::translation, vector(in("√kg"), "Participation, √kg"));
  keys.allow("rotation", &Mode::rotation,
             vector(in("√kg m"), "Participation about the root, √kg m"));
  return keys;
}

Mapping<ModalAppendageDescription> appendage_keys() {
  using namespace kind;
  using Appendage = ModalAppendageDescription;
  Mapping<Appendage> keys(
      "A flexible appendage by its rigid mass properties and some of its clamped modes");
  keys.require("name", &Appendage::name, name());
  keys.merge(body_keys(Presence::required, false));
  keys.require("parent", &Appendage::parent, text("Name of the base or of a link"));
  keys.allow("origin", &Appendage::origin, pose());
  keys.require("modes", &Appendage::modes, list(mapping(once<mode_keys>()), "a list of modes", 1));
  return keys.keep_notes();
}

}  // namespace

extern const SchemaDefinition kModalAppendageDefinition{"modal_appendage",
                                                        schema_of<appendage_keys>};

void ModelReader::read_modal_appendage(const Value& value, ReadContext& context,
                                       ReadModel& result) {
  ModalAppendageDescription appendage;
  if (!read_part<appendage_keys>(value, context, result, appendage, validate_modal_appendage)) {
    return;
  }
  try {
    add_modal_appendage(result.description, appendage);
  } catch (const DomainError& error) {
    const Value place = descend(value, "parent");
    context.problems.error(place.node->mark, place.path,
                           std::string("expected a body that can carry it, got ") +
                               describe(*place.node) + ": " + error.what());
    result.lost_names.push_back(appendage.name);
    return;
  }
  double lowest = appendage.modes.front().frequency;
  for (const AppendageMode& mode : appendage.modes) lowest = std::min(lowest, mode.frequency);
  result.modal_appendages.push_back({appendage.name, lowest});
  result.links.resize(result.description.links.size(), {value, std::nullopt});
  result.frames.resize(result.description.frames.size(), {value, std::nullopt});
}

}  // namespace spacedyn::loading
