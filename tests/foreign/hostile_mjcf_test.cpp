// MJCF made to keep a reader busy: small files end soon, in a model or in an error.
#include <string>

#include <gtest/gtest.h>

#include "foreign/foreign_texts.hpp"
#include "loading/temporary_folder.hpp"

namespace spacedyn::hostile_mjcf_test {
namespace {

using testing::errors_of;
using testing::has_warning;
using testing::TemporaryFolder;

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

std::string world(const std::string& bodies, const std::string& beside = "") {
  return "<mujoco><worldbody>" + bodies + "</worldbody>" + beside + "</mujoco>";
}

const std::string kBall = "<geom size=\"1\"/>";

// a number for each repeated name was once sought from 2 on, for minutes
TEST(HostileMjcf, EqualNamesGetNumbersAtOnce) {
  constexpr int kBodies = 20000;
  const LoadedModel loaded = parse_model(
      world(kBall + repeated("<body name=\"a\">" + kBall + "</body>", kBodies)), "m.xml");
  EXPECT_TRUE(loaded.model->find_frame("a_" + std::to_string(kBodies)));
  EXPECT_FALSE(loaded.model->find_frame("a_" + std::to_string(kBodies + 1)));
}

// each name was one character longer than the last, found by trying all shorter ones
TEST(HostileMjcf, PointsOfEqualLoopsHaveShortNames) {
  const std::string body =
      "<body name=\"a\"><joint/>" + kBall + "<body name=\"b\"><joint/>" + kBall;
  const std::string loop = R"(<connect body1="a" body2="b" anchor="1 0 0"/>)";
  const LoadedModel loaded = parse_model(
      world(body + "</body></body>", "<equality>" + repeated(loop, 3) + "</equality>"), "m.xml");
  EXPECT_EQ(loaded.model->loops().size(), 3U);
  EXPECT_TRUE(loaded.model->find_frame("connect_at_a"));
  EXPECT_TRUE(loaded.model->find_frame("connect_at_b_3"));
}

TEST(HostileMjcf, ReplicatesAreCountedTogether) {
  const std::string many = "<replicate count=\"1000\"><site/></replicate>";
  EXPECT_NE(errors_of(world("<body>" + kBall + repeated(many, 200) + "</body>"), "m.xml")
                .find("replicate: expected copies of at most 200000 elements in all, got more"),
            std::string::npos);
}

TEST(HostileMjcf, NestingHasALimit) {
  // files in one another, each nested nearly as deeply as the parser goes along with
  const TemporaryFolder folder;
  std::string inner;
  for (int i = 0; i < 15; ++i) {
    folder.write(std::to_string(i) + ".xml", "<mujocoinclude>" + repeated("<body>" + kBall, 90) +
                                                 inner + repeated("</body>", 90) +
                                                 "</mujocoinclude>");
    inner = "<include file=\"" + std::to_string(i) + ".xml\"/>";
  }
  EXPECT_NE(errors_of(world(inner), folder.path("m.xml"))
                .find("expected at most 1200 elements within one another"),
            std::string::npos);
  EXPECT_EQ(errors_of(world("<include file=\"12.xml\"/>"), folder.path("m.xml")), "accepted");
  const std::string row = "<replicate count=\"700\">" + kBall + "</replicate>";
  EXPECT_NE(errors_of(world("<body>" + kBall + "<replicate count=\"700\"><frame>" + row +
                            "</frame></replicate></body>"),
                      "m.xml")
                .find("elements in all, got more"),
            std::string::npos);
}

TEST(HostileMjcf, ModelsInOneAnotherHaveALimitOfNesting) {
  const TemporaryFolder folder;
  std::string inside = kBall;
  for (int i = 0; i < 15; ++i) {
    const std::string asset = i == 0 ? ""
                                     : "<asset><model name=\"next\" file=\"m" +
                                           std::to_string(i - 1) + ".xml\"/></asset>";
    folder.write(
        "m" + std::to_string(i) + ".xml",
        world(repeated("<frame>", 90) + "<body>" + inside + "</body>" + repeated("</frame>", 90),
              asset));
    inside = kBall + R"(<attach model="next" prefix="p"/>)";
  }
  EXPECT_NE(errors_of(world("<body>" + inside + "</body>",
                            R"(<asset><model name="next" file="m14.xml"/></asset>)"),
                      folder.path("m.xml"))
                .find("expected at most 1200 elements within one another"),
            std::string::npos);
}

// what is read must not end where the list of warnings does
TEST(HostileMjcf, ManyWarningsCutNothingOff) {
  constexpr int kBodies = 1500;
  const std::string body = "<body><joint springdamper=\"1 1\"/><geom size=\"1\"/></body>";
  const LoadedModel loaded = parse_model(world(repeated(body, kBodies)), "m.xml");
  EXPECT_EQ(loaded.model->joint_count(), kBodies);
  EXPECT_TRUE(has_warning(loaded.warnings, "'springdamper' is ignored"));
  const std::string errors =
      errors_of(world(repeated(body, kBodies) + "<body><geom size=\"-1\"/></body>"), "m.xml");
  EXPECT_NE(errors.find("expected 1 positive numbers for a sphere, got '-1'"), std::string::npos);
}

}  // namespace
}  // namespace spacedyn::hostile_mjcf_test
