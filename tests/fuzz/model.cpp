// Any text as a model file: a model, or ParseError with what is wrong.
#include "fuzz_input.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/loading/yaml.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spacedyn;
  try {
    const LoadedModel loaded = parse_model(fuzz::text(data, size), fuzz::kModelFile);
    // what was accepted can be written and read again
    const std::string written = write_model(*loaded.model);
    if (write_model(*parse_model(written, fuzz::kModelFile).model) != written) __builtin_trap();
  } catch (const Error&) {
  }
  return 0;
}
