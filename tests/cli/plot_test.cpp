// Pictures in the formats of papers: what their names say is what is in them.
#include <filesystem>

#include "cli/program.hpp"

namespace spacedyn::plot_test {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using testing::Outcome;
using testing::read_text;
using testing::StarterDirectory;
using ::testing::StartsWith;

class Picture : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    starter_ = new StarterDirectory;
    ASSERT_EQ(starter_->run({"simulate", "bot/scenario.yaml", "--no-report"}).exit_code, 0);
  }
  static void TearDownTestSuite() {
    delete starter_;
    starter_ = nullptr;
  }
  Outcome plot(std::vector<std::string> options) const {
    std::vector<std::string> arguments{"plot", "results/bot", "energy", "joints_*_rad"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return starter_->run(arguments);
  }
  std::string file(const std::string& name) const { return read_text(*starter_ / name); }

  static StarterDirectory* starter_;
};
StarterDirectory* Picture::starter_ = nullptr;

/// Four bytes of a PNG's head, most significant first.
unsigned number_at(const std::string& bytes, std::size_t at) {
  unsigned number = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    number = (number << 8U) | static_cast<unsigned char>(bytes.at(at + i));
  }
  return number;
}

TEST_F(Picture, InPngHasItsSizeAndInk) {
  EXPECT_EQ(plot({"-o", "a.png", "--width", "400"}).out, "a.png\n");
  const std::string png = file("a.png");
  EXPECT_THAT(png, StartsWith("\x89PNG\r\n\x1a\n"));
  EXPECT_EQ(number_at(png, 16), 1250U);  // 400 px at 96 dpi are 1250 at 300 dpi
  EXPECT_GT(png.size(), 10000U);         // an empty one has some 4 kB

  EXPECT_EQ(plot({"-o", "b.PNG", "--width", "400", "--dpi", "96"}).exit_code, 0);
  EXPECT_EQ(number_at(file("b.PNG"), 16), 400U);
  // as high for its width as the SVG
  EXPECT_EQ(plot({"-o", "c.svg", "--width", "400"}).exit_code, 0);
  EXPECT_THAT(file("c.svg"),
              HasSubstr("height=\"" + std::to_string(number_at(file("b.PNG"), 20)) + '"'));
}

TEST_F(Picture, HasTheSizesAndNamesThatPapersWant) {
  const Outcome drawn = plot({"-o", "paper.svg", "--width", "320", "--height", "140", "--font-size",
                              "9", "--with", "results/bot", "--label", "stiff", "--label", "soft"});
  EXPECT_EQ(drawn.exit_code, 0) << drawn.err;
  const std::string svg = file("paper.svg");
  EXPECT_THAT(svg, HasSubstr("font-size=\"12\""));  // 9 points of 96/72 px
  EXPECT_THAT(svg, HasSubstr("height=\"140.00\""));
  EXPECT_THAT(svg, HasSubstr(">stiff</text>"));
  EXPECT_THAT(svg, HasSubstr(">soft</text>"));
  const Outcome refused = plot({"-o", "b.svg", "--label", "a", "--label", "b"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("there are more labels (2) than results (1)"));
  const auto refusal = [&](const std::string& option, const std::string& value) {
    const Outcome outcome = plot({"-o", "b.svg", option, value});
    EXPECT_EQ(outcome.exit_code, 2) << option << ' ' << value;
    return outcome.err;
  };
  EXPECT_THAT(refusal("--height", "10"), HasSubstr("--height"));
  EXPECT_THAT(refusal("--font-size", "0"), HasSubstr("--font-size"));
  EXPECT_THAT(refusal("--font-size", "twelve"), HasSubstr("--font-size"));
  EXPECT_THAT(refusal("--font-size", "40"), HasSubstr("the picture is too small for its letters"));
  EXPECT_FALSE(std::filesystem::exists(*starter_ / "b.svg"));
}

TEST_F(Picture, OfADatasetIsThatOfItsColumns) {
  const auto draw = [](const std::string& channel) {
    const Outcome drawn = starter_->run({"plot", "results/bot", channel, "-o", "-"});
    EXPECT_EQ(drawn.exit_code, 0) << drawn.err;
    return drawn.out;
  };
  EXPECT_EQ(draw("joints/q"), draw("joints_*_rad"));
  EXPECT_EQ(draw("base/velocity"), draw("base_velocity"));
  const Outcome misspelt = starter_->run({"plot", "results/bot", "joint/q", "-o", "-"});
  EXPECT_EQ(misspelt.exit_code, 2);
  EXPECT_THAT(misspelt.err, HasSubstr("did you mean 'joints/q'?"));
}

TEST_F(Picture, OfAJointByItsNameAloneIsRefusedWithItsColumn) {
  const auto refusal = [](const std::string& channel) {
    const Outcome outcome = starter_->run({"plot", "results/bot", channel, "-o", "-"});
    EXPECT_EQ(outcome.exit_code, 2) << channel;
    return outcome.err;
  };
  EXPECT_THAT(refusal("elbow"), HasSubstr("'elbow', did you mean 'joints_elbow_rad'?"));
  EXPECT_THAT(refusal("hand"), HasSubstr("'hand', did you mean 'frames_hand_position_x_m'?"));
  EXPECT_THAT(refusal("elb"), ::testing::EndsWith("named 'elb'\n"));
}

TEST_F(Picture, InPdfHasItsSizeAndItsText) {
  EXPECT_EQ(plot({"-o", "a.pdf", "--width", "400"}).exit_code, 0);
  const std::string pdf = file("a.pdf");
  EXPECT_THAT(pdf, StartsWith("%PDF-1."));
  EXPECT_THAT(pdf, HasSubstr("%%EOF"));
  EXPECT_THAT(pdf, HasSubstr("/MediaBox [ 0 0 300 "));  // 400 px are 300 points
  EXPECT_THAT(pdf, HasSubstr("/Font"));                 // text stays text
}

TEST_F(Picture, InAnotherFormatIsRefused) {
  for (const std::string name : {"a.jpg", "a", "a.svgz", "a.png.tmp"}) {
    const Outcome outcome = plot({"-o", name});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.err, "spacedyn: error: cannot draw into '" + name +
                               "': expected a name ending in .svg, .png or .pdf\n");
    EXPECT_FALSE(std::filesystem::exists(*starter_ / name));
  }
  const Outcome outcome = plot({"-o", "d.pdf", "--dpi", "200"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err, "spacedyn: error: option '--dpi' is for PNG pictures (.png)\n");
}

TEST_F(Picture, WithoutChannelsIsNoneAndTakesNoOptions) {
  EXPECT_EQ(starter_->run({"plot", "results/bot"}).exit_code, 0);
  for (const std::vector<std::string>& option :
       std::vector<std::vector<std::string>>{{"--title", "Slew"},
                                             {"--with", "results/bot"},
                                             {"-o", "a.svg"},
                                             {"--label", "a"},
                                             {"--width", "400"},
                                             {"--dpi", "100"},
                                             {"--degrees"},
                                             {"--force"}}) {
    std::vector<std::string> words{"plot", "results/bot"};
    words.insert(words.end(), option.begin(), option.end());
    const Outcome outcome = starter_->run(words);
    EXPECT_EQ(outcome.exit_code, 2) << option.front();
    EXPECT_THAT(outcome.err, HasSubstr(" requires CHANNEL"));
    EXPECT_THAT(outcome.err, HasSubstr("hint: see 'spacedyn plot --help'"));
  }
}

TEST_F(Picture, OfTwoResultsWantsAnOption) {
  const Outcome outcome = starter_->run({"plot", "results/bot", "results/bot", "base_attitude"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("'results/bot' is a result, not a channel"));
  EXPECT_THAT(outcome.err, HasSubstr("--with results/bot"));
}

TEST_F(Picture, ListsWhatItComputesAmongTheChannels) {
  const Outcome outcome = starter_->run({"plot", "results/bot"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* channel : {"base_attitude_roll", "body_angular_velocity_z", "energy_balance"}) {
    EXPECT_THAT(outcome.out, ContainsRegex(std::string("\n  ") + channel + " .*computed by plot"));
  }
}

TEST_F(Picture, SaysWhichProgramIsNotThere) {
  const std::vector<std::string> plot{"plot", "results/bot", "energy", "-o", "f.png"};
  testing::Surroundings bare;
  bare.environment["PATH"] = "/nowhere";
  const Outcome outcome = starter_->run(plot, bare);
  EXPECT_EQ(outcome.exit_code, 6);
  EXPECT_EQ(outcome.err,
            "spacedyn: error: cannot draw the picture: the program 'rsvg-convert' is not there (on "
            "Debian: package librsvg2-bin); write a picture ending in .svg\n");
  EXPECT_FALSE(std::filesystem::exists(*starter_ / "f.png"));
}

TEST_F(Picture, IsNotOverwritten) {
  ASSERT_EQ(plot({"-o", "e.png", "--dpi", "50"}).exit_code, 0);
  EXPECT_EQ(plot({"-o", "e.png"}).exit_code, 6);
  EXPECT_EQ(plot({"-o", "e.png", "--force"}).exit_code, 0);
  EXPECT_EQ(number_at(file("e.png"), 16), 1500U);
}

}  // namespace
}  // namespace spacedyn::plot_test
