// Dynamics of the library beside code that was generated for one robot; see generated_code.py,
// which asks for the numbers of a robot first and then for the times.
#include <dlfcn.h>

#include <cmath>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "bench/robots.hpp"
#include "spacedyn/dynamics/tree_dynamics.hpp"

namespace {

using namespace spacedyn;
using namespace spacedyn::bench;

void print_numbers(const char* name, const double* from, int count) {
  std::printf(",\"%s\":[", name);
  for (int i = 0; i < count; ++i) std::printf("%s%.17g", i > 0 ? "," : "", from[i]);
  std::printf("]");
}

void print_rows(const char* name, const Matrix3& matrix) {
  std::printf(",\"%s\":[", name);
  for (int i = 0; i < 3; ++i) {
    std::printf("%s[%.17g,%.17g,%.17g]", i > 0 ? "," : "", matrix(i, 0), matrix(i, 1),
                matrix(i, 2));
  }
  std::printf("]");
}

/// Robots with revolute joints alone, as those of the benchmarks are.
void describe(const Model& model) {
  std::printf("{\"links\":[");
  for (int i = 0; i < model.body_count(); ++i) {
    const Body& body = model.body(i);
    const bool is_base = i == 0;
    std::printf("%s{\"lower\":%d,\"mass\":%.17g", is_base ? "" : ",",
                is_base ? 0 : model.topology().connection(i), body.mass);
    print_numbers("c", body.center_of_mass.data(), 3);
    print_rows("I", body.inertia_L);
    print_numbers("l", is_base ? Vector3(Vector3::Zero()).data() : model.joint(i).origin.data(), 3);
    print_rows("C", is_base ? Matrix3(Matrix3::Identity()) : model.joint(i).rotation);
    std::printf("}");
  }
  std::printf("]}\n");
}

using Generated = void (*)(const double* sine, const double* cosine, const double* A_0,
                           const double* omega_0, const double* qd, const double* tau,
                           const double* acceleration, double* result);

/// Least processor time of a call, ns.
template <typename Call>
double least_time(int states, const Call& call) {
  constexpr int kRepetitions = 300, kRounds = 4;
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec);
  };
  double least = INFINITY;
  for (int repetition = 0; repetition < kRepetitions; ++repetition) {
    const double begin = now();
    for (int round = 0; round < kRounds; ++round) {
      for (int k = 0; k < states; ++k) call(static_cast<std::size_t>(k));
    }
    least = std::min(least, (now() - begin) / (kRounds * states));
  }
  return least;
}

/// A robot whose base is free or held, and what was generated for it.
class Race {
 public:
  Race(Workload robot, bool held, void* library)
      : robot_(std::move(robot)),
        held_(held),
        library_(library),
        workspace_(robot_.model, Mobility(!held, std::vector<bool>(joints(), true))),
        loads_(robot_.model),
        sine_(robot_.model.joint_count()),
        cosine_(sine_),
        own_(VectorX::Zero(robot_.model.velocity_size())),
        ignored_(own_),
        theirs_(VectorX::Zero(own_.size() * own_.size())) {
    const Eigen::Index size = held ? robot_.model.joint_count() : own_.size();
    H_.resize(size, size);
    for (std::size_t k = 0; held && k < robot_.states.size(); ++k) {
      robot_.states[k].omega_0.setZero();
      robot_.states[k].v_0.setZero();
      robot_.acceleration[k].head<6>().setZero();
    }
  }

  /// @returns whether all results agreed
  bool print_row() {
    bool agree = true;
    std::printf("| %s%s", robot_.name.c_str(), held_ ? ", base fixed" : "");
    const Eigen::Index first = held_ ? 6 : 0;
    agree &= print_cells("forward_dynamics", [&](std::size_t k) -> Eigen::Ref<const VectorX> {
      loads_.tau = robot_.tau[k];
      static_cast<void>(forward_dynamics(robot_.states[k], loads_, workspace_, own_, ignored_));
      return own_.tail(own_.size() - first);
    });
    loads_.tau.setZero();
    agree &= print_cells("inverse_dynamics", [&](std::size_t k) -> Eigen::Ref<const VectorX> {
      inverse_dynamics(robot_.states[k], robot_.acceleration[k], loads_, workspace_, own_);
      return own_.tail(own_.size() - first);
    });
    agree &= print_cells("inertia_matrix", [&](std::size_t k) -> Eigen::Ref<const VectorX> {
      composite_rigid_body(robot_.states[k], workspace_, H_);
      return H_.reshaped();
    });
    std::printf(" |\n");
    return agree;
  }

 private:
  std::size_t joints() const { return static_cast<std::size_t>(robot_.model.joint_count()); }

  template <typename Own>
  bool print_cells(const std::string& name, const Own& own) {
    const auto generated =
        reinterpret_cast<Generated>(dlsym(library_, (name + (held_ ? "_held" : "_free")).c_str()));
    if (generated == nullptr) return false;
    const auto call = [&](std::size_t k) {
      const State& state = robot_.states[k];
      for (Eigen::Index i = 0; i < state.q.size(); ++i)
        ::sincos(state.q(i), &sine_(i), &cosine_(i));
      generated(sine_.data(), cosine_.data(), state.A_0.data(), state.omega_0.data(),
                state.qd.data(), robot_.tau[k].data(), robot_.acceleration[k].data(),
                theirs_.data());
    };
    double largest = 0.0;
    for (std::size_t k = 0; k < robot_.states.size(); ++k) {
      const VectorX expected = own(k);
      call(k);
      const Eigen::Index from = expected.size() < own_.size() ? 6 : 0;
      const double error = (theirs_.segment(from, expected.size()) - expected).norm();
      largest = std::max(largest, error / expected.norm());
    }
    if (!(largest < 1e-9)) {
      std::fprintf(stderr, "%s of %s differs by %g\n", name.c_str(), robot_.name.c_str(), largest);
    }
    const double ours = least_time(robot_.state_count(), own);
    const double theirs = least_time(robot_.state_count(), call);
    std::printf(" | %.0f | %.0f | %.2f", ours, theirs, theirs / ours);
    return largest < 1e-9;
  }

  Workload robot_;
  bool held_;
  void* library_;
  TreeWorkspace workspace_;
  Loads loads_;
  VectorX sine_, cosine_, own_, ignored_, theirs_;
  MatrixX H_;
};

int measure(const std::string& folder, const std::string& robots) {
  std::printf(
      "| ns | forward dynamics | generated | ratio | inverse dynamics | generated | ratio "
      "| inertia matrix | generated | ratio |\n"
      "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
  bool agree = true;
  for (const char letter : robots) {
    const std::string path = folder + "/generated_" + letter + ".so";
    void* library = dlopen(path.c_str(), RTLD_NOW);
    if (library == nullptr) {
      std::fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
    for (const bool held : {false, true}) agree &= Race(robot(letter), held, library).print_row();
  }
  return agree ? 0 : 1;
}

}  // namespace

int main(int argument_count, char** arguments) {
  const std::string what = argument_count > 2 ? arguments[1] : "";
  if (what == "describe") {
    describe(robot(arguments[2][0]).model);
    return 0;
  }
  if (what == "time" && argument_count == 4) return measure(arguments[2], arguments[3]);
  std::fprintf(stderr, "run by generated_code.py\n");
  return 2;
}
