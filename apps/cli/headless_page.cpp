#include "headless_page.hpp"

#include <array>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "failure.hpp"
#include "interrupt.hpp"

extern char** environ;

namespace spacedyn::cli {
namespace {

using nlohmann::json;

constexpr int kPatience = 600'000;  // ms without an answer; a busy machine needs minutes
constexpr int kLook = 100;          // ms between looks for an interrupt
constexpr int kFree = 20;           // descriptors from here on are none that a browser expects

Failure browser_failure(const std::string& message, const std::string& hint = {}) {
  if (interrupt_requested()) return {ExitCode::interrupted, "interrupted"};
  return {ExitCode::output_failed, message, hint};
}

std::vector<std::string> browsers() {
  const char* own = std::getenv("SPACEDYN_BROWSER");
  if (own != nullptr && *own != '\0') return {own};
  return {"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"};
}

/// The process of a program that takes and sends messages on one end of a socket; −1 if there is
/// no such program.
pid_t start_browser(std::vector<std::string> words, int end) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int pipe : {3, 4}) posix_spawn_file_actions_adddup2(&actions, end, pipe);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
  }
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  pid_t process = -1;
  const int error =
      ::posix_spawnp(&process, pointers[0], &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return error == 0 ? process : -1;
}

}  // namespace

HeadlessPage::HeadlessPage(const std::string& folder) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw browser_failure("cannot make a socket");
  }
  socket_ = ends[0];
  const int theirs = ::fcntl(ends[1], F_DUPFD_CLOEXEC, kFree);
  for (const std::string& program : browsers()) {
    if (browser_ > 0) break;
    // a renderer in software gives the same picture on every machine
    std::vector<std::string> words{program, "--headless", "--remote-debugging-pipe",
                                   "--user-data-dir=" + folder, "--no-first-run", "--use-gl=angle",
                                   "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
                                   // the page around the view, which no picture shows
                                   "--disable-gpu-compositing", "--disable-gpu-watchdog"};
    // as root its sandbox does not work; the page is our own and reaches no network
    if (::geteuid() == 0) words.emplace_back("--no-sandbox");
    browser_ = start_browser(words, theirs);
  }
  ::close(ends[1]);
  ::close(theirs);
  if (browser_ < 0) {
    ::close(socket_);
    throw browser_failure(
        fmt::format("cannot start {}, which draws the pictures", fmt::join(browsers(), " or ")),
        "install it (chromium in Debian), or name it in SPACEDYN_BROWSER");
  }
}

HeadlessPage::~HeadlessPage() {
  ::close(socket_);  // which a browser takes for the order to end
  for (int tenths = 0; ::waitpid(browser_, nullptr, WNOHANG) == 0; ++tenths) {
    if (tenths == 30) ::kill(browser_, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

void HeadlessPage::open(const std::string& file, int width, int height) {
  const json id = call("Target.createTarget", {{"url", "about:blank"}}).at("targetId");
  session_ = call("Target.attachToTarget", {{"targetId", id}, {"flatten", true}}).at("sessionId");
  call("Emulation.setDeviceMetricsOverride",
       {{"width", width}, {"height", height}, {"deviceScaleFactor", 1}, {"mobile", false}});
  call("Page.navigate", {{"url", "file://" + file}});
  for (int tenths = 0; evaluate("Boolean(window.spacedyn)") != true; ++tenths) {
    if (tenths == 6000) throw browser_failure("the page does not open");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

json HeadlessPage::evaluate(const std::string& expression) {
  const json answer =
      call("Runtime.evaluate",
           {{"expression", expression}, {"awaitPromise", true}, {"returnByValue", true}});
  if (const auto thrown = answer.find("exceptionDetails"); thrown != answer.end()) {
    const json exception = thrown->value("exception", json::object());
    throw browser_failure(
        exception.value("description", thrown->value("text", "the page has failed")));
  }
  return answer.at("result").value("value", json());
}

json HeadlessPage::call(const std::string& method, const json& parameters) {
  json message{{"id", ++last_}, {"method", method}, {"params", parameters}};
  if (!session_.empty()) message["sessionId"] = session_;
  const std::string text = message.dump() + '\0';
  const auto size = static_cast<ssize_t>(text.size());  // below what a socket holds
  if (::send(socket_, text.data(), text.size(), MSG_NOSIGNAL) != size) {
    throw browser_failure("the browser has ended too early");
  }
  for (;;) {
    const json answer = json::parse(next_message(), nullptr, false);
    if (!answer.is_object() || answer.value("id", 0) != last_) continue;  // an event
    if (const auto error = answer.find("error"); error != answer.end()) {
      throw browser_failure("the browser refuses " + method + ": " + error->value("message", ""));
    }
    return answer.at("result");
  }
}

std::string HeadlessPage::next_message() {
  std::array<char, 65536> piece{};
  std::size_t searched = 0;
  for (int waited = 0; waited < kPatience;) {
    const std::size_t end = received_.find('\0', searched);
    if (end != std::string::npos) {
      std::string message = received_.substr(0, end);
      received_.erase(0, end + 1);
      return message;
    }
    searched = received_.size();
    pollfd ready{socket_, POLLIN, 0};
    const int found = ::poll(&ready, 1, kLook);
    if (interrupt_requested()) break;
    waited = found > 0 ? 0 : waited + kLook;
    if (found <= 0) continue;
    const ssize_t count = ::recv(socket_, piece.data(), piece.size(), 0);
    if (count <= 0) throw browser_failure("the browser has ended too early");
    received_.append(piece.data(), static_cast<std::size_t>(count));
  }
  throw browser_failure("the browser does not answer");
}

}  // namespace spacedyn::cli
