#include "optimization/search_output.hpp"

#include <cmath>
#include <cstdio>
#include <filesystem>

#include "optimization/trials.hpp"
#include "reporting/results/output_file.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {

Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

void write_numbers(hid_t parent, const NumberSet& set, const double* numbers) {
  using hdf5::Handle;
  const Handle space(
      H5Screate_simple(static_cast<int>(set.shape.size()), set.shape.data(), nullptr), H5Sclose);
  const Handle dataset(H5Dcreate2(parent, set.name.c_str(), H5T_IEEE_F64LE, space,
                                  hdf5::link_properties(set.name), H5P_DEFAULT, H5P_DEFAULT),
                       H5Dclose);
  hdf5::check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers));
  if (!set.unit.empty()) hdf5::write_attribute(dataset, "units", set.unit);
  if (!set.columns.empty()) hdf5::write_attribute(dataset, "columns", set.columns);
}

void write_search_hdf5(const std::string& path, const SearchInputs& inputs,
                       const std::function<void(hid_t file)>& write) {
  std::remove(path.c_str());
  const hdf5::Silence silence;
  try {
    hdf5::Handle file = hdf5::open_file(path, hdf5::Access::create);
    hdf5::write_attribute(file, "format", inputs.format);
    write(file);
    hdf5::write_text(hdf5::group(file, "/meta"), "record", inputs.record);
    hdf5::write_inputs(file, {inputs.sources.begin(), inputs.sources.end()}, inputs.overrides);
    if (!file.reset()) throw hdf5::Failure(hdf5::last_reason());
  } catch (const hdf5::Failure& failure) {
    throw IoError("cannot write '" + path + "': " + failure.what());
  }
}

std::vector<std::string> write_best_scenario(const loading::ScenarioFamily& family,
                                             const std::vector<ScenarioVariable>& variables,
                                             const VectorX& values, const std::string& folder,
                                             const std::string& stem) {
  std::vector<std::string> files;
  for (const auto& [name, text] :
       family.write_variant(overrides_of(variables, values), folder, stem)) {
    files.push_back((std::filesystem::path(folder) / name).string());
    write_file_atomically(files.back(), text);
  }
  return files;
}

}  // namespace spacedyn
