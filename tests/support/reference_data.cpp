#include "support/reference_data.hpp"

#include <fstream>
#include <map>
#include <stdexcept>

#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/model_builder.hpp"

namespace spacedyn::testing {
namespace {

std::string link_name(int link) { return link == 0 ? "base" : "link_" + std::to_string(link); }

std::size_t index(int link) { return static_cast<std::size_t>(link - 1); }

LinkDescription link_description(const nlohmann::json& model, int link) {
  const std::size_t i = index(link);
  const int parent = model.at("BB").at(i).get<int>();
  LinkDescription description;
  description.name = link_name(link);
  description.parent = link_name(parent);
  description.mass = model.at("m").at(i).get<double>();
  description.inertia = matrix_of(model.at("inertia").at(i));
  description.center_of_mass = -vector3_of(model.at("cc").at(i).at(i));
  description.joint.type =
      model.at("J_type").at(i) == "R" ? JointType::revolute : JointType::prismatic;
  description.joint.origin.rotation = matrix_from_twist(vector3_of(model.at("Qi").at(i)));
  if (parent == 0) {
    description.joint.origin.position = vector3_of(model.at("c0").at(i));
  } else {
    const std::size_t p = index(parent);
    description.joint.origin.position =
        vector3_of(model.at("cc").at(p).at(i)) - vector3_of(model.at("cc").at(p).at(p));
  }
  return description;
}

}  // namespace

const std::vector<std::string>& reference_names() {
  static const std::vector<std::string> names{"single_body", "planar_2r",     "ets7_like",
                                              "dual_arm",    "prismatic_mix", "flexible_paddles",
                                              "tree12"};
  return names;
}

const nlohmann::json& reference(const std::string& name) {
  static std::map<std::string, nlohmann::json> files;
  auto [entry, added] = files.try_emplace(name);
  if (added) {
    std::ifstream stream(std::string(SPACEDYN_TEST_DATA) + "/spacedyn/" + name + ".json");
    if (!stream) throw std::runtime_error("cannot open reference data " + name);
    stream >> entry->second;
  }
  return entry->second;
}

ModelDescription reference_description(const nlohmann::json& model) {
  ModelDescription description;
  description.name = model.at("name").get<std::string>();
  description.base.name = link_name(0);
  description.base.mass = model.at("m0").get<double>();
  description.base.inertia = matrix_of(model.at("inertia0"));
  const int n = model.at("num_q").get<int>();
  for (int link = 1; link <= n; ++link) {
    description.links.push_back(link_description(model, link));
    if (model.at("SE").at(index(link)) == 0) continue;
    FrameDescription endpoint;
    endpoint.name = "endpoint_" + std::to_string(link);
    endpoint.link = link_name(link);
    endpoint.origin.position = vector3_of(model.at("ce").at(index(link))) -
                               vector3_of(model.at("cc").at(index(link)).at(index(link)));
    endpoint.origin.rotation = matrix_from_twist(vector3_of(model.at("Qe").at(index(link))));
    description.frames.push_back(endpoint);
  }
  return description;
}

Model reference_model(const nlohmann::json& model) {
  return ModelBuilder(reference_description(model)).build();
}

ReferenceInputs reference_inputs(const Model& model, const nlohmann::json& inputs) {
  ReferenceInputs result{State(model), Loads(model), Loads(model), VectorX(model.velocity_size())};
  State& state = result.state;
  state.r_0 = vector3_of(inputs.at("R0"));
  state.A_0 = matrix_of(inputs.at("A0"));
  state.v_0 = vector3_of(inputs.at("v0"));
  state.omega_0 = vector3_of(inputs.at("w0"));
  state.q = vector_of(inputs.at("q"));
  state.qd = vector_of(inputs.at("qd"));
  result.acceleration << vector3_of(inputs.at("vd0")), vector3_of(inputs.at("wd0")),
      vector_of(inputs.at("qdd"));

  result.wrenches.gravity = vector3_of(inputs.at("Gravity"));
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  for (const Frame& frame : model.frames()) {
    const std::size_t i = index(frame.body);
    result.wrenches.add_wrench(frame.body, frames.r[i + 1], frame_position(frames, frame),
                               vector3_of(inputs.at("Fe").at(i)),
                               vector3_of(inputs.at("Te").at(i)));
  }
  result.loads = result.wrenches;
  result.loads.F_b << vector3_of(inputs.at("F0")), vector3_of(inputs.at("T0"));
  result.loads.tau = vector_of(inputs.at("tau"));
  return result;
}

VectorX vector_of(const nlohmann::json& list) {
  const auto values = list.get<std::vector<double>>();
  return Eigen::Map<const VectorX>(values.data(), static_cast<Eigen::Index>(values.size()));
}

Vector3 vector3_of(const nlohmann::json& list) { return vector_of(list); }

MatrixX matrix_of(const nlohmann::json& rows) {
  if (rows.empty()) return {};
  MatrixX matrix(rows.size(), rows.front().size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    matrix.row(static_cast<Eigen::Index>(row)) = vector_of(rows[row]).transpose();
  }
  return matrix;
}

double relative_difference(const MatrixX& actual, const MatrixX& expected) {
  if (actual.size() == 0 && expected.size() == 0) return 0.0;
  if (actual.rows() != expected.rows() || actual.cols() != expected.cols()) {
    return std::numeric_limits<double>::infinity();
  }
  return (actual - expected).cwiseAbs().maxCoeff() / std::max(1.0, expected.cwiseAbs().maxCoeff());
}

}  // namespace spacedyn::testing
