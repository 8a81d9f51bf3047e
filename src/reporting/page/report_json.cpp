#include "reporting/page/report_json.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "reporting/facts/decimation.hpp"
#include "reporting/facts/report_motion.hpp"
#include "reporting/results/json.hpp"

namespace spacedyn {
namespace {

/// Binary data as text, RFC 4648.
std::string base64(const void* data, std::size_t size) {
  static constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto* bytes = static_cast<const unsigned char*>(data);
  const auto byte = [&](std::size_t i) { return i < size ? std::uint32_t{bytes[i]} : 0U; };
  std::string text;
  text.reserve((size + 2) / 3 * 4);
  for (std::size_t i = 0; i < size; i += 3) {
    const std::uint32_t three = byte(i) << 16U | byte(i + 1) << 8U | byte(i + 2);
    text += kDigits[three >> 18U];
    text += kDigits[three >> 12U & 63U];
    text += i + 1 < size ? kDigits[three >> 6U & 63U] : '=';
    text += i + 2 < size ? kDigits[three & 63U] : '=';
  }
  return text;
}

/// Little-endian floats; what the page's typed arrays read on every machine in use.
std::string floats(const Eigen::Ref<const MatrixX>& matrix) {
  const Eigen::MatrixXf narrow = matrix.cast<float>();
  return base64(narrow.data(), static_cast<std::size_t>(narrow.size()) * sizeof(float));
}

std::string doubles(const std::vector<double>& numbers) {
  return base64(numbers.data(), numbers.size() * sizeof(double));
}

Json pose(const Vector3& position, const Matrix3& rotation) {
  return {{"p", json_list(position)}, {"q", json_list(Quaternion(rotation).coeffs())}};
}

const char* name_of(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::box:
      return "box";
    case ShapeKind::cylinder:
      return "cylinder";
    case ShapeKind::sphere:
      return "sphere";
    case ShapeKind::ellipsoid:
      return "ellipsoid";
    case ShapeKind::mesh:
      return "mesh";
  }
  return "";
}

const char* name_of(ShapeRole role) {
  switch (role) {
    case ShapeRole::visual:
      return "visual";
    case ShapeRole::inertia:
      return "inertia";
    case ShapeRole::bone:
      return "bone";
    case ShapeRole::joint:
      return "joint";
  }
  return "";
}

Json bodies(const ReportData& report) {
  const bool moves = report.joint_positions.size() > 0;
  Json list = Json::array();
  for (const ReportBody& body : report.bodies) {
    Json json{{"name", body.name},
              {"parent", body.parent},
              {"joint", body.joint},
              {"type", body.joint_type},
              {"mass", body.mass}};
    if (body.screw_slide != 0.0) json["slide"] = body.screw_slide;
    if (body.is_driven) json["driven"] = true;
    if (body.is_wheel) json["wheel"] = true;
    if (!body.compound_joint.empty()) json["compound"] = body.compound_joint;
    if (body.is_carrier) json["carrier"] = true;
    if (body.rest_position) json["rest"] = *body.rest_position;
    if (body.rest_position || moves) {
      json["pose"] = pose(body.joint_pose.position, body.joint_pose.rotation);
    }
    if (moves) {
      json["centroid"] = json_list(body.center_of_mass);
      if (std::isfinite(body.position_lower)) json["lower"] = body.position_lower;
      if (std::isfinite(body.position_upper)) json["upper"] = body.position_upper;
      if (!body.rotation_axis.isZero(0.0)) json["turns_about"] = json_list(body.rotation_axis);
    }
    list.push_back(std::move(json));
  }
  return list;
}

Json shapes(const ReportData& report) {
  Json list = Json::array();
  for (const ReportShape& shape : report.shapes) {
    Json json{{"body", shape.body},
              {"kind", name_of(shape.kind)},
              {"role", name_of(shape.role)},
              {"size", json_list(shape.size)},
              {"pose", pose(shape.pose.position, shape.pose.rotation)},
              {"color", shape.color}};
    if (!shape.triangles.empty()) {
      json["triangles"] = base64(shape.triangles.data(), shape.triangles.size() * sizeof(float));
    }
    list.push_back(std::move(json));
  }
  return list;
}

Json frames(const ReportData& report) {
  Json list = Json::array();
  for (const Frame& frame : report.frames) {
    list.push_back({{"name", frame.name},
                    {"body", frame.body},
                    {"pose", pose(frame.position, frame.rotation)}});
  }
  return list;
}

Json lines(const ReportData& report) {
  Json list = Json::array();
  for (const ReportLine& line : report.lines) {
    Json points = Json::array();
    for (const Frame& point : line.points) {
      points.push_back({{"body", point.body}, {"p", json_list(point.position)}});
    }
    list.push_back({{"name", line.name}, {"points", std::move(points)}});
  }
  return list;
}

Json arrows(const ReportMotion& motion) {
  Json list = Json::array();
  for (const ReportArrow& arrow : motion.arrows) {
    list.push_back({{"name", arrow.name},
                    {"kind", arrow.kind},
                    {"unit", arrow.unit},
                    {"at", floats(arrow.origin - motion.center_of_mass)},
                    {"vector", floats(arrow.vector)}});
  }
  return list;
}

/// Relief and tracks; nothing without ground.
Json ground(const ReportData& report) {
  const ReportRelief& relief = report.relief;
  Json tracks = Json::array();
  for (const ReportTrack& track : report.tracks) {
    tracks.push_back({{"name", track.name},
                      {"left", floats(track.left)},
                      {"right", floats(track.right)},
                      {"sinkage", floats(track.sinkage)}});
  }
  return {{"origin", json_list(relief.origin)},
          {"spacing", json_list(relief.spacing)},
          {"columns", relief.heights.cols()},
          {"heights", floats(relief.heights.transpose())},
          {"tracks", std::move(tracks)}};
}

/// Places travel relative to the centre of mass: narrow numbers would put what is 7000 km from the
/// origin half a metre off.
Json motion(const ReportMotion& motion) {
  const Matrix3X& center = motion.center_of_mass;
  MatrixX poses = motion.poses;
  for (Eigen::Index row = 0; row < poses.rows(); row += 7) poses.middleRows<3>(row) -= center;
  return {{"times", doubles(motion.times)},
          {"poses", floats(poses)},
          {"com", base64(center.data(), static_cast<std::size_t>(center.size()) * sizeof(double))},
          {"efforts", floats(motion.joint_efforts)},
          {"arrows", arrows(motion)}};
}

Json surroundings(const CelestialScene& around) {
  Json list = Json::array();
  for (const CelestialBody& body : around.bodies) {
    Json json{{"name", body.name},
              {"pose", pose(body.position, body.attitude)},
              {"mu", body.mu},
              {"radius", body.radius},
              {"spin", json_list(body.angular_velocity)}};
    if (!body.triangles.empty()) {
      json["triangles"] = base64(body.triangles.data(), body.triangles.size() * sizeof(float));
    }
    list.push_back(std::move(json));
  }
  Json json{{"bodies", std::move(list)}};
  if (around.orbit.exists()) {
    json["orbit"] = {{"radius", around.orbit.radius},
                     {"mu", around.orbit.mu},
                     {"eccentricity", around.orbit.eccentricity},
                     {"anomaly", around.orbit.true_anomaly}};
  }
  if (around.sun) json["sun"] = json_list(*around.sun);
  return json;
}

Json modes(const ReportData& report) {
  Json list = Json::array();
  for (const ReportMode& mode : report.modes) {
    list.push_back({{"number", mode.number},
                    {"frequency", mode.frequency},
                    {"damping", mode.damping_ratio},
                    {"growth", mode.growth_rate},
                    {"strain", mode.strain},
                    {"motion", motion(mode.motion)}});
  }
  return list;
}

/// Differences from the first finite value, so that a small drift of a large number survives the
/// narrow type; a constant is one number.
Json series(const ReportSeries& series, const Decimation& decimation) {
  Json json{{"column", series.column},
            {"group", series.group},
            {"label", series.label},
            {"unit", series.unit}};
  const VectorX values = decimation.apply(series.values);
  const auto* const end = values.data() + values.size();
  const auto* const first =
      std::find_if(values.data(), end, [](double x) { return std::isfinite(x); });
  const double offset = first == end ? 0.0 : *first;
  json["offset"] = offset;
  if ((values.array() == offset).all()) return json;
  json["change"] = floats((values.array() - offset).matrix());
  return json;
}

Json all_series(const ReportData& report, int most_points) {
  const Decimation decimation(static_cast<int>(report.times.size()), most_points);
  std::vector<double> times;
  for (const int row : decimation.rows()) times.push_back(report.times(row));
  Json list = Json::array();
  for (const ReportSeries& one : report.series) list.push_back(series(one, decimation));
  return {{"times", doubles(times)},
          {"rows", report.thinned_from > 0 ? report.thinned_from : report.times.size()},
          {"exact", decimation.is_exact() && report.thinned_from == 0},
          {"list", std::move(list)}};
}

Json audit(const ReportData& report) {
  Json list = Json::array();
  for (const ReportCheck& check : report.audit) {
    Json json{{"label", check.label}, {"value", check.value}};
    if (check.limit) json["limit"] = *check.limit;
    list.push_back(std::move(json));
  }
  return list;
}

Json events(const ReportData& report) {
  Json list = Json::array();
  for (const ReportEvent& event : report.events) {
    Json json{{"time", event.time}, {"name", event.name}};
    if (!event.action.empty()) json["action"] = event.action;
    list.push_back(std::move(json));
  }
  return list;
}

/// What is smaller is rounding, by unit.
Json rounding(const ReportScales& scales) {
  return {{"J", kRoundingFraction * scales.energy},
          {"kg m/s", kRoundingFraction * scales.linear_momentum},
          {"kg m^2/s", kRoundingFraction * scales.angular_momentum}};
}

/// What one moves on the page.
Json joints(const ReportData& report) {
  Json gears = Json::array();
  for (const Loop& gear : report.gears) {
    gears.push_back({{"joints", gear.joints},
                     {"coefficients", json_list(gear.coefficients)},
                     {"offset", gear.offset}});
  }
  return {{"positions", json_list(report.joint_positions)}, {"gears", std::move(gears)}};
}

Json texts(const ReportData& report) {
  Json facts = Json::array();
  for (const ReportFact& fact : report.facts) {
    facts.push_back({{"group", fact.group}, {"label", fact.label}, {"value", fact.value}});
  }
  Json inputs = Json::array();
  for (const ReportText& input : report.inputs) {
    inputs.push_back({{"name", input.name}, {"text", input.text}});
  }
  return {{"facts", std::move(facts)},
          {"inputs", std::move(inputs)},
          {"audit", audit(report)},
          {"events", events(report)},
          {"warnings", report.warnings}};
}

Json result(const ReportData& report, std::string title, int most_points) {
  Json json{{"title", std::move(title)},
            {"model", report.model},
            {"status", report.status},
            {"message", report.message},
            {"generator", report.generator},
            {"description", report.description},
            {"source", report.source},
            {"gravity", json_list(report.gravity)},
            {"rounding", rounding(report.scales)}};
  json["bodies"] = bodies(report);
  json["shapes"] = shapes(report);
  json["frames"] = frames(report);
  json["lines"] = lines(report);
  json["motion"] = motion(report.motion);
  if (report.relief.heights.size() > 0) json["ground"] = ground(report);
  json["around"] = surroundings(report.surroundings);
  if (!report.modes.empty()) json["modes"] = modes(report);
  if (report.joint_positions.size() > 0) json["joints"] = joints(report);
  json["series"] = all_series(report, most_points);
  json.update(texts(report));
  return json;
}

Json comparison(const ReportData& a, const ReportData& b) {
  Json list = Json::array();
  for (const SeriesDifference& difference : compare(a, b)) {
    list.push_back({{"group", difference.group},
                    {"label", difference.label},
                    {"unit", difference.unit},
                    {"max", difference.greatest},
                    {"time", difference.time},
                    {"rms", difference.rms}});
  }
  return list;
}

}  // namespace

std::string report_rows_json(const ReportData& report) {
  return Json{{"motion", motion(report.motion)},
              {"series", all_series(report, kMaxReportPoints)},
              {"rounding", rounding(report.scales)}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string report_texts_json(const ReportData& report) {
  return texts(report).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string report_json(const std::vector<ReportData>& reports, const std::string& live) {
  std::size_t count = 0;
  for (const ReportData& report : reports) count += report.series.size();
  const int most = most_page_points(count);
  Json json{{"format", "spacedyn-report/1"},
            {"title", page_title(reports)},
            {"identity", reports.size() == 1 ? reports.front().identity : std::string()},
            {"results", Json::array()}};
  const std::vector<std::string> titles = titles_of(reports);
  for (std::size_t i = 0; i < reports.size(); ++i) {
    json["results"].push_back(result(reports[i], titles[i], most));
  }
  json["comparisons"] = Json::array();
  for (std::size_t i = 1; i < reports.size(); ++i) {
    json["comparisons"].push_back(comparison(reports.front(), reports[i]));
  }
  if (!live.empty()) json["live"] = Json::parse(live);
  // no tag can end or open inside the data, whatever the names are
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) c == '<' ? safe += "\\u003c" : safe += c;
  return safe;
}

}  // namespace spacedyn
