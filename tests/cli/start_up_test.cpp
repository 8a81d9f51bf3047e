// What the program loads before it does anything.
#include "cli/program.hpp"

namespace spacedyn::testing::start_up_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Most of the time of a short command went into the libraries of files, networks and pictures.
TEST(StartUp, LoadsNothingThatMostCommandsDoNotNeed) {
  Surroundings traced;
  traced.environment["LD_TRACE_LOADED_OBJECTS"] = "1";  // the loader lists them and ends
  const Outcome outcome = run_program({"--version"}, traced);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("libspacedyn"));
  for (const char* library : {"libhdf5", "libcurl", "libcrypto", "libssl", "httplib", "libmpi"}) {
    EXPECT_THAT(outcome.out, Not(HasSubstr(library)));
  }
  EXPECT_LE(lines_of(outcome.out).size(), 16U) << outcome.out;
}

TEST(StartUp, LoadsTheLibraryOfResultsWhenItWritesOne) {
  const StarterDirectory starter;
  Surroundings followed;
  followed.environment["LD_DEBUG"] = "files";
  const Outcome outcome =
      starter.run({"simulate", "bot/scenario.yaml", "--no-report", "-o", "out"}, followed);
  ASSERT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("libhdf5"));
}

}  // namespace
}  // namespace spacedyn::testing::start_up_test
