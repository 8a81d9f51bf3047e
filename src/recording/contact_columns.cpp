#include "recording/derived_columns.hpp"
#include "spacedyn/forces/rigid_contact.hpp"
#include "system/system_elements.hpp"

namespace spacedyn {
namespace {

const std::vector<Suffix>& contact_suffixes() {
  static const std::vector<Suffix> suffixes{{"_depth_m", "m"},
                                            {"_normal_force_N", "N"},
                                            {"_friction_N", "N"},
                                            {"_point_x_m", "m"},
                                            {"_point_y_m", "m"},
                                            {"_point_z_m", "m"},
                                            {"_slip_velocity_m_s", "m/s"}};
  return suffixes;
}

class ContactColumns final : public DerivedColumns {
 public:
  ContactColumns(const ForcedSystem& system, ColumnNames& names)
      : system_(system), elements_(system_) {
    for (const SystemElements::Slot& slot : elements_.slots()) {
      const auto* contact = dynamic_cast<const ContactForce*>(slot.force);
      const bool is_rigid = dynamic_cast<const RigidContact*>(slot.force) != nullptr;
      if (contact == nullptr && !is_rigid) continue;
      contacts_.push_back({contact, slot.slice});
      const std::string stem = names.reserve("contacts", slot.element().name(), contact_suffixes());
      const std::string group = group_of("contacts", stem);
      const std::vector<Column> all = columns_of(stem, contact_suffixes());
      add(group + "/depth", all[0]);
      add(group + "/normal_force", all[1]);
      add(group + "/friction", all[2]);
      add(group + "/point", "inertial", {all.begin() + 3, all.begin() + 6});
      add(group + "/slip_velocity", all[6]);
    }
  }

  void fill(const SimulationPoint& point, VectorRef values) override {
    const EvaluationContext context = context_of(point);
    Eigen::Index next = 0;
    std::size_t rigid = 0;
    for (const Contact& contact : contacts_) {
      const ContactReading now = contact.element != nullptr
                                     ? contact.element->reading(slice_of(context, contact.slice))
                                     : point.rigid_contacts[rigid++];
      values.segment<7>(next) << now.depth, now.normal_force, now.friction, now.point,
          now.slip_velocity;
      next += 7;
    }
  }

 private:
  struct Contact {
    const ContactForce* element;  // null of rigid ones, which the run knows
    AuxiliarySlice slice;
  };
  const ForcedSystem system_;
  const SystemElements elements_;
  std::vector<Contact> contacts_;
};

}  // namespace

std::unique_ptr<DerivedColumns> contact_columns(const ForcedSystem& system, ColumnNames& names) {
  return std::make_unique<ContactColumns>(system, names);
}

}  // namespace spacedyn
