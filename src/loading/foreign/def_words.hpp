/// @file
/// The words of a `.def` file, one after another.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "loading/yaml/problem_list.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn::loading::foreign {

/// Thrown when a word is reported that leaves no sense in what follows.
struct StopReading {};

class DefWords {
 public:
  DefWords(const Source& source, ProblemList& problems);

  /// The name of a list or number, without its brackets and digits; another one is an error.
  /// @returns the name as it stands
  std::string label(std::string_view kind, const std::string& shown);
  double number(const std::string& what);
  int integer(const std::string& what, int least, int most);
  /// `name[ … ]`
  VectorX list(std::string_view kind, const std::string& shown, int size);
  /// `name= …`
  double value(std::string_view name);
  /// Goes past comments, up to a comment that begins like this.
  void comment(std::string_view start);

  const Mark& mark() const { return last_; }
  [[noreturn]] void stop(const std::string& message, const std::string& hint = "");

 private:
  struct Word {
    std::string_view text;
    Mark mark;
  };
  void split(const Source& source);
  void skip_comments();
  const Word& next(const std::string& expected);

  ProblemList& problems_;
  std::vector<Word> words_;
  std::size_t at_ = 0;
  Mark last_;
};

}  // namespace spacedyn::loading::foreign
