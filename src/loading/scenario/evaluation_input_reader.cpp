#include <algorithm>

#include "loading/keys/geometry.hpp"
#include "loading/keys/session.hpp"
#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/loading/evaluation_input.hpp"
#include "spacedyn/state/followers.hpp"

namespace spacedyn {
namespace {

using namespace loading;

/// What the elements of a joint vector are: positions, rates, accelerations or efforts.
struct JointQuantity {
  Quantity revolute;
  Quantity prismatic;

  const Quantity& of(const Joint& joint) const {
    return joint.type == JointType::prismatic ? prismatic : revolute;
  }
};

constexpr JointQuantity kPosition{quantity::kAngle, quantity::kLength};
constexpr JointQuantity kRate{quantity::kRate, quantity::kVelocity};
constexpr JointQuantity kAcceleration{quantity::kAngularAcceleration, quantity::kAcceleration};
constexpr JointQuantity kEffort{quantity::kTorque, quantity::kForce};

/// Reads one state of a model.
class InputReader {
 public:
  InputReader(const Value& value, const Model& model, ReadContext& context)
      : model_(model), map_(value, context) {}

  EvaluationInput read() {
    EvaluationInput input{State(model_), VectorX::Zero(model_.velocity_size()), Loads(model_)};
    read_state(input.state);
    input.acceleration << vector("vd0", quantity::kAcceleration),
        vector("wd0", quantity::kAngularAcceleration), joints("qdd", kAcceleration);
    follow(model_, input.acceleration);
    input.loads.gravity = vector("gravity", quantity::kAcceleration);
    input.loads.F_b << vector("F0", quantity::kForce), vector("T0", quantity::kTorque);
    input.loads.tau = joints("tau", kEffort);
    if (const auto wrenches = map_.find("wrenches")) read_wrenches(*wrenches, input);
    if (const auto actuated = map_.find("actuated")) input.actuated = read_actuated(*actuated);
    check_joint_order();
    map_.finish();
    return input;
  }

 private:
  void read_state(State& state) {
    state.A_0 = read_attitude();
    state.r_0 = map_.vector3("r0", quantity::kLength, state.A_0 * state.r_0);
    state.v_0 = vector("v0", quantity::kVelocity);
    state.omega_0 = vector("w0", quantity::kRate);
    state.q = joints("q", kPosition);
    state.qd = joints("qd", kRate);
    follow(model_, state);
  }

  Vector3 vector(std::string_view key, const Quantity& quantity) {
    return map_.vector3(key, quantity, Vector3::Zero());
  }

  Matrix3 read_attitude() {
    static const std::vector<OrientationKey> keys{{"A0", OrientationForm::matrix},
                                                  {"rpy", OrientationForm::rpy},
                                                  {"quaternion", OrientationForm::quaternion}};
    return read_orientation(map_, keys).value_or(Matrix3::Identity());
  }

  VectorX joints(std::string_view key, const JointQuantity& quantity) {
    VectorX vector = VectorX::Zero(model_.joint_count());
    const auto value = map_.find(key);
    if (!value) return vector;
    if (value->node->is_mapping()) {
      MapReader by_name(*value, map_.context());
      for (const int i : model_.coordinates()) {
        const Joint& joint = model_.joint(i);
        vector(i - 1) = by_name.number(joint.name, quantity.of(joint), 0.0);
      }
      by_name.finish();
    } else if (has_joint_count(*value)) {
      for (std::size_t k = 0; k < model_.coordinates().size(); ++k) {
        const int i = model_.coordinates()[k];
        const Value item{value->node->items[k].get(), join_path(value->path, std::to_string(k))};
        const Quantity& expected = quantity.of(model_.joint(i));
        vector(i - 1) = read_number(item, expected, map_.problems()).value_or(0.0);
      }
    }
    return vector;
  }

  bool has_joint_count(const Value& value) {
    const Node& node = *value.node;
    const auto n = static_cast<int>(model_.coordinates().size());
    if (node.is_sequence() && static_cast<int>(node.items.size()) == n) return true;
    map_.problems().error(
        value, "expected a list of " + std::to_string(n) + " number" + (n == 1 ? "" : "s") +
                   ", one for each joint, or a mapping by joint " + "name, got " + describe(node));
    return false;
  }

  void read_wrenches(const Value& value, EvaluationInput& input) {
    LinkFrames frames(model_);
    compute_link_frames(model_, input.state, frames);
    for_each_item(value, map_.problems(), [&](const Value& item) {
      MapReader wrench(item, map_.context());
      const auto name = wrench.require("frame", "the name of a frame or link");
      const Vector3 force = wrench.vector3("force", quantity::kForce, Vector3::Zero());
      const Vector3 torque = wrench.vector3("torque", quantity::kTorque, Vector3::Zero());
      if (const auto frame = name ? find_frame(*name) : std::nullopt) {
        const auto body = static_cast<std::size_t>(frame->body);
        input.loads.add_wrench(frame->body, frames.r[body], frame_position(frames, *frame), force,
                               torque);
        input.wrenches.push_back({*frame, force, torque});
      }
      wrench.finish();
    });
  }

  std::vector<int> read_actuated(const Value& value) {
    std::vector<int> joints;
    if (!model_.has_loops()) {
      map_.problems().error(value, "model " + quote(model_.name()) + " has no loops",
                            "leave this key out: it chooses which joints move a closed chain");
      return joints;
    }
    for_each_item(value, map_.problems(), [&](const Value& item) {
      const auto joint = find_joint(item);
      if (!joint) return;
      if (std::find(joints.begin(), joints.end(), *joint) == joints.end()) {
        joints.push_back(*joint);
      } else {
        map_.problems().error(item,
                              "expected each joint once, got " + quote(item.node->text) + " again");
      }
    });
    return joints;
  }

  std::optional<int> find_joint(const Value& value) {
    const auto name = read_text(value, map_.problems());
    if (!name) return std::nullopt;
    const auto joint = model_.find_joint(*name);
    if (joint && model_.follower(*joint) == nullptr) return joint;
    std::vector<std::string> known;
    for (const int i : model_.coordinates()) known.push_back(model_.joint(i).name);
    map_.problems().error(value, "expected the name of a joint, got " + quote(*name),
                          nearest_hint(*name, known));
    return std::nullopt;
  }

  std::optional<Frame> find_frame(const Value& value) {
    const auto name = read_text(value, map_.problems());
    if (!name) return std::nullopt;
    try {
      return model_.frame(*name);
    } catch (const DomainError& error) {
      map_.problems().error(value, error.what());
      return std::nullopt;
    }
  }

  void check_joint_order() {
    const auto value = map_.find("joint_order");
    if (!value || !has_joint_count(*value)) return;
    for (std::size_t k = 0; k < model_.coordinates().size(); ++k) {
      const Node& item = *value->node->items[k];
      const std::string& name = model_.joint(model_.coordinates()[k]).name;
      if (item.is_scalar() && item.text == name) continue;
      map_.problems().error(
          item.mark, join_path(value->path, std::to_string(k)),
          "expected '" + name + "', the order of the model, got " + describe(item),
          "give joint vectors as mappings by joint name instead");
    }
  }

  const Model& model_;
  MapReader map_;
};

EvaluationInputs read_inputs(Session& session, const Document& document, const Model& model) {
  ReadContext context{session, session.problems(), {}};
  EvaluationInputs inputs;
  if (document.root) {
    const Value root{document.root.get(), ""};
    inputs.is_list = document.root->is_sequence();
    const auto read = [&](const Value& value) {
      inputs.states.push_back(InputReader(value, model, context).read());
    };
    if (inputs.is_list) {
      for_each_item(root, session.problems(), read);
    } else {
      read(root);
    }
  }
  session.problems().throw_if_errors();
  return inputs;
}

}  // namespace

EvaluationInputs load_evaluation_inputs(const std::string& path, const Model& model) {
  Session session;
  return read_inputs(session, session.open(path), model);
}

EvaluationInputs parse_evaluation_inputs(const std::string& text, const std::string& file,
                                         const Model& model) {
  Session session;
  return read_inputs(session, session.parse(file, text), model);
}

}  // namespace spacedyn
