// Bytes of a checkpoint that ask for more than there is.
#include "integration/equations/archive.hpp"

#include <gtest/gtest.h>

#include "support/message_of.hpp"

namespace spacedyn::archive_test {
namespace {

TEST(Archive, AsksForNoMemoryThatALengthDoesNotHave) {
  for (const Eigen::Index length : {Eigen::Index{1} << 60, Eigen::Index{1} << 33}) {
    Archive writer;
    Eigen::Index rows = length, columns = 0;
    writer(rows, columns);
    VectorX vector;
    MatrixX matrix;
    std::vector<std::string> texts;
    std::string text;
    const auto read = [&](auto& value) {
      return testing::message_of<IoError>([&] { Archive(writer.bytes())(value); });
    };
    const std::string expected = "the checkpoint is damaged: it ends too early";
    EXPECT_EQ(read(vector), expected);
    EXPECT_EQ(read(matrix), expected);
    EXPECT_EQ(read(texts), expected);
    EXPECT_EQ(read(text), expected);
    EXPECT_EQ(vector.size(), 0);
  }
}

}  // namespace
}  // namespace spacedyn::archive_test
