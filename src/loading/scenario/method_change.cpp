#include "loading/scenario/method_change.hpp"

#include <algorithm>
#include <optional>

#include "spacedyn/integration/options.hpp"

namespace spacedyn::loading {
namespace {

/// The value below some keys, or nothing.
NodePtr find_below(NodePtr node, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    const Entry* entry = node ? node->find(key) : nullptr;
    node = entry == nullptr ? nullptr : entry->value;
  }
  return node;
}

/// The method of a document, the default where none is named; nothing if it is unknown.
std::optional<IntegrationMethod> method_of(const NodePtr& root) {
  const NodePtr name = find_below(root, {"scenario", "integrator", "method"});
  if (!name) return IntegratorOptions().method;
  for (const IntegrationMethod method : all_integration_methods()) {
    if (name->is_scalar() && name->text == to_string(method)) return method;
  }
  return std::nullopt;
}

/// Why a key does not fit a method; empty if it does.
std::string misfit(std::string_view key, IntegrationMethod method) {
  const std::string name(to_string(method));
  const auto is_one_of = [&](std::initializer_list<std::string_view> keys) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  };
  if (is_one_of({"relative_tolerance", "absolute_tolerance", "max_step"})) {
    return is_adaptive(method) ? "" : name + " keeps to its step";
  }
  if (is_one_of({"beta", "gamma"}) && !method_traits(method).has_newmark_parameters) {
    return "it belongs to newmark";
  }
  if (is_one_of({"contact_tolerance", "contact_iterations"}) &&
      !method_traits(method).steps_contacts) {
    return "it belongs to time_stepping";
  }
  return key == "step" && is_adaptive(method) ? name + " finds its own steps" : "";
}

bool is_of_an_override(const Node& node) {
  return node.mark.source != nullptr && node.mark.source->is_override();
}

/// A mapping with another value of one of its keys.
NodePtr with(const Node& mapping, std::string_view key, const NodePtr& value) {
  Node changed = mapping;
  for (Entry& entry : changed.entries) {
    if (entry.key == key) entry.value = value;
  }
  return std::make_shared<Node>(std::move(changed));
}

}  // namespace

NodePtr leave_out_misfits(const NodePtr& before, const NodePtr& after, ProblemList& problems) {
  const NodePtr integrator = find_below(after, {"scenario", "integrator"});
  const auto method = method_of(after);
  if (!integrator || !integrator->is_mapping() || !method || method == method_of(before)) {
    return after;
  }
  Node kept = *integrator;
  kept.entries.clear();
  for (const Entry& entry : integrator->entries) {
    const std::string reason = misfit(entry.key, *method);
    if (reason.empty() || is_of_an_override(*entry.value)) {
      kept.entries.push_back(entry);
    } else {
      problems.add(Severity::note, entry.key_mark, "scenario.integrator." + entry.key,
                   "left out: " + reason, "");
    }
  }
  const NodePtr scenario = find_below(after, {"scenario"});
  return with(*after, "scenario",
              with(*scenario, "integrator", std::make_shared<Node>(std::move(kept))));
}

}  // namespace spacedyn::loading
