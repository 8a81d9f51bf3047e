#include "info.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/model/joint_traits.hpp"

namespace spacedyn::cli {
namespace {

Json body_json(const Body& body, int index) {
  return {{"index", index},
          {"name", body.name},
          {"mass", body.mass},
          {"center_of_mass", json_list(body.user_axes.transpose() * body.center_of_mass)},
          {"inertia", json_rows(body.user_axes.transpose() * body.inertia_L * body.user_axes)}};
}

Json joint_json(const Model& model, int index) {
  const Joint& joint = model.joint(index);
  Json json{{"name", joint.name}, {"type", joint_traits(joint.type).name}};
  if (joint.type == JointType::screw) json["pitch"] = 2.0 * kPi * joint.slide;
  json.update({{"position_limits", {joint.position_lower, joint.position_upper}},
               {"velocity_limit", joint.velocity_limit},
               {"effort_limit", joint.effort_limit},
               {"stiffness", joint.stiffness},
               {"damping", joint.damping},
               {"rest_position", joint.rest_position}});
  if (const Follower* follower = model.follower(index)) {
    json["mimic"] = {{"joint", model.joint(follower->followed).name},
                     {"ratio", follower->ratio},
                     {"offset", follower->offset}};
  }
  return json;
}

void add_incidence(const Model& model, Json& json) {
  const Topology& topology = model.topology();
  json["B"] = topology.connection();
  if (model.joint_count() <= Topology::kMaxDenseLinks) {
    json["S"] = json_rows(topology.incidence_matrix());
  }
  json["S0"] = json_list(topology.base_incidence());
  json["Se"] = json_list(topology.terminal_incidence());
}

}  // namespace

Json info_json(const Model& model) {
  const InfoTotals totals = info_totals(model);
  Json json{{"name", model.name()},
            {"fixed_base", model.has_fixed_base()},
            {"degrees_of_freedom", totals.degrees_of_freedom},
            {"mass", model.total_mass()},
            {"center_of_mass", json_list(totals.center_of_mass)}};
  if (totals.inertia) json["inertia"] = json_rows(MatrixX(*totals.inertia));
  if (totals.condition_number) json["condition_number"] = *totals.condition_number;
  json["base"] = body_json(model.body(0), 0);
  Json links = Json::array();
  for (int i = 1; i <= model.joint_count(); ++i) {
    Json link = body_json(model.body(i), i);
    link["parent"] = model.body(model.topology().connection(i)).name;
    link["joint"] = joint_json(model, i);
    links.push_back(std::move(link));
  }
  json["links"] = std::move(links);
  add_drives(model, json);
  Json frames = Json::array();
  for (const Frame& frame : model.frames()) {
    frames.push_back({{"name", frame.name}, {"link", model.body(frame.body).name}});
  }
  json["frames"] = std::move(frames);
  add_incidence(model, json);
  return json;
}

}  // namespace spacedyn::cli
