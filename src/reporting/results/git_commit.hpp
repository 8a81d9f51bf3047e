/// @file
/// The commit that the library was built from; its definition is written by each build.
#pragma once

namespace spacedyn {

/// Empty outside a repository, ends in `-dirty` where files differ from the commit.
extern const char* const kGitCommit;

}  // namespace spacedyn
