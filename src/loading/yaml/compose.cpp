#include "loading/yaml/compose.hpp"

#include <algorithm>
#include <istream>
#include <streambuf>
#include <string>

#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "loading/yaml/syntax_error.hpp"
#include "loading/yaml/text_check.hpp"
#include "loading/yaml/tree_builder.hpp"

namespace spacedyn::loading {
namespace {

/// Hands a text to the parser piece by piece, and ends it where the parser has read on for too long
/// without telling what it read: it would fill the memory.
class BoundedText final : public std::streambuf {
 public:
  BoundedText(const std::string& text, const TreeBuilder& builder)
      : text_(text), builder_(builder) {}

  bool was_cut() const { return was_cut_; }

 protected:
  int_type underflow() override {
    was_cut_ = was_cut_ || end_ > builder_.position() + kMaxValueSize;
    if (was_cut_ || end_ == text_.size()) return traits_type::eof();
    // the base class wants pointers to mutable characters, but never writes when reading
    char* begin = const_cast<char*>(text_.data()) + end_;
    const std::size_t size = std::min(kPiece, text_.size() - end_);
    setg(begin, begin, begin + size);
    end_ += size;
    return traits_type::to_int_type(*begin);
  }

 private:
  static constexpr std::size_t kPiece = 65536;
  const std::string& text_;
  const TreeBuilder& builder_;
  std::size_t end_ = 0;
  bool was_cut_ = false;
};

/// Lets the parser loose on a text; false if the tree is of no use.
bool parse(const Source& source, TreeBuilder& builder, ProblemList& problems) {
  BoundedText buffer(source.text(), builder);
  const auto is_cut = [&] {
    if (buffer.was_cut()) {
      builder.report_at_position("expected texts and collections in brackets of at most " +
                                 std::to_string(kMaxValueSize >> 20U) + " MiB, got a longer one");
    }
    return buffer.was_cut();
  };
  try {
    std::istream stream(&buffer);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const StopComposing&) {
    return false;
  } catch (const YAML::Exception& error) {
    if (!is_cut()) report_syntax_error(error, source, problems);
    return false;
  }
  return !is_cut();
}

}  // namespace

NodePtr compose(const Source& source, ProblemList& problems) {
  if (!check_text(source, problems)) return nullptr;
  TreeBuilder builder(source, problems);
  if (!parse(source, builder, problems)) return nullptr;
  if (!builder.root()) {
    problems.error({&source, 1, 1}, "",
                   source.is_override() ? "expected a value, got nothing"
                                        : "expected a document, got an empty file");
  }
  return builder.root();
}

}  // namespace spacedyn::loading
