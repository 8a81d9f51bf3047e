#include "flights.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/scenario/result_report.hpp"
#include "unlocked.hpp"

namespace spacedyn::python {
namespace {

/// The scenario of a result, from the inputs that its metadata hold; null if they are of no use.
std::shared_ptr<const Scenario> scenario_of(const RunFacts& facts,
                                            std::vector<std::string>& warnings) {
  if (facts.sources.empty()) return nullptr;
  try {
    return std::make_shared<const Scenario>(
        reload_scenario({facts.sources.begin(), facts.sources.end()}, facts.overrides));
  } catch (const Error& error) {
    warnings.push_back(std::string("the inputs in the metadata cannot be used: ") + error.what());
    return nullptr;
  }
}

std::shared_ptr<Flight> read_flight(const PathArgument& path) {
  const Unlocked unlocked;
  const ResultTable table = read_result(path.text);
  auto flight = std::make_shared<Flight>();
  flight->path = table.path;
  flight->columns = table.columns;
  flight->numbers.resize(static_cast<std::size_t>(table.values.size()));
  Eigen::Map<RowMatrixX>(flight->numbers.data(), table.values.rows(), table.values.cols()) =
      table.values;
  flight->metadata = table.metadata;
  flight->facts = table.facts;
  flight->warnings = table.warnings;
  flight->scenario = scenario_of(table.facts, flight->warnings);
  return flight;
}

}  // namespace

ResultTable table_of(const Flight& flight) {
  ResultTable table;
  table.path = flight.facts.scenario;
  table.columns = flight.columns;
  table.values = Eigen::Map<const RowMatrixX>(flight.numbers.data(), flight.rows(),
                                              static_cast<Eigen::Index>(flight.columns.size()));
  table.facts = flight.facts;
  table.metadata = flight.metadata;
  return table;
}

void bind_stored_results(py::module_& m) {
  m.def("read_flight", &read_flight, py::arg("path"),
        "Reads a result file, or the only one of a folder. See spacedyn.load_result().");
}

}  // namespace spacedyn::python
