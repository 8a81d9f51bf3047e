#include "integration/impulses/robot_centroids.hpp"

#include "system/propellant_flow.hpp"

namespace spacedyn {

RobotCentroids::RobotCentroids(const SimulationSetup& setup, const EquationsOfMotion& equations) {
  // propellant takes momentum with it, and a base that is not free is where it is put
  if (draws_from_tanks(setup)) return;
  const Model& model = equations.model();
  if (model.robots().empty()) {
    if (!equations.base_is_free()) return;
    add(equations, {0, 0, model.body_count(), model.total_mass()}, Vector3::Zero(), 0);
  }
  for (const Robot& robot : model.robots()) {
    if (!robot.floats || !equations.mobility().joint_free(robot.first)) continue;
    Base base{robot.first + 5, robot.first, robot.end, 0.0};
    for (int body = base.first; body < base.end; ++body) base.mass += model.body(body).mass;
    add(equations, base, robot.base.position, robot.first + 5);
  }
}

void RobotCentroids::add(const EquationsOfMotion& equations, const Base& base,
                         const Vector3& offset, int body) {
  const bool is_alone = equations.model().body(body).mass == base.mass;
  if (base.mass > 0.0 && !(is_alone && offset.isZero(0.0))) bases_.push_back(base);
}

void RobotCentroids::find(const EquationsOfMotion& equations, const Base& base, Vector3& r_g,
                          Vector3& v_g) {
  r_g.setZero();
  v_g.setZero();
  for (int body = base.first; body < base.end; ++body) {
    const auto i = static_cast<std::size_t>(body);
    const double part = equations.model().body(body).mass / base.mass;
    r_g += part * equations.frames().r[i];
    v_g += part * equations.velocities().v[i];
  }
}

void RobotCentroids::start(EquationsOfMotion& equations, const VectorX& x, double time) {
  if (x.size() == end_.size() && x == end_) return;
  equations.update_kinematics(x, time);
  for (Base& base : bases_) find(equations, base, base.r_g, base.v_g);
}

void RobotCentroids::finish(const EquationsOfMotion& equations, double h, VectorX& x) {
  const Loads& loads = equations.loads();
  const int velocities = equations.layout().v_0();
  for (Base& base : bases_) {
    Vector3 force = base.mass * loads.gravity;
    for (int body = base.first; body < base.end; ++body) force += loads.force.col(body);
    if (base.row == 0) {
      force += loads.F_b.head<3>();
    } else {
      force += loads.tau.segment<3>(base.row - 6);
    }
    Vector3 r_g, v_g;
    find(equations, base, r_g, v_g);
    const Vector3 change = h / base.mass * force;
    base.r_g += h * (base.v_g + 0.5 * change);
    base.v_g += change;
    // positions stand in x where velocities stand among themselves
    x.segment<3>(base.row) += base.r_g - r_g;
    x.segment<3>(velocities + base.row) += base.v_g - v_g;
  }
  end_ = x;
}

void RobotCentroids::transfer(Archive& archive) {
  archive(end_);
  for (Base& base : bases_) archive(base.r_g, base.v_g);
}

}  // namespace spacedyn
