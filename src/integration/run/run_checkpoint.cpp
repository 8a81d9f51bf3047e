#include "integration/equations/run_memory.hpp"
#include "integration/run/run.hpp"

namespace spacedyn {

OutputTimes read_output_times(const Checkpoint& checkpoint) {
  Archive archive(unseal(checkpoint.memory));
  OutputTimes outputs(1.0, 1.0);
  archive(outputs);
  return outputs;
}

void Run::transfer_head(Archive& archive) {
  archive(outputs_);
  const auto setup = describe_setup(setup_, equations_.layout().auxiliary_names);
  auto then = setup;
  archive(then);
  check_same_setup(then, setup);
}

void Run::transfer(Archive& archive) {
  archive(step_.t_old, step_.x_old, step_.rate_old, breakpoint_, equations_, contacts_, rigid_,
          events_, limits_, projection_, centroid_path_, contact_watch_);
  archive.tally(emitted_);
  if (step_.x_old.size() != step_.x_new.size() || step_.rate_old.size() != step_.x_new.size()) {
    throw IoError("the checkpoint is damaged: its state has another size");
  }
  archive.require(step_.t_old >= 0.0 && step_.t_old <= duration_ &&
                  breakpoint_.time >= step_.t_old && breakpoint_.time <= duration_);
  transfer_momentum(archive, result_.initial_momentum);
  Energy& energy = result_.initial_energy;
  archive(energy.kinetic, energy.gravity, energy.elastic, result_.audit, result_.stopped_by);
  std::size_t count = result_.events.size();
  archive(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (i == result_.events.size()) result_.events.emplace_back();
    archive(result_.events[i].time, result_.events[i].name, result_.events[i].is_warning);
  }
  count = result_.connections.size();
  archive(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (i == result_.connections.size()) result_.connections.emplace_back();
    ConnectionRecord& made = result_.connections[i];
    archive(made.name, made.time, made.impulse, made.angular_impulse, made.energy_lost);
  }
  LoopSummary& loops = result_.loops;
  archive(loops.position_residual, loops.velocity_residual, loops.rank, loops.rows,
          loops.redundant);
  for (SourceBudget& budget : result_.sources) archive(budget.start.stored);
  advancer_.transfer_statistics(archive);
}

void Run::give_checkpoint() { observer_.on_checkpoint(checkpoint()); }

Checkpoint Run::checkpoint() {
  Archive archive;
  transfer_head(archive);
  transfer(archive);
  std::string options = bytes_of(setup_.integrator);
  archive(between_steps_, options);
  advancer_.transfer_method(archive, step_.t_old);

  Checkpoint checkpoint;
  checkpoint.time = step_.t_old;
  equations_.clear_failure();
  if (equations_.update_kinematics(step_.x_old, step_.t_old)) checkpoint.state = equations_.state();
  checkpoint.outputs = emitted_;
  checkpoint.statistics = advancer_.statistics();
  checkpoint.statistics.evaluations = equations_.evaluations();
  checkpoint.memory = seal(archive.bytes());
  return checkpoint;
}

SimulationResult Run::go_on(const Checkpoint& checkpoint) {
  Archive archive(unseal(checkpoint.memory));
  transfer_head(archive);
  transfer(archive);
  equations_.restore(result_.events);
  events_.restore(result_.events, step_.t_old);
  timeline_.renew(setup_, equations_.discrete());
  bool is_complete = false;
  std::string options;
  archive(is_complete, options);
  if (is_complete && options == bytes_of(setup_.integrator)) {
    advancer_.transfer_method(archive, step_.t_old);
    if (archive.remaining() > 0) throw IoError("the checkpoint is damaged: it is too long");
  } else {
    advancer_.begin_afresh(step_.t_old);
    begin_segment(step_.t_old, Restart::state_jumped, {});
    output_at(step_.t_old);
  }
  return loop();
}

}  // namespace spacedyn
