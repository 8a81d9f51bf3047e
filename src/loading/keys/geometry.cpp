#include "loading/keys/geometry.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "model/short_number.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn::loading {
namespace {

// digits of a rounded quaternion, such as 0.707, are normalized away; more is a mistake
constexpr double kQuaternionTolerance = 1e-2;
constexpr double kMatrixTolerance = 1e-6;
// a matrix this close to orthonormal came from a computation and is kept as it is
constexpr double kExact = 8.0 * std::numeric_limits<double>::epsilon();

std::optional<Matrix3> read_rotation_matrix(const Value& value, ProblemList& problems) {
  const auto matrix = read_matrix3(value, quantity::kNumber, problems);
  if (!matrix) return std::nullopt;
  const double error = orthogonality_error(*matrix);
  if (!(error <= kMatrixTolerance)) {
    problems.error(value, "expected a matrix that is orthonormal to 1e-6, got a deviation of " +
                              short_number(error));
    return std::nullopt;
  }
  if (matrix->determinant() < 0.0) {
    problems.error(value, "expected a matrix of determinant +1, got a reflection, determinant -1");
    return std::nullopt;
  }
  return error <= kExact ? *matrix : nearest_rotation(*matrix);
}

std::optional<Matrix3> read_form(OrientationForm form, const Value& value, ProblemList& problems) {
  if (form == OrientationForm::quaternion) return read_quaternion(value, problems);
  if (form == OrientationForm::matrix) return read_rotation_matrix(value, problems);
  const auto angles = read_numbers(value, quantity::kAngle, 3, problems);
  if (!angles) return std::nullopt;
  return form == OrientationForm::twist ? matrix_from_twist(*angles) : matrix_from_rpy(*angles);
}

Json form_schema(OrientationForm form) {
  switch (form) {
    case OrientationForm::twist:
      return vector_schema(quantity::kAngle, "[α, β, γ] of R_x(α) R_y(β) R_z(γ), rad");
    case OrientationForm::rpy:
      return vector_schema(quantity::kAngle, "Roll, pitch and yaw, R_z(y) R_y(p) R_x(r), rad");
    case OrientationForm::quaternion:
      return quaternion_schema();
    case OrientationForm::matrix:
      break;
  }
  return reference_schema("matrix");
}

/// The elements on and above the diagonal.
Mapping<Matrix3> tensor_keys() {
  constexpr const char* kNames[3][3] = {{"xx", "xy", "xz"}, {"", "yy", "yz"}, {"", "", "zz"}};
  Mapping<Matrix3> keys("Tensor elements, xy = −∫xy dm", Matrix3::Zero());
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      const auto element = [i, j](Matrix3& tensor) -> double& { return tensor(i, j); };
      keys.add(i == j ? Presence::required : Presence::optional, kNames[i][j], element,
               kind::number(quantity::kInertia));
    }
  }
  return keys;
}

std::optional<Matrix3> read_tensor(const Value& value, ReadContext& context) {
  Matrix3 tensor = Matrix3::Zero();
  if (!once<tensor_keys>().read_whole(value, context, tensor)) return std::nullopt;
  return Matrix3(tensor.selfadjointView<Eigen::Upper>());
}

Json matrix_schema() {
  return list_schema(vector_schema(quantity::kNumber), 3, "Three rows of three numbers");
}

Json inertia_schema() {
  return any_of_schema(
      {vector_schema(quantity::kInertia), reference_schema("matrix"), once<tensor_keys>().schema()},
      "Inertia about the centroid, kg m², as [xx, yy, zz], by element, or as a "
      "matrix");
}

/// Bit by bit, so that a negative zero is written out.
bool is_same(const Matrix3& a, const Matrix3& b) {
  return std::memcmp(a.data(), b.data(), sizeof(double) * 9) == 0;
}

void write_placement(const Pose& pose, KeyTexts& keys) {
  keys.emplace_back("xyz", vector_text(pose.position));
  if (!is_same(pose.rotation, Matrix3::Identity())) {
    keys.emplace_back("matrix", matrix_text(pose.rotation));
  }
}

Mapping<Pose> pose_keys() {
  Mapping<Pose> keys("Position and at most one of four forms of orientation");
  return keys.group(placement_keys());
}

}  // namespace

Json quaternion_schema() {
  return list_schema(number_schema({quantity::kNumber}), 4, "[w, x, y, z], of length 1");
}

std::optional<Matrix3> read_quaternion(const Value& value, ProblemList& problems) {
  const auto wxyz = read_numbers(value, quantity::kNumber, 4, problems);
  if (!wxyz) return std::nullopt;
  const double length = wxyz->norm();
  if (std::abs(length - 1.0) > kQuaternionTolerance) {
    problems.error(value, "expected a quaternion [w, x, y, z] of length 1, got the length " +
                              short_number(length));
    return std::nullopt;
  }
  return matrix_from_quaternion(Quaternion((*wxyz)(0), (*wxyz)(1), (*wxyz)(2), (*wxyz)(3)));
}

extern const SchemaDefinition kMatrixDefinition{"matrix", matrix_schema};
extern const SchemaDefinition kInertiaDefinition{"inertia", inertia_schema};
extern const SchemaDefinition kPoseDefinition{"pose", schema_of<pose_keys>};

Kind<Pose> kind::pose() { return defined(mapping(once<pose_keys>()), "pose"); }

Kind<Matrix3> kind::inertia() {
  const auto read = [](const Value& value, Reading& reading) {
    return read_inertia(value, reading.map.context());
  };
  auto kind = make_kind<Matrix3>(
      "[xx, yy, zz], a mapping or 3 rows (kg m²)", [] { return reference_schema("inertia"); },
      read);
  kind.write = [](const void* value, const Remarks& remarks) {
    const auto& tensor = *static_cast<const Matrix3*>(value);
    // a tensor that is not quite symmetric keeps all its elements
    if (!is_same(tensor, tensor.transpose())) return matrix_text(tensor);
    return flow_text(once<tensor_keys>().write(&tensor, remarks));
  };
  return kind;
}

const std::vector<OrientationKey>& orientation_keys() {
  static const std::vector<OrientationKey> keys{{"twist", OrientationForm::twist},
                                                {"rpy", OrientationForm::rpy},
                                                {"quaternion", OrientationForm::quaternion},
                                                {"matrix", OrientationForm::matrix}};
  return keys;
}

std::optional<Matrix3> read_orientation(MapReader& map, const std::vector<OrientationKey>& keys) {
  std::optional<Matrix3> rotation;
  std::string first;
  for (const auto& [key, form] : keys) {
    const auto value = map.find(key);
    if (!value) continue;
    if (!first.empty()) {
      map.error_at(key, "expected one of " + list_choices(names_of(keys)) + ", got " + key +
                            " beside " + first);
      continue;
    }
    first = key;
    rotation = read_form(form, *value, map.problems());
  }
  return rotation;
}

void describe_orientation(MappingSchema& schema, bool is_required) {
  const auto& keys = orientation_keys();
  for (const OrientationKey& key : keys) schema.allow(key.name, form_schema(key.form));
  schema.add_rule(is_required ? one_key_rule(names_of(keys))
                              : at_most_one_key_rule(names_of(keys)));
}

KeyGroup<Pose> placement_keys() {
  const auto describe = [](MappingSchema& schema) {
    schema.allow("xyz", vector_schema(quantity::kLength, "Position, m"));
    describe_orientation(schema);
  };
  const auto read = [](Reading& reading, Pose& pose) {
    pose.position = reading.map.vector3("xyz", quantity::kLength, Vector3::Zero());
    pose.rotation = read_orientation(reading.map).value_or(Matrix3::Identity());
    return true;
  };
  return {describe, read, write_placement};
}

std::optional<Vector3> read_axis(const Value& value, ProblemList& problems) {
  const auto axis = read_numbers(value, quantity::kNumber, 3, problems);
  if (!axis) return std::nullopt;
  if (!axis->isZero(0.0)) return Vector3(*axis);
  problems.error(value, "expected a vector other than zero, got [0.0, 0.0, 0.0]");
  return std::nullopt;
}

std::optional<Matrix3> read_matrix3(const Value& value, const Quantity& quantity,
                                    ProblemList& problems) {
  const Node& node = *value.node;
  if (!node.is_sequence() || node.items.size() != 3) {
    problems.error(value, "expected a list of 3 rows of 3 numbers, got " + describe(node));
    return std::nullopt;
  }
  Matrix3 matrix;
  bool complete = true;
  for (int i = 0; i < 3; ++i) {
    const Value row{node.items[static_cast<std::size_t>(i)].get(),
                    join_path(value.path, std::to_string(i))};
    const auto numbers = read_numbers(row, quantity, 3, problems);
    if (numbers) matrix.row(i) = numbers->transpose();
    complete = complete && numbers.has_value();
  }
  if (!complete) return std::nullopt;
  return matrix;
}

std::optional<Matrix3> read_inertia(const Value& value, ReadContext& context) {
  const Node& node = *value.node;
  if (node.is_mapping()) return read_tensor(value, context);
  const bool is_three = node.is_sequence() && node.items.size() == 3;
  if (!is_three) {
    context.problems.error(
        value,
        "expected [xx, yy, zz], {xx, yy, zz, xy, xz, yz} or 3 rows of 3 numbers (kg m²), got " +
            describe(node));
    return std::nullopt;
  }
  if (node.items.front()->is_sequence()) {
    return read_matrix3(value, quantity::kInertia, context.problems);
  }
  const auto diagonal = read_numbers(value, quantity::kInertia, 3, context.problems);
  if (!diagonal) return std::nullopt;
  return Matrix3(diagonal->asDiagonal());
}

}  // namespace spacedyn::loading
