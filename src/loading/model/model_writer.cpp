#include "loading/model/model_reader.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn {

std::string write_model(const Model& model) {
  for (const LoopDescription& loop : model.description().loops) {
    if (loop_traits(loop.type).is_in_files) continue;
    throw DomainError("model '" + model.name() + "' cannot be written: '" + loop.name +
                      "' is a function of a program, which no file holds");
  }
  return loading::model_text(model.description());
}

}  // namespace spacedyn
