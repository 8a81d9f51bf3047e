#include "reporting/results/json.hpp"

#include <string_view>

namespace spacedyn {
namespace {

/// Whether the values of a text, JSON or not, would need neither deep recursion nor much memory.
bool is_small(std::string_view text) {
  constexpr int kMaxDepth = 64;
  constexpr long kMaxValues = 1000000;
  int depth = 0;
  long values = 1;
  bool in_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char byte = text[i];
    if (byte == '"') in_text = !in_text;
    if (in_text && byte == '\\') ++i;
    if (in_text) continue;
    const bool opens = byte == '[' || byte == '{';
    if (opens && ++depth > kMaxDepth) return false;
    if (byte == ']' || byte == '}') --depth;
    if ((opens || byte == ',') && ++values > kMaxValues) return false;
  }
  return true;
}

}  // namespace

Json parse_json(const std::string& text) {
  if (!is_small(text)) return Json(Json::value_t::discarded);
  return Json::parse(text, nullptr, false);
}

Json json_list(ConstVectorRef vector) {
  Json list = Json::array();
  for (const double value : vector) list.push_back(value);
  return list;
}

Json json_rows(const MatrixX& matrix) {
  Json rows = Json::array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    rows.push_back(json_list(VectorX(matrix.row(i).transpose())));
  }
  return rows;
}

Json json_of(const Momentum& momentum) {
  return {{"linear", json_list(momentum.linear)},
          {"angular", json_list(momentum.angular_base)},
          {"angular_origin", json_list(momentum.angular_origin)},
          {"angular_centroid", json_list(momentum.angular_centroid)}};
}

Json json_of(const Energy& energy) {
  return {{"kinetic", energy.kinetic},
          {"gravity", energy.gravity},
          {"elastic", energy.elastic},
          {"total", energy.total()}};
}

Json json_of(const std::optional<WorstInstant>& momentum,
             const std::optional<WorstInstant>& energy) {
  Json json = Json::object();
  const auto add = [&](const char* key, const std::optional<WorstInstant>& worst) {
    if (!worst) return;
    json[key] = {
        {"time", worst->time}, {"growth", worst->growth}, {"from", worst->from}, {"to", worst->to}};
    if (!worst->cause_kind.empty()) json[key]["cause"] = {{worst->cause_kind, worst->cause}};
  };
  add("momentum_drift", momentum);
  add("energy_residual", energy);
  return json;
}

Json json_of(const std::vector<EventRecord>& events) {
  Json list = Json::array();
  for (const EventRecord& event : events) {
    list.push_back({{"time", event.time}, {"name", event.name}});
    if (event.is_warning) list.back()["warning"] = true;
  }
  return list;
}

Json json_of(const std::vector<SourceBudget>& sources) {
  Json list = Json::array();
  for (const SourceBudget& source : sources) {
    list.push_back({{"name", source.name},
                    {"work", source.end.work},
                    {"dissipated", source.end.dissipated},
                    {"stored", {{"initial", source.start.stored}, {"final", source.end.stored}}}});
  }
  return list;
}

Json json_of(const LoopSummary& loops) {
  return {{"position_residual", loops.position_residual},
          {"velocity_residual", loops.velocity_residual},
          {"rank", loops.rank},
          {"rows", loops.rows},
          {"redundant", loops.redundant}};
}

Json json_of(const std::vector<ConnectionRecord>& connections) {
  Json list = Json::array();
  for (const ConnectionRecord& made : connections) {
    list.push_back({{"name", made.name},
                    {"time", made.time},
                    {"impulse", made.impulse},
                    {"angular_impulse", made.angular_impulse},
                    {"energy_lost", made.energy_lost}});
  }
  return list;
}

Json json_of(const std::vector<ContactSummary>& contacts) {
  Json list = Json::array();
  for (const ContactSummary& contact : contacts) {
    Json item{{"name", contact.name}, {"first", nullptr}, {"last", nullptr}};
    if (contact.count > 0) {
      item["first"] = contact.first;
      item["last"] = contact.last;
    }
    item["count"] = contact.count;
    item["largest_force"] = contact.largest_force;
    item["impulse"] = contact.impulse;
    item["friction_work"] = contact.friction_work;
    if (contact.is_rigid) {
      item["energy_lost"] = contact.energy_lost;
      item["complementarity_residual"] = contact.residual;
    }
    list.push_back(std::move(item));
  }
  return list;
}

Json energy_json(const SimulationResult& result) {
  return {{"initial", json_of(result.initial_energy)},
          {"final", json_of(result.final_energy)},
          {"work", result.integrals.work},
          {"dissipated", result.integrals.dissipated},
          {"throughput", result.integrals.throughput},
          {"sources", json_of(result.sources)}};
}

std::string to_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace spacedyn
