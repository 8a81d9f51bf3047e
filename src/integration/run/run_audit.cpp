// What a run adds to the conservation audit after each step.
#include "integration/run/run.hpp"

namespace spacedyn {

AuditPoint Run::audit() {
  // the last evaluation of every stepper is at the end of its step
  const VectorX& x = step_.t_new > step_.t_old ? step_.x_new : step_.x_old;
  AuditPoint point = equations_.audit_point();
  const bool is_due = result_.audit.update(point.momentum, point.scale, point.energy,
                                           equations_.balance().integrals(x),
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
  if (const int source = equations_.balance().busiest_source(); source >= 0) {
    return {AuditCause::Kind::source, source};
  }
  AuditCause fastest;
  double speed = 0.0;
  for (int body = 0; body < equations_.model().body_count(); ++body) {
    const double own = equations_.velocities().omega[static_cast<std::size_t>(body)].norm();
    // what only stands between two coordinates of a joint is no body to look at
    if (!(own > speed) || equations_.model().body(body).mass == 0.0) continue;
    speed = own;
    fastest = {AuditCause::Kind::body, body};
  }
  return fastest;
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
