#include "reporting/facts/contact_arrows.hpp"

#include <limits>

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

}  // namespace

ContactArrows::ContactArrows(const ForcedSystem& system, const ResultTable& result, int instants) {
  for (const auto& force : system.forces) {
    const auto* element = dynamic_cast<const ContactForce*>(force.get());
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

}  // namespace spacedyn
