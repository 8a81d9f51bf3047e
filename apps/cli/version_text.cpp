#include "version_text.hpp"

#include "spacedyn/reporting/build_info.hpp"

namespace spacedyn::cli {

std::string version_text() {
  const BuildInfo& info = build_info();
  const std::string commit = info.git.empty() ? "" : "commit " + info.git + '\n';
  return "spacedyn " + info.spacedyn + " (" + info.build_type + ", " + info.compiler + ")\n" +
         commit + "Eigen " + info.eigen + "\nBoost " + info.boost + "\nyaml-cpp " + info.yaml_cpp +
         "\nHDF5 " + info.hdf5 + '\n';
}

}  // namespace spacedyn::cli
