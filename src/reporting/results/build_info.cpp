#include "spacedyn/reporting/build_info.hpp"

#include <Eigen/Core>
#include <boost/version.hpp>

#include "reporting/results/hdf5.hpp"
#include "spacedyn/version.hpp"

namespace spacedyn {

/// Empty outside a repository, ends in `-dirty` where files differ from the commit; of a source
/// that each build writes.
extern const char* const kGitCommit;

namespace {

std::string dotted(int major, int minor, int patch) {
  return std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(patch);
}

std::string hdf5_version() {
  hdf5::prepare();
  unsigned major = 0, minor = 0, patch = 0;
  H5get_libversion(&major, &minor, &patch);
  return dotted(static_cast<int>(major), static_cast<int>(minor), static_cast<int>(patch));
}

}  // namespace

const BuildInfo& build_info() {
  static const BuildInfo info{
      kVersion,
      SPACEDYN_BUILD_TYPE,
      SPACEDYN_COMPILER,
      dotted(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION),
      dotted(BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100),
      SPACEDYN_YAML_CPP_VERSION,
      hdf5_version(),
      kGitCommit};
  return info;
}

}  // namespace spacedyn
