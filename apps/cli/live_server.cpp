#include "live_server.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "access_token.hpp"
#include "failure.hpp"
#include "live_connection.hpp"
#include "result_report.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/reporting/report.hpp"

namespace spacedyn::cli {
namespace {

using httplib::Request;
using httplib::Response;
using Milliseconds = std::chrono::milliseconds;

constexpr const char* kLoopback = "127.0.0.1";
constexpr std::size_t kMostBytes = 65536;  // of the body of a request
constexpr std::size_t kThreads = 64;
constexpr int kMostViewers = 32;  // each keeps a thread; the others are for pages and wishes
constexpr Milliseconds kPatience{1000};
constexpr Milliseconds kBetweenMessages{40};

ReportData report_of(const LiveNews& news) {
  ReportData report = report_data(news.rows, *news.scenario->setup.model);
  if (news.rows.values.rows() > 0) add_force_arrows(report, news.rows, news.scenario->setup);
  add_scenario(report, *news.scenario);
  report.title = news.scenario->name;
  report.status = news.state.status;
  for (const auto& [path, text] : news.scenario->sources) report.inputs.push_back({path, text});
  if (news.ending) {
    report.facts = news.ending->facts;
    report.audit = news.ending->audit;
    report.events = news.ending->events;
    const auto& warnings = news.ending->warnings;
    report.warnings.insert(report.warnings.end(), warnings.begin(), warnings.end());
  }
  return report;
}

void answer(Response& response, int status, const std::string& text) {
  response.status = status;
  response.set_content(text + '\n', "text/plain; charset=utf-8");
}

/// Numbers of the scenario with their present values.
std::vector<LiveParameter> parameters_of(const std::string& file,
                                         const std::vector<Override>& overrides) {
  std::vector<LiveParameter> parameters;
  for (const NumericSetting& setting : numeric_settings(file)) {
    parameters.push_back({setting.key, setting.value, setting.unit, setting.element, setting.part,
                          setting.name, setting.plain_unit});
    for (const auto& [key, text] : overrides) {
      if (key == setting.key) parameters.back().value = std::strtod(text.c_str(), nullptr);
    }
  }
  return parameters;
}

/// Overrides with some more, each key once.
std::vector<Override> merged(std::vector<Override> overrides, const nlohmann::json& changes) {
  for (const auto& [key, text] : changes.items()) {
    const auto same = [&, wanted = key](const Override& one) { return one.first == wanted; };
    overrides.erase(std::remove_if(overrides.begin(), overrides.end(), same), overrides.end());
    overrides.emplace_back(key, text.get<std::string>());
  }
  return overrides;
}

class HttpServer final : public LiveServer {
 public:
  HttpServer(LiveSession& session, std::string file, int port)
      : session_(session),
        file_(std::move(file)),
        token_(make_token()),
        server_([&session] { return session.is_closed(); }) {
    server_.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
    server_.set_payload_max_length(kMostBytes);
    server_.set_tcp_nodelay(true);
    // a port just left may be taken again; unlike the default, one in use may not be shared
    server_.set_socket_options([](socket_t socket) {
      const int yes = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
    });
    server_.set_default_headers({{"Cache-Control", "no-store"},
                                 {"Content-Security-Policy", "frame-ancestors 'none'"},
                                 {"Cross-Origin-Resource-Policy", "same-origin"},
                                 {"Referrer-Policy", "no-referrer"},
                                 {"X-Content-Type-Options", "nosniff"}});
    server_.set_pre_routing_handler(
        [this](const Request& request, Response& response) { return admit(request, response); });
    server_.Get("/", [this](const Request&, Response& response) { send_page(response); });
    server_.Get("/events",
                [this](const Request& request, Response& response) { stream(request, response); });
    server_.Post("/control",
                 [this](const Request& request, Response& response) { handle(request, response); });
    port_ = port == 0 ? server_.bind_to_any_port(kLoopback)
                      : (server_.bind_to_port(kLoopback, port) ? port : -1);
    if (port_ < 0) {
      throw Failure(ExitCode::output_failed, fmt::format("port {} cannot be opened", port),
                    "another program may have it; without --port any free one is taken");
    }
    thread_ = std::thread([this] {
      server_.listen_after_bind();
      has_ended_ = true;
    });
  }

  ~HttpServer() override {
    session_.close();
    // a stop before the thread has begun to listen would be lost
    while (!server_.is_running() && !has_ended_) std::this_thread::yield();
    server_.stop();
    thread_.join();
  }
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::string address() const override {
    return fmt::format("http://{}:{}/?token={}", kLoopback, port_, token_);
  }

 private:
  /// Refuses requests that name another host or lack the token.
  httplib::Server::HandlerResponse admit(const Request& request, Response& response) const {
    const std::string host = request.get_header_value("Host");
    const bool here = host == fmt::format("{}:{}", kLoopback, port_) ||
                      host == fmt::format("localhost:{}", port_);
    if (!here) {
      answer(response, 403, "this server answers on this machine only");
    } else if (!same_secret(request.get_param_value("token"), token_)) {
      answer(response, 403,
             "the access token is missing or wrong; use the address that was printed");
    } else if (request.has_header("Content-Encoding")) {
      // a few bytes may stand for gigabytes
      answer(response, 415, "expected a request that is not compressed");
    } else {
      return httplib::Server::HandlerResponse::Unhandled;
    }
    return httplib::Server::HandlerResponse::Handled;
  }

  void send_page(Response& response) {
    // there is a first row soon after a run has started
    std::optional<LiveNews> news;
    for (int i = 0; i < 50; ++i) {
      LiveViewer viewer;
      news = session_.wait_for_news(viewer, kBetweenMessages);
      if (news && news->rows.values.rows() > 0) break;
      std::this_thread::sleep_for(kBetweenMessages);
    }
    if (!news) return answer(response, 503, "the run has not started yet");
    ReportData report = report_of(*news);
    add_meshes(report, *news->scenario->setup.model, folders_of(news->scenario->sources));
    // handed out in pieces, for the server takes seconds to compress what it is given as a whole
    auto page = std::make_shared<const std::string>(
        live_page(report, news->state, parameters_of(file_, session_.overrides())));
    response.set_content_provider(
        page->size(), "text/html; charset=utf-8",
        [page](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
          return sink.write(page->data() + offset, length);
        });
  }

  /// Sends what is new as server-sent events until the viewer goes or the session ends; the page
  /// has the rows up to the time `after` of a run.
  void stream(const Request& request, Response& response) {
    // counts itself out when the connection has gone
    const std::shared_ptr<void> place(nullptr, [this](void*) { --viewers_; });
    if (++viewers_ > kMostViewers) {
      return answer(response, 503, fmt::format("{} viewers watch already", kMostViewers));
    }
    auto viewer = std::make_shared<LiveViewer>();
    viewer->run =
        static_cast<int>(std::strtol(request.get_param_value("run").c_str(), nullptr, 10));
    if (request.has_param("after")) {
      viewer->time = std::strtod(request.get_param_value("after").c_str(), nullptr);
    }
    response.set_chunked_content_provider(
        "text/event-stream", [this, viewer, place](std::size_t, httplib::DataSink& sink) {
          if (session_.is_closed()) return false;
          const auto news = session_.wait_for_news(*viewer, kPatience);
          // a remark, which tells whether anybody still listens
          std::string event = ": nothing new\n\n";
          if (news) {
            const ReportData rows = news->rows.values.rows() > 0 ? report_of(*news) : ReportData();
            event = "data: " + live_message(rows, news->state, news->ending.get()) + "\n\n";
          }
          if (!sink.write(event.data(), event.size())) return false;
          std::this_thread::sleep_for(kBetweenMessages);
          return true;
        });
  }

  void handle(const Request& request, Response& response) {
    const auto command = nlohmann::json::parse(request.body, nullptr, false);
    try {
      if (!command.is_object()) return answer(response, 400, "expected a JSON object");
      for (const auto& [key, wish] : command.items()) {
        if (key == "paused" || key == "speed" || key == "set") continue;
        return answer(response, 400, "expected paused, speed or set, got '" + key + "'");
      }
      if (command.contains("paused")) session_.set_paused(command["paused"].get<bool>());
      if (command.contains("speed")) change_speed(command["speed"].get<double>());
      if (command.contains("set")) change_parameters(command["set"]);
      answer(response, 200, "done");
    } catch (const nlohmann::json::exception&) {
      answer(response, 400, "expected paused: true or false, speed: a number, set: {key: text}");
    } catch (const Error& error) {
      answer(response, 422, error.what());
    }
  }

  void change_speed(double speed) {
    if (!(speed >= 0.001 && speed <= 10000.0)) {
      throw DomainError("expected a speed from 0.001 to 10000");
    }
    session_.set_speed(speed);
  }

  /// Starts again with changed parameters if the scenario is still a valid one.
  void change_parameters(const nlohmann::json& changes) {
    // a path could name any file, whose lines would come back in messages
    const std::vector<LiveParameter> known = parameters_of(file_, session_.overrides());
    for (const auto& [key, text] : changes.items()) {
      const auto is_it = [&, wanted = key](const LiveParameter& one) { return one.key == wanted; };
      if (std::any_of(known.begin(), known.end(), is_it)) continue;
      throw DomainError("'" + key + "' is none of the numbers of the scenario");
    }
    std::vector<Override> overrides = merged(session_.overrides(), changes);
    open_scenario(file_, overrides);
    session_.restart(std::move(overrides));
  }

  LiveSession& session_;
  std::string file_;
  std::string token_;
  int port_ = -1;
  LimitedServer server_;
  std::atomic<int> viewers_{0};
  std::atomic<bool> has_ended_{false};  ///< listening, by a failure of the network or by its end
  std::thread thread_;
};

}  // namespace
}  // namespace spacedyn::cli

extern "C" __attribute__((visibility("default"))) spacedyn::cli::LiveServer*
spacedyn_make_live_server(spacedyn::cli::LiveSession& session, const std::string& scenario_file,
                          int port) {
  return new spacedyn::cli::HttpServer(session, scenario_file, port);
}
