// The web server of `view --live`: who may ask, what it does, how it ends.
#include <chrono>
#include <csignal>
#include <memory>
#include <thread>

#include <arpa/inet.h>
#include <httplib.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "spacedyn/reporting/result_table.hpp"

namespace spacedyn::testing::live_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr int kForbidden = 403;

/// A run of the starter scenario that lasts, and a client of its server.
class LiveRun : public ::testing::Test {
 protected:
  void SetUp() override {
    Surroundings surroundings;
    surroundings.directory = starter_.path();
    const std::vector<std::string> arguments{"view",  "bot/scenario.yaml", "--live", "--no-open",
                                             "--set", "duration=1000"};
    program_ = std::make_unique<Program>(arguments, surroundings);
    const std::string start = "live: http://127.0.0.1:";
    std::string out;
    for (int i = 0; i < 3000 && out.find('\n') == std::string::npos; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      out = program_->out_so_far();
    }
    ASSERT_THAT(out, StartsWith(start));
    port_ = std::stoi(out.substr(start.size()));
    const std::size_t token = out.find("token=") + 6;
    token_ = out.substr(token, out.find('\n') - token);
    client_ = std::make_unique<httplib::Client>("127.0.0.1", port_);
  }

  std::string with_token(const std::string& path) const { return path + "?token=" + token_; }

  int status(const std::string& path, const httplib::Headers& headers = {}) {
    const auto answer = client_->Get(path, headers);
    return answer ? answer->status : -1;
  }

  httplib::Result request(const std::string& body) {
    return client_->Post(with_token("/control"), body, "application/json");
  }

  /// Messages of the event stream until one satisfies a condition; fails if none does in a minute.
  json message_where(const std::function<bool(const json&)>& condition) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point end_of_patience = Clock::now() + std::chrono::minutes(1);
    std::string stream;
    json found;
    client_->Get(with_token("/events"), [&](const char* data, std::size_t size) {
      stream.append(data, size);
      for (std::size_t end = stream.find("\n\n"); end != std::string::npos && found.is_null();
           end = stream.find("\n\n")) {
        const std::string event = stream.substr(0, end);
        stream.erase(0, end + 2);
        if (event.rfind("data: ", 0) != 0) continue;
        json message = json::parse(event.substr(6));
        if (condition(message)) found = std::move(message);
      }
      return found.is_null() && Clock::now() < end_of_patience;
    });
    if (found.is_null()) throw std::runtime_error("no such message of the event stream");
    return found;
  }

  Outcome end() {
    program_->send(SIGINT);
    return program_->wait();
  }

  StarterDirectory starter_;
  std::unique_ptr<Program> program_;
  std::unique_ptr<httplib::Client> client_;
  int port_ = 0;
  std::string token_;
};

/// Whether a port of an address takes connections.
bool accepts(in_addr address, int port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in target{};
  target.sin_family = AF_INET;
  target.sin_addr = address;
  target.sin_port = htons(static_cast<std::uint16_t>(port));
  const int error = ::connect(socket, reinterpret_cast<const sockaddr*>(&target), sizeof(target));
  ::close(socket);
  return error == 0;
}

/// Addresses of this machine outside 127/8.
std::vector<in_addr> outer_addresses() {
  std::vector<in_addr> addresses;
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0) return addresses;
  for (const ifaddrs* one = list; one != nullptr; one = one->ifa_next) {
    if (one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET) continue;
    const in_addr address = reinterpret_cast<const sockaddr_in*>(one->ifa_addr)->sin_addr;
    if ((ntohl(address.s_addr) >> 24U) != 127) addresses.push_back(address);
  }
  ::freeifaddrs(list);
  return addresses;
}

TEST_F(LiveRun, ServesAPageToWhoHasTheToken) {
  const auto page = client_->Get(with_token("/"));
  ASSERT_TRUE(page);
  EXPECT_EQ(page->status, 200);
  EXPECT_THAT(page->body, StartsWith("<!doctype html>"));
  EXPECT_THAT(page->body, HasSubstr("connect-src 'self'"));
  EXPECT_THAT(page->body, HasSubstr("\"key\":\"duration\",\"value\":"));
  EXPECT_EQ(page->get_header_value("Content-Security-Policy"), "frame-ancestors 'none'");
  EXPECT_EQ(page->get_header_value("Cache-Control"), "no-store");
  EXPECT_EQ(page->get_header_value("Referrer-Policy"), "no-referrer");
  EXPECT_EQ(page->body.find(token_), std::string::npos) << "a saved page would give the token away";
}

TEST_F(LiveRun, RefusesWhoLacksTheToken) {
  EXPECT_EQ(token_.size(), 32U);
  std::string almost = token_;
  almost.back() = almost.back() == '0' ? '1' : '0';
  const std::vector<std::string> wrong{"", "?token=", "?token=" + almost,
                                       "?token=" + token_.substr(1), "?other=" + token_};
  for (const char* path : {"/", "/events", "/control", "/nothing"}) {
    for (const std::string& query : wrong) EXPECT_EQ(status(path + query), kForbidden) << path;
  }
  const auto answer = client_->Post("/control", R"({"paused": true})", "application/json");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, kForbidden);
  EXPECT_EQ(answer->body,
            "the access token is missing or wrong; use the address that was printed\n");
}

TEST_F(LiveRun, RefusesOtherHosts) {
  const std::string port = ":" + std::to_string(port_);
  const std::vector<std::string> others{
      "evil.example", "evil.example" + port, "127.0.0.1", "127.0.0.1.evil.example" + port,
      "127.0.0.1:1",  "[::1]" + port,        ""};
  for (const std::string& host : others) {
    EXPECT_EQ(status(with_token("/"), {{"Host", host}}), kForbidden) << host;
  }
  EXPECT_EQ(status(with_token("/"), {{"Host", "localhost" + port}}), 200);
  EXPECT_EQ(status(with_token("/"), {{"Host", "127.0.0.1" + port}}), 200);
}

TEST_F(LiveRun, ListensOnTheLoopbackInterfaceAlone) {
  EXPECT_TRUE(accepts({htonl(INADDR_LOOPBACK)}, port_));
  // 127.0.0.2 is this machine, too, but not the address bound
  EXPECT_FALSE(accepts({htonl(INADDR_LOOPBACK + 1)}, port_));
  for (const in_addr address : outer_addresses()) EXPECT_FALSE(accepts(address, port_));
}

TEST_F(LiveRun, SaysThatAPortIsTaken) {
  const std::string port = std::to_string(port_);
  const Outcome outcome =
      starter_.run({"view", "bot/scenario.yaml", "--live", "--no-open", "--port", port});
  EXPECT_EQ(outcome.exit_code, 6);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "spacedyn: error: port " + port +
                             " cannot be opened\n"
                             "hint: another program may have it; without --port any free one is"
                             " taken\n");
}

TEST(LiveNotes, TellWhatAnOverrideHasLeftOut) {
  const StarterDirectory starter;
  Surroundings surroundings;
  surroundings.directory = starter.path();
  Program program({"view", "bot/scenario.yaml", "--live", "--no-open", "--set", "duration=1000",
                   "--set", "integrator.method=rk4", "--set", "integrator.step=0.01"},
                  surroundings);
  const std::filesystem::path begun = starter / "results/bot/bot.meta.json";
  for (int i = 0; i < 3000 && !std::filesystem::exists(begun); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  program.send(SIGINT);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_THAT(outcome.err, HasSubstr("note: "));
  EXPECT_THAT(outcome.err, HasSubstr("scenario.integrator.relative_tolerance"));
}

TEST_F(LiveRun, StreamsRowsInRealTime) {
  const auto start = std::chrono::steady_clock::now();
  const json first = message_where([](const json& message) { return message.contains("rows"); });
  EXPECT_EQ(first["state"]["status"], "running");
  EXPECT_EQ(first["state"]["duration"], 1000.0);
  EXPECT_GT(first["rows"]["series"]["list"].size(), 10U);
  const auto rows = [](const json& message) {
    return message.contains("rows") ? message["rows"]["series"]["rows"].get<int>() : 0;
  };
  int count = 0;
  message_where([&](const json& message) {
    count = std::max(count, rows(message));
    return count > 0;
  });
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  EXPECT_LT(count, 100.0 * (passed.count() + 5.0)) << "the run does not keep to its pace";
}

TEST_F(LiveRun, PausesAndChangesSpeed) {
  ASSERT_EQ(request(R"({"paused": true, "speed": 50})")->status, 200);
  const json state =
      message_where([](const json& message) { return message["state"]["paused"].get<bool>(); });
  EXPECT_EQ(state["state"]["speed"], 50.0);
  ASSERT_EQ(request(R"({"paused": false})")->status, 200);
  message_where([](const json& message) { return !message["state"]["paused"].get<bool>(); });
}

TEST_F(LiveRun, AnEarlyPauseHoldsWhenTheRunBegins) {
  // sent as soon as the address is known, which is before the scenario is ready to run
  ASSERT_EQ(request(R"({"paused": true})")->status, 200);
  const json first = message_where([](const json&) { return true; });
  EXPECT_EQ(first["state"]["run"], 1);
  EXPECT_TRUE(first["state"]["paused"].get<bool>());
}

TEST_F(LiveRun, StartsAgainWithChangedParametersAndKeepsThem) {
  const auto run = [](const json& message) { return message["state"]["run"].get<int>(); };
  EXPECT_EQ(run(message_where([](const json&) { return true; })), 1);
  ASSERT_EQ(request(R"({"set": {"duration": "500"}})")->status, 200);
  const json again = message_where([&](const json& message) { return run(message) == 2; });
  EXPECT_EQ(again["state"]["duration"], 500.0);
  EXPECT_FALSE(again["state"]["paused"].get<bool>());
  EXPECT_EQ(end().exit_code, 130);
  const json metadata = json::parse(read_text(starter_ / "results/bot/bot.meta.json"));
  EXPECT_EQ(metadata["duration"], 500.0);
  EXPECT_FALSE(std::filesystem::exists(starter_ / "results/bot-002"));
}

TEST_F(LiveRun, RefusesWishesThatMakeNoSense) {
  const auto expect = [&](const char* body, int status, const std::string& text) {
    const auto answer = request(body);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, status) << body;
    EXPECT_THAT(answer->body, HasSubstr(text)) << body;
  };
  expect("nonsense", 400, "expected a JSON object\n");
  expect("[1]", 400, "expected a JSON object\n");
  expect(R"({"pause": true})", 400, "expected paused, speed or set, got 'pause'\n");
  expect(R"({"paused": 1})", 400,
         "expected paused: true or false, speed: a number, set: {key: text}\n");
  expect(R"({"speed": 0})", 422, "expected a speed from 0.001 to 10000\n");
  expect(R"({"set": {"duration": "-3"}})", 422,
         "--set duration=-3: error: scenario.duration: expected a positive time");
  expect(R"({"set": {"duration": 3}})", 400, "expected paused");
  expect(R"({"set": {"model": "/etc/passwd"}})", 422,
         "'model' is none of the numbers of the scenario\n");
  expect(R"({"set": {"output.channels": "[state]"}})", 422, "is none of the numbers");
  EXPECT_EQ(request(std::string(100000, ' '))->status, 413);
  EXPECT_EQ(end().exit_code, 130) << "the run went on";
}

/// A connection that says what a test likes, and does not read unless asked.
class RawConnection {
 public:
  explicit RawConnection(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in target{};
    target.sin_family = AF_INET;
    target.sin_addr = {htonl(INADDR_LOOPBACK)};
    target.sin_port = htons(static_cast<std::uint16_t>(port));
    const timeval patience{20, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    is_open_ = ::connect(socket_, reinterpret_cast<const sockaddr*>(&target), sizeof(target)) == 0;
  }
  ~RawConnection() { ::close(socket_); }
  RawConnection(const RawConnection&) = delete;
  RawConnection& operator=(const RawConnection&) = delete;

  /// Bytes that were taken of a text that is repeated until that is refused, or so many times.
  std::size_t send(const std::string& text, int times = 1) {
    std::size_t sent = 0;
    for (int i = 0; i < times && is_open_; ++i) {
      const ssize_t count = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
      is_open_ = count == static_cast<ssize_t>(text.size());
      if (count > 0) sent += static_cast<std::size_t>(count);
    }
    return sent;
  }
  /// Whether the other side closes, at the latest after the patience of the socket.
  bool is_closed_by_peer() {
    char bytes[4096];
    ssize_t count = 0;
    while ((count = ::recv(socket_, bytes, sizeof(bytes), 0)) > 0) {
    }
    return count == 0 || errno == ECONNRESET;
  }

 private:
  int socket_;
  bool is_open_ = false;
};

// Each used to be kept in memory as long as it came.
TEST_F(LiveRun, EndsRequestsThatDoNotEnd) {
  const std::string piece(65536, 'a');
  const std::string host = "Host: 127.0.0.1:" + std::to_string(port_) + "\r\n";
  const std::string post = "POST /control?token=" + token_ + " HTTP/1.1\r\n" + host;
  const std::vector<std::string> beginnings{
      "GET /", "GET / HTTP/1.1\r\nX: ", post + "Transfer-Encoding: chunked\r\n\r\n10000000\r\n"};
  for (const std::string& begin : beginnings) {
    RawConnection connection(port_);
    connection.send(begin);
    // what the buffers of the system hold is taken, too
    EXPECT_LT(connection.send(piece, 4000), 64U * 1024 * 1024) << begin;
    EXPECT_TRUE(connection.is_closed_by_peer()) << begin;
  }
  EXPECT_EQ(status(with_token("/")), 200);
}

TEST_F(LiveRun, RefusesWhatIsCompressed) {
  const auto answer = client_->Post(with_token("/control"), {{"Content-Encoding", "gzip"}}, "x",
                                    "application/json");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 415);
}

// Eight used to be all that were served.
TEST_F(LiveRun, ServesPagesBesideManyViewersAndEndsWithThem) {
  const std::string request = "GET /events?token=" + token_ +
                              " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port_) + "\r\n\r\n";
  std::vector<std::unique_ptr<RawConnection>> viewers;
  for (int i = 0; i < 32; ++i) {
    viewers.push_back(std::make_unique<RawConnection>(port_));
    ASSERT_GT(viewers.back()->send(request), 0U);
  }
  EXPECT_EQ(status(with_token("/")), 200);
  EXPECT_TRUE(becomes_true([&] {
    int seen = 0;
    client_->Get(
        with_token("/events"),
        [&](const httplib::Response& response) { return (seen = response.status) == 503; },
        [](const char*, std::size_t) { return true; });
    return seen == 503;
  }));
  // none of them reads, which must not delay the end
  ASSERT_EQ(this->request(R"({"speed": 1000})")->status, 200);
  std::this_thread::sleep_for(std::chrono::seconds(1));
  const auto start = std::chrono::steady_clock::now();
  // the flight may have reached its end by then
  EXPECT_THAT(end().exit_code, ::testing::AnyOf(0, 130));
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  EXPECT_LT(passed.count(), 10.0);
}

TEST(LiveToken, IsNotInTheListOfProcesses) {
  const StarterDirectory starter;
  const std::string seen = starter / "seen", browser = starter / "browser";
  write_text(browser, "#!/bin/sh\necho \"$1\" > " + seen + ".tmp\ncat \"$1\" >> " + seen +
                          ".tmp\nmv " + seen + ".tmp " + seen + "\n");
  std::filesystem::permissions(browser, std::filesystem::perms::owner_all);
  Surroundings surroundings;
  surroundings.directory = starter.path();
  surroundings.environment["BROWSER"] = browser;
  Program program({"view", "bot/scenario.yaml", "--live", "--set", "duration=1000"}, surroundings);
  ASSERT_TRUE(becomes_true([&] { return std::filesystem::exists(seen); }));
  const std::string out = program.out_so_far(), text = read_text(seen);
  const std::string argument = text.substr(0, text.find('\n'));
  const std::string token = out.substr(out.find("token=") + 6, 32);
  EXPECT_EQ(argument.find(token), std::string::npos);
  EXPECT_THAT(text, HasSubstr(token)) << "the page leads to the run";
  namespace fs = std::filesystem;
  EXPECT_EQ(fs::status(fs::path(argument).parent_path()).permissions(), fs::perms::owner_all);
  program.send(SIGINT);
  EXPECT_EQ(program.wait().exit_code, 130);
  EXPECT_FALSE(fs::exists(argument));
}

TEST_F(LiveRun, AnInterruptKeepsWhatWasWritten) {
  message_where([](const json& message) { return message.contains("rows"); });
  const Outcome outcome = end();
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_THAT(outcome.err, HasSubstr("Ctrl-C ends it and keeps the results"));
  const ResultTable result = read_result(starter_ / "results/bot");
  EXPECT_GE(result.values.rows(), 1);
  EXPECT_EQ(result.facts.status, "interrupted");
  EXPECT_THAT(read_text(starter_ / "results/bot/bot.html"), HasSubstr("connect-src 'none'"));
  const json metadata = json::parse(read_text(starter_ / "results/bot/bot.meta.json"));
  EXPECT_EQ(metadata["outcome"]["status"], "interrupted");
}

}  // namespace
}  // namespace spacedyn::testing::live_test
