// How strongly an impact on the hand turns the base, over positions of two joints: a table, and a
// picture for those who ask.
//
//   impact_map ROBOT.yaml FRAME JOINT JOINT            prints the impulse index and the least one
//   impact_map ROBOT.yaml FRAME JOINT JOINT FILE.svg   draws it, too
#include <algorithm>
#include <cstdio>
#include <fstream>

#include <spacedyn/spacedyn.hpp>

namespace sd = spacedyn;

namespace {

constexpr int kPoints = 31;

sd::ImpactMapAxis axis(const sd::Model& robot, const char* joint) {
  const auto found = robot.find_joint(joint);
  if (!found) throw sd::Error(std::string("no joint '") + joint + "'");
  return {*found, sd::VectorX::LinSpaced(kPoints, -sd::kPi, sd::kPi)};
}

void print(const sd::MatrixX& index, const char* first, const char* second) {
  constexpr int kEvery = 5;
  std::printf("impulse index in 1e-3 rad/s per N s: %s down, %s across, deg\n      ", first,
              second);
  const auto degrees = [](int i) { return -180 + 360 * i / (kPoints - 1); };
  for (int k = 0; k < kPoints; k += kEvery) std::printf("%8d", degrees(k));
  for (int i = 0; i < kPoints; i += kEvery) {
    std::printf("\n%6d", degrees(i));
    for (int k = 0; k < kPoints; k += kEvery) std::printf("%8.4f", 1e3 * index(i, k));
  }
  int i = 0, k = 0;
  const double least = index.minCoeff(&i, &k);
  std::printf("\nleast: %.3e rad/s per N s at %s %d deg, %s %d deg\n", least, first, degrees(i),
              second, degrees(k));
}

/// White where an impact turns the base least, dark blue where it does most.
void draw(const sd::MatrixX& index, const char* first, const char* second, const char* file) {
  constexpr int kCell = 16, kLeft = 60, kTop = 50, kSide = kCell * kPoints;
  const double least = index.minCoeff(), most = index.maxCoeff();
  std::ofstream out(file);
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << kSide + 100 << "\" height=\""
      << kSide + 110 << "\" font-family=\"sans-serif\" font-size=\"14\">\n"
      << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  for (int i = 0; i < kPoints; ++i) {
    for (int k = 0; k < kPoints; ++k) {
      const double share = most > least ? (index(i, k) - least) / (most - least) : 0.0;
      const auto mix = [&](int dark) { return static_cast<int>(255.0 + share * (dark - 255.0)); };
      out << "<rect x=\"" << kLeft + kCell * k << "\" y=\"" << kTop + kCell * (kPoints - 1 - i)
          << "\" width=\"" << kCell << "\" height=\"" << kCell << "\" fill=\"rgb(" << mix(8) << ','
          << mix(48) << ',' << mix(107) << ")\"/>\n";
    }
  }
  char range[80];
  std::snprintf(range, sizeof range, "%.3g (white) to %.3g mrad/s per N s", 1e3 * least,
                1e3 * most);
  out << "<text x=\"" << kLeft << "\" y=\"30\">Turn of the base by an impact: " << range
      << "</text>\n<text x=\"" << kLeft + kSide / 2 << "\" y=\"" << kTop + kSide + 40
      << "\" text-anchor=\"middle\">" << second << ", -180 to 180 deg</text>\n<text transform=\""
      << "translate(35 " << kTop + kSide / 2 << ") rotate(-90)\" text-anchor=\"middle\">" << first
      << ", -180 to 180 deg</text>\n</svg>\n";
}

}  // namespace

int main(int argument_count, char** arguments) try {
  if (argument_count < 5)
    throw sd::Error("usage: impact_map ROBOT.yaml FRAME JOINT JOINT [FILE.svg]");
  const std::shared_ptr<const sd::Model> robot = sd::load_model(arguments[1]).model;
  const char *first = arguments[3], *second = arguments[4];
  const sd::ImpactMap map = sd::impact_map(*robot, sd::State(*robot), robot->frame(arguments[2]),
                                           axis(*robot, first), axis(*robot, second));
  print(map.turning, first, second);
  if (argument_count > 5) draw(map.turning, first, second, arguments[5]);
} catch (const sd::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
