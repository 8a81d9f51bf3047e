#include <algorithm>
#include <string_view>

#include "reporting/facts/report_bodies.hpp"
#include "reporting/facts/report_motion.hpp"
#include "reporting/page/report_json.hpp"
#include "reporting/plot/svg_writer.hpp"
#include "reporting/results/json.hpp"
#include "reporting/results/metadata.hpp"
#include "reporting/results/output_file.hpp"
#include "reporting/results/run_facts.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/reporting/build_info.hpp"
#include "spacedyn/reporting/live.hpp"
#include "spacedyn/reporting/report.hpp"

namespace spacedyn {
namespace {

Json json_of(const LiveState& state) {
  return {{"run", state.run},        {"running", state.running},   {"paused", state.paused},
          {"speed", state.speed},    {"duration", state.duration}, {"status", state.status},
          {"message", state.message}};
}

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string filled_template(std::string_view connect, const std::string& title,
                            const std::string& data) {
  std::string_view rest = report_template();
  std::string html;
  const auto fill = [&](std::string_view marker, std::string_view text) {
    const std::size_t place = rest.find(marker);
    html += rest.substr(0, place);
    html += text;
    rest.remove_prefix(place + marker.size());
  };
  fill(kConnectMarker, connect);
  fill(kTitleMarker, escape_markup(title));
  fill(kDataMarker, data);
  html += rest;
  return html;
}

std::string html_report(const std::vector<ReportData>& reports) {
  if (reports.empty()) throw DomainError("a report needs at least one result");
  const auto is_thinned = [](const ReportData& report) { return report.thinned_from > 0; };
  if (reports.size() > 1 && std::any_of(reports.begin(), reports.end(), is_thinned)) {
    throw DomainError(
        "results are compared by all of their rows; one was read for a page of its own");
  }
  return filled_template("'none'", page_title(reports), report_json(reports));
}

void write_html_report(const std::string& path, const std::vector<ReportData>& reports) {
  write_file_atomically(path, html_report(reports));
}

std::string live_page(const ReportData& so_far, const LiveState& state,
                      const std::vector<LiveParameter>& parameters) {
  Json live{{"state", json_of(state)}, {"parameters", Json::array()}};
  for (const LiveParameter& parameter : parameters) {
    live["parameters"].push_back({{"key", parameter.key},
                                  {"value", parameter.value},
                                  {"unit", parameter.unit},
                                  {"element", parameter.element},
                                  {"part", parameter.part},
                                  {"name", parameter.name},
                                  {"plain_unit", parameter.plain_unit}});
  }
  std::vector<ReportData> reports{so_far};
  reports.front().generator = "spacedyn " + build_info().spacedyn;
  return filled_template("'self'", so_far.title, report_json(reports, text_of(live)));
}

ReportData ending_report(const RunRecord& record) {
  ResultTable table;
  table.columns = {{"time_s", "s"}};
  table.values.resize(0, 1);
  take_run_facts(metadata_json(record), table);
  ReportData report = report_data(table);
  report.model = record.model->name();
  add_model_facts(report, *record.model);
  return report;
}

std::string live_message(const ReportData& rows, const LiveState& state, const ReportData* ending) {
  std::string message = "{\"state\":" + text_of(json_of(state));
  if (rows.times.size() > 0) message += ",\"rows\":" + report_rows_json(rows);
  if (ending != nullptr) message += ",\"ending\":" + report_texts_json(*ending);
  return message + '}';
}

}  // namespace spacedyn
