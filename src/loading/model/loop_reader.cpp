#include <algorithm>

#include "loading/model/body_reader.hpp"
#include "loading/model/model_reader.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/model/elastic_drive.hpp"

namespace spacedyn::loading {
namespace {

/// Rows of numbers; nothing where a row is no list of as many numbers as there are rows.
std::optional<MatrixX> read_square(const Value& value, ProblemList& problems) {
  if (!value.node->is_sequence()) {
    problems.error(value, "expected a list of rows, got " + describe(*value.node));
    return std::nullopt;
  }
  const auto size = static_cast<int>(value.node->items.size());
  MatrixX matrix(size, size);
  bool complete = true;
  for (int i = 0; i < size; ++i) {
    const Value row{value.node->items[static_cast<std::size_t>(i)].get(),
                    join_path(value.path, std::to_string(i))};
    const auto numbers = read_numbers(row, quantity::kNumber, size, problems);
    complete = complete && numbers.has_value();
    if (numbers) matrix.row(i) = numbers->transpose();
  }
  if (!complete) return std::nullopt;
  return matrix;
}

std::string numbers_text(const VectorX& numbers) {
  std::vector<std::string> items;
  for (const double number : numbers) items.push_back(format_number(number));
  return flow_text(items);
}

Kind<MatrixX> square() {
  const auto read = [](const Value& value, Reading& reading) {
    return read_square(value, reading.problems());
  };
  const auto write = [](const MatrixX& matrix) {
    std::vector<std::string> rows;
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) rows.push_back(numbers_text(matrix.row(i)));
    return flow_text(rows);
  };
  return make_kind<MatrixX>(
      "rows of numbers",
      [] {
        return series_schema(series_schema(number_schema({quantity::kNumber})), 0,
                             "Rows of numbers");
      },
      read, write);
}

/// A number for each joint of the coupling.
KeyGroup<JointCouplingDescription> rest_key() {
  using Coupling = JointCouplingDescription;
  const auto describe = [](MappingSchema& schema) {
    schema.allow("rest_position", series_schema(number_schema({quantity::kNumber})));
  };
  const auto read = [](Reading& reading, Coupling& coupling) {
    const auto rest = reading.map.find("rest_position");
    if (!rest) return true;
    const auto size = static_cast<int>(coupling.joints.size());
    const auto numbers = read_numbers(*rest, quantity::kNumber, size, reading.problems());
    if (numbers) coupling.rest_position = *numbers;
    return numbers.has_value();
  };
  const auto write = [](const Coupling& coupling, KeyTexts& keys) {
    if (coupling.rest_position.size() == 0) return;
    keys.emplace_back("rest_position", numbers_text(coupling.rest_position));
  };
  return {describe, read, write};
}

Mapping<JointCouplingDescription> coupling_keys() {
  using namespace kind;
  using Coupling = JointCouplingDescription;
  Mapping<Coupling> keys("Springs and dampers between joints: −K (q − q_rest) − D q̇");
  keys.require("name", &Coupling::name, name());
  keys.require("joints", &Coupling::joints, list(text(), "a list of joints", 1));
  keys.allow("stiffness", &Coupling::stiffness, square());
  keys.allow("damping", &Coupling::damping, square());
  keys.group(rest_key());
  keys.check_keys(some_key_rule({"stiffness", "damping"}), [](MapReader& map) {
    if (map.has("stiffness") || map.has("damping")) return;
    map.error("expected at least one of the keys stiffness and damping, got neither");
  });
  return keys.keep_notes();
}

Mapping<TransmissionDescription> elastic_keys() {
  using namespace kind;
  using Drive = TransmissionDescription;
  Mapping<Drive> keys("The elastic part between the rotor, which becomes a link, and the joint");
  keys.require("stiffness", &Drive::stiffness, positive(kAngularStiffness),
               "At the joint, N*m/rad");
  keys.allow("damping", &Drive::damping, not_negative(in("N*m*s/rad")),
             "Viscous damping at the joint, N*m*s/rad");
  keys.allow("backlash", &Drive::backlash, not_negative(kAngle), "Whole play at the joint, rad");
  return keys;
}

Mapping<TransmissionDescription> transmission_keys() {
  using namespace kind;
  using Drive = TransmissionDescription;
  Mapping<Drive> keys(
      "An elastic transmission between the joint of a rotor and the joint it drives");
  keys.require("name", &Drive::name, name());
  keys.require("motor", &Drive::motor, text("Joint of the rotor"));
  keys.require("joint", &Drive::joint, text("Driven joint"));
  keys.allow("gear_ratio", &Drive::gear_ratio, gear_ratio());
  keys.merge(once<elastic_keys>());
  return keys.keep_notes();
}

/// Joints of a gear; the last, which it drives, tells the unit of keys that come later.
Kind<std::vector<std::string>> geared_joints() {
  auto joints = kind::list(kind::text(), "a list of joints", 1);
  joints.read = [read = joints.read](const Value& value, Reading& reading, void* target) {
    const bool is_right = read(value, reading, target);
    const auto& names = *static_cast<const std::vector<std::string>*>(target);
    const ModelDescription* model = reading.map.context().model;
    if (names.empty() || model == nullptr) return is_right;
    for (const LinkDescription& link : model->links) {
      const std::string& name = link.joint.name.empty() ? link.name : link.joint.name;
      if (name == names.back()) reading.motion = link.joint.type;
    }
    return is_right;
  };
  return joints;
}

Kind<double> loop_length() { return kind::number(quantity::positive(quantity::kLength), "m"); }

/// A constant one here; one that follows a reference belongs to a scenario.
KeyGroup<LoopDescription> length_keys() {
  const auto describe = [](MappingSchema& schema) {
    schema.allow("length", loop_length().schema())
        .allow("rheonomic", rheonomic_schema())
        .add_rule(one_key_rule({"length", "rheonomic"}));
  };
  const auto read = [](Reading& reading, LoopDescription& loop) {
    const Kind<double> length = loop_length();
    const auto value = reading.map.require("length", length.expected);
    return value && length.read(*value, reading, &loop.length);
  };
  const auto write = [](const LoopDescription& loop, KeyTexts& keys) {
    keys.emplace_back("length", format_number(loop.length));
  };
  return {describe, read, write};
}

Mapping<LoopDescription> loop_keys(LoopType type) {
  using namespace kind;
  using Loop = LoopDescription;
  const LoopTraits& traits = loop_traits(type);
  Mapping<Loop> keys{std::string(traits.name)};
  if (traits.joins_points) {
    keys.require("from", &Loop::from, text("First point: a frame, a link or <link>.com"));
    keys.require("to", &Loop::to, text("Second point, on another body"));
    if (traits.has_axis) {
      keys.require("axis", &Loop::axis, vector(kNumber, "Not zero; in the axes of both points"));
    }
    if (type == LoopType::universal) {
      keys.require(
          "axes", [](Loop& loop) -> Loop& { return loop; },
          two_axes<Loop>("The first fixed in from, the second in to"));
    }
    if (type == LoopType::distance) keys.group(length_keys());
    return keys;
  }
  if (type == LoopType::gear) {
    keys.require("joints", &Loop::joints, geared_joints());
    keys.require("ratio", &Loop::ratio, kNumber, "q_b = ratio q_a + offset");
    return keys.allow("offset", &Loop::offset, joint_number(kJointPosition, "rad or m"));
  }
  keys.require("joints", &Loop::joints, list(text(), "a list of joints", 1));
  keys.require("coefficients", &Loop::coefficients,
               list(number(kNumber), "a list of numbers", 0, "c_k of sum c_k q_k = offset"));
  return keys.allow("offset", &Loop::offset, kNumber, "rad or m");
}

/// Tables of all types, in the order of all_loop_types().
std::vector<Mapping<LoopDescription>> make_loop_tables() {
  std::vector<Mapping<LoopDescription>> tables;
  for (const LoopType type : all_loop_types()) tables.push_back(loop_keys(type));
  return tables;
}

const Mapping<LoopDescription>& table_of(LoopType type) {
  return once<make_loop_tables>()[static_cast<std::size_t>(type)];
}

Kind<LoopDescription> make_loop() {
  std::vector<MappingTable> tables;
  for (const LoopType type : all_loop_types()) {
    Mapping<LoopDescription> keys{std::string(loop_traits(type).name)};
    keys.require("name", &LoopDescription::name, kind::name());
    keys.merge(table_of(type));
    tables.push_back(keys.keep_notes());
  }
  Kind<LoopDescription> loop{any_variant(
      Variants{"type", loop_type_names(), tables}, "",
      [](void* target, std::size_t i) {
        static_cast<LoopDescription*>(target)->type = all_loop_types()[i];
      },
      [](const void* value) {
        return static_cast<std::size_t>(static_cast<const LoopDescription*>(value)->type);
      })};
  loop.schema = [of_models = loop.schema] {
    std::vector<Json> schemas{of_models()};
    for (const std::string& name : motion_loop_names()) {
      schemas.push_back(reference_schema(name + "_loop"));
    }
    return one_of_schema(schemas,
                         "A joint that closes the tree into a loop, or a coupling of joints");
  };
  return loop;
}

}  // namespace

extern const SchemaDefinition kCouplingDefinition{"coupling", schema_of<coupling_keys>};
extern const SchemaDefinition kTransmissionDefinition{"transmission", schema_of<transmission_keys>};
extern const SchemaDefinition kRotorTransmissionDefinition{"rotor_transmission",
                                                           schema_of<elastic_keys>};

Kind<JointCouplingDescription> kind::coupling() {
  return defined(mapping(once<coupling_keys>()), "coupling");
}

Kind<TransmissionDescription> kind::transmission() {
  return defined(mapping(once<transmission_keys>()), "transmission");
}

void ModelReader::read_coupling(const Value& value, ReadContext& context, ReadModel& result) {
  once<coupling_keys>().read_whole(value, context, result.description.couplings.emplace_back());
  result.couplings.push_back({value, std::nullopt});
}

void ModelReader::read_transmission(const Value& value, ReadContext& context, ReadModel& result) {
  auto& drive = result.description.transmissions.emplace_back();
  once<transmission_keys>().read_whole(value, context, drive);
  result.transmissions.push_back({value, std::nullopt});
}

void ModelReader::separate_rotor_of(const Value& link_value, const Value& transmission,
                                    ReadContext& context, ReadModel& result) {
  TransmissionDescription given;
  once<elastic_keys>().read_whole(transmission, context, given);
  LinkDescription& link = result.description.links.back();
  if (link.joint.type != JointType::revolute) {
    context.problems.error(
        transmission, "expected no transmission here, got one: only revolute joints have them");
    return;
  }
  if (!(link.joint.rotor_inertia > 0.0)) {
    context.problems.error(transmission,
                           "expected a positive 'rotor_inertia' beside it, got none: the rotor "
                           "would move without resistance");
    return;
  }
  if (link.joint.gear_ratio == 0.0) return;  // reported by the builder
  ElasticDrive drive = separate_rotor(link, given.stiffness, given.damping, given.backlash);
  result.rotors.emplace_back(result.description.links.size(), transmission);
  result.placed_links.push_back(result.description.links.size());
  result.description.links.push_back(std::move(drive.rotor));
  result.links.push_back({link_value, std::nullopt});
  result.description.transmissions.push_back(std::move(drive.transmission));
  result.transmissions.push_back({transmission, std::nullopt});
}

void take_rotors_out(ReadModel& read, ProblemList& problems) {
  ModelDescription& robot = read.description;
  const auto find_body = [&](const std::string& name) -> BodyDescription* {
    if (robot.base.name == name) return &robot.base;
    for (LinkDescription& link : robot.links) {
      if (link.name == name) return &link;
    }
    return nullptr;  // reported by the builder
  };
  for (const auto& [index, place] : read.rotors) {
    const LinkDescription& rotor = robot.links[index];
    BodyDescription* parent = find_body(rotor.parent);
    if (parent == nullptr) continue;
    // a fixed base may leave its inertia out
    if (parent == &robot.base && robot.base.fixed && parent->inertia.isZero(0.0)) continue;
    try {
      take_rotor_out(*parent, rotor);
    } catch (const DomainError& error) {
      problems.error(place,
                     "expected a parent whose inertia includes the rotor at rest, got one that "
                     "cannot: " +
                         std::string(error.what()),
                     "add the rotor's inertia to that of '" + rotor.parent + "'");
    }
  }
}
extern const SchemaDefinition kLoopDefinition{"loop", schema_of<make_loop>};

Kind<LoopDescription> kind::loop() { return defined(once<make_loop>(), "loop"); }

const std::vector<std::string>& loop_type_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const LoopType type : all_loop_types()) all.emplace_back(loop_traits(type).name);
    return all;
  }();
  return names;
}

const std::vector<std::string>& motion_loop_names() {
  static const std::vector<std::string> kNames{"rolling", "knife_edge"};
  return kNames;
}

bool is_motion_loop(const Node& item) {
  if (!item.is_mapping()) return false;
  const std::string type = item.text_at("type");
  const auto& names = motion_loop_names();
  return std::find(names.begin(), names.end(), type) != names.end() ||
         (type == loop_traits(LoopType::distance).name && item.find("rheonomic") != nullptr);
}

Json rheonomic_schema() {
  return MappingSchema("In place of length: what the distance follows")
      .require("reference", reference_schema("reference"));
}

void read_loop_keys(MapReader& map, const ModelDescription& description, LoopDescription& loop) {
  map.context().model = &description;
  table_of(loop.type).read(map, loop);
}

void describe_loop_keys(LoopType type, MappingSchema& schema) { table_of(type).describe(schema); }

void refuse_motion_loops(const ReadModel& read, ProblemList& problems) {
  for (const Value& loop : read.motion_loops) {
    problems.add(Severity::error, loop.node->mark, loop.path,
                 "expected a loop that a model has by itself, got one of type " +
                     quote(loop.node->text_at("type")) + " that takes a scenario to hold it",
                 "put it under 'connections' or 'model: {file, loops}' of a scenario");
  }
}

void ModelReader::read_loop(const Value& value, ReadContext& context, ReadModel& result) {
  if (is_motion_loop(*value.node)) {
    result.motion_loops.push_back(value);
    return;
  }
  LoopDescription loop;
  context.model = &result.description;
  read_value(once<make_loop>(), value, context, loop);
  if (loop.name.empty()) {
    result.names_are_complete = false;
    return;
  }
  result.description.loops.push_back(std::move(loop));
  result.loops.push_back({value, std::nullopt});
}

}  // namespace spacedyn::loading
