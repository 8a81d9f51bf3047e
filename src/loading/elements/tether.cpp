#include "spacedyn/forces/tether.hpp"

#include <algorithm>

#include "loading/elements/force_types.hpp"
#include "loading/scenario/shared_keys.hpp"

namespace spacedyn::loading {
namespace {

Mapping<Tether::Settings> tether_keys() {
  using namespace kind;
  using Settings = Tether::Settings;
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

void add_tether(Reading& reading, const std::string& name, Tether::Settings& tether) {
  if (!reading.map.has("rest_length")) {
    tether.rest_length = Tether(name, tether).length(start_frames(*reading.scenario));
  }
  reading.scenario->add_force(std::make_shared<Tether>(name, tether));
}

}  // namespace

extern const ForceType kTetherType = force_type<tether_keys>("tether", add_tether);

}  // namespace spacedyn::loading
