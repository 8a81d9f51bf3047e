#include "shipped_models.hpp"

#include <algorithm>
#include <system_error>

#include "failure.hpp"

namespace spacedyn::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char *kSweepFolder = "sweeps", *kFitFolder = "fits",
                     *kOptimizationFolder = "optimizations";

}  // namespace

fs::path shipped_models() {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const char* relative : {SPACEDYN_BIN_TO_MODELS, "share/spacedyn/models", "../models"}) {
    const fs::path candidate = program / relative;
    if (fs::is_directory(candidate / "scenarios", ignored)) return fs::canonical(candidate);
  }
  throw Failure(ExitCode::internal_error, "the shipped models are not where the installation of '" +
                                              program.string() + "' should have put them");
}

std::vector<fs::path> shipped_examples() {
  std::vector<fs::path> files;
  for (const char* folder : {kFitFolder, kOptimizationFolder, "scenarios", kSweepFolder}) {
    for (const auto& entry : fs::directory_iterator(shipped_models() / folder)) {
      if (entry.path().extension() == ".yaml") files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool is_shipped_fit(const fs::path& file) { return file.parent_path().filename() == kFitFolder; }

bool is_shipped_optimization(const fs::path& file) {
  return file.parent_path().filename() == kOptimizationFolder;
}

bool is_shipped_sweep(const fs::path& file) {
  return file.parent_path().filename() == kSweepFolder;
}

}  // namespace spacedyn::cli
