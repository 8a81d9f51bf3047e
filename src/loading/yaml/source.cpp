#include "loading/yaml/source.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

#include "spacedyn/error.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn::loading {

Source::Source(std::string name, std::string text, int number, bool is_override)
    : name_(std::move(name)), text_(std::move(text)), number_(number), is_override_(is_override) {
  line_starts_.push_back(0);
  for (std::size_t end = text_.find('\n'); end != std::string::npos; end = text_.find('\n', end)) {
    line_starts_.push_back(++end);
  }
}

std::string_view Source::line(int number) const {
  if (number < 1 || static_cast<std::size_t>(number) > line_starts_.size()) return {};
  const std::size_t begin = line_starts_[static_cast<std::size_t>(number - 1)];
  std::size_t end = text_.find('\n', begin);
  if (end == std::string::npos) end = text_.size();
  if (end > begin && text_[end - 1] == '\r') --end;
  return std::string_view(text_).substr(begin, end - begin);
}

const Source& SourceSet::add(std::string name, std::string text, bool is_override) {
  const int number = static_cast<int>(sources_.size());
  return sources_.emplace_back(std::move(name), std::move(text), number, is_override);
}

std::map<std::string, std::string> SourceSet::files() const {
  std::map<std::string, std::string> texts;
  for (const Source& source : sources_) {
    if (!source.is_override()) texts.emplace(source.name(), source.text());
  }
  return texts;
}

std::string read_bytes(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw IoError(path + ": expected a file, got a folder");
  }
  const auto close = [](std::FILE* file) { std::fclose(file); };
  const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rb"), close);
  if (!file) throw IoError(path + ": cannot be opened: " + std::strerror(errno));

  std::string bytes;
  std::string block(std::size_t{1} << 16, '\0');
  while (bytes.size() <= kMaxFileSize) {
    const std::size_t count = std::fread(block.data(), 1, block.size(), file.get());
    if (count == 0) break;
    bytes.append(block, 0, count);
  }
  if (std::ferror(file.get()) != 0) {
    throw IoError(path + ": cannot be read: " + std::strerror(errno));
  }
  if (bytes.size() > kMaxFileSize) bytes.resize(kMaxFileSize + 1);
  return bytes;
}

}  // namespace spacedyn::loading
