#include "study/process_crew.hpp"

#include <cstdint>
#include <cstring>

#include "spacedyn/dynamics/instruction_set.hpp"
#include "spacedyn/reporting/build_info.hpp"

namespace spacedyn {
namespace {

/// The bytes of numbers: CBOR has no NaN with a sign.
Json bytes_json(const std::vector<double>& numbers) {
  std::vector<std::uint8_t> bytes(numbers.size() * sizeof(double));
  if (!numbers.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return Json::binary(std::move(bytes));
}

std::vector<double> numbers_of(const Json& json) {
  const auto& bytes = json.get_binary();
  std::vector<double> numbers(bytes.size() / sizeof(double));
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

}  // namespace

void send_message(SweepCommunicator& communicator, int process, const char* kind, Json content) {
  Json message = Json::object();
  message[kind] = std::move(content);
  const std::vector<std::uint8_t> bytes = Json::to_cbor(message);
  communicator.send(process, std::string(bytes.begin(), bytes.end()));
}

bool receive_message(SweepCommunicator& communicator, int& process, std::string& kind,
                     Json& content) {
  std::string text;
  if (!communicator.receive(process, text)) return false;
  Json message = Json::from_cbor(text);
  kind = message.begin().key();
  content = std::move(message.begin().value());
  return true;
}

Json rows_json(const std::vector<SweepRow>& rows) {
  Json list = Json::array();
  for (const SweepRow& row : rows) {
    list.push_back({row.row, row.status, row.message, bytes_json(row.draw.parameters),
                    row.draw.seed, bytes_json(row.collected), row.wall_seconds});
  }
  return list;
}

void append_rows(const Json& json, std::vector<SweepRow>& rows) {
  for (const Json& item : json) {
    SweepRow row;
    item.at(0).get_to(row.row);
    item.at(1).get_to(row.status);
    item.at(2).get_to(row.message);
    row.draw.parameters = numbers_of(item.at(3));
    item.at(4).get_to(row.draw.seed);
    row.collected = numbers_of(item.at(5));
    item.at(6).get_to(row.wall_seconds);
    rows.push_back(std::move(row));
  }
}

std::string build_text() {
  const BuildInfo& build = build_info();
  return build.spacedyn + ' ' + build.git + ' ' + std::string(to_string(instruction_set()));
}

}  // namespace spacedyn
