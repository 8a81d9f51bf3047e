/// @file
/// Results, and matrices, as files for other programs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"
#include "spacedyn/reporting/result_table.hpp"

namespace spacedyn {

/// Kinds of files that write_result() writes, by the ends of their names.
SPACEDYN_EXPORT const std::vector<std::string>& writable_extensions();

/// Writes a result as HDF5 (`.h5`), as comma-separated values (`.csv`) or for MATLAB (`.mat`),
/// replacing the file in one step. The numbers are the same bits in all of them.
///
/// An HDF5 file is complete and opens plainly, whatever became of the run it came from. A MAT file
/// of version 5 holds a struct `r` in the names of SpaceDyn: `r.time`, `r.R0`, `r.A0` (3×3×N),
/// `r.v0`, `r.w0`, `r.joints.q`, `qd`, `tau`, `r.frames.<name>.POS_e`, `ORI_e`; the rest is
/// named as in HDF5. Beside CSV write_metadata_of() puts what CSV cannot hold.
/// @param compression  of HDF5: 0 (none) … 9
/// @throws IoError if the end of the name is not known or the file cannot be written; DomainError
/// if another kind than HDF5 is to be compressed
SPACEDYN_EXPORT void write_result(const std::string& path, const ResultTable& result,
                                  int compression = 0);

/// Writes the rest of a result that is being read, in bounded memory. @return the number of rows
/// @throws what the stream throws, too
SPACEDYN_EXPORT long write_result(const std::string& path, ResultStream& result,
                                  int compression = 0);

/// Writes the metadata of a result to `<result>.meta.json`, replacing the file in one step.
/// @return its path, or an empty text if nothing is known about the run
/// @throws IoError
SPACEDYN_EXPORT std::string write_metadata_of(const std::string& result_path,
                                              const ResultTable& result);

/// The content of one struct: matrices of equal size behind one another, and lists of texts.
struct MatrixFile {
  std::string variable;  ///< the name of the struct
  std::vector<std::pair<std::string, std::vector<MatrixX>>> matrices;
  std::vector<std::pair<std::string, std::vector<std::string>>> texts;
};

/// Writes a MAT file of version 5, replacing what is there; equal contents give equal bytes.
/// @throws DomainError if a list of matrices is empty or their sizes differ; IoError
SPACEDYN_EXPORT void write_mat(const std::string& path, const MatrixFile& content);

}  // namespace spacedyn
