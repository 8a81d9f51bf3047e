#include "version_text.hpp"

#include "spacedyn/reporting/build_info.hpp"

namespace spacedyn::cli {

std::string version_text() {
  const BuildInfo& info = build_info();
  return "spacedyn " + info.spacedyn + " (" + info.build_type + ", " + info.compiler + ")\n" +
         "Eigen " + info.eigen + "\nBoost " + info.boost + "\nyaml-cpp " + info.yaml_cpp + "\n";
}

}  // namespace spacedyn::cli
