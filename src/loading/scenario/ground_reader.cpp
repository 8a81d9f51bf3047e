#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "loading/keys/fields.hpp"
#include "loading/keys/time_series.hpp"
#include "loading/scenario/profile_reader.hpp"
#include "loading/scenario/scenario_reader.hpp"
#include "loading/schema/schema_definition.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/model/names.hpp"
#include "spacedyn/terrain/mesh_terrain.hpp"
#include "spacedyn/terrain/random_relief.hpp"

namespace spacedyn::loading {
namespace {

const std::vector<std::string> kTerrains = {"plane", "slope",  "height_field",
                                            "mesh",  "random", "profile"};

constexpr Quantity kGroundLength{Dimension::length, Range::positive};

using Spectrum = RandomRelief::Spectrum;

const Fields<Spectrum>& relief_fields() {
  static const Fields<Spectrum> kFields = {
      {"rms", "Root mean square of the heights, m", quantity::kLength.within(Range::not_negative),
       [](Spectrum& s) -> double& { return s.rms; }, Presence::required},
      {"longest", "Longest wavelength, m", kGroundLength,
       [](Spectrum& s) -> double& { return s.longest; }, Presence::required},
      {"shortest", "Shortest wavelength, m, at least twice the spacing", kGroundLength,
       [](Spectrum& s) -> double& { return s.shortest; }, Presence::required},
      {"hurst",
       "The larger, the smoother; default 0.8",
       quantity::kNumber.within(Range::positive),
       [](Spectrum& s) -> double& { return s.hurst; },
       Presence::optional,
       {-std::numeric_limits<double>::infinity(), 1.0}}};
  return kFields;
}

/// Numbers of a text, a row per line, apart by commas, semicolons or blanks.
class HeightTable {
 public:
  HeightTable(const std::string& text, std::string file) : file_(std::move(file)) {
    std::size_t begin = 0;
    while (begin < text.size()) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      ++line_;
      read_line(std::string_view(text).substr(begin, end - begin));
      begin = end + 1;
    }
    if (rows_ < 2 || columns_ < 2) {
      fail(fmt::format("expected at least 2 rows and 2 columns of heights, got {} and {}", rows_,
                       columns_));
    }
  }
  MatrixX heights() const {
    MatrixX heights(rows_, columns_);
    for (Eigen::Index i = 0; i < rows_; ++i) {
      for (Eigen::Index j = 0; j < columns_; ++j) {
        heights(i, j) = numbers_[static_cast<std::size_t>(i * columns_ + j)];
      }
    }
    return heights;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw DomainError(fmt::format("{}:{}: {}", file_, line_, what));
  }
  void read_line(std::string_view line) {
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.find_first_not_of(" \t") == std::string_view::npos || line.front() == '#') return;
    Eigen::Index found = 0;
    std::size_t at = 0;
    while (at <= line.size()) {
      at = std::min(line.find_first_not_of(" \t", at), line.size());
      const std::size_t end = std::min(line.find_first_of(",; \t", at), line.size());
      read_height(line.substr(at, end - at), ++found);
      at = std::min(line.find_first_not_of(" \t", end), line.size());
      if (at == line.size()) break;
      if (line[at] == ',' || line[at] == ';') ++at;
    }
    if (rows_ > 0 && found != columns_) {
      fail(fmt::format("expected {} heights as in the rows before, got {}", columns_, found));
    }
    columns_ = found;
    ++rows_;
  }
  void read_height(std::string_view text, Eigen::Index column) {
    const auto number = is_number(text) ? parse_number(text) : std::nullopt;
    if (!number || !std::isfinite(*number)) {
      fail(fmt::format("expected a height in column {}, got a hole: '{}'", column, text));
    }
    numbers_.push_back(*number);
  }

  std::string file_;
  int line_ = 0;
  Eigen::Index rows_ = 0, columns_ = 0;
  std::vector<double> numbers_;
};

/// Fewer than its most: a spline of that many heights is made in less than a second.
constexpr double kMostHeights = 250000.0;

std::uint64_t read_relief_seed(MapReader& map) {
  const double seed = map.number("seed", quantity::kNumber.within(Range::not_negative), 0.0);
  if (seed == std::floor(seed) && seed <= 9007199254740992.0)
    return static_cast<std::uint64_t>(seed);
  map.error_at("seed", "expected a whole number of at most 2^53, got " + format_number(seed));
  return 0;
}

/// Null where it is wrong.
std::shared_ptr<const Terrain> read_random_relief(MapReader& map) {
  const std::size_t errors_before = map.problems().error_count();
  const auto pair = map.require("size", "a list of 2 lengths, along x and y");
  const auto size =
      pair ? read_list(*pair, {kGroundLength, kGroundLength}, map.problems()) : std::nullopt;
  const double spacing = map.required_number("spacing", kGroundLength);
  Spectrum spectrum;
  read_fields(map, relief_fields(), spectrum);
  spectrum.seed = read_relief_seed(map);
  const bool centred = !map.has("origin");
  Vector3 origin = map.vector3("origin", quantity::kLength, Vector3::Zero());
  const bool complete = size && spacing > 0.0 && spectrum.longest > 0.0 && spectrum.shortest > 0.0;
  if (!complete || map.problems().error_count() > errors_before) return nullptr;
  if (spectrum.shortest >= spectrum.longest || spectrum.shortest < 2.0 * spacing) {
    map.error_at("shortest",
                 fmt::format("expected a length from twice the spacing to less than the "
                             "longest, got {:g} m",
                             spectrum.shortest));
    return nullptr;
  }
  const double columns = std::ceil((*size)(0) / spacing) + 1.0;
  const double rows = std::ceil((*size)(1) / spacing) + 1.0;
  if (columns * rows > kMostHeights) {
    map.error_at("size", fmt::format("expected at most {:g} heights, got {:g} by {:g}",
                                     kMostHeights, columns, rows));
    return nullptr;
  }
  if (centred) origin = {-0.5 * (columns - 1.0) * spacing, -0.5 * (rows - 1.0) * spacing, 0.0};
  const MatrixX heights = RandomRelief(spectrum).heights(static_cast<Eigen::Index>(rows),
                                                         static_cast<Eigen::Index>(columns),
                                                         spacing, origin.x(), origin.y());
  return std::make_shared<HeightField>(heights, spacing, origin);
}

MappingSchema ground_schema(std::string_view title, std::size_t type) {
  MappingSchema schema(title);
  schema.require("type", constant_schema(kTerrains[type]));
  return schema;
}

std::string random_relief_schema() {
  MappingSchema relief = ground_schema("Random relief of a spectrum and a seed", 4);
  const std::string length = number_schema({kGroundLength});
  relief.require("size", list_schema(length, 2, "Along x and y, m"))
      .require("spacing", number_schema({kGroundLength}, "Of the heights, m"));
  describe_fields(relief_fields(), relief);
  relief.allow("seed", whole_number_schema(0, "Default 0"))
      .allow("origin", vector_schema(quantity::kLength, "Of the first height; default: centred"));
  return relief.text();
}

std::string terrain_schema() {
  MappingSchema plane = ground_schema("A plane", 0);
  plane.allow("normal", vector_schema(quantity::kNumber, "Upwards; default z"))
      .allow("height", number_schema({quantity::kLength}, "Along the normal, m, default 0"));
  MappingSchema slope = ground_schema("A plane through the origin that rises", 1);
  slope.require("angle", number_schema({quantity::kAngle}, "Of the rise, rad"))
      .allow("azimuth", number_schema({quantity::kAngle}, "Of the rise about z from x, rad"));
  MappingSchema field = ground_schema("Heights on a grid", 2);
  const std::string origin = vector_schema(quantity::kLength, "Of the first height, m");
  field.require("file", path_schema("Rows of heights"))
      .require("spacing", number_schema({kGroundLength}, "Of the heights, m"))
      .allow("origin", origin);
  MappingSchema mesh = ground_schema("A mesh", 3);
  mesh.require("file", path_schema("STL, OBJ or Collada (.dae): a closed surface, or a sheet"))
      .allow("origin", vector_schema(quantity::kLength, "Of its axes, m"));
  MappingSchema profile = ground_schema("Straight lines, extruded across", 5);
  describe_profile(profile);
  return one_of_schema({plane.text(), slope.text(), field.text(), mesh.text(),
                        random_relief_schema(), profile.text()},
                       "The ground");
}

}  // namespace

extern const SchemaDefinition kTerrainDefinition{"terrain", terrain_schema};

void ScenarioReader::read_terrain(const Value& value) {
  MapReader map(value, context());
  const auto type = map.require("type", list_choices(kTerrains));
  const auto choice = type ? read_choice(*type, kTerrains, problems()) : std::nullopt;
  if (!choice) return map.report_missing();
  guard(value, problems(), [&] {
    if (*choice == 0) {
      const Vector3 normal = map.vector3("normal", quantity::kNumber, Vector3::UnitZ());
      const double height = map.number("height", quantity::kLength, 0.0);
      terrain_ = std::make_shared<PlaneTerrain>(normal, height);
    } else if (*choice == 1) {
      const double angle = map.required_number("angle", quantity::kAngle);
      const double azimuth = map.number("azimuth", quantity::kAngle, 0.0);
      terrain_ = std::make_shared<PlaneTerrain>(PlaneTerrain::slope(angle, azimuth));
    } else if (*choice == 2) {
      read_height_field(map);
    } else if (*choice == 3) {
      read_terrain_mesh(map);
    } else if (*choice == 4) {
      terrain_ = read_random_relief(map);
    } else {
      terrain_ = read_profile(map);
    }
  });
  map.finish();
}

void ScenarioReader::read_height_field(MapReader& map) {
  const auto file = map.require("file", "the name of a file with rows of heights");
  const double spacing = map.required_number("spacing", kGroundLength);
  const Vector3 origin = map.vector3("origin", quantity::kLength, Vector3::Zero());
  const auto name = file ? read_text(*file, problems()) : std::nullopt;
  if (!name || !(spacing > 0.0)) return;
  const std::string path = path_beside(*file, *name);
  guard(*file, problems(), [&] {
    const std::string& text = session_.open_source(path).text();
    terrain_ = std::make_shared<HeightField>(HeightTable(text, path).heights(), spacing, origin);
  });
}

void ScenarioReader::read_terrain_mesh(MapReader& map) {
  const auto file = map.require("file", "the name of an .stl, .obj or .dae file");
  const Vector3 origin = map.vector3("origin", quantity::kLength, Vector3::Zero());
  const auto name = file ? read_text(*file, problems()) : std::nullopt;
  if (!name) return;
  guard(*file, problems(), [&] {
    terrain_ = std::make_shared<MeshTerrain>(session_.open_mesh(path_beside(*file, *name)), origin);
  });
}

std::optional<int> ScenarioReader::read_wheel_link(MapReader& map) {
  const auto value = map.require("link", "the name of a link on a revolute joint");
  const auto name = value ? read_text(*value, problems()) : std::nullopt;
  if (!has_terrain_)
    map.error_at("type", "expected 'environment: {terrain: …}' for a wheel, got none");
  if (!name || !model_) return std::nullopt;
  const auto body = model_->find_body(*name);
  if (body && *body > 0 && model_->joint(*body).type == JointType::revolute) return body;
  std::vector<std::string> known;
  for (int i = 1; i < model_->body_count(); ++i) {
    if (model_->joint(i).type == JointType::revolute) known.push_back(model_->body(i).name);
  }
  const std::string nearest = body ? "" : nearest_name(*name, known);
  problems().error(value->node->mark, value->path,
                   "expected the name of a link on a revolute joint, got " + quote(*name) +
                       (!body        ? std::string()
                        : *body == 0 ? std::string(", the base")
                                     : ", whose joint is prismatic"),
                   nearest.empty() ? "" : "did you mean '" + nearest + "'?");
  return std::nullopt;
}

void ScenarioReader::check_wheel_start(MapReader& map, int link, double radius) {
  LinkFrames frames(*model_);
  compute_link_frames(*model_, scenario_.initial, frames);
  const double depth =
      radius - terrain_->nearest(frames.o[static_cast<std::size_t>(link)]).distance;
  if (depth > radius) {
    map.error_at("link", fmt::format("expected a wheel that starts at most its radius of {:g} m "
                                     "below the terrain, got one that is {:g} m below",
                                     radius, depth));
  }
}

const ForceElement* ScenarioReader::find_force(const std::string& name) const {
  const auto& forces = scenario_.setup.forces;
  const auto found = std::find_if(forces.begin(), forces.end(),
                                  [&](const auto& force) { return force->name() == name; });
  return found != forces.end() ? found->get() : nullptr;
}

bool ScenarioReader::has_wheels() const {
  const auto& forces = scenario_.setup.forces;
  return std::any_of(forces.begin(), forces.end(), [](const auto& force) {
    return dynamic_cast<const WheelElement*>(force.get()) != nullptr;
  });
}

}  // namespace spacedyn::loading
