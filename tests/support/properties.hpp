/// @file
/// Laws tried on many random cases: RapidCheck inside GoogleTest, with a fixed and printed seed.
#pragma once

#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace spacedyn::testing {

/// Runs a property `cases` times; a failure shows the smallest case found and how to repeat it.
template <typename Property>
void check_property(std::uint64_t seed, int cases, Property&& property) {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  rc::detail::TestMetadata metadata;
  metadata.id = std::string(test->test_suite_name()) + "." + test->name();
  metadata.description = metadata.id;
  rc::detail::TestParams parameters;
  parameters.seed = seed;
  parameters.maxSuccess = cases;
  std::cout << "seed " << seed << ", " << cases << " cases\n";
  const auto result =
      rc::detail::checkTestable(std::forward<Property>(property), metadata, parameters);
  std::ostringstream report;
  rc::detail::printResultMessage(result, report);
  EXPECT_TRUE(result.template is<rc::detail::SuccessResult>()) << report.str();
}

}  // namespace spacedyn::testing
