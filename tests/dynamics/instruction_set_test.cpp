// The choice of kernels: what the machine has, what the user forces.
#include "spacedyn/dynamics/instruction_set.hpp"

#include <algorithm>

#include "spacedyn/error.hpp"

namespace spacedyn::testing::instruction_set_test {
namespace {

TEST(InstructionSetChoice, AlwaysHasTheBaselineAndUsesWhatItIsTold) {
  const InstructionSet before = instruction_set();
  ASSERT_FALSE(supported_instruction_sets().empty());
  EXPECT_EQ(supported_instruction_sets().front(), InstructionSet::baseline);
  for (const InstructionSet set : supported_instruction_sets()) {
    use_instruction_set(set);
    EXPECT_EQ(instruction_set(), set);
  }
  use_instruction_set(before);
}

#ifdef __x86_64__
TEST(InstructionSetChoice, HasTheKernelsThatThisCpuCanRun) {
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  EXPECT_EQ(supported_instruction_sets().size() > 1, avx2);
}
#endif

TEST(InstructionSetChoice, RefusesEverySetThatTheMachineLacks) {
  const InstructionSet before = instruction_set();
  const auto& sets = supported_instruction_sets();
  for (const InstructionSet set : {InstructionSet::avx2, InstructionSet::avx512}) {
    if (std::find(sets.begin(), sets.end(), set) != sets.end()) continue;
    EXPECT_THROW(use_instruction_set(set), DomainError);
    EXPECT_EQ(instruction_set(), before);
  }
}

TEST(InstructionSetChoice, NamesAreThoseOfTheEnvironmentVariable) {
  EXPECT_EQ(to_string(InstructionSet::baseline), "baseline");
  EXPECT_EQ(to_string(InstructionSet::avx2), "avx2");
  EXPECT_EQ(to_string(InstructionSet::avx512), "avx512");
}

}  // namespace
}  // namespace spacedyn::testing::instruction_set_test
