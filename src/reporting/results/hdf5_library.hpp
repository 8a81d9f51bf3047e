/// @file
/// The C library of HDF5, loaded when a file is first written: with the forty libraries that it
/// needs, this takes longer than most commands. Private: no HDF5 type leaves the library.
#pragma once

#define H5_USE_110_API  // whatever version it is
#include <hdf5.h>

// What is linked with HDF5 calls it directly.
#ifndef SPACEDYN_HDF5_LINKED

#define SPACEDYN_HDF5_FUNCTIONS(use)                                                            \
  use(H5Aclose) use(H5Acreate2) use(H5Awrite) use(H5Dclose) use(H5Dcreate2) use(H5Dflush)       \
      use(H5Dget_space) use(H5Dopen2) use(H5Dset_extent) use(H5Dwrite) use(H5Eclear2)           \
          use(H5Eget_auto2) use(H5Eset_auto2) use(H5Ewalk2) use(H5Fclose) use(H5Fcreate)        \
              use(H5Fflush) use(H5Fget_vfd_handle) use(H5Fopen) use(H5Fstart_swmr_write)        \
                  use(H5Gclose) use(H5Gcreate2) use(H5Gopen2) use(H5Ldelete) use(H5Lexists)     \
                      use(H5Pclose) use(H5Pcreate) use(H5Pset_char_encoding) use(H5Pset_chunk)  \
                          use(H5Pset_chunk_cache) use(H5Pset_deflate) use(H5Pset_file_locking)  \
                              use(H5Pset_fill_value) use(H5Pset_libver_bounds)                  \
                                  use(H5Pset_obj_track_times) use(H5Pset_shuffle) use(H5Sclose) \
                                      use(H5Screate) use(H5Screate_simple)                      \
                                          use(H5Sselect_hyperslab) use(H5Tclose) use(H5Tcopy)   \
                                              use(H5Tset_cset) use(H5Tset_size)                 \
                                                  use(H5check_version) use(H5dont_atexit)       \
                                                      use(H5open)

#define SPACEDYN_HDF5_NUMBERS(use)                                                                \
  use(H5P_CLS_DATASET_ACCESS_ID_g) use(H5P_CLS_DATASET_CREATE_ID_g) use(H5P_CLS_FILE_ACCESS_ID_g) \
      use(H5P_CLS_FILE_CREATE_ID_g) use(H5P_CLS_GROUP_CREATE_ID_g) use(H5P_CLS_LINK_CREATE_ID_g)  \
          use(H5T_C_S1_g) use(H5T_IEEE_F64LE_g) use(H5T_NATIVE_DOUBLE_g) use(H5T_NATIVE_INT64_g)  \
              use(H5T_NATIVE_INT_g) use(H5T_NATIVE_UINT64_g) use(H5T_STD_I32LE_g)                 \
                  use(H5T_STD_I64LE_g) use(H5T_STD_U64LE_g)

namespace spacedyn {

/// Inside of `spacedyn` these names hide those of the C library, so that what calls HDF5 looks as
/// ever.
inline namespace hdf5_library {

/// A number that the library sets when it starts.
struct LoadedNumber {
  const hid_t* place;
  operator hid_t() const { return *place; }
};

// NOLINTNEXTLINE(bugprone-macro-parentheses): a name that is declared
#define SPACEDYN_HDF5_FUNCTION(name) extern decltype(&::name) name;
#define SPACEDYN_HDF5_NUMBER(name) extern LoadedNumber name;
SPACEDYN_HDF5_FUNCTIONS(SPACEDYN_HDF5_FUNCTION)
SPACEDYN_HDF5_NUMBERS(SPACEDYN_HDF5_NUMBER)
#undef SPACEDYN_HDF5_FUNCTION
#undef SPACEDYN_HDF5_NUMBER

}  // namespace hdf5_library

/// Loads the library unless it is there. @throws IoError if it cannot be loaded
void load_hdf5();

}  // namespace spacedyn

#endif
