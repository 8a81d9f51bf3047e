#include "batch.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <thread>

#include "spacedyn/error.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn::python {
namespace {

constexpr int kTile = TiledVectors::kTile;
/// States that one thread converts and computes at a time.
constexpr long kChunk = 256;

int attitude_row(int column, int row) { return BatchStates::kAttitude + 3 * column + row; }

/// Eight numbers, one for each lane; loops over them become vector instructions.
using Lanes = double[kTile];

/// A_0 of eight quaternions, w first, of any length.
void write_attitudes(const Lanes& w, const Lanes& a, const Lanes& b, const Lanes& c, double* tile) {
  const auto put = [tile](int i, int j, const Lanes& values) {
    std::copy(values, values + kTile, tile + attitude_row(j, i) * kTile);
  };
  Lanes s, xx, yy, zz, xy, xz, yz, wx, wy, wz;
  for (int k = 0; k < kTile; ++k) {
    s[k] = 2.0 / (w[k] * w[k] + a[k] * a[k] + b[k] * b[k] + c[k] * c[k]);
    xx[k] = 1.0 - s[k] * (b[k] * b[k] + c[k] * c[k]);
    yy[k] = 1.0 - s[k] * (a[k] * a[k] + c[k] * c[k]);
    zz[k] = 1.0 - s[k] * (a[k] * a[k] + b[k] * b[k]);
    xy[k] = s[k] * (a[k] * b[k] - w[k] * c[k]);
    wz[k] = s[k] * (a[k] * b[k] + w[k] * c[k]);
    wy[k] = s[k] * (a[k] * c[k] - w[k] * b[k]);
    xz[k] = s[k] * (a[k] * c[k] + w[k] * b[k]);
    yz[k] = s[k] * (b[k] * c[k] - w[k] * a[k]);
    wx[k] = s[k] * (b[k] * c[k] + w[k] * a[k]);
  }
  put(0, 0, xx);
  put(0, 1, xy);
  put(0, 2, xz);
  put(1, 0, wz);
  put(1, 1, yy);
  put(1, 2, yz);
  put(2, 0, wy);
  put(2, 1, wx);
  put(2, 2, zz);
}

/// Whether all numbers of some rows of a tile are finite.
bool is_finite(const double* tile, int first, int count) {
  Lanes sum = {};
  for (int row = first; row < first + count; ++row) {
    for (int k = 0; k < kTile; ++k) sum[k] += tile[row * kTile + k] * 0.0;
  }
  return std::all_of(sum, sum + kTile, [](double x) { return x == 0.0; });
}

/// Rows of up to eight states, the components of one tile; lanes beyond them repeat the last state.
/// @returns whether all of them are states
bool fill_tile(const double* rows, int lanes, int n, double* tile, bool with_reference) {
  const int size = 13 + 2 * n;
  const double* x[kTile];
  for (int k = 0; k < kTile; ++k) {
    x[k] = rows + static_cast<std::ptrdiff_t>(std::min(k, lanes - 1)) * size;
  }
  const auto gather = [&x](int column, double* out) {
    for (int k = 0; k < kTile; ++k) out[k] = x[k][column];
  };
  for (int i = 0; i < 3; ++i) {
    gather(i, tile + (BatchStates::kPosition + i) * kTile);
    gather(7 + n + i, tile + (BatchStates::kVelocity + i) * kTile);
    gather(10 + n + i, tile + (BatchStates::kAngularVelocity + i) * kTile);
  }
  for (int i = 0; i < n; ++i) {
    gather(7 + i, tile + (BatchStates::kJoints + i) * kTile);
    gather(13 + n + i, tile + (BatchStates::kJoints + n + i) * kTile);
  }
  Lanes w, a, b, c;
  gather(3, w);
  gather(4, a);
  gather(5, b);
  gather(6, c);
  write_attitudes(w, a, b, c, tile);
  if (with_reference) {
    const double* attitude = tile + BatchStates::kAttitude * kTile;
    std::copy(attitude, attitude + 9 * kTile, tile + BatchStates::kReference * kTile);
    std::fill_n(tile + BatchStates::kRotationVector * kTile, 3 * kTile, 0.0);
  }
  return is_finite(tile, BatchStates::kPosition, 12) &&
         is_finite(tile, BatchStates::kVelocity, 6 + 2 * n);
}

void read_tile(const double* tile, int lanes, int n, double* rows, long row_stride) {
  for (int lane = 0; lane < lanes; ++lane) {
    double* x = rows + lane * row_stride;
    const auto get = [&](int row) { return tile[row * kTile + lane]; };
    Matrix3 A;
    for (int i = 0; i < 3; ++i) {
      x[i] = get(BatchStates::kPosition + i);
      x[7 + n + i] = get(BatchStates::kVelocity + i);
      x[10 + n + i] = get(BatchStates::kAngularVelocity + i);
      for (int j = 0; j < 3; ++j) A(i, j) = get(attitude_row(j, i));
    }
    const Quaternion quaternion = quaternion_from_matrix(A);
    x[3] = quaternion.w();
    x[4] = quaternion.x();
    x[5] = quaternion.y();
    x[6] = quaternion.z();
    for (int i = 0; i < n; ++i) {
      x[7 + i] = get(BatchStates::kJoints + i);
      x[13 + n + i] = get(BatchStates::kJoints + n + i);
    }
  }
}

/// Rows of `width` numbers into the last components of a tile, which has `size`.
void fill_vectors(const double* rows, int lanes, long stride, int width, int size, double* tile) {
  const int first = size - width;
  for (int i = 0; i < first * kTile; ++i) tile[i] = 0.0;
  for (int lane = 0; lane < kTile; ++lane) {
    const double* x = rows + std::min(lane, lanes - 1) * stride;
    for (int i = 0; i < width; ++i) tile[(first + i) * kTile + lane] = x[i];
  }
}

void read_vectors(const double* tile, int lanes, int size, double* rows) {
  for (int lane = 0; lane < lanes; ++lane) {
    for (int i = 0; i < size; ++i) rows[lane * size + i] = tile[i * kTile + lane];
  }
}

/// Says which row is no state, where one is none.
/// @throws DomainError
void check_rows(const double* rows, long count, int size, long first) {
  for (long k = 0; k < count; ++k) {
    const double* x = rows + k * size;
    double sum = 0.0;
    for (int i = 0; i < size; ++i) sum += x[i] * 0.0;
    const double norm = x[3] * x[3] + x[4] * x[4] + x[5] * x[5] + x[6] * x[6];
    if (sum == 0.0 && norm > 1e-300 && norm < 1e300) continue;
    throw DomainError("states: row " + std::to_string(first + k) +
                      (sum == 0.0 ? " has a quaternion that cannot be normalized (columns 3 to 6, "
                                    "w first)"
                                  : " holds a number that is not finite"));
  }
}

}  // namespace

int row_size(const Model& model) { return 13 + 2 * model.joint_count(); }

void write_row(const State& state, double* row) {
  const Eigen::Index n = state.q.size();
  const Quaternion x = quaternion_from_matrix(state.A_0);
  Eigen::Map<VectorX>(row, 13 + 2 * n) << state.r_0, x.w(), x.x(), x.y(), x.z(), state.q, state.v_0,
      state.omega_0, state.qd;
}

void read_row(const double* row, State& state) {
  const Eigen::Index n = state.q.size();
  check_rows(row, 1, static_cast<int>(13 + 2 * n), 0);
  state.r_0 = Vector3(row);
  state.A_0 = matrix_from_quaternion(Quaternion(row[3], row[4], row[5], row[6]));
  state.q = Eigen::Map<const VectorX>(row + 7, n);
  state.v_0 = Vector3(row + 7 + n);
  state.omega_0 = Vector3(row + 10 + n);
  state.qd = Eigen::Map<const VectorX>(row + 13 + n, n);
}

/// The lanes of one thread: memory for a chunk of states and for a single tile.
class Batch::Worker {
 public:
  Worker(const std::shared_ptr<const Model>& model, const Vector3& gravity)
      : dynamics_(model, {1, gravity}),
        n_(model->joint_count()),
        many_(*model, kChunk),
        few_(*model, kTile) {}

  struct Vectors {
    const double* rows;
    int width;
  };

  template <typename Call>
  void evaluate(long first, long count, const double* states, Vectors input, double* output,
                const Call& call) {
    const int size = 13 + 2 * n_, wide = 6 + n_;
    while (count > 0) {
      Memory& memory = count >= kChunk ? many_ : few_;
      const long now = std::min<long>(count, memory.states.count());
      each_tile(now, [&](int t, long k, int lanes) {
        const double* x = states + (first + k) * size;
        if (!fill_tile(x, lanes, n_, memory.states.rows().tile(t), false)) {
          check_rows(x, lanes, size, first + k);
        }
        fill_vectors(input.rows + (first + k) * input.width, lanes, input.width, input.width, wide,
                     memory.input.tile(t));
      });
      call(dynamics_, memory.states, memory.input, memory.output);
      each_tile(now, [&](int t, long k, int lanes) {
        read_vectors(memory.output.tile(t), lanes, wide, output + (first + k) * wide);
      });
      first += now;
      count -= now;
    }
  }

  void rollout(long first, long count, const double* initial, Vectors controls, long steps,
               const BatchRun& run, double* output) {
    const int size = 13 + 2 * n_, wide = 6 + n_;
    const long stride = (steps + 1) * size;
    while (count > 0) {
      Memory& memory = count >= kChunk ? many_ : few_;
      const long now = std::min<long>(count, memory.states.count());
      each_tile(now, [&](int t, long k, int lanes) {
        const double* x = initial + (first + k) * size;
        if (!fill_tile(x, lanes, n_, memory.states.rows().tile(t), true)) {
          check_rows(x, lanes, size, first + k);
        }
      });
      for (long s = 0; s <= steps; ++s) {
        if (s > 0) {
          each_tile(now, [&](int t, long k, int lanes) {
            fill_vectors(controls.rows + ((first + k) * steps + s - 1) * controls.width, lanes,
                         steps * controls.width, controls.width, wide, memory.input.tile(t));
          });
          dynamics_.integrate(memory.states, memory.input, run);
        }
        each_tile(now, [&](int t, long k, int lanes) {
          read_tile(memory.states.rows().tile(t), lanes, n_,
                    output + (first + k) * stride + s * size, stride);
        });
      }
      first += now;
      count -= now;
    }
  }

 private:
  struct Memory {
    Memory(const Model& model, long count)
        : states(model, static_cast<int>(count)),
          input(model.velocity_size(), static_cast<int>(count)),
          output(model.velocity_size(), static_cast<int>(count)) {}
    BatchStates states;
    TiledVectors input, output;
  };

  template <typename Function>
  static void each_tile(long count, const Function& function) {
    for (long k = 0; k < count; k += kTile) {
      function(static_cast<int>(k / kTile), k, static_cast<int>(std::min<long>(kTile, count - k)));
    }
  }

  BatchDynamics dynamics_;
  int n_;
  Memory many_, few_;
};

Batch::Batch(std::shared_ptr<const Model> model, int threads, const Vector3& gravity)
    : model_(std::move(model)) {
  if (threads < 0) {
    throw DomainError("threads: expected 0 (one per core) or a positive number, got " +
                      std::to_string(threads));
  }
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  for (int i = 0; i < (threads == 0 ? cores : threads); ++i) {
    workers_.push_back(std::make_unique<Worker>(model_, gravity));
  }
}

Batch::~Batch() = default;

template <typename Function>
void Batch::divide(long count, const Function& function) {
  const std::lock_guard<std::mutex> guard(mutex_);
  const long chunks = (count + kChunk - 1) / kChunk;
  const long used = std::clamp<long>(chunks, 1, static_cast<long>(workers_.size()));
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(used));
  const auto work = [&](long i) noexcept {
    const long first = chunks * i / used * kChunk;
    const long last = std::min(count, chunks * (i + 1) / used * kChunk);
    try {
      function(*workers_[static_cast<std::size_t>(i)], first, last - first);
    } catch (...) {
      failures[static_cast<std::size_t>(i)] = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  for (long i = 1; i < used; ++i) threads.emplace_back(work, i);
  work(0);
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

void Batch::forward_dynamics(long count, const double* states, const double* input, int width,
                             double* output) {
  divide(count, [&](Worker& worker, long first, long size) {
    worker.evaluate(first, size, states, {input, width}, output,
                    [](BatchDynamics& dynamics, const BatchStates& x, const TiledVectors& forces,
                       TiledVectors& result) { dynamics.forward_dynamics(x, forces, result); });
  });
}

void Batch::inverse_dynamics(long count, const double* states, const double* acceleration,
                             double* output) {
  divide(count, [&](Worker& worker, long first, long size) {
    worker.evaluate(first, size, states, {acceleration, model_->velocity_size()}, output,
                    [](BatchDynamics& dynamics, const BatchStates& x, const TiledVectors& rates,
                       TiledVectors& result) { dynamics.inverse_dynamics(x, rates, result); });
  });
}

void Batch::rollout(long count, const double* initial, const double* controls, int width,
                    long steps, double step, int substeps, double* output) {
  BatchRun run;
  run.step = step / substeps;
  run.steps = substeps;
  divide(count, [&](Worker& worker, long first, long size) {
    worker.rollout(first, size, initial, {controls, width}, steps, run, output);
  });
}

}  // namespace spacedyn::python
