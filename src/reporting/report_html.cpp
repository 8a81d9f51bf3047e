#include <string_view>

#include "reporting/output_file.hpp"
#include "reporting/report_json.hpp"
#include "reporting/report_template.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/reporting/report.hpp"

namespace spacedyn {
namespace {

std::string escape_html(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string page_title(const std::vector<ReportData>& reports) {
  std::string title;
  for (const ReportData& report : reports) title += (title.empty() ? "" : " · ") + report.title;
  return title;
}

}  // namespace

std::string html_report(const std::vector<ReportData>& reports) {
  if (reports.empty()) throw DomainError("a report needs at least one result");
  const std::string_view page = report_template();
  const std::size_t title = page.find(kTitleMarker);
  const std::size_t data = page.find(kDataMarker, title);
  std::string html;
  html += page.substr(0, title);
  html += escape_html(page_title(reports));
  html += page.substr(title + kTitleMarker.size(), data - title - kTitleMarker.size());
  html += report_json(reports);
  html += page.substr(data + kDataMarker.size());
  return html;
}

void write_html_report(const std::string& path, const std::vector<ReportData>& reports) {
  write_file_atomically(path, html_report(reports));
}

}  // namespace spacedyn
