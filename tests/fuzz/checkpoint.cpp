// Any bytes as the content of a checkpoint whose check sum and version are right, and as damage to
// the memory of a run that is to be continued. The first byte chooses.
#include "fuzz_input.hpp"
#include "integration/equations/archive.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/reporting/checkpoint_file.hpp"

namespace spacedyn {
namespace {

/// Remembers the first checkpoint of a run.
struct Keeper final : SimulationObserver {
  void on_output(const SimulationPoint& /*point*/) override {}
  bool wants_checkpoint() override { return !found; }
  void on_checkpoint(const Checkpoint& checkpoint) override {
    kept = checkpoint;
    found = true;
  }
  Checkpoint kept;
  bool found = false;
};

std::string sealed(const std::string& body) {
  Archive version;
  std::string name = checkpoint_version();
  version(name);
  const std::string content = version.bytes() + body;
  const std::uint64_t sum = checksum(content);
  return "spacedyn checkpoint\n" + content +
         std::string(reinterpret_cast<const char*>(&sum), sizeof sum);
}

void read_file(const std::string& body) {
  static const fuzz::Folder folder;
  read_checkpoint(folder.put("run.checkpoint", sealed(body)));
}

/// Each three bytes are a place, modulo the length, and what stands there; the check sum is right.
std::string damaged(std::string memory, const std::string& edits) {
  constexpr std::size_t kSum = sizeof(int), kHead = kSum + sizeof(std::uint64_t);
  for (std::size_t i = 0; i + 2 < edits.size() && memory.size() > kHead; i += 3) {
    const auto high = static_cast<unsigned char>(edits[i]);
    const auto low = static_cast<unsigned char>(edits[i + 1]);
    memory[kHead + (256U * high + low) % (memory.size() - kHead)] = edits[i + 2];
  }
  if (memory.size() < kHead) return memory;
  const std::uint64_t sum = checksum(std::string_view(memory).substr(kHead));
  std::memcpy(memory.data() + kSum, &sum, sizeof sum);
  return memory;
}

void resume_run(const std::string& bytes) {
  static Simulator simulator = [] {
    Scenario scenario = load_scenario(fuzz::kScenarioFile);
    scenario.setup.integrator.max_steps = 20;
    return Simulator(scenario.setup);
  }();
  static const Checkpoint start = [] {
    Keeper keeper;
    try {
      simulator.run(load_scenario(fuzz::kScenarioFile).initial, 1.0, 0.5, keeper);
    } catch (const NumericalError&) {
      // the steps are used up
    }
    return keeper.kept;
  }();
  Checkpoint checkpoint = start;
  checkpoint.memory = damaged(start.memory, bytes);
  SimulationObserver observer;
  simulator.resume(checkpoint, observer);
}

}  // namespace
}  // namespace spacedyn

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string bytes = spacedyn::fuzz::text(data + 1, size - 1);
  try {
    if (data[0] % 2 == 0) {
      spacedyn::read_file(bytes);
    } else {
      spacedyn::resume_run(bytes);
    }
  } catch (const spacedyn::Error&) {
  }
  return 0;
}
