#include "spacedyn/reporting/convert.hpp"

#include <cstring>

#include "spacedyn/error.hpp"
#include "support/temporary_directory.hpp"

namespace spacedyn::testing::matrix_file_test {
namespace {

TEST(MatrixFile, HoldsEveryNumberAndName) {
  const TemporaryDirectory directory;
  MatrixX first(2, 3);
  first << 1.0, 2.0, 3.0, 4.0, 5.0, 6.5;
  MatrixFile content;
  content.variable = "linear";
  content.matrices = {{"A", {first, 2.0 * first}}};
  content.texts = {{"states", {"elbow.position", "elbow.velocity"}}};
  write_mat(directory / "linear.mat", content);
  const std::string bytes = read_text(directory / "linear.mat");
  EXPECT_EQ(bytes.substr(0, 19), "MATLAB 5.0 MAT-file");
  // both matrices stand there column by column, one behind the other
  std::string numbers(12 * sizeof(double), '\0');
  std::memcpy(numbers.data(), first.data(), 6 * sizeof(double));
  const MatrixX second = 2.0 * first;
  std::memcpy(numbers.data() + 6 * sizeof(double), second.data(), 6 * sizeof(double));
  EXPECT_NE(bytes.find(numbers), std::string::npos);
  EXPECT_NE(bytes.find("linear"), std::string::npos);
  EXPECT_NE(bytes.find("states"), std::string::npos);

  write_mat(directory / "again.mat", content);
  EXPECT_EQ(read_text(directory / "again.mat"), bytes);
}

TEST(MatrixFile, RefusesWhatCannotBeOneArray) {
  MatrixFile content;
  content.variable = "x";
  content.matrices = {{"A", {MatrixX::Zero(2, 2), MatrixX::Zero(2, 3)}}};
  try {
    write_mat("/nowhere/x.mat", content);
    FAIL();
  } catch (const DomainError& error) {
    EXPECT_STREQ(error.what(), "the matrices 'A' differ in size");
  }
  content.matrices = {{"A", {}}};
  EXPECT_THROW(write_mat("/nowhere/x.mat", content), DomainError);
  content.matrices = {{"A", {MatrixX::Zero(2, 2)}}};
  EXPECT_THROW(write_mat("/nowhere/x.mat", content), IoError);
}

}  // namespace
}  // namespace spacedyn::testing::matrix_file_test
