// Simbody: mobilizers for the tree, constraints for the loops, realized from position on.
#include <Simbody.h>

#include <stdexcept>
#include <vector>

#include <Eigen/Geometry>
#include <spacedyn/math/rotations.hpp>

#include "bench/loops/loop_peer.hpp"

namespace spacedyn::bench {
namespace {

using SimTK::Constraint;
using SimTK::MobilizedBody;

SimTK::Vec3 simbody(const Vector3& v) { return {v.x(), v.y(), v.z()}; }
SimTK::Rotation simbody(const Matrix3& A) {
  return {
      SimTK::Mat33(A(0, 0), A(0, 1), A(0, 2), A(1, 0), A(1, 1), A(1, 2), A(2, 0), A(2, 1), A(2, 2)),
      true};
}
SimTK::Transform simbody(const Pose& pose) {
  return {simbody(pose.rotation), simbody(pose.position)};
}
SimTK::Body::Rigid simbody(const BodyDescription& body) {
  const Matrix3& I = body.inertia;
  const SimTK::Inertia central(I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2));
  const SimTK::Vec3 center = simbody(body.center_of_mass);
  return SimTK::Body::Rigid(
      SimTK::MassProperties(body.mass, center, central.shiftFromMassCenter(center, body.mass)));
}
Vector3 spacedyn_vector(const SimTK::Vec3& v) { return {v[0], v[1], v[2]}; }

/// Its free and spherical mobilizers have angular velocities in the axes of the carrying body.
class SimbodyLoops final : public LoopPeer {
 public:
  SimbodyLoops(const Model& model, PinRows pins)
      : matter_(system_),
        elements_(system_),
        gravity_(elements_, matter_, SimTK::Vec3(0, -1, 0)),
        torques_(elements_, matter_),
        size_(model.velocity_size()),
        floats_(!model.has_fixed_base()) {
    const ModelDescription& robot = model.description();
    keep(robot.base.name, 0, JointType::free,
         floats_ ? MobilizedBody(MobilizedBody::Free(matter_.Ground(), simbody(robot.base)))
                 : MobilizedBody(matter_.Ground()));
    for (const LinkDescription& link : robot.links) add(model, link);
    for (const LoopDescription& loop : robot.loops) add(model, loop, pins);
    state_ = system_.realizeTopology();
    system_.realizeModel(state_);
  }

  void place(const State& state, const Loads& loads) override {
    gravity_.setGravityVector(state_, simbody(loads.gravity));
    for (Part& part : parts_) place(part, state);
    VectorX tau(size_);
    tau << loads.F_b, loads.tau;
    torques_.setAllMobilityForces(state_, from_ours(tau));
    q_ = state_.getQ();
    u_ = from_ours(state.velocity());
  }
  void evaluate() override {
    state_.updQ() = q_;
    state_.updU() = u_;
    system_.realize(state_, SimTK::Stage::Acceleration);
  }
  VectorX acceleration() const override {
    const SimTK::Vector& theirs = state_.getUDot();
    VectorX ours = VectorX::Zero(size_);
    for (const Part& part : parts_) {
      if (is_ground(part)) continue;
      const int first = place(part), row = part.row;
      switch (part.type) {
        case JointType::free:
          for (int i = 0; i < 3; ++i) ours(3 + i) = theirs[first + i];
          for (int i = 0; i < 3; ++i) ours(i) = theirs[first + 3 + i];
          break;
        case JointType::spherical:
          ours.segment<3>(row) =
              part.A.transpose() * Vector3(theirs[first], theirs[first + 1], theirs[first + 2]);
          break;
        default:
          for (int i = 0; i < part.size(); ++i) ours(row + i) = theirs[first + i];
      }
    }
    return ours;
  }
  Vector3 force(int loop) const override {
    Vector3 sum = Vector3::Zero();
    for (const Constraint& constraint : constraints_[static_cast<std::size_t>(loop)].rows) {
      const auto forces = constraint.getConstrainedBodyForcesAsVector(state_);
      for (int i = 0; i < constraint.getNumConstrainedBodies(); ++i) {
        const MobilizedBody& body =
            constraint.getMobilizedBodyFromConstrainedBody(SimTK::ConstrainedBodyIndex(i));
        if (body.getMobilizedBodyIndex() != constraints_[static_cast<std::size_t>(loop)].to) {
          continue;
        }
        sum -= spacedyn_vector(forces[i][1]);  // on the left side of its equations
      }
    }
    return sum;
  }

 private:
  struct Part {
    MobilizedBody body;
    JointType type;
    int row;                          ///< first of its coordinates in ours
    Matrix3 A = Matrix3::Identity();  ///< of a spherical joint, carried to carrying axes
    int size() const { return type == JointType::universal ? 2 : 1; }
  };
  struct Rows {
    std::vector<Constraint> rows;
    SimTK::MobilizedBodyIndex to;
  };
  struct Point {
    MobilizedBody body;
    SimTK::Transform frame;
  };

  void keep(const std::string& name, int row, JointType type, const MobilizedBody& body) {
    names_.push_back(name);
    parts_.push_back({body, type, row});
  }
  void add(const Model& model, const LinkDescription& link) {
    const JointDescription& joint = link.joint;
    const std::string& name = joint.name.empty() ? link.name : joint.name;
    const auto compound = model.find_compound_joint(name);
    const int row = 5 + (compound ? compound->first : model.find_joint(name).value());
    MobilizedBody& parent = body(link.parent);
    const SimTK::Body::Rigid rigid = simbody(link);
    const SimTK::UnitVec3 axis(simbody(joint.axis));
    const SimTK::Transform origin = simbody(joint.origin);
    switch (joint.type) {
      case JointType::revolute: {
        const SimTK::Transform turned(SimTK::Rotation(axis, SimTK::ZAxis));
        return keep(link.name, row, joint.type,
                    MobilizedBody::Pin(parent, origin * turned, rigid, turned));
      }
      case JointType::prismatic: {
        const SimTK::Transform turned(SimTK::Rotation(axis, SimTK::XAxis));
        return keep(link.name, row, joint.type,
                    MobilizedBody::Slider(parent, origin * turned, rigid, turned));
      }
      case JointType::universal: {
        const SimTK::Transform turned(
            SimTK::Rotation(axis, SimTK::XAxis, simbody(joint.second_axis), SimTK::YAxis));
        return keep(link.name, row, joint.type,
                    MobilizedBody::Universal(parent, origin * turned, rigid, turned));
      }
      case JointType::spherical:
        return keep(link.name, row, joint.type,
                    MobilizedBody::Ball(parent, origin, rigid, SimTK::Transform()));
      default:
        throw std::runtime_error(name + ": a joint that is not made for Simbody");
    }
  }
  void add(const Model& model, const LoopDescription& loop, PinRows pins) {
    Point from = point(model, loop.from), to = point(model, loop.to);
    Rows made;
    made.to = to.body.getMobilizedBodyIndex();
    const SimTK::Transform turned(
        SimTK::Rotation(SimTK::UnitVec3(simbody(loop.axis)), SimTK::ZAxis));
    const SimTK::Rotation R_1 = (from.frame * turned).R(), R_2 = (to.frame * turned).R();
    const bool is_pin = loop.type == LoopType::revolute;
    if (loop.type == LoopType::weld) {
      made.rows.push_back(Constraint::Weld(from.body, from.frame, to.body, to.frame));
    } else if (is_pin && pins == PinRows::plane) {
      for (const SimTK::UnitVec3& normal : {R_1.x(), R_1.y()}) {
        made.rows.push_back(Constraint::PointInPlane(from.body, normal, ~normal * from.frame.p(),
                                                     to.body, to.frame.p()));
      }
    } else if (is_pin || loop.type == LoopType::spherical) {
      made.rows.push_back(Constraint::Ball(from.body, from.frame.p(), to.body, to.frame.p()));
    } else {
      throw std::runtime_error(loop.name + ": a loop that is not made for Simbody");
    }
    if (is_pin && pins == PinRows::joint) {
      for (const SimTK::UnitVec3& normal : {R_1.x(), R_1.y()}) {
        made.rows.push_back(Constraint::ConstantAngle(from.body, normal, to.body, R_2.z()));
      }
    }
    constraints_.push_back(made);
  }
  MobilizedBody& body(const std::string& name) {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (names_[i] == name) return parts_[i].body;
    }
    throw std::runtime_error(name + ": no such body");
  }
  Point point(const Model& model, const std::string& name) {
    for (const FrameDescription& frame : model.description().frames) {
      if (frame.name == name) return {body(frame.link), simbody(frame.origin)};
    }
    throw std::runtime_error(name + ": no such frame");
  }

  void place(Part& part, const State& state) {
    if (is_ground(part)) return;
    switch (part.type) {
      case JointType::free:
        part.body.setQToFitTransform(state_, {simbody(state.A_0), simbody(state.r_0)});
        break;
      case JointType::spherical: {
        const Vector3 turn = state.q.segment<3>(part.row - 6);
        part.A = Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix();
        part.body.setQToFitRotation(state_, simbody(part.A));
        break;
      }
      default:
        for (int i = 0; i < part.size(); ++i) {
          part.body.setOneQ(state_, i, state.q(part.row - 6 + i));
        }
    }
  }
  bool is_ground(const Part& part) const { return !floats_ && part.row == 0; }
  int place(const Part& part) const { return part.body.getFirstUIndex(state_); }
  SimTK::Vector from_ours(const VectorX& ours) const {
    SimTK::Vector theirs(state_.getNU(), 0.0);
    for (const Part& part : parts_) {
      if (is_ground(part)) continue;
      const int first = place(part), row = part.row;
      switch (part.type) {
        case JointType::free:
          for (int i = 0; i < 3; ++i) theirs[first + i] = ours(3 + i);
          for (int i = 0; i < 3; ++i) theirs[first + 3 + i] = ours(i);
          break;
        case JointType::spherical: {
          const Vector3 turned = part.A * ours.segment<3>(row);
          for (int i = 0; i < 3; ++i) theirs[first + i] = turned(i);
          break;
        }
        default:
          for (int i = 0; i < part.size(); ++i) theirs[first + i] = ours(row + i);
      }
    }
    return theirs;
  }

  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::GeneralForceSubsystem elements_;
  SimTK::Force::Gravity gravity_;
  SimTK::Force::DiscreteForces torques_;
  std::vector<Part> parts_;
  std::vector<std::string> names_;
  std::vector<Rows> constraints_;
  SimTK::State state_;
  SimTK::Vector q_, u_;
  Eigen::Index size_;
  bool floats_;
};

}  // namespace

std::unique_ptr<LoopPeer> make_simbody_loops(const Model& model, PinRows pins) {
  return std::make_unique<SimbodyLoops>(model, pins);
}

}  // namespace spacedyn::bench
