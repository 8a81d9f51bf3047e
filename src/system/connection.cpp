#include "spacedyn/system/connection.hpp"

#include <algorithm>

#include "model/assembly.hpp"
#include "model/model_validation.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {

Connection make_connection(const Model& model, const LoopDescription& description, bool active) {
  ModelDescription alone = model.description();
  alone.loops = {description};
  std::vector<Problem> problems;
  validate_loops(alone, problems);
  if (!problems.empty()) throw ModelError(std::move(problems));
  return {make_loop(description, model), active};
}

}  // namespace spacedyn
