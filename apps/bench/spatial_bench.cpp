// The spatial layer beside the same operations written by hand on plain arrays: one pass over a
// chain of bodies, as the recursive algorithms make it.
#include <cstring>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/plain_spatial.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/spatial/rigid_inertia.hpp"

namespace {

using namespace spacedyn;

constexpr std::size_t kBodies = 64;

/// A chain with the numbers of a robot arm, in both representations, bit for bit the same.
struct Chain {
  std::vector<PluckerTransform> X;
  std::vector<RigidInertia> I;
  std::vector<plain::Transform> plain_X;
  std::vector<plain::Inertia> plain_I;

  Chain() {
    for (std::size_t i = 0; i < kBodies; ++i) {
      const double q = 0.1 * static_cast<double>(i);
      X.push_back(PluckerTransform::into_frame(matrix_from_twist({q, 0.5, -q}), {0.3, q, 0.1}));
      const Matrix3 tensor = Vector3(0.4, 0.5, 0.6).asDiagonal();
      I.push_back(RigidInertia::from_centroidal(5.0, {0.2, q, 0.0}, tensor));
      plain_X.push_back(copy<plain::Transform>(X.back()));
      plain_I.push_back(copy<plain::Inertia>(I.back()));
    }
  }
  template <typename To, typename From>
  static To copy(const From& from) {
    static_assert(sizeof(To) == sizeof(From), "both hold the same numbers in the same order");
    To to;
    std::memcpy(&to, static_cast<const void*>(&from), sizeof(To));
    return to;
  }
};

void motion_layer(benchmark::State& state) {
  const Chain chain;
  for (auto _ : state) {
    MotionVector v{{0.1, 0.2, 0.3}, {1.0, 2.0, 3.0}};
    for (const PluckerTransform& X : chain.X) v = X * v;
    benchmark::DoNotOptimize(v);
  }
}
void motion_by_hand(benchmark::State& state) {
  const Chain chain;
  for (auto _ : state) {
    plain::Vector6 v{{0.1, 0.2, 0.3}, {1.0, 2.0, 3.0}}, next;
    for (const plain::Transform& X : chain.plain_X) {
      plain::motion(X, v, next);
      v = next;
    }
    benchmark::DoNotOptimize(v);
  }
}

void force_back_layer(benchmark::State& state) {
  const Chain chain;
  for (auto _ : state) {
    ForceVector f{{0.1, 0.2, 0.3}, {1.0, 2.0, 3.0}};
    for (const PluckerTransform& X : chain.X) f = X.transpose_times(f);
    benchmark::DoNotOptimize(f);
  }
}
void force_back_by_hand(benchmark::State& state) {
  const Chain chain;
  for (auto _ : state) {
    plain::Vector6 f{{0.1, 0.2, 0.3}, {1.0, 2.0, 3.0}}, next;
    for (const plain::Transform& X : chain.plain_X) {
      plain::force_back(X, f, next);
      f = next;
    }
    benchmark::DoNotOptimize(f);
  }
}

void momentum_layer(benchmark::State& state) {
  const Chain chain;
  const MotionVector v{{0.1, 0.2, 0.3}, {1.0, 2.0, 3.0}};
  for (auto _ : state) {
    for (const RigidInertia& I : chain.I) {
      ForceVector h = I * v;
      benchmark::DoNotOptimize(h);
    }
  }
}
void momentum_by_hand(benchmark::State& state) {
  const Chain chain;
  const plain::Vector6 v{{0.1, 0.2, 0.3}, {1.0, 2.0, 3.0}};
  for (auto _ : state) {
    for (const plain::Inertia& I : chain.plain_I) {
      plain::Vector6 h;
      plain::momentum(I, v, h);
      benchmark::DoNotOptimize(h);
    }
  }
}

void inertia_back_layer(benchmark::State& state) {
  const Chain chain;
  for (auto _ : state) {
    for (std::size_t i = 0; i < kBodies; ++i) {
      RigidInertia moved = transform_back(chain.X[i], chain.I[i]);
      benchmark::DoNotOptimize(moved);
    }
  }
}
void inertia_back_by_hand(benchmark::State& state) {
  const Chain chain;
  for (auto _ : state) {
    for (std::size_t i = 0; i < kBodies; ++i) {
      plain::Inertia moved;
      plain::inertia_back(chain.plain_X[i], chain.plain_I[i], moved);
      benchmark::DoNotOptimize(moved);
    }
  }
}

BENCHMARK(motion_layer);
BENCHMARK(motion_by_hand);
BENCHMARK(force_back_layer);
BENCHMARK(force_back_by_hand);
BENCHMARK(momentum_layer);
BENCHMARK(momentum_by_hand);
BENCHMARK(inertia_back_layer);
BENCHMARK(inertia_back_by_hand);

}  // namespace

BENCHMARK_MAIN();
