#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "loading/keys/time_series.hpp"
#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/terrain/mesh_terrain.hpp"
#include "spacedyn/terrain/profile_terrain.hpp"
#include "spacedyn/terrain/random_relief.hpp"

namespace spacedyn::loading {
namespace {

using TerrainPtr = std::shared_ptr<const Terrain>;  // null where it is wrong
using Points = std::vector<Eigen::Vector2d>;

constexpr double kEndless = std::numeric_limits<double>::infinity();

/// What is wrong with the last point; empty: nothing.
std::string fault_of_last(const Points& points) {
  const std::size_t n = points.size();
  if (n < 2) return "";
  const Eigen::Vector2d step = points[n - 1] - points[n - 2];
  if (step.x() < 0.0) {
    return fmt::format(
        "expected a first coordinate of at least that of the point before, {:g} m, "
        "got {:g} m",
        points[n - 2].x(), points[n - 1].x());
  }
  if (step.isZero(0.0)) return "expected another point than the one before, got it again";
  if (n < 3 || step.x() > 0.0 || points[n - 2].x() > points[n - 3].x()) return "";
  if (step.y() * (points[n - 2].y() - points[n - 3].y()) > 0.0) return "";
  return "expected a point that leaves the vertical face before it, got one that goes back along "
         "it";
}

constexpr Quantity kGroundLength{Dimension::length, Range::positive};

using Spectrum = RandomRelief::Spectrum;

/// All keys of all terrains.
struct TerrainKeys {
  Vector3 normal = Vector3::UnitZ(), origin = Vector3::Zero();
  double height = 0.0, angle = 0.0, azimuth = 0.0, spacing = 0.0, width = kEndless;
  std::string file;
  Eigen::Vector2d size = Eigen::Vector2d::Zero();
  Spectrum spectrum;
  Points points;
};

Kind<std::uint64_t> relief_seed() {
  const auto read = [](const Value& value, Reading& reading) -> std::optional<std::uint64_t> {
    const auto seed =
        read_number(value, quantity::kNumber.within(Range::not_negative), reading.problems());
    if (!seed) return std::nullopt;
    if (*seed == std::floor(*seed) && *seed <= 9007199254740992.0) {
      return static_cast<std::uint64_t>(*seed);
    }
    reading.problems().error(
        value, "expected a whole number of at most 2^53, got " + format_number(*seed));
    return std::nullopt;
  };
  return make_kind<std::uint64_t>(
      "a whole number", [] { return whole_number_schema(0, "Default 0"); }, read);
}

Mapping<Spectrum> relief_keys() {
  using namespace kind;
  Mapping<Spectrum> keys;
  keys.require("rms", &Spectrum::rms, not_negative(kLength), "Root mean square of the heights, m");
  keys.require("longest", &Spectrum::longest, kGroundLength, "Longest wavelength, m");
  keys.require("shortest", &Spectrum::shortest, kGroundLength,
               "Shortest wavelength, m, at least twice the spacing");
  keys.allow("hurst", &Spectrum::hurst, positive(kNumber), "The larger, the smoother; default 0.8",
             {-std::numeric_limits<double>::infinity(), 1.0});
  return keys.allow("seed", &Spectrum::seed, relief_seed());
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

TerrainPtr make_relief(const TerrainKeys& keys, Reading& reading) {
  Spectrum spectrum = keys.spectrum;
  if (spectrum.shortest >= spectrum.longest || spectrum.shortest < 2.0 * keys.spacing) {
    reading.map.error_at("shortest",
                         fmt::format("expected a length from twice the spacing to less than the "
                                     "longest, got {:g} m",
                                     spectrum.shortest));
    return nullptr;
  }
  const double columns = std::ceil(keys.size.x() / keys.spacing) + 1.0;
  const double rows = std::ceil(keys.size.y() / keys.spacing) + 1.0;
  if (columns * rows > kMostHeights) {
    reading.map.error_at("size", fmt::format("expected at most {:g} heights, got {:g} by {:g}",
                                             kMostHeights, columns, rows));
    return nullptr;
  }
  Vector3 origin = keys.origin;
  if (!reading.map.has("origin")) {
    origin = {-0.5 * (columns - 1.0) * keys.spacing, -0.5 * (rows - 1.0) * keys.spacing, 0.0};
  }
  const MatrixX heights = RandomRelief(spectrum).heights(static_cast<Eigen::Index>(rows),
                                                         static_cast<Eigen::Index>(columns),
                                                         keys.spacing, origin.x(), origin.y());
  return std::make_shared<HeightField>(heights, keys.spacing, origin);
}

TerrainPtr make_height_field(const TerrainKeys& keys, Reading& reading) {
  const Value file = *reading.map.find("file");
  const std::string path = path_beside(file, keys.file);
  TerrainPtr terrain;
  guard(file, reading.problems(), [&] {
    const std::string& text = reading.map.context().session.open_source(path).text();
    terrain =
        std::make_shared<HeightField>(HeightTable(text, path).heights(), keys.spacing, keys.origin);
  });
  return terrain;
}

TerrainPtr make_mesh(const TerrainKeys& keys, Reading& reading) {
  const Value file = *reading.map.find("file");
  TerrainPtr terrain;
  guard(file, reading.problems(), [&] {
    terrain = std::make_shared<MeshTerrain>(
        reading.map.context().session.open_mesh(path_beside(file, keys.file)), keys.origin);
  });
  return terrain;
}

/// Points of a profile.
Kind<Points> profile_points() {
  const auto read = [](const Value& list, Reading& reading) -> std::optional<Points> {
    const ErrorMark errors(reading.problems());
    Points points;
    for_each_item(list, reading.problems(), [&](const Value& item) {
      const auto point = read_numbers(item, quantity::kLength, 2, reading.problems());
      if (!point) return;
      points.emplace_back((*point)(0), (*point)(1));
      const std::string fault = fault_of_last(points);
      if (fault.empty()) return;
      reading.problems().error(item, fault);
      points.pop_back();
    });
    if (list.node->is_sequence() && list.node->items.size() < 2) {
      reading.problems().error(
          list, fmt::format("expected at least 2 points, got {}", list.node->items.size()));
    }
    if (errors.found()) return std::nullopt;
    return points;
  };
  return make_kind<Points>(
      "a list of points [s, z], m",
      [] {
        return series_schema(list_schema(number_schema({quantity::kLength}), 2), 2,
                             "[s, z], m, s along the azimuth");
      },
      read);
}

using Keys = Mapping<TerrainKeys>;

Keys plane_keys() {
  Keys keys("A plane");
  keys.allow("normal", &TerrainKeys::normal, kind::vector(quantity::kNumber, "Upwards; default z"));
  return keys.allow("height", &TerrainKeys::height, quantity::kLength,
                    "Along the normal, m, default 0");
}

Keys slope_keys() {
  Keys keys("A plane through the origin that rises");
  keys.require("angle", &TerrainKeys::angle, quantity::kAngle, "Of the rise, rad");
  return keys.allow("azimuth", &TerrainKeys::azimuth, quantity::kAngle,
                    "Of the rise about z from x, rad");
}

Keys height_field_keys() {
  using namespace kind;
  Keys keys("Heights on a grid");
  keys.require("file", &TerrainKeys::file,
               path("Rows of heights", "the name of a file with rows of heights"));
  keys.require("spacing", &TerrainKeys::spacing, kGroundLength, "Of the heights, m");
  return keys.allow("origin", &TerrainKeys::origin, vector(kLength, "Of the first height, m"));
}

Keys mesh_keys() {
  using namespace kind;
  Keys keys("A mesh");
  keys.require("file", &TerrainKeys::file,
               path("STL, OBJ or Collada (.dae): a closed surface, or a sheet",
                    "the name of an .stl, .obj or .dae file"));
  return keys.allow("origin", &TerrainKeys::origin, vector(kLength, "Of its axes, m"));
}

Keys random_keys() {
  using namespace kind;
  Keys keys("Random relief of a spectrum and a seed");
  keys.require("size", &TerrainKeys::size,
               numbers<Eigen::Vector2d>({kGroundLength, kGroundLength}, "Along x and y, m",
                                        "a list of 2 lengths, along x and y"));
  keys.require("spacing", &TerrainKeys::spacing, kGroundLength, "Of the heights, m");
  keys.merge(&TerrainKeys::spectrum, once<relief_keys>());
  return keys.allow("origin", &TerrainKeys::origin,
                    vector(kLength, "Of the first height; default: centred"));
}

Keys profile_keys() {
  Keys keys("Straight lines, extruded across");
  keys.require("points", &TerrainKeys::points, profile_points());
  keys.allow("azimuth", &TerrainKeys::azimuth, quantity::kAngle,
             "Of s about z, from x, rad, default 0");
  return keys.allow("width", &TerrainKeys::width, kGroundLength, "Across, m; default: without end");
}

using MakeTerrain = TerrainPtr (*)(const TerrainKeys& keys, Reading& reading);

const std::array<Variant<TerrainKeys, MakeTerrain>, 6> kTerrains = {{
    {"plane", plane_keys,
     [](const TerrainKeys& keys, Reading&) -> TerrainPtr {
       return std::make_shared<PlaneTerrain>(keys.normal, keys.height);
     }},
    {"slope", slope_keys,
     [](const TerrainKeys& keys, Reading&) -> TerrainPtr {
       return std::make_shared<PlaneTerrain>(PlaneTerrain::slope(keys.angle, keys.azimuth));
     }},
    {"height_field", height_field_keys, make_height_field},
    {"mesh", mesh_keys, make_mesh},
    {"random", random_keys, make_relief},
    {"profile", profile_keys,
     [](const TerrainKeys& keys, Reading&) -> TerrainPtr {
       return std::make_shared<ProfileTerrain>(keys.points, keys.azimuth, keys.width);
     }},
}};

Variants make_terrains() { return variants_of("type", kTerrains); }

Json terrain_schema() { return once<make_terrains>().schema("The ground"); }

/// What the angles of a soil are to one another.
void check_angles(Soil& soil, Reading& reading) {
  constexpr double kRight = 0.5 * kPi;
  if (soil.friction_angle >= kRight) {
    reading.map.error_at("friction_angle",
                         "expected an angle below 90°, got " + format_number(soil.friction_angle));
  } else if (soil.destructive_angle + soil.friction_angle >= kRight) {
    reading.map.error_at("destructive_angle",
                         "expected an angle that with the friction angle is below 90°, got " +
                             format_number(soil.destructive_angle));
  }
}

Mapping<Soil> soil_keys() {
  using namespace kind;
  using Pair = std::array<double, 2>;
  const std::vector<Quantity> shear = {positive(kLength), not_negative(in("m/rad"))};
  const char* pair = "a list of 2 numbers: k = first + second |slip angle|, m";
  Mapping<Soil> keys("A loose soil");
  keys.require("cohesion", &Soil::cohesion, not_negative(in("Pa")), "Cohesion, Pa");
  keys.require("friction_angle", &Soil::friction_angle, not_negative(kAngle),
               "Angle of internal friction, below 90°");
  keys.require("k_c", &Soil::k_c, kNumber, "Modulus of deformation by cohesion");
  keys.require("k_phi", &Soil::k_phi, not_negative(kNumber), "Modulus of deformation by friction");
  keys.require("exponent", &Soil::exponent, positive(kNumber), "Exponent of sinkage",
               {-std::numeric_limits<double>::infinity(), 5.0});
  keys.allow("exponent_slip", &Soil::exponent_slip, not_negative(kNumber),
             "What slip adds to the exponent, default 0");
  keys.require("density", &Soil::density, not_negative(in("kg/m³")), "Density, kg/m³");
  keys.allow("a0", &Soil::a0, kNumber,
             "Angle of the largest stress over that of entry, default 0.4", kAtMostOne);
  keys.allow("a1", &Soil::a1, kNumber, "What slip adds to a0, default 0.15", {-1.0, 1.0});
  keys.allow("lambda", &Soil::lambda, kNumber,
             "Sinkage behind the wheel over that in front, default 0", kAtMostOne);
  keys.allow("destructive_angle", &Soil::destructive_angle, positive(kAngle),
             "Angle of the soil that the side pushes, default that of a passive wall");
  keys.require("shear_modulus_x", &Soil::shear_modulus_x,
               numbers<Pair>(shear, "Along the wheel, k = first + second |slip angle|, m", pair));
  keys.require("shear_modulus_y", &Soil::shear_modulus_y,
               numbers<Pair>(shear, "Across the wheel, k = first + second |slip angle|, m", pair));
  keys.allow("unloading_modulus", &Soil::unloading_modulus,
             numbers<Pair>({not_negative(in("N/m³")), not_negative(in("N/m⁴"))},
                           "k_u = first + second z_u of soil that was pressed to z_u, N/m³ and "
                           "N/m⁴",
                           pair));
  keys.allow("pressure", &Soil::pressure,
             choice<PressureLaw>({"bekker", "reece"}, "Law of pressure, default bekker"));
  keys.check(check_angles);
  return keys;
}

void read_soil(ScenarioContext& scenario, const Value& value, const std::string& name) {
  const ErrorMark errors(scenario.problems());
  Soil soil;
  scenario.ground.soil_names.push_back(name);
  if (!once<soil_keys>().read_whole(value, scenario.context(), soil)) return;
  guard(value, scenario.problems(), [&] { soil.check(); });
  if (!errors.found()) scenario.ground.soils.emplace(name, soil);
}

}  // namespace

extern const SchemaDefinition kTerrainDefinition{"terrain", terrain_schema};
extern const SchemaDefinition kSoilDefinition{"soil", schema_of<soil_keys>};

void read_terrain(ScenarioContext& scenario, const Value& value) {
  scenario.ground.has_terrain = true;
  TerrainKeys keys;
  once<make_terrains>().read(value, scenario.context(), &keys, nullptr, {},
                             [&](std::size_t type, Reading& reading, bool is_right) {
                               if (!is_right) return;
                               guard(value, scenario.problems(), [&] {
                                 scenario.ground.terrain = kTerrains[type].use(keys, reading);
                               });
                             });
}

void read_soils(ScenarioContext& scenario) {
  const auto value = scenario.map.find("soils");
  if (!value) return;
  const auto read = [&](const std::string& name, const Value& item) {
    read_soil(scenario, item, name);
  };
  for_each_entry(*value, "soils", scenario.problems(), read);
}

}  // namespace spacedyn::loading
