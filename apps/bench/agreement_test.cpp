// Holds every library that was found against this one, robot by robot; nothing is timed.
#include <cstdio>

#include "bench/contender.hpp"

int main() {
  using namespace spacedyn::bench;
  std::size_t count = 0;
  for (const char letter : {'A', 'B', 'C', 'D', 'E'}) {
    const Workload work = robot(letter);
    auto contenders = make_contenders(work);
    const std::vector<std::string> lines = disagreements(work, contenders);
    for (const std::string& line : lines) std::printf("%s\n", line.c_str());
    if (lines.empty()) std::printf("%c: %zu libraries agree\n", letter, contenders.size());
    count += lines.size();
  }
  return count == 0 ? 0 : 1;
}
