#include "browser.hpp"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace spacedyn::cli {
namespace {

/// Something that still runs after this long has been started.
constexpr int kPatienceInTenths = 15;  // of a second

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

/// Words of a command with the address in the place of %s, or at its end.
std::vector<std::string> command_for(const std::string& program, const std::string& address) {
  std::vector<std::string> words = split(program, ' ');
  bool placed = false;
  for (std::string& word : words) {
    const std::size_t place = word.find("%s");
    if (place == std::string::npos) continue;
    word.replace(place, 2, address);
    placed = true;
  }
  if (!placed) words.push_back(address);
  return words;
}

/// Whether a process went on for a while or ended well.
bool seems_started(pid_t process) {
  for (int i = 0; i < kPatienceInTenths; ++i) {
    int status = 0;
    if (::waitpid(process, &status, WNOHANG) == process) {
      return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return true;
}

bool start(std::vector<std::string> words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  // what a browser says is nothing for our streams
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
  }
  pid_t process = 0;
  const int error =
      ::posix_spawnp(&process, pointers[0], &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return error == 0 && seems_started(process);
}

/// Where files for this user alone belong.
std::filesystem::path private_parent() {
  namespace fs = std::filesystem;
  const char* own = std::getenv("XDG_RUNTIME_DIR");
  std::error_code neither;
  return own != nullptr && fs::is_directory(own, neither) ? fs::path(own)
                                                          : fs::temp_directory_path();
}

}  // namespace

void open_in_browser(const std::string& address, const Console& console) {
  const char* wanted = std::getenv("BROWSER");
  std::vector<std::string> programs = split(wanted == nullptr ? "" : wanted, ':');
  if (programs.empty()) programs.emplace_back("xdg-open");
  for (const std::string& program : programs) {
    if (start(command_for(program, address))) return;
  }
  console.note("no program could be started to show '" + address + "'; open it in a browser");
}

LeadingPage::LeadingPage(const std::string& address)
    : folder_(private_parent()), path_(folder_.path() + "/live.html") {
  std::ofstream file(path_);
  file << "<!doctype html><meta charset=\"utf-8\"><title>spacedyn</title>"
          "<meta http-equiv=\"refresh\" content=\"0; url="
       << address << "\"><a href=\"" << address << "\">the run</a>\n";
}

}  // namespace spacedyn::cli
