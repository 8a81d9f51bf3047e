// Any bytes as the metadata beside a sound result, up to its report and the inputs it carries.
#include "fuzz_input.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/reporting/report.hpp"
#include "spacedyn/reporting/result_table.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spacedyn;
  static const fuzz::Folder folder;
  static const std::string result =
      folder.put("result.csv", "time_s,joints_q1_rad\n0,0.5\n1,0.25\n");
  folder.put("result.meta.json", fuzz::text(data, size));
  try {
    const ResultTable table = read_result(result);
    report_data(table);
    const RunFacts& facts = table.facts;
    reload_scenario({facts.sources.begin(), facts.sources.end()}, facts.overrides);
  } catch (const Error&) {
  }
  return 0;
}
