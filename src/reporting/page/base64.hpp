/// @file
/// Binary data as text, RFC 4648.
#pragma once

#include <cstddef>
#include <string>

namespace spacedyn {

std::string base64(const void* data, std::size_t size);

}  // namespace spacedyn
