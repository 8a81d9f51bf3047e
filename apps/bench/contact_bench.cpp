// Heaps of rigid bodies by equal steps in several libraries, side by side: prints the table of
// docs/contact.md.
#include <cstdio>
#include <functional>

#include "bench/contacts/scene.hpp"

namespace {

using spacedyn::bench::Scene;
using spacedyn::bench::SceneFlight;

struct Row {
  const char* name;
  std::function<SceneFlight(const Scene&)> fly;
};

std::vector<Row> rows() {
  namespace b = spacedyn::bench;
  std::vector<Row> all = {
      {"spacedyn, to 1e-6 m/s, 200 sweeps",
       [](const Scene& s) { return b::fly_in_spacedyn(s, 1e-6, 200); }},
      {"spacedyn, to 1e-4 m/s, 10 sweeps",
       [](const Scene& s) { return b::fly_in_spacedyn(s, 1e-4, 10); }},
  };
#ifdef SPACEDYN_SCENES_BULLET
  all.push_back({"Bullet, 10 iterations", [](const Scene& s) { return b::fly_in_bullet(s, 10); }});
  all.push_back(
      {"Bullet, 100 iterations", [](const Scene& s) { return b::fly_in_bullet(s, 100); }});
#endif
#ifdef SPACEDYN_SCENES_MUJOCO
  all.push_back({"MuJoCo, Newton", [](const Scene& s) { return b::fly_in_mujoco(s, 100); }});
#endif
  return all;
}

}  // namespace

int main() {
  std::puts(
      "| scene | library | µs a step | worst depth, mm | mean, mm | speed at the end, mm/s |");
  std::puts("|---|---|---|---|---|---|");
  namespace b = spacedyn::bench;
  for (const Scene& scene : {b::spheres_in_a_box(), b::boxes_in_a_heap(), b::touchdown()}) {
    for (const Row& row : rows()) {
      const SceneFlight flight = row.fly(scene);
      const spacedyn::bench::Depths found = spacedyn::bench::depths(scene, flight);
      std::printf("| %s | %s | %.2f | %.3f | %.3f | %.3f |\n", scene.name.c_str(), row.name,
                  1e6 * flight.seconds / scene.steps, 1e3 * found.worst, 1e3 * found.mean,
                  1e3 * found.speed);
      std::fflush(stdout);
    }
  }
  return 0;
}
