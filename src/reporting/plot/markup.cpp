#include "reporting/plot/markup.hpp"

#include "reporting/results/json.hpp"

namespace spacedyn {

std::string escape_markup(const std::string& text) {
  // the JSON library knows how to replace what is not UTF-8
  const auto quoted = Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string escaped;
  for (const char c : Json::parse(quoted).get<std::string>()) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return escaped;
}

}  // namespace spacedyn
