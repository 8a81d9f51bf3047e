#include <cmath>

#include "linear_answer.hpp"
#include "spacedyn/state/followers.hpp"

namespace spacedyn::cli {
namespace {

Json mode_json(const EigenMode& mode) {
  Json json;
  json["eigenvalue"] = {mode.eigenvalue.real(), mode.eigenvalue.imag()};
  json["omega"] = mode.omega;
  json["frequency"] = mode.frequency();
  json["damping_ratio"] = mode.damping_ratio;
  json["shape_real"] = json_list(mode.shape.real());
  json["shape_imaginary"] = json_list(mode.shape.imag());
  return json;
}

Json point_json(const Model& model, const LinearPoint& point) {
  const Linearization& linear = point.linear;
  Json json;
  json["time"] = linear.time;
  json["state"] = state_json(model, point.state);
  json["states"] = linear.state_names;
  json["inputs"] = linear.input_names;
  json["outputs"] = linear.output_names;
  json["rate"] = json_list(linear.rate);
  json["A"] = json_rows(linear.A);
  json["B"] = json_rows(linear.B);
  json["C"] = json_rows(linear.C);
  json["H"] = json_rows(own_matrix(model, linear.H));
  json["D"] = json_rows(own_matrix(model, linear.D));
  json["K"] = json_rows(own_matrix(model, linear.K));
  json["modes"] = Json::array();
  for (const EigenMode& mode : eigenmodes(linear.A)) json["modes"].push_back(mode_json(mode));
  json["not_smooth"] = linear.rough;
  return json;
}

}  // namespace

Json state_json(const Model& model, const State& state) {
  Json json;
  json["r0"] = json_list(state.r_0);
  json["A0"] = json_rows(state.A_0);
  json["v0"] = json_list(state.v_0);
  json["w0"] = json_list(state.omega_0);
  json["q"] = json_list(own_motion(model, state.q));
  json["qd"] = json_list(own_motion(model, state.qd));
  return json;
}

Json linear_json(const LinearAnswer& answer) {
  Json json;
  json["name"] = answer.name;
  json["joint_order"] = Json::array();
  for (const int i : answer.model->coordinates()) {
    json["joint_order"].push_back(answer.model->joint(i).name);
  }
  json["points"] = Json::array();
  for (const LinearPoint& point : answer.points)
    json["points"].push_back(point_json(*answer.model, point));
  return json;
}

}  // namespace spacedyn::cli
