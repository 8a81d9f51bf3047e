#include "spacedyn/dynamics/instruction_set.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>

#include "dynamics/tree/kernel_choice.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

constexpr const char* kVariable = "SPACEDYN_INSTRUCTION_SET";
constexpr int kUndecided = -1;
std::atomic<int> chosen{kUndecided};

bool is_supported(InstructionSet set) {
  const auto& all = supported_instruction_sets();
  return std::find(all.begin(), all.end(), set) != all.end();
}

std::string supported_names() {
  std::string names;
  for (const InstructionSet set : supported_instruction_sets()) {
    names += names.empty() ? "" : ", ";
    names += to_string(set);
  }
  return names;
}

InstructionSet decide() {
  const char* wanted = std::getenv(kVariable);
  if (wanted == nullptr || *wanted == '\0') return supported_instruction_sets().back();
  for (const InstructionSet set : supported_instruction_sets()) {
    if (to_string(set) == wanted) return set;
  }
  throw DomainError(std::string(kVariable) + " is '" + wanted + "', this machine supports " +
                    supported_names());
}

}  // namespace

std::string_view to_string(InstructionSet set) {
  switch (set) {
    case InstructionSet::avx2:
      return "avx2";
    case InstructionSet::avx512:
      return "avx512";
    case InstructionSet::baseline:
      break;
  }
  return "baseline";
}

const std::vector<InstructionSet>& supported_instruction_sets() {
  static const std::vector<InstructionSet> sets = [] {
    std::vector<InstructionSet> found{InstructionSet::baseline};
#ifdef SPACEDYN_X86_64_KERNELS
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (avx2) found.push_back(InstructionSet::avx2);
    if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
      found.push_back(InstructionSet::avx512);
    }
#endif
    return found;
  }();
  return sets;
}

InstructionSet instruction_set() {
  int set = chosen.load(std::memory_order_relaxed);
  if (set == kUndecided) {
    // two threads may both decide, and decide the same
    int undecided = kUndecided;
    set = static_cast<int>(decide());
    if (!chosen.compare_exchange_strong(undecided, set)) set = undecided;
  }
  return static_cast<InstructionSet>(set);
}

void use_instruction_set(InstructionSet set) {
  if (!is_supported(set)) {
    throw DomainError("this machine does not support " + std::string(to_string(set)) +
                      ", it supports " + supported_names());
  }
  chosen.store(static_cast<int>(set), std::memory_order_relaxed);
}

const KernelTable& kernels_of(InstructionSet set) { return SPACEDYN_CHOOSE_KERNELS(kernels, set); }

}  // namespace spacedyn
