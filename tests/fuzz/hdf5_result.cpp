// Any bytes as an HDF5 result, through the function that users call.
#include "fuzz_input.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/reporting/result_table.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spacedyn;
  static const fuzz::Folder folder;
  const std::string path = folder.put("result.h5", fuzz::text(data, size));
  try {
    read_result(path);
  } catch (const Error&) {
  }
  return 0;
}
