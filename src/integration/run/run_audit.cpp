// What a run adds to the conservation audit after each step.
#include <algorithm>

#include "integration/run/run.hpp"

namespace spacedyn {

AuditPoint Run::audit() {
  // the last evaluation of every stepper is at the end of its step
  const VectorX& x = step_.t_new > step_.t_old ? step_.x_new : step_.x_old;
  AuditPoint point = equations_.audit_point();
  const bool is_due =
      result_.audit.update(point.momentum, point.scale, point.energy, equations_.integrals(x),
                           {step_.t_old, step_.t_new, point.least_energy});
  if (is_due) result_.audit.attribute(cause_of_step());
  result_.audit.update_attitude(equations_.state().A_0);
  return point;
}

AuditCause Run::cause_of_step() const {
  const std::vector<EventRecord>& events = result_.events;
  if (!events.empty() && events.back().time >= step_.t_old) {
    return {AuditCause::Kind::event, static_cast<int>(events.size()) - 1};
  }
  if (const int source = equations_.busiest_source(); source >= 0) {
    return {AuditCause::Kind::source, source};
  }
  const LinkVelocities& velocities = equations_.velocities();
  const auto fastest = std::max_element(
      velocities.omega.begin(), velocities.omega.end(),
      [](const Vector3& a, const Vector3& b) { return a.squaredNorm() < b.squaredNorm(); });
  if (fastest->isZero(0.0)) return {};
  return {AuditCause::Kind::body, static_cast<int>(fastest - velocities.omega.begin())};
}

std::string Run::name_of(const AuditCause& cause) const {
  const auto i = static_cast<std::size_t>(cause.index);
  switch (cause.kind) {
    case AuditCause::Kind::none:
      return {};
    case AuditCause::Kind::event:
      return i < result_.events.size() ? result_.events[i].name : std::string();
    case AuditCause::Kind::source:
      return i < result_.sources.size() ? result_.sources[i].name : std::string();
    case AuditCause::Kind::body: {
      const Model& model = equations_.model();
      return i < static_cast<std::size_t>(model.body_count()) ? model.body(cause.index).name
                                                              : std::string();
    }
  }
  return {};
}

}  // namespace spacedyn
