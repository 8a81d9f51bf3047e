#include "json.hpp"

#include <algorithm>

namespace spacedyn::cli {
namespace {

std::string compact(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool is_flat_list(const Json& json) {
  return json.is_array() && std::none_of(json.begin(), json.end(), [](const Json& item) {
           return item.is_structured() && !item.empty();
         });
}

void append(const Json& json, const std::string& indent, std::string& text) {
  if (!json.is_structured() || json.empty() || is_flat_list(json)) {
    text += compact(json);
    return;
  }
  const std::string inner = indent + "  ";
  text += json.is_object() ? '{' : '[';
  const char* separator = "\n";
  for (auto item = json.begin(); item != json.end(); ++item) {
    text += separator + inner;
    if (json.is_object()) text += compact(Json(item.key())) + ": ";
    append(*item, inner, text);
    separator = ",\n";
  }
  text += '\n' + indent + (json.is_object() ? '}' : ']');
}

}  // namespace

std::string json_text(const Json& json) {
  std::string text;
  append(json, "", text);
  return text + '\n';
}

std::string json_item_text(const Json& json) {
  std::string text = "  ";
  append(json, "  ", text);
  return text;
}

}  // namespace spacedyn::cli
