#include "integration/run/run_parts.hpp"

#include <algorithm>

#include "integration/equations/run_memory.hpp"
#include "integration/events/event_actions.hpp"

namespace spacedyn {

RunParts::RunParts(const SimulationSetup& given, const State& initial, OutputTimes times,
                   SimulationObserver& watching)
    : setup(given),
      observer(watching),
      duration(times.duration()),
      outputs(std::move(times)),
      equations(setup),
      advancer(setup, equations, duration),
      contacts(setup, equations),
      rigid(setup, equations),
      events(setup.events, contacts, rigid, unit()),
      account(setup, equations, advancer, rigid, observer, unit()),
      corrections(setup, duration, equations, rigid, account),
      step(equations.layout().size()),
      inside(equations.layout().size()) {
  equations.start(initial, step.x_old);
  events.read_contacts_by(
      [this](const EquationsOfMotion& now, std::vector<ContactReading>& readings) {
        account.read_contacts(now, readings);
      });
}

const VectorX& RunParts::interpolate(double time) {
  const Uncounted pause(equations.watch());
  advancer.stepper().interpolate(equations, step, time, inside);
  return inside;
}

void RunParts::show_inside(double time) {
  corrections.place_inside(inside, time);
  if (!equations.evaluate(inside, time)) account.fail_at(step.t_old);
  account.emit(time, inside);
}

void RunParts::output_at(double time) {
  if (!outputs.is_due(time)) return;
  account.emit(outputs.next(), step.x_old);
  outputs.advance();
}

OutputTimes read_output_times(const Checkpoint& checkpoint) {
  Archive archive(unseal(checkpoint.memory));
  OutputTimes outputs(1.0, 1.0);
  archive(outputs);
  return outputs;
}

namespace {

void transfer(Archive& archive, RunParts& parts) {
  archive(parts.outputs);
  const auto setup = describe_setup(parts.setup, parts.equations.layout().auxiliary_names);
  auto then = setup;
  archive(then);
  check_same_setup(then, setup);
  Step& step = parts.step;
  archive(step.t_old, step.x_old, step.rate_old, parts.breakpoint, parts.equations, parts.contacts,
          parts.rigid, parts.events, parts.corrections);
  if (step.x_old.size() != step.x_new.size() || step.rate_old.size() != step.x_new.size()) {
    throw IoError("the checkpoint is damaged: its state has another size");
  }
  archive.require(step.t_old >= 0.0 && step.t_old <= parts.duration &&
                  parts.breakpoint.time >= step.t_old && parts.breakpoint.time <= parts.duration);
  archive(parts.account);
}

}  // namespace

Checkpoint checkpoint_of(RunParts& parts, bool is_complete) {
  Archive archive;
  transfer(archive, parts);
  std::string options = bytes_of(parts.setup.integrator);
  archive(is_complete, options);
  const Step& step = parts.step;
  parts.advancer.transfer_method(archive, step.t_old);

  Checkpoint checkpoint;
  checkpoint.time = step.t_old;
  EquationsOfMotion& equations = parts.equations;
  equations.failure().clear();
  if (equations.update_kinematics(step.x_old, step.t_old)) checkpoint.state = equations.state();
  checkpoint.outputs = parts.account.emitted();
  checkpoint.statistics = parts.advancer.statistics();
  checkpoint.statistics.evaluations = equations.watch().evaluations();
  checkpoint.memory = seal(archive.bytes());
  return checkpoint;
}

bool restore(const Checkpoint& checkpoint, RunParts& parts) {
  Archive archive(unseal(checkpoint.memory));
  transfer(archive, parts);
  const double time = parts.step.t_old;
  const std::vector<EventRecord>& happened = parts.account.result().events;
  repeat_events(parts.setup, happened, parts.equations.discrete());
  parts.events.sequence().restore(happened, time);
  bool is_complete = false;
  std::string options;
  archive(is_complete, options);
  if (!is_complete || options != bytes_of(parts.setup.integrator)) {
    parts.advancer.begin_afresh(time);
    return false;
  }
  parts.advancer.transfer_method(archive, time);
  if (archive.remaining() > 0) throw IoError("the checkpoint is damaged: it is too long");
  return true;
}

}  // namespace spacedyn
