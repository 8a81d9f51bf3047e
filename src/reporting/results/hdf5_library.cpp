#include "reporting/results/hdf5_library.hpp"

#include <string>

#include <dlfcn.h>

#include "spacedyn/error.hpp"

namespace spacedyn {
inline namespace hdf5_library {

#define SPACEDYN_HDF5_FUNCTION(name) decltype(&::name) name = nullptr;
#define SPACEDYN_HDF5_NUMBER(name) LoadedNumber name{nullptr};
SPACEDYN_HDF5_FUNCTIONS(SPACEDYN_HDF5_FUNCTION)
SPACEDYN_HDF5_NUMBERS(SPACEDYN_HDF5_NUMBER)
#undef SPACEDYN_HDF5_FUNCTION
#undef SPACEDYN_HDF5_NUMBER

}  // namespace hdf5_library

namespace {

[[noreturn]] void fail_to_load() {
  const char* reason = ::dlerror();
  throw IoError(std::string("the library of HDF5 cannot be loaded: ") +
                (reason == nullptr ? SPACEDYN_HDF5_SONAME : reason));
}

template <typename Pointer>
void find(void* library, const char* name, Pointer& pointer) {
  pointer = reinterpret_cast<Pointer>(::dlsym(library, name));
  if (pointer == nullptr) fail_to_load();
}

bool bind_all() {
  constexpr int kMode = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE;
  // where the loader looks, else where it was when this was built
  void* library = ::dlopen(SPACEDYN_HDF5_SONAME, kMode);
  if (library == nullptr) library = ::dlopen(SPACEDYN_HDF5_FILE, kMode);
  if (library == nullptr) fail_to_load();
#define SPACEDYN_HDF5_FUNCTION(name) find(library, #name, name);
#define SPACEDYN_HDF5_NUMBER(name) find(library, #name, name.place);
  SPACEDYN_HDF5_FUNCTIONS(SPACEDYN_HDF5_FUNCTION)
  SPACEDYN_HDF5_NUMBERS(SPACEDYN_HDF5_NUMBER)
#undef SPACEDYN_HDF5_FUNCTION
#undef SPACEDYN_HDF5_NUMBER
  return true;
}

}  // namespace

void load_hdf5() {
  static const bool once = bind_all();
  static_cast<void>(once);
}

}  // namespace spacedyn
