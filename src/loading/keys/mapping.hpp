/// @file
/// Descriptors: the keys of a mapping, stated once for reader, schema and writer.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "loading/keys/kind.hpp"

namespace spacedyn::loading {

/// Adds the description and the source of a part of something that has notes.
void add_remarks(const Remarks& remarks, KeyTexts& keys);

/// What settings of any type are read from.
class MappingTable {
 public:
  MappingTable(std::string title, std::shared_ptr<const void> usual)
      : title_(std::move(title)), usual_(std::move(usual)) {}

  const std::string& title() const { return title_; }
  /// Names of its keys.
  std::vector<std::string> names() const;

  /// Reads all keys; the caller finishes the map.
  /// @returns whether those that are required are there and all are right
  bool read(Reading& reading, void* settings) const;
  /// Reads a mapping that has no other keys.
  /// @param outer  the mapping that it stands in, if any
  bool read_whole(const Value& value, ReadContext& context, void* settings,
                  const Reading* outer) const;
  void finish(MapReader& map, void* settings) const;

  /// @param most  optional where what is required depends on other keys
  void describe(MappingSchema& schema, Presence most = Presence::required) const;
  /// Schema of a mapping that has no other keys.
  Json schema() const;

  /// Keys that are required and those whose text is not the usual one, then descriptions and
  /// sources.
  KeyTexts write(const void* settings, const Remarks& remarks) const;
  /// Their text in braces, or a line for each.
  std::string text(const KeyTexts& keys) const;

 protected:
  using Access = std::function<void*(void* settings)>;
  /// What a key needs of another one.
  enum class Needs { nothing, absence, presence, text };
  struct Condition {
    Needs needs = Needs::nothing;
    const char* key = "";
    const char* text = "";
    const char* reason = "";  ///< of the message where it is otherwise

    bool holds(const MapReader& map) const;
    /// What else the mapping has to match.
    Json schema(const std::string& dependent, Presence presence) const;
  };
  /// A key, or several that are read together.
  struct Entry {
    std::string key;
    Presence presence = Presence::optional;
    AnyKind kind = {};
    Access access = {};
    Condition condition = {};
    std::function<bool(Reading& reading, void* settings)> read_keys = {};
    std::function<void(MappingSchema& schema)> describe_keys = {};
    std::function<void(const void* settings, KeyTexts& keys)> write_keys = {};
  };

  /// What a mapping looks like, for those who wrote something else: its required keys, or some.
  std::string shape() const;

  void merge_table(const MappingTable& other, const Access& part);

  std::string title_;
  std::shared_ptr<const void> usual_;
  bool is_block_ = false;
  std::vector<Entry> entries_;
  std::vector<Json> rules_;  // of the schema
  std::vector<std::function<void(MapReader& map)>> key_checks_;
  std::vector<std::function<void(void* settings, Reading& reading)>> checks_;
  Notes& (*notes_)(void* settings) = nullptr;

 private:
  static bool read_entry(const Entry& entry, Reading& reading, void* settings,
                         std::vector<std::string>& wrong);
};

/// The table of one type of settings. A member is a pointer to a data member, or a function that
/// takes the settings and returns a reference.
template <typename Settings>
class Mapping : public MappingTable {
 public:
  /// @param usual  whose values need not be written
  explicit Mapping(std::string title = "", Settings usual = {})
      : MappingTable(std::move(title), std::make_shared<const Settings>(std::move(usual))) {}

  /// A key that must be there.
  template <typename Member, typename T>
  Mapping& require(std::string key, Member member, const Kind<T>& kind) {
    return add(Presence::required, std::move(key), member, kind);
  }
  /// A key whose default is that of the settings.
  template <typename Member, typename T>
  Mapping& allow(std::string key, Member member, const Kind<T>& kind) {
    return add(Presence::optional, std::move(key), member, kind);
  }
  /// @name Keys that are numbers
  /// @{
  template <typename Member>
  Mapping& require(std::string key, Member member, const Quantity& quantity, const char* title = "",
                   const Bounds& bounds = {}) {
    return require(std::move(key), member, kind::number(quantity, title, bounds));
  }
  template <typename Member>
  Mapping& allow(std::string key, Member member, const Quantity& quantity, const char* title = "",
                 const Bounds& bounds = {}) {
    return allow(std::move(key), member, kind::number(quantity, title, bounds));
  }
  /// @}
  template <typename Member, typename T>
  Mapping& add(Presence presence, std::string key, Member member, const Kind<T>& kind) {
    entries_.push_back({std::move(key), presence, kind, access<T>(member)});
    return *this;
  }
  /// The latest key stands in the place of another.
  Mapping& unless(const char* key, const char* reason) {
    return on_condition({Needs::absence, key, "", reason});
  }
  /// The latest key makes sense only beside another.
  Mapping& with(const char* key, const char* reason) {
    return on_condition({Needs::presence, key, "", reason});
  }
  /// The latest key makes sense only where another has a certain text.
  Mapping& when(const char* key, const char* text, const char* reason) {
    return on_condition({Needs::text, key, text, reason});
  }
  /// A key that is refused with a reason.
  Mapping& refuse(const std::string& key, const std::string& reason) {
    return check_keys({}, [=](MapReader& map) { map.refuse(key, reason); });
  }
  /// Keys that are read together, for a member or for the settings as a whole.
  template <typename Member, typename T>
  Mapping& group(Member member, const KeyGroup<T>& keys) {
    const Access part = access<T>(member);
    Entry entry;
    entry.describe_keys = keys.describe;
    entry.read_keys = [read = keys.read, part](Reading& reading, void* settings) {
      return read(reading, *static_cast<T*>(part(settings)));
    };
    entry.write_keys = [write = keys.write, part](const void* settings, KeyTexts& texts) {
      if (write) write(*static_cast<const T*>(part(const_cast<void*>(settings))), texts);
    };
    entries_.push_back(std::move(entry));
    return *this;
  }
  Mapping& group(const KeyGroup<Settings>& keys) { return group(&itself<Settings>, keys); }
  /// The keys of another table, for a member or for a base class.
  template <typename Member, typename T>
  Mapping& merge(Member member, const Mapping<T>& other) {
    merge_table(other, access<T>(member));
    return *this;
  }
  template <typename T>
  Mapping& merge(const Mapping<T>& other) {
    return merge(&itself<T>, other);
  }
  /// A rule about which keys there are: its schema, and what reports its violation.
  Mapping& check_keys(const Json& rule, std::function<void(MapReader& map)> check) {
    if (!rule.empty()) rules_.push_back(rule);
    key_checks_.push_back(std::move(check));
    return *this;
  }
  /// What settings must fulfil that were read without errors; it may derive some from others.
  Mapping& check(void (*function)(Settings& settings, Reading& reading)) {
    checks_.push_back([function](void* settings, Reading& reading) {
      function(*static_cast<Settings*>(settings), reading);
    });
    return *this;
  }
  /// Descriptions and sources go into the member `notes`.
  Mapping& keep_notes() {
    notes_ = [](void* settings) -> Notes& { return static_cast<Settings*>(settings)->notes; };
    return *this;
  }
  /// It is written with a line for each key.
  Mapping& in_lines() {
    is_block_ = true;
    return *this;
  }

  bool read(MapReader& map, Settings& settings) const {
    Reading reading{map};
    return MappingTable::read(reading, &settings);
  }
  bool read(Reading& reading, Settings& settings) const {
    return MappingTable::read(reading, &settings);
  }
  bool read_whole(const Value& value, ReadContext& context, Settings& settings) const {
    return MappingTable::read_whole(value, context, &settings, nullptr);
  }

 private:
  Mapping& on_condition(const Condition& condition) {
    entries_.back().condition = condition;
    return *this;
  }
  template <typename T>
  static T& itself(Settings& settings) {
    return settings;
  }
  template <typename T, typename Member>
  static Access access(Member member) {
    return [member](void* settings) -> void* {
      T& target = std::invoke(member, *static_cast<Settings*>(settings));
      return &target;
    };
  }
};

/// The table that a function makes, made when it is first asked for.
template <auto make>
const auto& once() {
  static const auto kTable = make();
  return kTable;
}

/// Schema of a table or a kind, for a SchemaDefinition.
template <auto make>
Json schema_of() {
  return once<make>().schema();
}

/// Schema of an element of a scenario: its type, its name and its keys.
Json element_schema(std::string_view type, const MappingTable& keys);

/// Reads a value that stands in no table.
bool read_any(const AnyKind& kind, const Value& value, ReadContext& context, void* target);
template <typename T>
bool read_value(const Kind<T>& kind, const Value& value, ReadContext& context, T& target) {
  return read_any(kind, value, context, &target);
}

/// Mappings of several types, told apart by the text of a key that must be there.
struct Variants {
  const char* key;
  std::vector<std::string> names;
  std::vector<MappingTable> tables;  ///< of the other keys, for each type

  Json schema(const char* title) const;
  /// Reads a mapping; settings of the type are made ready before, and used after its keys are read,
  /// whether they are right or not.
  /// @returns whether all is right
  bool read(
      const Value& value, ReadContext& context, void* settings, const Reading* outer,
      const std::function<void(std::size_t type, Reading& reading)>& prepare,
      const std::function<void(std::size_t type, Reading& reading, bool is_right)>& use) const;
};

/// One of several types, and what its settings are used for.
template <typename Settings, typename Use>
struct Variant {
  const char* name;
  Mapping<Settings> (*keys)();
  Use use;
};

/// @param all  variants
template <typename All>
Variants variants_of(const char* key, const All& all) {
  Variants variants{key, {}, {}};
  for (const auto& variant : all) {
    variants.names.emplace_back(variant.name);
    variants.tables.push_back(variant.keys());
  }
  return variants;
}

/// A value of several types.
AnyKind any_variant(const Variants& variants, const char* title,
                    void (*store)(void* target, std::size_t position),
                    std::size_t (*position)(const void* value));

}  // namespace spacedyn::loading
