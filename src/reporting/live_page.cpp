#include "spacedyn/reporting/live.hpp"

#include "reporting/json.hpp"
#include "reporting/report_json.hpp"
#include "reporting/report_template.hpp"

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

std::string live_page(const ReportData& so_far, const LiveState& state,
                      const std::vector<LiveParameter>& parameters) {
  Json live{{"state", json_of(state)}, {"parameters", Json::array()}};
  for (const LiveParameter& parameter : parameters) {
    live["parameters"].push_back(
        {{"key", parameter.key}, {"value", parameter.value}, {"unit", parameter.unit}});
  }
  return filled_template("'self'", so_far.title, report_json({so_far}, text_of(live)));
}

std::string live_message(const ReportData& rows, const LiveState& state) {
  std::string message = "{\"state\":" + text_of(json_of(state));
  if (rows.times.size() > 0) message += ",\"rows\":" + report_rows_json(rows);
  return message + '}';
}

}  // namespace spacedyn
