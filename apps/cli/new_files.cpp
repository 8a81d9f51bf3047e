#include "new_files.hpp"

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <system_error>

#include "failure.hpp"
#include "json.hpp"

namespace spacedyn::cli {
namespace {

namespace fs = std::filesystem;

bool holds(const fs::path& path, const std::string& text) {
  std::ifstream stream(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(stream), {}) == text;
}

[[noreturn]] void fail(const fs::path& path, const std::string& reason) {
  throw Failure(ExitCode::output_failed, "cannot write '" + path.string() + "': " + reason);
}

void create_parent(const fs::path& path) {
  if (path.parent_path().empty()) return;
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error) fail(path, error.message());
}

/// Writes one file that must not exist yet.
void write(const NewFile& file) {
  create_parent(file.path);
  std::FILE* stream = std::fopen(file.path.c_str(), "wx");
  if (stream == nullptr) fail(file.path, std::generic_category().message(errno));
  const bool written =
      std::fwrite(file.text.data(), 1, file.text.size(), stream) == file.text.size();
  const int error = errno;
  if (std::fclose(stream) == 0 && written) return;
  std::remove(file.path.c_str());
  fail(file.path, std::generic_category().message(written ? errno : error));
}

}  // namespace

void write_new_files(const std::vector<NewFile>& files, bool accept_same) {
  std::vector<const NewFile*> missing;
  for (const NewFile& file : files) {
    std::error_code ignored;
    if (!fs::exists(fs::symlink_status(file.path, ignored))) {
      missing.push_back(&file);
    } else if (!accept_same || !holds(file.path, file.text)) {
      fail(file.path, "it exists already and is not overwritten");
    }
  }
  for (std::size_t i = 0; i < missing.size(); ++i) {
    try {
      write(*missing[i]);
    } catch (const Failure&) {
      for (std::size_t j = 0; j < i; ++j) std::remove(missing[j]->path.c_str());
      throw;
    }
  }
}

void report_new_files(const std::vector<NewFile>& files, const Console& console,
                      const std::string& advice) {
  if (console.options().json) {
    Json list = Json::array();
    for (const NewFile& file : files) list.push_back(file.path.string());
    console.print(json_text(list));
    return;
  }
  for (const NewFile& file : files) console.print(file.path.string() + '\n');
  console.note(advice);
}

}  // namespace spacedyn::cli
