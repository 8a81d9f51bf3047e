// Lists of names, and what is wrong with names in them.
#include "loading/scenario/shared_keys.hpp"

namespace spacedyn::loading {

Refusal unknown_name(const std::string& expected, const std::string& name,
                     const std::vector<std::string>& known) {
  return {"expected " + expected + ", got " + quote(name), nearest_hint(name, known)};
}

Refusal named_twice(const std::string& kind, const std::string& name) {
  return {"expected each " + kind + " once, got " + quote(name) + " again"};
}

Refusal moved_already(const std::string& expected, const std::string& name) {
  return {"expected " + expected + " freely, got " + quote(name) + ", whose motion is prescribed"};
}

Refusal on_another_body(const std::string& kinds, const std::string& name,
                        const std::string& body) {
  return {"expected " + kinds + " on one body, got " + quote(name) + " on '" + body + "'"};
}

bool read_names(MapReader& map, const char* key, const Value& list, const std::string& kind,
                const std::function<Refusal(const std::string& name)>& take) {
  bool complete = list.node->is_sequence();
  for_each_item(list, map.problems(), [&](const Value& item) {
    const auto name = read_text(item, map.problems());
    const auto [reason, hint] = name ? take(*name) : Refusal();
    complete = complete && name && reason.empty();
    if (!reason.empty()) map.problems().error(item, reason, hint);
  });
  if (list.node->is_sequence() && list.node->items.empty()) {
    map.error_at(key, "expected at least one " + kind + ", got an empty list");
    complete = false;
  }
  return complete;
}

}  // namespace spacedyn::loading
