// Any bytes as the metadata beside a sound result.
#include "fuzz_input.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/reporting/report_data.hpp"
#include "spacedyn/reporting/result_table.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spacedyn;
  static const fuzz::Folder folder;
  static const std::string result =
      folder.put("result.csv", "time_s,joints_q1_rad\n0,0.5\n1,0.25\n");
  folder.put("result.meta.json", fuzz::text(data, size));
  try {
    CsvResultReader().read(result);
  } catch (const Error&) {
  }
  return 0;
}
