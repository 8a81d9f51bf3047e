#include "closed_chain_json.hpp"

#include <numeric>

#include "spacedyn/constraints/closed_chain.hpp"

namespace spacedyn::cli {
namespace {

Json null_space_json(const Model& model, const State& state, const ClosedChain& chain,
                     Reaction reaction) {
  return json_rows(reaction_null_space(model, state, reaction, chain).coupling.kernel_basis());
}

std::vector<int> actuated_joints(const Model& model, const EvaluationInput& input) {
  if (input.actuated) return *input.actuated;
  std::vector<int> all(static_cast<std::size_t>(model.joint_count()));
  std::iota(all.begin(), all.end(), 1);
  return all;
}

Json inverse_dynamics_json(const Model& model, const EvaluationInput& input,
                           const ClosedChain& chain) {
  const ClosedInverseDynamics found = closed_inverse_dynamics(
      model, input.state, chain, input.acceleration, input.loads, actuated_joints(model, input));
  return {{"qdd", json_list(found.acceleration.tail(model.joint_count()))},
          {"F0", json_list(found.F_b.head<3>())},
          {"T0", json_list(found.F_b.tail<3>())},
          {"tau", json_list(found.tau)},
          {"multipliers", json_list(found.multipliers)}};
}

}  // namespace

Json closed_chain_json(const Model& model, const EvaluationInput& input) {
  const ClosedChain chain = closed_chain(model, input.state);
  Json json;
  json["independent"] = Json::array();
  for (const int joint : chain.independent) json["independent"].push_back(model.joint(joint).name);
  json["G"] = json_rows(chain.G);
  json["g"] = json_list(chain.g);
  json["H_star"] = json_rows(chain.H_star);
  json["generalized_jacobian"] = Json::object();
  for (const Frame& frame : model.frames()) {
    json["generalized_jacobian"][frame.name] =
        json_rows(generalized_jacobian(model, input.state, frame, chain));
  }
  json["reaction_null_space"] = {
      {"angular", null_space_json(model, input.state, chain, Reaction::angular)},
      {"full", null_space_json(model, input.state, chain, Reaction::full)}};
  json["inverse_dynamics"] = inverse_dynamics_json(model, input, chain);
  return json;
}

}  // namespace spacedyn::cli
