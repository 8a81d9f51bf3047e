#include "spacedyn/recording/result_format.hpp"

namespace spacedyn {

const std::vector<ResultFormat>& all_result_formats() {
  static const std::vector<ResultFormat> formats{ResultFormat::hdf5, ResultFormat::csv};
  return formats;
}

std::string_view to_string(ResultFormat format) {
  return format == ResultFormat::hdf5 ? "hdf5" : "csv";
}

std::string_view extension(ResultFormat format) {
  return format == ResultFormat::hdf5 ? ".h5" : ".csv";
}

}  // namespace spacedyn
