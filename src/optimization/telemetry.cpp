#include "optimization/telemetry.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <string_view>

#include "spacedyn/error.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/reporting/result_table.hpp"

namespace spacedyn {
namespace {

using namespace loading;

/// A cell of a line and its column in bytes, from 1.
struct Cell {
  std::string_view text;
  int column;
};

std::vector<Cell> cells_of(std::string_view line) {
  std::vector<Cell> cells;
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    std::size_t first = begin, last = end;
    const auto is_blank = [&](std::size_t i) {
      return line[i] == ' ' || line[i] == '\t' || line[i] == '\r';
    };
    while (first < last && is_blank(first)) ++first;
    while (last > first && is_blank(last - 1)) --last;
    if (last - first >= 2 && line[first] == '"' && line[last - 1] == '"') {
      ++first;
      --last;
    }
    cells.push_back({line.substr(first, last - first), static_cast<int>(first) + 1});
    if (end == line.size()) return cells;
    begin = end + 1;
  }
}

bool is_blank_line(const std::vector<Cell>& cells) {
  return cells.size() == 1 && cells.front().text.empty();
}

/// Number of a cell, NaN of an empty one; nothing where it is none.
std::optional<double> number_in(std::string_view text) {
  if (text.empty() || text == "nan" || text == "NaN") return std::nan("");
  if (text.front() == '+') text.remove_prefix(1);
  double number = 0.0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = error == std::errc() && stop == text.data() + text.size();
  return is_whole && std::isfinite(number) ? std::optional<double>(number) : std::nullopt;
}

/// Takes a line of numbers. @returns whether it is right; what is wrong is reported
bool take_row(const std::vector<Cell>& cells, const Mark& mark, TelemetryTable& table,
              ProblemList& problems) {
  if (cells.size() != table.names.size()) {
    problems.error(mark, "",
                   "expected " + std::to_string(table.names.size()) +
                       " numbers separated by commas, got " + std::to_string(cells.size()));
    return false;
  }
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto number = number_in(cells[i].text);
    if (!number) {
      problems.error({mark.source, mark.line, cells[i].column}, "",
                     "expected a number or nothing, got " + quote(cells[i].text));
      return false;
    }
    table.columns[i].push_back(*number);
  }
  table.rows.push_back(mark);
  return true;
}

TelemetryTable read_csv(const Value& place, const Source& source, ProblemList& problems) {
  TelemetryTable table;
  if (source.text().size() > kMaxFileSize) {
    problems.error(place, "expected telemetry of at most " + std::to_string(kMaxFileSize >> 20U) +
                              " MiB; give the columns that are needed, or HDF5");
    return table;
  }
  for (const Cell& cell : cells_of(source.line(1))) {
    if (std::count(table.names.begin(), table.names.end(), cell.text) > 0) {
      problems.error({&source, 1, cell.column}, "",
                     "expected each column once, got " + quote(cell.text) + " again");
    }
    table.names.emplace_back(cell.text);
  }
  table.columns.resize(table.names.size());
  const auto lines =
      static_cast<int>(std::count(source.text().begin(), source.text().end(), '\n')) + 1;
  for (int line = 2; line <= lines; ++line) {
    const std::vector<Cell> cells = cells_of(source.line(line));
    if (!is_blank_line(cells) && !take_row(cells, {&source, line, 1}, table, problems)) break;
  }
  return table;
}

TelemetryTable read_hdf5(const std::string& path) {
  const ResultTable result = read_result(path);
  TelemetryTable table;
  for (std::size_t i = 0; i < result.columns.size(); ++i) {
    table.names.push_back(result.columns[i].name);
    const VectorX column = result.values.col(static_cast<Eigen::Index>(i));
    table.columns.emplace_back(column.data(), column.data() + column.size());
  }
  table.rows.resize(static_cast<std::size_t>(result.values.rows()));
  return table;
}

}  // namespace

int TelemetryTable::find(const std::string& name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

TelemetryTable read_telemetry(const Value& place, const std::string& path, ReadContext& context) {
  try {
    if (std::filesystem::path(path).extension() == ".h5") return read_hdf5(path);
    return read_csv(place, context.session.open_source(path), context.problems);
  } catch (const IoError& error) {
    context.problems.error(
        place, std::string("expected a file of data that can be read, got ") + error.what());
    return {};
  }
}

}  // namespace spacedyn
