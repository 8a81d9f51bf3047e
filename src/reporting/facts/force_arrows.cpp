#include <algorithm>
#include <limits>

#include "integration/events/event_sequence.hpp"
#include "reporting/facts/report_motion.hpp"
#include "spacedyn/forces/contact_force.hpp"
#include "spacedyn/reporting/report.hpp"
#include "system/system_elements.hpp"

namespace spacedyn {
namespace {

/// Where the shapes of a pair are nearest to a place, seen from the first one.
ContactPoint nearest_contact(const ContactForce& contact, const LinkFrames& frames,
                             const Vector3& place, const ContactPair*& found) {
  ContactPoint best;
  double least = std::numeric_limits<double>::infinity();
  for (const ContactPair& pair : contact.settings().pairs) {
    const ShapePose a = pair.a.at(frames);
    const ShapePose b = pair.on_ground ? ShapePose() : pair.b.at(frames);
    const int count = pair.point_count();
    for (int number = 0; number < count; ++number) {
      const ContactPoint point = pair.on_ground
                                     ? contact_point(a, *contact.settings().terrain, number)
                                     : contact_point(a, b);
      const double distance = (point.point - place).squaredNorm();
      if (!(point.depth > 0.0) || distance >= least) continue;
      least = distance;
      best = point;
      found = &pair;
    }
  }
  return best;
}

Vector3 velocity_there(const EvaluationContext& context, int body, const Vector3& place) {
  const auto i = static_cast<std::size_t>(body);
  return context.velocities.v[i] + context.velocities.omega[i].cross(place - context.frames.r[i]);
}

/// Forces and moments on each body while the motion goes on; idle bodies have no arrows.
class WrenchArrows {
 public:
  WrenchArrows(const Model& model, int instants)
      : model_(model),
        centroids_(3 * model.body_count(), instants),
        forces_(static_cast<std::size_t>(model.body_count())),
        moments_(forces_.size()) {}

  void write(int instant, const LinkFrames& frames, const Loads& loads) {
    for (std::size_t body = 0; body < forces_.size(); ++body) {
      const auto column = static_cast<Eigen::Index>(body);
      centroids_.col(instant).segment<3>(3 * column) = frames.r[body];
      const Vector6 base = body == 0 ? loads.F_b : Vector6(Vector6::Zero());
      set(instant, loads.force.col(column) + base.head<3>(), forces_[body]);
      set(instant, loads.moment.col(column) + base.tail<3>(), moments_[body]);
    }
  }

  void move_to(std::vector<ReportArrow>& arrows) {
    const auto move = [&](const char* what, const char* kind, const char* unit, auto& vectors) {
      for (int i = 0; i < model_.body_count(); ++i) {
        Matrix3X& vector = vectors[static_cast<std::size_t>(i)];
        if (vector.size() == 0) continue;
        arrows.push_back({what + model_.body(i).name, kind, unit,
                          centroids_.middleRows<3>(3 * Eigen::Index{i}), std::move(vector)});
      }
    };
    move("Force on ", "force", "N", forces_);
    move("Moment on ", "moment", "N m", moments_);
  }

 private:
  /// Memory only for what acts at some instant.
  void set(int instant, const Vector3& now, Matrix3X& vectors) const {
    if (vectors.size() == 0 && now.isZero(0.0)) return;
    if (vectors.size() == 0) vectors = Matrix3X::Zero(3, centroids_.cols());
    vectors.col(instant) = now;
  }

  const Model& model_;
  MatrixX centroids_;
  std::vector<Matrix3X> forces_, moments_;
};

/// The loads that can be told from a result: it holds neither auxiliary states nor what sampled
/// controllers command.
class KnownLoads {
 public:
  explicit KnownLoads(const SimulationSetup& setup)
      : elements_(setup), workspace_(elements_), discrete_(setup), loads_(*setup.model) {}

  bool is_empty() const {
    return std::none_of(elements_.slots().begin(), elements_.slots().end(), is_known);
  }
  /// Instants ascend.
  const Loads& at(const EvaluationContext& context, EventReplay& events) {
    events.advance(context.time, discrete_);
    loads_.clear();
    for (const SystemElements::Slot& slot : elements_.slots()) {
      if (is_known(slot)) elements_.apply(slot, context, discrete_, workspace_, loads_);
    }
    return loads_;
  }

 private:
  static bool is_known(const SystemElements::Slot& slot) {
    return slot.slice.size == 0 && !slot.is_sampled();
  }

  SystemElements elements_;
  SystemElements::Workspace workspace_;
  DiscreteState discrete_;
  Loads loads_;
};

/// From the channel `contacts`: sizes and places; directions follow from the states.
class ContactArrows {
 public:
  ContactArrows(const ForcedSystem& system, const ResultTable& result, int instants);

  bool is_empty() const { return contacts_.empty(); }
  void write(int instant, const ResultTable& result, int row, const EvaluationContext& context);
  void move_to(std::vector<ReportArrow>& arrows);

 private:
  struct Contact {
    const ContactForce* element;
    int normal, friction, point;  // columns
    ReportArrow arrow;
  };
  std::vector<Contact> contacts_;
};

ContactArrows::ContactArrows(const ForcedSystem& system, const ResultTable& result, int instants) {
  for (const auto& force : system.forces) {
    const ContactForce* element = declarations_of(*force).contact;
    if (element == nullptr) continue;
    const auto column = [&](const char* quantity) {
      return result.find("contacts_" + element->name() + quantity);
    };
    Contact contact{
        element, column("_normal_force_N"), column("_friction_N"), column("_point_x_m"), {}};
    if (contact.normal < 0 || contact.friction < 0 || contact.point < 0) continue;
    const Matrix3X zero = Matrix3X::Zero(3, instants);
    contact.arrow = {"Contact " + element->name(), "force", "N", zero, zero};
    contacts_.push_back(std::move(contact));
  }
}

void ContactArrows::write(int instant, const ResultTable& result, int row,
                          const EvaluationContext& context) {
  for (Contact& contact : contacts_) {
    const auto value = [&](int column) { return result.values(row, column); };
    const Vector3 place(value(contact.point), value(contact.point + 1), value(contact.point + 2));
    contact.arrow.origin.col(instant) = place;
    if (!(value(contact.normal) > 0.0) || !place.allFinite()) continue;
    const ContactPair* pair = nullptr;
    const Vector3 n = nearest_contact(*contact.element, context.frames, place, pair).normal;
    if (pair == nullptr) continue;
    Vector3 slip = velocity_there(context, pair->a.frame.body, place);
    if (!pair->on_ground) slip -= velocity_there(context, pair->b.frame.body, place);
    slip -= n.dot(slip) * n;
    contact.arrow.vector.col(instant) =
        value(contact.normal) * n - value(contact.friction) * slip.stableNormalized();
  }
}

void ContactArrows::move_to(std::vector<ReportArrow>& arrows) {
  for (Contact& contact : contacts_) {
    if (!contact.arrow.vector.isZero(0.0)) arrows.push_back(std::move(contact.arrow));
  }
}

}  // namespace

void add_force_arrows(ReportData& report, const ResultTable& result, const SimulationSetup& setup) {
  const Model& model = *setup.model;
  const ResultStates states(result, model);
  KnownLoads known(setup);
  if (!states.complete()) return;
  EventReplay events(setup, result.facts.events);
  const std::vector<int> rows = motion_rows(states, model);
  const int instants = static_cast<int>(rows.size());
  WrenchArrows arrows(model, instants);
  ContactArrows contacts(setup, result, instants);
  if (known.is_empty() && contacts.is_empty()) return;
  for_each_instant(result, states, model, rows, [&](const ShownInstant& now) {
    arrows.write(now.number, now.seen.frames, known.at(now.seen, events));
    contacts.write(now.number, result, now.row, now.seen);
  });
  arrows.move_to(report.motion.arrows);
  contacts.move_to(report.motion.arrows);
}

}  // namespace spacedyn
