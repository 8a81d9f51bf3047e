/// @file
/// Texts and numbers beside the rows; reading gives nothing where there is none of the right type.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reporting/results/hdf5.hpp"

namespace spacedyn::hdf5 {

std::optional<std::string> read_text_attribute(hid_t object, const char* name);
std::optional<std::vector<std::string>> read_list_attribute(hid_t object, const char* name);
std::optional<int> read_number_attribute(hid_t object, const char* name);
std::optional<std::string> read_text(hid_t file, const std::string& path);
/// Texts of some rows of a list of texts of a fixed size. @throws Failure if it is something else
std::vector<std::string> read_row_texts(hid_t dataset, long first, long count);

}  // namespace spacedyn::hdf5
