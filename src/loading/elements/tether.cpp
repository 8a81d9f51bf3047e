#include "spacedyn/control/winch_tether.hpp"

#include <algorithm>

#include "loading/elements/force_types.hpp"
#include "loading/scenario/reference_reader.hpp"
#include "loading/scenario/shared_keys.hpp"

namespace spacedyn::loading {
namespace {

struct TetherKeys : Tether::Settings {
  std::shared_ptr<const Reference> winch;
};

std::string winch_schema() {
  MappingSchema schema("In place of rest_length: what the length without force follows");
  return schema.require("reference", reference_schema("reference")).text();
}

bool read_winch(Reading& reading, TetherKeys& tether) {
  const auto value = reading.map.find("winch");
  if (!value) return true;
  reading.map.refuse("rest_length", "the winch sets it");
  MapReader own(*value, reading.map.context());
  const auto reference = own.require("reference", "a reference");
  own.finish();
  if (!reference || !reading.scenario->model || !(tether.stiffness > 0.0)) return false;
  ReferenceFrame frame;
  frame.add(quantity::kLength, quantity::kVelocity, quantity::kAcceleration);
  frame.start = VectorX::Constant(1, Tether("", tether).length(start_frames(*reading.scenario)));
  tether.winch = read_reference(*reference, frame, reading.map.context());
  return tether.winch != nullptr;
}

Mapping<TetherKeys> tether_keys() {
  using namespace kind;
  using Settings = TetherKeys;
  Mapping<Settings> keys("A tether that pulls and never pushes");
  keys.require("from", &Settings::from, point());
  keys.require("to", &Settings::to, point());
  keys.allow(
      "via", &Settings::via,
      list(point(), "a list of points", 0, "Points between the ends, through which it slides"));
  keys.require("stiffness", &Settings::stiffness,
               number(positive(kLinearStiffness), "Stiffness of the whole, N/m"));
  keys.allow("damping", &Settings::damping,
             number(not_negative(in("N s/m")), "Damping, N s/m, default 0"));
  keys.allow("rest_length", &Settings::rest_length,
             number(not_negative(kLength), "Length without force, m, default that of the start"));
  keys.group({[](MappingSchema& schema) {
                schema.allow("winch", winch_schema())
                    .add_rule(at_most_one_key_rule({"rest_length", "winch"}));
              },
              read_winch});
  keys.check([](Settings& tether, Reading& reading) {
    const int body = tether.from.body;
    const auto is_elsewhere = [body](const Frame& point) { return point.body != body; };
    if (is_elsewhere(tether.to) ||
        std::any_of(tether.via.begin(), tether.via.end(), is_elsewhere)) {
      return;
    }
    reading.map.error_at("to", "expected points of two bodies, got points that are all on '" +
                                   reading.scenario->model->body(body).name + "'");
  });
  return keys;
}

void add_tether(Reading& reading, const std::string& name, TetherKeys& tether) {
  if (tether.winch) {
    return reading.scenario->add_force(
        std::make_shared<WinchTether>(name, tether, std::move(tether.winch)));
  }
  if (!reading.map.has("rest_length")) {
    tether.rest_length = Tether(name, tether).length(start_frames(*reading.scenario));
  }
  reading.scenario->add_force(std::make_shared<Tether>(name, tether));
}

}  // namespace

extern const ForceType kTetherType = force_type<tether_keys>("tether", add_tether);

}  // namespace spacedyn::loading
