// Any text as URDF, MJCF or .def, by its first byte: a model, or ParseError with what is wrong.
#include "fuzz_input.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/loading/foreign.hpp"
#include "spacedyn/loading/yaml.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spacedyn;
  if (size == 0) return 0;
  const char* const files[] = {"robot.urdf", "robot.def"};
  try {
    const LoadedModel loaded =
        parse_model(fuzz::text(data + 1, size - 1), files[data[0] % std::size(files)]);
    // what was accepted can be written, both ways
    parse_model(write_model(*loaded.model), fuzz::kModelFile);
    export_urdf(*loaded.model);
  } catch (const Error&) {
  }
  return 0;
}
