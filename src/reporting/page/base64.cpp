#include "reporting/page/base64.hpp"

#include <cstdint>

namespace spacedyn {

std::string base64(const void* data, std::size_t size) {
  static constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto* bytes = static_cast<const unsigned char*>(data);
  const auto byte = [&](std::size_t i) { return i < size ? std::uint32_t{bytes[i]} : 0U; };
  std::string text;
  text.reserve((size + 2) / 3 * 4);
  for (std::size_t i = 0; i < size; i += 3) {
    const std::uint32_t three = byte(i) << 16U | byte(i + 1) << 8U | byte(i + 2);
    text += kDigits[three >> 18U];
    text += kDigits[three >> 12U & 63U];
    text += i + 1 < size ? kDigits[three >> 6U & 63U] : '=';
    text += i + 2 < size ? kDigits[three & 63U] : '=';
  }
  return text;
}

}  // namespace spacedyn
