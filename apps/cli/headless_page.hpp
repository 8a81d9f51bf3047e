/// @file
/// A page in a browser without a window.
#pragma once

#include <string>

#include <sys/types.h>
#include <nlohmann/json.hpp>

namespace spacedyn::cli {

/// Chromium, which is told what to do through a socket (DevTools protocol). One is taken that
/// $SPACEDYN_BROWSER names, else the first of its usual names on the PATH.
class HeadlessPage {
 public:
  /// @param folder  where the browser keeps its own files
  /// @throws Failure (6) if there is no browser
  explicit HeadlessPage(const std::string& folder);
  ~HeadlessPage();
  HeadlessPage(const HeadlessPage&) = delete;
  HeadlessPage& operator=(const HeadlessPage&) = delete;

  /// Shows a file in a window of some size, px.
  /// @throws Failure (6) unless it has made window.spacedyn in ten minutes
  void open(const std::string& file, int width, int height);

  /// The value of an expression of the page's script; a promise is awaited.
  /// @throws Failure (6) with what it throws, (130) after an interrupt
  nlohmann::json evaluate(const std::string& expression);

 private:
  nlohmann::json call(const std::string& method, const nlohmann::json& parameters);
  std::string next_message();

  pid_t browser_ = -1;
  int socket_ = -1;
  std::string received_;  // of messages that are not whole yet
  std::string session_;   // of the page, once there is one
  int last_ = 0;          // number of the latest call
};

}  // namespace spacedyn::cli
