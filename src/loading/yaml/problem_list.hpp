/// @file
/// Collects the problems of one load, so that all of them can be shown at once.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "loading/yaml/node.hpp"
#include "spacedyn/diagnostics.hpp"

namespace spacedyn::loading {

struct Node;
struct Quantity;
struct Value;

/// Most problems that are kept; a file of noise would fill the memory otherwise.
inline constexpr std::size_t kMaxProblems = 1000;

class ProblemList {
 public:
  void error(const Mark& mark, const std::string& path, const std::string& message,
             const std::string& hint = "") {
    add(Severity::error, mark, path, message, hint);
  }
  void warning(const Mark& mark, const std::string& path, const std::string& message,
               const std::string& hint = "") {
    add(Severity::warning, mark, path, message, hint);
  }
  /// @name At the place of a value
  /// @{
  void error(const Value& at, const std::string& message, const std::string& hint = "");
  void warning(const Value& at, const std::string& message, const std::string& hint = "");
  /// @}
  void add(Severity severity, const Mark& mark, const std::string& path, const std::string& message,
           const std::string& hint);

  /// Remembers that what stands at a key path is wrong, though another message says why.
  void mark_wrong(const Source* source, const std::string& path) {
    wrong_places_.emplace_back(source, path);
  }

  /// Takes part in the reading of numbers, for whoever wants to know what each one is.
  using NumberListener = std::function<void(const Node&, const Quantity&)>;
  void on_number(NumberListener listener) { listener_ = std::move(listener); }
  /// A number of some quantity is read.
  void note_number(const Node& node, const Quantity& quantity) const {
    if (listener_) listener_(node, quantity);
  }

  bool has_errors() const { return errors_ > 0; }
  /// Whether further problems are only counted, so that looking for them is in vain.
  bool is_full() const { return entries_.size() >= kMaxProblems; }
  std::size_t error_count() const { return errors_; }
  /// Whether an error of a source lies at, below or above a key path.
  bool has_error_near(const Source* source, const std::string& path) const;

  /// Everything found, sorted by place, without repetitions.
  std::vector<Diagnostic> sorted() const;
  /// Throws what was found if any of it is an error: OverrideError where only overrides are to
  /// blame, else ParseError.
  void throw_if_errors() const;

 private:
  struct Entry {
    Diagnostic diagnostic;
    const Source* source;
  };
  std::vector<Entry> entries_;
  std::vector<std::pair<const Source*, std::string>> wrong_places_;
  std::size_t errors_ = 0;
  NumberListener listener_;
};

}  // namespace spacedyn::loading
