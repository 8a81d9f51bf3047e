#include "loading/model/element_writer.hpp"

#include <limits>

#include "loading/yaml/numbers.hpp"
#include "loading/yaml/yaml_text.hpp"

namespace spacedyn::loading {
namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

std::string list_text(const std::vector<std::string>& items) {
  std::string text = "[";
  for (const std::string& item : items) text += (text.size() > 1 ? ", " : "") + item;
  return text + ']';
}

std::string numbers_text(const VectorX& numbers) {
  std::vector<std::string> items;
  for (const double number : numbers) items.push_back(format_number(number));
  return list_text(items);
}

std::string rows_text(const MatrixX& matrix) {
  std::vector<std::string> rows;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) rows.push_back(numbers_text(matrix.row(i)));
  return list_text(rows);
}

void add_notes(const Notes& notes, FlowMapping& mapping) {
  if (!notes.description.empty()) mapping.add("description", quoted_text(notes.description));
  if (!notes.source.empty()) mapping.add("source", quoted_text(notes.source));
}

std::string coupling_text(const JointCouplingDescription& coupling) {
  std::vector<std::string> joints;
  for (const std::string& joint : coupling.joints) joints.push_back(quoted_text(joint));
  FlowMapping mapping;
  mapping.add("name", quoted_text(coupling.name)).add("joints", list_text(joints));
  if (coupling.stiffness.size() > 0) mapping.add("stiffness", rows_text(coupling.stiffness));
  if (coupling.damping.size() > 0) mapping.add("damping", rows_text(coupling.damping));
  if (coupling.rest_position.size() > 0) {
    mapping.add("rest_position", numbers_text(coupling.rest_position));
  }
  add_notes(coupling.notes, mapping);
  return mapping.text();
}

std::string transmission_text(const TransmissionDescription& drive) {
  FlowMapping mapping;
  mapping.add("name", quoted_text(drive.name))
      .add("motor", quoted_text(drive.motor))
      .add("joint", quoted_text(drive.joint))
      .add("gear_ratio", format_number(drive.gear_ratio))
      .add("stiffness", format_number(drive.stiffness))
      .add("damping", format_number(drive.damping))
      .add("backlash", format_number(drive.backlash));
  add_notes(drive.notes, mapping);
  return mapping.text();
}

std::string loop_text(const LoopDescription& loop) {
  const LoopTraits& traits = loop_traits(loop.type);
  FlowMapping mapping;
  mapping.add("name", quoted_text(loop.name)).add("type", std::string(traits.name));
  if (traits.joins_points) {
    mapping.add("from", quoted_text(loop.from)).add("to", quoted_text(loop.to));
    if (traits.has_axis) mapping.add("axis", vector_text(loop.axis));
    if (loop.type == LoopType::universal) {
      mapping.add("axes", list_text({vector_text(loop.axis), vector_text(loop.second_axis)}));
    }
    if (loop.type == LoopType::distance) mapping.add("length", format_number(loop.length));
  } else {
    std::vector<std::string> joints, coefficients;
    for (const std::string& joint : loop.joints) joints.push_back(quoted_text(joint));
    for (const double value : loop.coefficients) coefficients.push_back(format_number(value));
    mapping.add("joints", list_text(joints));
    if (loop.type == LoopType::gear) {
      mapping.add("ratio", format_number(loop.ratio));
    } else {
      mapping.add("coefficients", list_text(coefficients));
    }
    mapping.add("offset", format_number(loop.offset));
  }
  add_notes(loop.notes, mapping);
  return mapping.text();
}

/// Leaves out what is as by default.
void add_unless(FlowMapping& mapping, const char* key, double value, double usual) {
  if (value != usual) mapping.add(key, format_number(value));
}

}  // namespace

std::string wheel_drive_text(const WheelDrive& drive) {
  FlowMapping mapping, friction;
  mapping.add("spin_inertia", format_number(drive.spin_inertia));
  add_unless(mapping, "torque_limit", drive.torque_limit, kUnlimited);
  add_unless(mapping, "momentum_limit", drive.momentum_limit, kUnlimited);
  add_unless(mapping, "rotor_speed", drive.rotor_speed, 0.0);
  if (drive.viscous != 0.0 || drive.coulomb != 0.0) {
    friction.add("viscous", format_number(drive.viscous))
        .add("coulomb", format_number(drive.coulomb));
    mapping.add("friction", friction.text());
  }
  return mapping.text();
}

std::string thruster_drive_text(const ThrusterDrive& drive) {
  FlowMapping mapping;
  mapping.add("direction", vector_text(drive.direction)).add("force", format_number(drive.force));
  add_unless(mapping, "specific_impulse", drive.specific_impulse, kUnlimited);
  add_unless(mapping, "minimum_on_time", drive.minimum_on_time, 0.0);
  add_unless(mapping, "delay", drive.delay, 0.0);
  add_unless(mapping, "rise_time", drive.rise_time, 0.0);
  add_unless(mapping, "fall_time", drive.fall_time, 0.0);
  if (!drive.tank.empty()) mapping.add("tank", name_text(drive.tank));
  return mapping.text();
}

void write_elements(const ModelDescription& model, std::ostream& out) {
  if (!model.couplings.empty()) out << "  couplings:\n";
  for (const auto& coupling : model.couplings) out << "    - " << coupling_text(coupling) << '\n';
  if (!model.transmissions.empty()) out << "  transmissions:\n";
  for (const auto& drive : model.transmissions) out << "    - " << transmission_text(drive) << '\n';
  if (!model.loops.empty()) out << "  loops:\n";
  for (const auto& loop : model.loops) out << "    - " << loop_text(loop) << '\n';
}

}  // namespace spacedyn::loading
