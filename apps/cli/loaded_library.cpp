#include "loaded_library.hpp"

#include <filesystem>

#include <dlfcn.h>

#include "failure.hpp"

namespace spacedyn::cli {
namespace {

namespace fs = std::filesystem;

/// As installed, else as built and in a wheel.
fs::path folder() {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  fs::path installed = program / SPACEDYN_BIN_TO_LIBEXEC;
  return fs::is_directory(installed, ignored) ? installed : program / "libexec/spacedyn";
}

}  // namespace

void* loaded_function(const std::string& library, const char* name) {
  // parts that MPI loads in turn look for its names among those of all
  void* loaded = ::dlopen((folder() / library).c_str(), RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
  void* function = loaded == nullptr ? nullptr : ::dlsym(loaded, name);
  if (function != nullptr) return function;
  throw Failure(ExitCode::internal_error,
                std::string("a part of the program cannot be loaded: ") + ::dlerror());
}

}  // namespace spacedyn::cli
