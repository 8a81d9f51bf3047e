#include "spacedyn/reporting/build_info.hpp"

#include <Eigen/Core>
#include <boost/version.hpp>

#include "reporting/results/hdf5_library.hpp"
#include "spacedyn/version.hpp"

namespace spacedyn {

/// Empty outside a repository, ends in `-dirty` where files differ from the commit; of a source
/// that each build writes.
extern const char* const kGitCommit;

namespace {

std::string dotted(int major, int minor, int patch) {
  return std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(patch);
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
      dotted(H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE),  // which refuses to be another one
      kGitCommit};
  return info;
}

}  // namespace spacedyn
