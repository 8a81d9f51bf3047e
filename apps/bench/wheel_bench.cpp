// Two tables in Markdown: one evaluation of wheel and soil, with its error against another
// quadrature; six-wheeled rovers against real time, alone and a thousand of them.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include <spacedyn/integration/simulator.hpp>
#include <spacedyn/loading/yaml.hpp>
#include <spacedyn/terramechanics/wheel_soil.hpp>

namespace {

using namespace spacedyn;

/// Seconds of this thread's processor, the least of some repetitions.
double processor_seconds(const std::function<void()>& work, int repetitions) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repetitions; ++i) {
    const double begin = now();
    work();
    best = std::min(best, now() - begin);
  }
  return best;
}

Soil simulant(double exponent) {
  Soil soil;
  soil.cohesion = 800.0;
  soil.friction_angle = 37.2 * kDegree;
  soil.k_c = 1.37e3;
  soil.k_phi = 8.14e5;
  soil.exponent = exponent;
  soil.density = 1600.0;
  soil.shear_modulus_x = {0.036, 0.043};
  soil.shear_modulus_y = {0.013, 0.020};
  soil.lambda = 0.9;
  soil.unloading_modulus = {1.0e5, 5.0e8};
  return soil;
}

const SoilWheel kWheel{0.09, 0.11, 0.0};
constexpr double kSinkage = 0.015;

/// F_x and F_z of the stresses at 200,000 places, equally far apart.
std::array<double, 2> summed(const WheelSoilModel& model, double slip, double angle) {
  constexpr int kPlaces = 200000;
  const ContactAngles contact = model.angles(kSinkage, slip);
  const double step = (contact.entry - contact.exit) / kPlaces;
  double x = 0.0, z = 0.0;
  for (int i = 0; i <= kPlaces; ++i) {
    const double theta = std::min(contact.exit + i * step, contact.entry);
    const WheelStress at = model.stress(kSinkage, slip, angle, theta);
    const double weight = i == 0 || i == kPlaces ? 0.5 : 1.0;
    x += weight * (at.shear_x * std::cos(theta) - at.normal * std::sin(theta));
    z += weight * (at.shear_x * std::sin(theta) + at.normal * std::cos(theta));
  }
  const double area = kWheel.radius * kWheel.width * step;
  return {area * x, area * z};
}

struct Case {
  const char* name;
  double slip, angle, exponent, pressed;
};

/// One row: time of an evaluation and of one with derivatives, largest error over F_z.
void measure(const Case& now) {
  constexpr int kCalls = 20000;
  const WheelSoilModel model(kWheel, simulant(now.exponent));
  const WheelSoilModel::Contact contact{kSinkage,  now.slip, (1.0 - now.slip) * std::tan(now.angle),
                                        now.angle, 1.0,      now.pressed};
  double sum = 0.0;
  const double alone = processor_seconds(
      [&] {
        for (int i = 0; i < kCalls; ++i) sum += model.force(contact).vertical_force;
      },
      15);
  WheelSoilModel::Slopes slopes;
  const double with_slopes = processor_seconds(
      [&] {
        for (int i = 0; i < kCalls; ++i) sum += model.force(contact, slopes).vertical_force;
      },
      5);
  std::string error = "–";
  if (now.pressed == 0.0) {
    const auto [x, z] = summed(model, now.slip, now.angle);
    const WheelSoilForce force = model.force(contact);
    char text[32];
    std::snprintf(
        text, sizeof text, "%.0e",
        std::max(std::abs(force.drawbar_pull - x), std::abs(force.vertical_force - z)) / z);
    error = text;
  }
  if (!(sum > 0.0)) std::abort();  // and the sums are not left out
  std::printf("| %s | %.2f | %.2f | %s |\n", now.name, 1e6 * alone / kCalls,
              1e6 * with_slopes / kCalls, error.c_str());
  std::fflush(stdout);
}

/// One row: a shipped scenario without its files.
void fly(const std::string& models, const char* name) {
  const Scenario scenario = load_scenario(models + "/scenarios/" + name + ".yaml");
  IntegratorStatistics statistics;
  const double seconds = processor_seconds(
      [&] {
        SimulationObserver observer;
        statistics =
            Simulator(scenario.setup)
                .run(scenario.initial, scenario.duration, scenario.output_interval, observer)
                .statistics;
      },
      7);
  std::printf("| `%s` | %.0f | %.0e | %ld | %ld | %.2f | %.0f |\n", name, scenario.duration,
              scenario.setup.integrator.relative_tolerance, statistics.steps,
              statistics.evaluations, seconds, scenario.duration / seconds);
  std::fflush(stdout);
}

/// Rovers that start up to half a metre beside their path, over threads; seconds by the clock.
double fly_many(const Scenario& scenario, int rovers, int threads, double duration) {
  std::atomic<int> next{0};
  const auto work = [&] {
    for (int i = next++; i < rovers; i = next++) {
      State initial = scenario.initial;
      initial.r_0.y() = -0.5 + static_cast<double>(i) / rovers;
      SimulationObserver observer;
      Simulator(scenario.setup).run(initial, duration, duration, observer);
    }
  };
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) throw Error("usage: wheel_bench MODELS");
  const std::string models = argv[1];
  std::printf(
      "| contact | evaluation, µs | with derivatives, µs | error over F_z |\n"
      "|---|---|---|---|\n");
  measure({"driving, s = 0.2", 0.2, 0.0, 1.0, 0.0});
  measure({"aslant, s = 0.2, β = 6°", 0.2, 0.1, 1.0, 0.0});
  measure({"braking, s = −0.3, β = 6°", -0.3, 0.1, 1.0, 0.0});
  measure({"driving, n = 1.1", 0.2, 0.0, 1.1, 0.0});
  measure({"aslant in a rut of 12 mm", 0.2, 0.1, 1.0, 0.012});
  std::printf(
      "\n| scenario | duration, s | tolerance | steps | evaluations | processor, s | "
      "× real time |\n|---|---|---|---|---|---|---|\n");
  for (const char* name : {"rover_path", "rover_turn", "rocker_bogie_step"}) fly(models, name);
  constexpr int kRovers = 1000;
  constexpr double kDuration = 4.0;
  const Scenario path = load_scenario(models + "/scenarios/rover_path.yaml");
  std::printf(
      "\n| threads | %d rovers for %.0f s, s by the clock | × real time of all |\n"
      "|---|---|---|\n",
      kRovers, kDuration);
  for (const int threads : {1, 2}) {
    const double seconds = fly_many(path, kRovers, threads, kDuration);
    std::printf("| %d | %.1f | %.0f |\n", threads, seconds, kRovers * kDuration / seconds);
    std::fflush(stdout);
  }
  return 0;
} catch (const spacedyn::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
