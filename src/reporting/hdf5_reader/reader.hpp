/// @file
/// Parts of the program that reads HDF5 files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reporting/results/hdf5.hpp"

namespace spacedyn::hdf5 {

/// Opens the file behind a descriptor for reading: plainly, else as one that grows or whose writer
/// was killed, else as one whose end is missing. Numbers beyond the end cannot be read; what else
/// lies there is zeros, which no checksum of HDF5 accepts.
/// @throws Failure, with the reason of the last attempt
Handle open_descriptor(int descriptor);

/// From now on the system refuses all calls but those for memory, time, reading what is open and
/// writing to it; nothing changes where it knows no such filter.
void keep_to_reading();

std::optional<std::string> read_text_attribute(hid_t object, const char* name);
std::optional<std::vector<std::string>> read_list_attribute(hid_t object, const char* name);
std::optional<int> read_number_attribute(hid_t object, const char* name);
std::optional<std::string> read_text(hid_t file, const std::string& path);
/// Texts of some rows of a list of texts of a fixed size. @throws Failure if it is something else
std::vector<std::string> read_row_texts(hid_t dataset, long first, long count);

/// Paths of all datasets without the first slash, in the order of their names.
/// @throws Failure if the file leads elsewhere (soft and external links), in circles, too deep or
/// to more objects than any result has
std::vector<std::string> dataset_paths(hid_t file);

/// Opens a dataset whose numbers are in the file itself, in pieces that fit into memory and that
/// are packed by filters of HDF5 itself. @param cache  bytes of its pieces to be kept in memory
/// @throws Failure
Handle open_dataset(hid_t file, const std::string& path, std::size_t cache = 0);

/// An array of the file, and the columns of a row that it holds.
struct Array {
  std::string path, frame;
  std::vector<std::string> names, units;
  bool is_list = false;  ///< one number for each row, no row of numbers
  long rows = 0;
  long piece = 0;  ///< rows that are stored together, 0 if all are
  int first = 0;   ///< column
  Handle dataset;

  int width() const { return static_cast<int>(names.size()); }
};

/// The arrays in the order of their columns, of which the first is the time or a number of the row.
struct Arrays {
  std::vector<Array> list;
  std::vector<std::string> ignored;  ///< arrays whose attributes are not those of results
  Handle texts;                      ///< a text for each row; not open where there is none
  int width = 0;                     ///< columns in all
  long rows = 0;                     ///< that all of them have
};

/// @param paths  of all datasets in the file
/// @throws Failure if an array is not what results have, or could not be read in bounded memory
Arrays find_arrays(hid_t file, const std::vector<std::string>& paths);

/// Reads rows of all columns, one row behind the other. @throws Failure
void read_rows(const Arrays& arrays, long first, long count, std::vector<double>& numbers);

/// The leading rows whose times ascend. @param last_time  of the row before; of the last one then
long ascending_rows(const Arrays& arrays, const std::vector<double>& numbers, double& last_time);

}  // namespace spacedyn::hdf5
