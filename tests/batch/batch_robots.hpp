/// @file
/// Random robots with many random states, for each instruction set of the machine.
#pragma once

#include <memory>

#include "spacedyn/batch/batch_dynamics.hpp"
#include "support/random_models.hpp"
#include "support/reference_data.hpp"

namespace spacedyn::testing {

/// Restores the instruction set that was in use.
class UsedInstructionSet {
 public:
  explicit UsedInstructionSet(InstructionSet set) : before_(instruction_set()) {
    use_instruction_set(set);
  }
  ~UsedInstructionSet() { use_instruction_set(before_); }
  UsedInstructionSet(const UsedInstructionSet&) = delete;
  UsedInstructionSet& operator=(const UsedInstructionSet&) = delete;

 private:
  InstructionSet before_;
};

/// A random tree, N random states of it and N random vectors of generalized forces.
struct RandomBatch {
  RandomBatch(unsigned seed, const TreeShape& shape, int count)
      : random(seed),
        model(std::make_shared<const Model>(random.model(shape))),
        states(*model, count),
        forces(model->velocity_size(), count) {
    for (int k = 0; k < count; ++k) {
      states.set(k, random.state(*model));
      forces.set(k, random.vector(model->velocity_size(), 3.0));
    }
  }

  Loads loads(int k) const {
    Loads loads(*model);
    loads.F_b = forces.get(k).head<6>();
    loads.tau = forces.get(k).tail(model->joint_count());
    return loads;
  }

  RandomModels random;
  std::shared_ptr<const Model> model;
  BatchStates states;
  TiledVectors forces;
};

}  // namespace spacedyn::testing
