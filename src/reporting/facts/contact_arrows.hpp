/// @file
/// Forces of contacts as arrows at their points. Private.
#pragma once

#include <vector>

#include "spacedyn/forces/contact_force.hpp"
#include "spacedyn/reporting/report_data.hpp"
#include "spacedyn/reporting/result_table.hpp"
#include "spacedyn/system/forced_system.hpp"

namespace spacedyn {

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

}  // namespace spacedyn
