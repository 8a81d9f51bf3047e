#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "loading/keys/geometry.hpp"

namespace spacedyn::loading::kind {
namespace {

/// `from 1 to 2`, `of at least 1`, `of at most 2`, `below 3`.
std::string bounds_text(const Bounds& bounds) {
  if (std::isfinite(bounds.below)) return fmt::format("below {}", bounds.below);
  if (std::isinf(bounds.least)) return fmt::format("of at most {}", bounds.most);
  if (std::isinf(bounds.most)) return fmt::format("of at least {}", bounds.least);
  return fmt::format("from {} to {}", bounds.least, bounds.most);
}

std::optional<std::string> read_any_text(const Value& value, Reading& reading) {
  return read_text(value, reading.problems());
}

}  // namespace

Kind<double> number(const Quantity& quantity, const char* title, const Bounds& bounds) {
  const auto read = [=](const Value& value, Reading& reading) {
    auto result = read_number(value, quantity, reading.problems());
    if (!result || bounds.admit(*result)) return result;
    reading.problems().error(value, fmt::format("expected a number {}, got {}", bounds_text(bounds),
                                                format_number(*result)));
    result.reset();
    return result;
  };
  return make_kind<double>(
      expectation(quantity), [=] { return number_schema({quantity}, title, bounds); }, read,
      format_number);
}

Kind<double> joint_number(const std::vector<Quantity>& quantities, const char* title) {
  const auto read = [=](const Value& value, Reading& reading) {
    const bool slides = reading.motion == JointType::prismatic && quantities.size() > 1;
    return read_number(value, quantities[slides ? 1 : 0], reading.problems());
  };
  auto kind = make_kind<double>(
      expectation(quantities[0]), [=] { return number_schema(quantities, title); }, read,
      format_number);
  kind.needs_motion = quantities.size() > 1;
  kind.expected_of_sliding = expectation(quantities.back());
  return kind;
}

Kind<bool> boolean(const char* title) {
  const auto read = [](const Value& value, Reading& reading) {
    return read_boolean(value, reading.problems());
  };
  return make_kind<bool>(
      "true or false", [=] { return boolean_schema(title); }, read,
      [](bool value) { return std::string(value ? "true" : "false"); });
}

Kind<std::string> text(const char* title, const char* expected) {
  return make_kind<std::string>(
      expected, [=] { return text_schema(title); }, read_any_text, name_text);
}

Kind<std::string> path(const char* title, const char* expected) {
  Kind<std::string> path = text(title, expected);
  path.schema = [=] { return path_schema(title); };
  return path;
}

Kind<std::string> name() {
  return make_kind<std::string>(
      "a text", [] { return reference_schema("name"); }, read_any_text, name_text);
}

Kind<Vector3> axis(const char* title) {
  const auto read = [](const Value& value, Reading& reading) {
    return read_axis(value, reading.problems());
  };
  return make_kind<Vector3>(
      "a list of 3 numbers", [=] { return vector_schema(quantity::kNumber, title); }, read,
      vector_text);
}

Kind<int> known_name(const std::string& what,
                     std::optional<std::vector<std::string>> (*names)(const Reading& reading)) {
  const std::string expected = "the name of " + what;
  const auto read = [=](const Value& value, Reading& reading) -> std::optional<int> {
    const auto name = read_text(value, reading.problems());
    const auto known = names(reading);
    if (!name || !known) return std::nullopt;
    const auto found = std::find(known->begin(), known->end(), *name);
    if (found != known->end()) return static_cast<int>(found - known->begin());
    reading.problems().error(value, "expected " + expected + ", got " + quote(*name),
                             nearest_hint(*name, *known));
    return std::nullopt;
  };
  return make_kind<int>(
      expected, [] { return text_schema(); }, read);
}

Kind<int> event() {
  const auto read = [](const Value& value, Reading& reading) -> std::optional<int> {
    const auto name = read_text(value, reading.problems());
    if (!name) return std::nullopt;
    return reading.map.context().awaited.add(*name, value);
  };
  return make_kind<int>(
      "the name of an event", [] { return reference_schema("start_event"); }, read);
}

AnyKind any_numbers(const std::vector<Quantity>& quantities, const char* title,
                    const char* expected, double* (*data)(void* target)) {
  const std::size_t size = quantities.size();
  AnyKind kind{expected};
  kind.schema = [=] {
    std::vector<Json> items;
    for (const Quantity& quantity : quantities) items.push_back(number_schema({quantity}));
    const bool is_uniform = std::equal(items.begin() + 1, items.end(), items.begin());
    return is_uniform ? list_schema(items[0], static_cast<int>(size), title)
                      : tuple_schema(items, title);
  };
  kind.read = [=](const Value& value, Reading& reading, void* target) {
    const auto numbers = read_list(value, quantities, reading.problems());
    if (numbers) std::copy(numbers->begin(), numbers->end(), data(target));
    return numbers.has_value();
  };
  kind.write = [=](const void* value, const Remarks&) {
    const double* number = data(const_cast<void*>(value));
    std::vector<std::string> items(size);
    std::transform(number, number + size, items.begin(), format_number);
    return flow_text(items);
  };
  return kind;
}

AnyKind any_whole_number(int least, double most, const std::string& expected, const char* title,
                         void (*store)(void* target, double number)) {
  constexpr int kMost = std::numeric_limits<int>::max();
  const int limit = most < kMost ? static_cast<int>(most) : kMost;
  AnyKind kind{expected, [=] { return whole_number_schema(least, title, limit); }};
  kind.read = [=](const Value& value, Reading& reading, void* target) {
    const auto number = read_number(value, quantity::kNumber, reading.problems());
    if (!number) return false;
    const bool is_right = *number >= least && *number <= most && *number == std::floor(*number);
    if (is_right) {
      store(target, *number);
    } else {
      reading.problems().error(value, "expected " + expected + ", got " + describe(*value.node));
    }
    return is_right;
  };
  return kind;
}

AnyKind any_choice(const std::vector<std::string>& names, const char* title,
                   void (*store)(void* target, std::size_t position),
                   std::size_t (*position)(const void* value)) {
  AnyKind kind{list_choices(names), [=] { return choice_schema(names, title); }};
  kind.read = [=](const Value& value, Reading& reading, void* target) {
    const auto choice = read_choice(value, names, reading.problems());
    if (choice) store(target, *choice);
    return choice.has_value();
  };
  kind.write = [=](const void* value, const Remarks&) { return names[position(value)]; };
  return kind;
}

// A kind is copied with each table that has it: its functions share what they know, or copies would
// grow with the depth.
AnyKind any_mapping(const MappingTable& given) {
  const auto table = std::make_shared<const MappingTable>(given);
  AnyKind kind{"a mapping", [table] { return table->schema(); }};
  kind.is_mapping = true;
  kind.read = [table](const Value& value, Reading& reading, void* target) {
    return table->read_whole(value, reading.map.context(), target, &reading);
  };
  kind.write = [table](const void* value, const Remarks& remarks) {
    return table->text(table->write(value, remarks));
  };
  return kind;
}

AnyKind any_list(const AnyKind& each, const char* expected, int least, const char* title,
                 void* (*append)(void* list), void (*drop_last)(void* list),
                 const void* (*at)(const void* list, std::size_t i)) {
  const auto item = std::make_shared<const AnyKind>(each);
  AnyKind kind{expected, [=] { return series_schema(item->schema(), least, title); }};
  kind.needs_motion = each.needs_motion;
  kind.read = [=](const Value& value, Reading& reading, void* target) {
    bool is_right = value.node->is_sequence();
    for_each_item(value, reading.problems(), [&](const Value& entry) {
      if (item->read(entry, reading, append(target))) return;
      drop_last(target);
      is_right = false;
    });
    return is_right;
  };
  kind.write = [=](const void* list, const Remarks& remarks) {
    std::vector<std::string> items;
    for (std::size_t i = 0; at(list, i) != nullptr; ++i) {
      items.push_back(item->write(at(list, i), remarks.of(std::to_string(i))));
    }
    return item->is_mapping ? block_text(items) : flow_text(items);
  };
  return kind;
}

}  // namespace spacedyn::loading::kind
