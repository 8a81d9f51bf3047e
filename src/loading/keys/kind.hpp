/// @file
/// What the value of a key is: how it is read, described and written.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "loading/keys/map_reader.hpp"
#include "loading/schema/schema.hpp"
#include "loading/yaml/yaml_text.hpp"

namespace spacedyn::loading {

class MappingTable;
struct ScenarioContext;
struct ReferenceFrame;
template <typename Settings>
class Mapping;

/// A mapping while it is read.
struct Reading {
  MapReader& map;
  ScenarioContext* scenario = nullptr;             ///< null while a model is read
  std::optional<int> joint = std::nullopt;         ///< that the mapping names
  std::optional<JointType> motion = std::nullopt;  ///< of that joint
  std::vector<int> joints = {};                    ///< that it names, of a controller
  std::vector<JointType> motions = {};             ///< of the components that later keys have
  const ReferenceFrame* frame = nullptr;           ///< of a reference

  ProblemList& problems() const { return map.problems(); }
  /// A mapping within.
  Reading at(MapReader& inner) const {
    return {inner, scenario, joint, motion, joints, motions, frame};
  }
};

/// What was said about the parts of a description, and the path of one of them.
struct Remarks {
  const Notes& notes;
  std::string path = {};

  Remarks of(const std::string& key) const { return {notes, join_path(path, key)}; }
};

/// The value of a key, whatever its type.
struct AnyKind {
  std::string expected;  ///< for the message about a key that is missing
  std::function<Json()> schema = {};
  /// Reports a wrong value. @returns whether it was right and is stored
  std::function<bool(const Value& value, Reading& reading, void* target)> read = {};
  std::function<std::string(const void* value, const Remarks& remarks)> write = {};
  bool needs_motion = false;  ///< whether its unit depends on the joint that the mapping names
  std::string expected_of_sliding = {};  ///< of joints that slide, where it does
  bool is_mapping = false;               ///< then lists of it are written line by line
};

template <typename T>
struct Kind : AnyKind {};

/// Keys of a mapping that are read together.
template <typename T>
struct KeyGroup {
  std::function<void(MappingSchema& schema)> describe;
  std::function<bool(Reading& reading, T& target)> read;  ///< @returns whether they are right
  std::function<void(const T& value, KeyTexts& keys)> write = {};
};

/// @param read   a function of a Value and a Reading that returns a std::optional<T>
/// @param write  a function of a T that returns its text; none where no file is written with it
template <typename T, typename Read, typename Write = std::nullptr_t>
Kind<T> make_kind(const std::string& expected, std::function<Json()> schema, Read read,
                  Write write = {}) {
  Kind<T> kind{{expected, std::move(schema)}};
  kind.read = [read](const Value& value, Reading& reading, void* target) {
    std::optional<T> result = read(value, reading);
    if (result) *static_cast<T*>(target) = std::move(*result);
    return result.has_value();
  };
  if constexpr (!std::is_same_v<Write, std::nullptr_t>) {
    kind.write = [write](const void* value, const Remarks&) {
      return write(*static_cast<const T*>(value));
    };
  }
  return kind;
}

/// For the functions that make tables: `using namespace kind`.
namespace kind {

using namespace quantity;

Kind<double> number(const Quantity& quantity, const char* title = "", const Bounds& bounds = {});
/// @param quantities  of a joint that turns and of one that slides; one where it does not matter
Kind<double> joint_number(const std::vector<Quantity>& quantities, const char* title);
Kind<bool> boolean(const char* title);
Kind<std::string> text(const char* title = "", const char* expected = "a text");
/// A text that is not empty, as a file has.
Kind<std::string> path(const char* title, const char* expected);
/// A name without dots.
Kind<std::string> name();
/// A vector other than zero.
Kind<Vector3> axis(const char* title = "");
/// A name among those that the scenario knows, by its position; nothing where they are not known.
/// @param what  `a thruster of the model`
Kind<int> known_name(const std::string& what,
                     std::optional<std::vector<std::string>> (*names)(const Reading& reading));

/// An event at which something begins, by its position in ForcedSystem::awaited.
Kind<int> event();

/// @name For the templates below
/// @{
AnyKind any_numbers(const std::vector<Quantity>& quantities, const char* title,
                    const char* expected, double* (*data)(void* target));
AnyKind any_whole_number(int least, double most, const std::string& expected, const char* title,
                         void (*store)(void* target, double number));
AnyKind any_choice(const std::vector<std::string>& names, const char* title,
                   void (*store)(void* target, std::size_t position),
                   std::size_t (*position)(const void* value));
AnyKind any_mapping(const MappingTable& table);
AnyKind any_list(const AnyKind& item, const char* expected, int least, const char* title,
                 void* (*append)(void* list), void (*drop_last)(void* list),
                 const void* (*at)(const void* list, std::size_t i));
/// @}

/// A list with a number for each quantity, for vectors and arrays of that size.
template <typename T>
Kind<T> numbers(const std::vector<Quantity>& quantities, const char* title, const char* expected) {
  return {any_numbers(quantities, title, expected,
                      [](void* target) { return static_cast<T*>(target)->data(); })};
}

inline Kind<Vector3> vector(const Quantity& quantity, const char* title = "",
                            const char* expected = "a list of 3 numbers") {
  return numbers<Vector3>({quantity, quantity, quantity}, title, expected);
}

/// @param expected  `a whole number of steps, at least 1`
template <typename T>
Kind<T> whole_number(int least, double most, const std::string& expected, const char* title) {
  return {any_whole_number(least, most, expected, title, [](void* target, double number) {
    *static_cast<T*>(target) = static_cast<T>(number);
  })};
}

/// @param names  in the order of the enumerators
template <typename Enumeration>
Kind<Enumeration> choice(const std::vector<std::string>& names, const char* title = "") {
  return {any_choice(
      names, title,
      [](void* target, std::size_t position) {
        *static_cast<Enumeration*>(target) = static_cast<Enumeration>(position);
      },
      [](const void* value) {
        return static_cast<std::size_t>(*static_cast<const Enumeration*>(value));
      })};
}

template <typename T>
Kind<T> mapping(const Mapping<T>& table) {
  return {any_mapping(table)};
}

/// A kind that the schema refers to by the name of its definition.
template <typename T>
Kind<T> defined(Kind<T> kind, const char* definition) {
  kind.schema = [=] { return reference_schema(definition); };
  return kind;
}

/// A list of at least so many; items that are wrong are left out.
template <typename T>
Kind<std::vector<T>> list(const Kind<T>& item, const char* expected, int least = 0,
                          const char* title = "") {
  return {any_list(
      item, expected, least, title,
      [](void* list) -> void* { return &static_cast<std::vector<T>*>(list)->emplace_back(); },
      [](void* list) { static_cast<std::vector<T>*>(list)->pop_back(); },
      [](const void* list, std::size_t i) -> const void* {
        const auto& items = *static_cast<const std::vector<T>*>(list);
        return i < items.size() ? &items[i] : nullptr;
      })};
}

/// A value that may be absent.
template <typename T>
Kind<std::optional<T>> optional(const Kind<T>& kind) {
  Kind<std::optional<T>> result{kind};
  result.read = [read = kind.read](const Value& value, Reading& reading, void* target) {
    return read(value, reading, &static_cast<std::optional<T>*>(target)->emplace());
  };
  result.write = [write = kind.write](const void* value, const Remarks& remarks) {
    const auto& content = *static_cast<const std::optional<T>*>(value);
    return content ? write(&*content, remarks) : "";
  };
  return result;
}

}  // namespace kind

}  // namespace spacedyn::loading
