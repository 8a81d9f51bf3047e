/// @file
/// The web server of `view --live`, for this machine alone.
#pragma once

#include <memory>
#include <string>
#include <thread>

#include "live_session.hpp"

namespace spacedyn::cli {

/// Serves a page, the rows it asks for, and takes requests.
///
/// Bound to the loopback interface. A request must carry the access token, which only who started
/// the program knows, and name this machine as its host, which keeps out pages of other sites whose
/// names were made to point here.
class LiveServer {
 public:
  /// @param scenario_file  where changed parameters are read from
  /// @param port           0: any free one
  /// @throws Failure (6) if the port cannot be had
  LiveServer(LiveSession& session, std::string scenario_file, int port);
  ~LiveServer();
  LiveServer(const LiveServer&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;

  /// Where the page is, with the token.
  std::string address() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
  std::thread thread_;
};

}  // namespace spacedyn::cli
