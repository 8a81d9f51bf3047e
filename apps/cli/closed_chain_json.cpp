#include "closed_chain_json.hpp"

#include "spacedyn/constraints/closed_chain.hpp"
#include "spacedyn/state/followers.hpp"

namespace spacedyn::cli {
namespace {

Json null_space_json(const Model& model, const State& state, const ClosedChain& chain,
                     Reaction reaction) {
  return json_rows(reaction_null_space(model, state, reaction, chain).coupling.kernel_basis());
}

std::vector<int> actuated_joints(const Model& model, const EvaluationInput& input) {
  if (input.actuated) return *input.actuated;
  return model.coordinates();
}

Json inverse_dynamics_json(const Model& model, const EvaluationInput& input,
                           const ClosedChain& chain) {
  const ClosedInverseDynamics found = closed_inverse_dynamics(
      model, input.state, chain, input.acceleration, input.loads, actuated_joints(model, input));
  // those of joints that follow others are the last ones
  const Eigen::Index rows =
      found.multipliers.size() - static_cast<Eigen::Index>(model.followers().size());
  return {{"qdd", json_list(own_motion(model, found.acceleration.tail(model.joint_count())))},
          {"F0", json_list(found.F_b.head<3>())},
          {"T0", json_list(found.F_b.tail<3>())},
          {"tau", json_list(own_motion(model, found.tau))},
          {"multipliers", json_list(found.multipliers.head(rows))}};
}

}  // namespace

Json closed_chain_json(const Model& model, const EvaluationInput& input) {
  const ClosedChain chain = closed_chain(model, input.state);
  Json json;
  json["independent"] = Json::array();
  for (const int joint : chain.independent) json["independent"].push_back(model.joint(joint).name);
  MatrixX G(static_cast<Eigen::Index>(model.coordinates().size()), chain.G.cols());
  for (Eigen::Index j = 0; j < G.cols(); ++j) G.col(j) = own_motion(model, chain.G.col(j));
  json["G"] = json_rows(G);
  json["g"] = json_list(own_motion(model, chain.g));
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
