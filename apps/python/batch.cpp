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

/// Rows of up to eight states, the components of one tile; lanes beyond them repeat the last state.
void fill_tile(const double* rows, int lanes, int n, double* tile, bool with_reference) {
  const int size = 13 + 2 * n;
  for (int lane = 0; lane < kTile; ++lane) {
    const double* x = rows + static_cast<std::ptrdiff_t>(std::min(lane, lanes - 1)) * size;
    const auto put = [&](int row, double value) { tile[row * kTile + lane] = value; };
    const double w = x[3], a = x[4], b = x[5], c = x[6];
    const double s = 2.0 / (w * w + a * a + b * b + c * c);
    const double A[3][3] = {
        {1.0 - s * (b * b + c * c), s * (a * b - w * c), s * (a * c + w * b)},
        {s * (a * b + w * c), 1.0 - s * (a * a + c * c), s * (b * c - w * a)},
        {s * (a * c - w * b), s * (b * c + w * a), 1.0 - s * (a * a + b * b)}};
    for (int i = 0; i < 3; ++i) {
      put(BatchStates::kPosition + i, x[i]);
      put(BatchStates::kVelocity + i, x[7 + n + i]);
      put(BatchStates::kAngularVelocity + i, x[10 + n + i]);
      for (int j = 0; j < 3; ++j) put(attitude_row(j, i), A[i][j]);
    }
    for (int i = 0; i < n; ++i) {
      put(BatchStates::kJoints + i, x[7 + i]);
      put(BatchStates::kJoints + n + i, x[13 + n + i]);
    }
    if (!with_reference) continue;
    for (int i = 0; i < 9; ++i) {
      put(BatchStates::kReference + i, tile[(BatchStates::kAttitude + i) * kTile + lane]);
    }
    for (int i = 0; i < 3; ++i) put(BatchStates::kRotationVector + i, 0.0);
  }
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

/// @throws DomainError naming the first state that is none
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
  Eigen::Map<VectorX>(row, 13 + 2 * n) << state.r_0, x.w(), x.x(), x.y(), x.z(), state.q,
      state.v_0, state.omega_0, state.qd;
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
      : dynamics_(model, {1, gravity}), n_(model->joint_count()), many_(*model, kChunk),
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
      check_rows(states + first * size, now, size, first);
      each_tile(now, [&](int t, long k, int lanes) {
        fill_tile(states + (first + k) * size, lanes, n_, memory.states.rows().tile(t), false);
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
      check_rows(initial + first * size, now, size, first);
      each_tile(now, [&](int t, long k, int lanes) {
        fill_tile(initial + (first + k) * size, lanes, n_, memory.states.rows().tile(t), true);
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
