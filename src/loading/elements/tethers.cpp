#include <algorithm>
#include <cmath>

#include "loading/elements/force_types.hpp"
#include "spacedyn/control/rheonomic_distance.hpp"
#include "spacedyn/kinematics/points.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "spacedyn/state/robot_state.hpp"

namespace spacedyn::loading {
namespace {

constexpr int kMostLumps = 1000;
constexpr const char* kLumpsExpected = "a whole number from 1 to 1000";
/// Beads that pictures show, of the distance between them.
constexpr double kBead = 0.05;

/// Of a lump, from 1 on, and of the piece behind it, from 0 on.
std::string lump_name(const std::string& tether, int k) { return tether + '_' + std::to_string(k); }

/// Part of the length before a lump, from 0 on: the middle of its piece.
double lump_place(int k, int count) { return (k + 0.5) / count; }

/// A point of a robot at its start; nothing where there is none.
std::optional<Vector3> place_of(const std::vector<RobotStart>& robots, const std::string& point) {
  const std::size_t dot = point.find('.');
  for (const RobotStart& robot : robots) {
    if (dot == std::string::npos || robot.name != point.substr(0, dot)) continue;
    const Model& model = robot.model();
    const auto frame = model.find_frame(point.substr(dot + 1));
    if (!frame) continue;
    LinkFrames frames(model);
    compute_link_frames(model, robot.initial, frames);
    return frame_position(frames, *frame);
  }
  return std::nullopt;
}

/// A ball; its inertia is that of a piece of the tether and has no effect, for nothing turns it.
std::shared_ptr<const Model> lump_model(const std::string& name, double mass, double piece) {
  BaseDescription base;
  base.name = "lump";
  base.mass = mass;
  base.inertia = mass * std::max(piece * piece, 1e-6) / 12.0 * Matrix3::Identity();
  base.visuals = {{"sphere", {kBead * std::max(piece, 1e-3), 0.0, 0.0}, "", {}, "#8a8f98"}};
  return std::make_shared<const Model>(ModelBuilder(name).set_base(base).build());
}

struct TetherKeys : Tether::Settings {
  std::shared_ptr<const Reference> winch;
  double mass = 0.0;
  int lumps = 0;
};

Json winch_schema() {
  return MappingSchema("In place of rest_length: what the length without force follows")
      .require("reference", reference_schema("reference"));
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
  frame.motions = {JointType::prismatic};
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
  keys.require("stiffness", &Settings::stiffness, positive(kLinearStiffness),
               "Stiffness of the whole, N/m");
  keys.allow("damping", &Settings::damping, not_negative(in("N s/m")), "Damping, N s/m, default 0");
  keys.allow("rest_length", &Settings::rest_length, not_negative(kLength),
             "Length without force, m, default that of the start");
  keys.group({[](MappingSchema& schema) {
                schema.allow("winch", winch_schema())
                    .add_rule(at_most_one_key_rule({"rest_length", "winch"}));
              },
              read_winch});
  const Json straight =
      Json::array({if_rule(required_rule({"lumps"}), no_key_rule({"winch", "via"}))});
  keys.check_keys({{"allOf", straight}}, [](MapReader& map) {
    for (const char* key : {"winch", "via"}) {
      if (map.has("lumps")) map.refuse(key, "a tether with mass runs straight, at its own length");
    }
  });
  keys.allow("mass", &Settings::mass, positive(kMass), "Of the whole with its lumps, kg");
  keys.with("lumps", "a tether without lumps has no mass");
  keys.allow("lumps", &Settings::lumps,
             whole_number<int>(1, kMostLumps, kLumpsExpected,
                               "Equal point masses along it, robots of the scenario"));
  keys.with("mass", "lumps have a mass");
  keys.check([](Settings& tether, Reading& reading) {
    if (tether.lumps > 0) return;  // they are bodies, too
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

/// The pieces of the tether between lumps, and half pieces at its ends: they have the stiffness,
/// the damping and the length of the whole together.
void add_chain(Reading& reading, const std::string& name, const TetherKeys& tether) {
  ScenarioContext& scenario = *reading.scenario;
  const Model& model = *scenario.model;
  if (!scenario.has_several_robots()) {
    reading.map.error_at("lumps",
                         "expected 'robots', of which lumps are some, got a single 'model'",
                         "a list with one robot will do");
    return;
  }
  const LinkMotion start(model, scenario.initial());
  const Vector3 from = frame_position(start.frames, tether.from);
  const Vector3 to = frame_position(start.frames, tether.to);
  const Vector3 from_rate = point_velocity(start.frames, start.velocities, tether.from);
  const Vector3 to_rate = point_velocity(start.frames, start.velocities, tether.to);
  if (from == to) {
    reading.map.error_at("to",
                         "expected a point away from 'from' at the start, along which lumps "
                         "lie, got the same place");
    return;
  }
  Frame last = tether.from;
  for (int k = 0; k <= tether.lumps; ++k) {
    Frame next = tether.to;
    if (k < tether.lumps) {
      const Robot& robot = *model.find_robot(lump_name(name, k + 1));
      next = robot.base;
      const double part = lump_place(k, tether.lumps);
      set_base_motion(model, robot,
                      {from + part * (to - from), Matrix3::Identity(),
                       from_rate + part * (to_rate - from_rate), Vector3::Zero()},
                      scenario.initial());
    }
    const bool is_end = k == 0 || k == tether.lumps;
    const double part = (is_end ? 0.5 : 1.0) / tether.lumps;
    scenario.add_force(
        std::make_shared<Tether>(lump_name(name, k), Tether::Settings{last,
                                                                      next,
                                                                      {},
                                                                      tether.stiffness / part,
                                                                      tether.damping / part,
                                                                      part * tether.rest_length}));
    last = next;
  }
}

void add_tether(Reading& reading, const std::string& name, TetherKeys& tether) {
  if (tether.winch) {
    return reading.scenario->add_force(
        std::make_shared<WinchTether>(name, tether, std::move(tether.winch)));
  }
  if (!reading.map.has("rest_length")) {
    tether.rest_length = Tether(name, tether).length(start_frames(*reading.scenario));
  }
  if (tether.lumps > 0) return add_chain(reading, name, tether);
  reading.scenario->add_force(std::make_shared<Tether>(name, tether));
}

}  // namespace

// What is wrong with a tether is reported where forces are read.
void add_lumps(const Node& scenario, std::vector<RobotStart>& robots) {
  const Entry* forces = scenario.find("forces");
  if (forces == nullptr) return;
  ProblemList unheard;
  const std::size_t count = robots.size();
  for (std::size_t i = 0; i < forces->value->items.size(); ++i) {
    const Node& item = *forces->value->items[i];
    if (item.text_at("type") != "tether") continue;
    const Entry *mass = item.find("mass"), *lumps = item.find("lumps");
    if (mass == nullptr || lumps == nullptr) continue;
    const auto kilograms = read_number({mass->value.get(), ""}, quantity::kMass, unheard);
    const auto number = read_number({lumps->value.get(), ""}, quantity::kNumber, unheard);
    if (!kilograms || !number || !(*kilograms > 0.0)) continue;
    if (!(*number >= 1.0 && *number <= kMostLumps) || *number != std::floor(*number)) continue;
    const std::vector<RobotStart> carriers(robots.begin(),
                                           robots.begin() + static_cast<std::ptrdiff_t>(count));
    // ends that are not there are put anywhere
    const Vector3 from = place_of(carriers, item.text_at("from")).value_or(Vector3::Zero());
    const Vector3 to = place_of(carriers, item.text_at("to")).value_or(Vector3::Zero());
    const int n = static_cast<int>(*number);
    std::string name = item.text_at("name");
    if (name.empty()) name = "tether_" + std::to_string(i);
    for (int k = 0; k < n; ++k) {
      RobotStart lump;
      lump.name = lump_name(name, k + 1);
      lump.setup.model = lump_model(lump.name, *kilograms / n, (to - from).norm() / n);
      lump.initial = State(lump.model());
      lump.initial.r_0 = from + lump_place(k, n) * (to - from);
      robots.push_back(std::move(lump));
    }
  }
}

extern const ForceType kTetherType = force_type<tether_keys>("tether", add_tether);

}  // namespace spacedyn::loading
