#include <string_view>

#include "reporting/facts/report_titles.hpp"
#include "reporting/page/report_json.hpp"
#include "reporting/page/report_template.hpp"
#include "reporting/plot/markup.hpp"
#include "reporting/results/output_file.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/reporting/report.hpp"

namespace spacedyn {
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
  return filled_template("'none'", page_title(reports), report_json(reports));
}

void write_html_report(const std::string& path, const std::vector<ReportData>& reports) {
  write_file_atomically(path, html_report(reports));
}

}  // namespace spacedyn
