/// @file
/// RapidCheck properties inside GoogleTest: a fixed, printed seed and a thousand cases each.
#pragma once

#include <cstdint>
#include <sstream>
#include <utility>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace spacedyn::testing {

constexpr std::uint64_t kPropertySeed = 20180420;
constexpr int kPropertyCases = 1000;

/// Fails the running test with the smallest counterexample that RapidCheck finds.
template <typename Property>
void check_property(Property&& property) {
  rc::detail::TestParams parameters;
  parameters.seed = kPropertySeed;
  parameters.maxSuccess = kPropertyCases;
  rc::detail::TestMetadata metadata;
  metadata.description = ::testing::UnitTest::GetInstance()->current_test_info()->name();
  const auto result =
      rc::detail::checkTestable(std::forward<Property>(property), metadata, parameters);
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  std::printf("seed %llu: %s\n", static_cast<unsigned long long>(kPropertySeed),
              text.str().c_str());
  if (!result.template is<rc::detail::SuccessResult>()) ADD_FAILURE() << text.str();
}

}  // namespace spacedyn::testing
