// Any bytes as a CSV result, up to its report.
#include "fuzz_input.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/reporting/report.hpp"
#include "spacedyn/reporting/result_table.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spacedyn;
  static const fuzz::Folder folder;
  const std::string path = folder.put("result.csv", fuzz::text(data, size));
  try {
    report_data(read_result(path));
  } catch (const Error&) {
  }
  return 0;
}
