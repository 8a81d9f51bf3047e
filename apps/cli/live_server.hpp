/// @file
/// The web server of `view --live`, for this machine alone.
#pragma once

#include <memory>
#include <string>

#include "live_session.hpp"

namespace spacedyn::cli {

/// Serves a page, the rows it asks for, and takes requests, while it exists.
///
/// Bound to the loopback interface. A request must carry the access token, which only who started
/// the program knows, and name this machine as its host, which keeps out pages of other sites whose
/// names were made to point here.
class LiveServer {
 public:
  LiveServer() = default;
  virtual ~LiveServer() = default;
  LiveServer(const LiveServer&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;

  /// Where the page is, with the token.
  virtual std::string address() const = 0;
};

/// The function of the library of the server, by the name kMakeLiveServer.
/// @param scenario_file  where changed parameters are read from
/// @param port           0: any free one
/// @returns a new server @throws Failure (6) if the port cannot be had
using MakeLiveServer = LiveServer* (*)(LiveSession& session, const std::string& scenario_file,
                                       int port);
inline constexpr const char* kMakeLiveServer = "spacedyn_make_live_server";

}  // namespace spacedyn::cli
