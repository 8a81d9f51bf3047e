/// @file
/// Matrices with names as files for MATLAB and Octave.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

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
