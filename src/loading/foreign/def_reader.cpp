#include <algorithm>
#include <cmath>
#include <filesystem>

#include "loading/foreign/urdf_reader.hpp"
#include "loading/yaml/text_check.hpp"
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

namespace {

constexpr std::string_view kComment = "###";

bool is_comment(std::string_view word) { return word.substr(0, kComment.size()) == kComment; }

constexpr int kMostLinks = 100000;

std::string numbered(const char* name, int i) { return name + std::to_string(i); }

class DefReader {
 public:
  DefReader(const Source& source, ProblemList& problems) : words_(source, problems) {
    model_.name = fit_name(std::filesystem::path(source.name()).stem().string());
    if (model_.name.empty()) model_.name = "robot";
    model_.mark = {&source, 1, 1};
    model_.source = "SpaceDyn .def, " + place_text(model_.mark);
    model_.placed_by_frame = false;  // its vectors start from centroids
    model_.base.name = "base";
  }

  ForeignModel read() {
    words_.comment("###LINK_NUMBER");
    const int bodies = words_.integer("the number of links, the base among them", 1, kMostLinks);
    model_.links.resize(static_cast<std::size_t>(bodies - 1));
    if (bodies > 1) read_tree();
    read_masses();
    words_.comment("###EOF");
    return std::move(model_);
  }

 private:
  int count() const { return static_cast<int>(model_.links.size()); }
  ForeignLink& link(int i) { return model_.links[static_cast<std::size_t>(i - 1)]; }

  void read_tree() {
    read_connections();
    read_types();
    const std::vector<int> carriers = read_endpoints();
    std::vector<Vector3> twists;
    for (int i = 1; i <= count(); ++i) {
      twists.emplace_back(words_.list("rpy", numbered("rpy", i), 3));
    }
    for (int i = 1; i <= count(); ++i) read_vectors(i, twists[static_cast<std::size_t>(i - 1)]);
    read_endpoint_poses(carriers);
  }

  void read_connections() {
    words_.label("BB", "BB[");
    for (int i = 1; i <= count(); ++i) {
      const int below =
          words_.integer("the number of the link below link " + std::to_string(i), 0, i - 1);
      ForeignLink& current = link(i);
      current.name = numbered("link_", i);
      current.parent = below == 0 ? model_.base.name : numbered("link_", below);
      below_.push_back(below);
      current.joint.name = numbered("joint_", i);
    }
    words_.label("]", "]");
  }

  void read_types() {
    words_.label("J_type", "J_type[");
    for (int i = 1; i <= count(); ++i) {
      const int type = words_.integer("a type of joint, 0 (revolute) or 1 (prismatic)", 0, 1);
      link(i).joint.type = type == 0 ? "revolute" : "prismatic";
      link(i).joint.mark = words_.mark();
    }
    words_.label("]", "]");
  }

  /// For each endpoint the link that carries it.
  std::vector<int> read_endpoints() {
    words_.label("EE", "EE[");
    std::vector<std::pair<int, int>> ends;
    for (int i = 1; i <= count(); ++i) {
      const int end = words_.integer("the number of an endpoint, or 0", 0, count());
      if (end > 0) ends.emplace_back(end, i);
    }
    words_.label("]", "]");
    std::sort(ends.begin(), ends.end());
    std::vector<int> carriers;
    for (const auto& [end, carrier] : ends) {
      if (end != static_cast<int>(carriers.size()) + 1) {
        words_.stop("expected endpoints numbered from 1, each on one link, got number " +
                    std::to_string(end) + " on link " + std::to_string(carrier));
      }
      carriers.push_back(carrier);
    }
    return carriers;
  }

  /// c_{B_i i} and −c_ii, which make where joint i is in the frame of joint B_i.
  void read_vectors(int i, const Vector3& twist) {
    const int below = below_[static_cast<std::size_t>(i - 1)];
    const std::string from = "CtoJ_" + std::to_string(below) + '_' + std::to_string(i);
    const std::string to = "JtoC_" + std::to_string(i) + '_' + std::to_string(i);
    const Vector3 to_joint = vector(from);
    ForeignLink& current = link(i);
    current.mark = words_.mark();
    current.joint.mark = words_.mark();
    current.source = place_text(words_.mark());
    current.center_of_mass = vector(to);
    const Vector3 centroid = below == 0 ? Vector3(Vector3::Zero()) : link(below).center_of_mass;
    current.joint.origin = Placement::from_twist_degrees(centroid + to_joint, twist);
  }

  /// Either name will do: files have one where the other is meant, and their order says which.
  Vector3 vector(const std::string& shown) {
    const std::string label = words_.label("", shown + '[');
    if (label.compare(0, 5, "CtoJ_") != 0 && label.compare(0, 5, "JtoC_") != 0) {
      words_.stop("expected '" + shown + "[', got '" + label + "'",
                  "the order of a .def file is fixed, and so are its numbers of values");
    }
    Vector3 values;
    for (int k = 0; k < 3; ++k) values(k) = words_.number("one of the 3 numbers of " + shown);
    words_.label("]", "]");
    return values;
  }

  void read_endpoint_poses(const std::vector<int>& carriers) {
    const int ends = static_cast<int>(carriers.size());
    std::vector<Vector3> positions;
    for (int k = 1; k <= ends; ++k) {
      positions.emplace_back(words_.list("CtoE", numbered("CtoE_", k), 3));
    }
    for (int k = 1; k <= ends; ++k) {
      const ForeignLink& carrier = link(carriers[static_cast<std::size_t>(k - 1)]);
      ForeignFrame frame;
      frame.name = numbered("endpoint_", k);
      frame.link = carrier.name;
      const Vector3 twist = words_.list("rpyE", numbered("rpyE_", k), 3);
      frame.mark = words_.mark();
      frame.source = place_text(words_.mark());
      frame.origin = Placement::from_twist_degrees(
          carrier.center_of_mass + positions[static_cast<std::size_t>(k - 1)], twist);
      model_.frames.push_back(std::move(frame));
    }
  }

  void read_masses() {
    words_.label("mass", "mass[");
    for (int i = 0; i <= count(); ++i) {
      ForeignBody& body = i == 0 ? model_.base : static_cast<ForeignBody&>(link(i));
      body.mass = words_.number("the mass of link " + std::to_string(i));
      if (body.mass < 0.0) words_.stop("expected a mass of at least 0 kg, got a negative one");
    }
    words_.label("]", "]");
    for (int i = 0; i <= count(); ++i) {
      ForeignBody& body = i == 0 ? model_.base : static_cast<ForeignBody&>(link(i));
      const double xx = words_.value("I11");
      body.inertia_mark = words_.mark();
      const double yy = words_.value("I22"), zz = words_.value("I33");
      const double xy = words_.value("I12"), xz = words_.value("I13"), yz = words_.value("I23");
      body.inertia << xx, xy, xz, xy, yy, yz, xz, yz, zz;
      if (i > 0) continue;
      body.mark = body.inertia_mark;
      body.source = place_text(body.mark);
    }
  }

  DefWords words_;
  ForeignModel model_;
  std::vector<int> below_;
};

}  // namespace

DefWords::DefWords(const Source& source, ProblemList& problems)
    : problems_(problems), last_{&source, 1, 1} {
  split(source);
}

/// At white space, after `[` and `=`, before `]`; comments stay whole.
void DefWords::split(const Source& source) {
  const std::string_view text = source.text();
  int line = 1;
  std::size_t line_start = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '\n') {
      ++line;
      line_start = ++i;
      continue;
    }
    if (text[i] == ' ' || text[i] == '\t' || text[i] == '\r') {
      ++i;
      continue;
    }
    std::size_t end = std::min(text.find_first_of(" \t\r\n", i), text.size());
    if (!is_comment(text.substr(i, end - i))) {
      const std::size_t open = text.find_first_of("[=", i);
      const std::size_t close = text.find(']', i);
      if (open < end) end = open + 1;
      if (close < end) end = close == i ? i + 1 : close;
    }
    words_.push_back(
        {text.substr(i, end - i), {&source, line, static_cast<int>(i - line_start) + 1}});
    i = end;
  }
}

void DefWords::stop(const std::string& message, const std::string& hint) {
  problems_.error(last_, "", message, hint);
  throw StopReading{};
}

void DefWords::skip_comments() {
  while (at_ < words_.size() && is_comment(words_[at_].text)) ++at_;
}

const DefWords::Word& DefWords::next(const std::string& expected) {
  skip_comments();
  if (at_ == words_.size()) {
    if (!words_.empty()) last_ = words_.back().mark;
    stop("expected " + expected + ", got the end of the file");
  }
  last_ = words_[at_].mark;
  return words_[at_++];
}

void DefWords::comment(std::string_view start) {
  while (at_ < words_.size() && is_comment(words_[at_].text)) {
    last_ = words_[at_].mark;
    if (words_[at_++].text.substr(0, start.size()) == start) return;
  }
  if (at_ < words_.size()) last_ = words_[at_].mark;
  stop("expected '" + std::string(start) + "', got " +
       (at_ < words_.size() ? quote(words_[at_].text) : "the end of the file"));
}

std::string DefWords::label(std::string_view kind, const std::string& shown) {
  const Word& word = next("'" + shown + "'");
  const std::size_t end = word.text.find_last_not_of("_0123456789[");
  const std::string_view name = word.text.substr(0, end == std::string::npos ? 0 : end + 1);
  if (!kind.empty() && name != kind) {
    stop("expected '" + shown + "', got " + quote(word.text),
         "the order of a .def file is fixed, and so are its numbers of values");
  }
  return std::string(word.text);
}

double DefWords::number(const std::string& what) {
  const Word& word = next(what);
  const auto value = xml::parse_numbers(word.text);
  if (!value || value->size() != 1 || !value->allFinite()) {
    stop("expected " + what + ", got " + quote(word.text));
  }
  return (*value)(0);
}

int DefWords::integer(const std::string& what, int least, int most) {
  const double value = number(what);
  if (value == std::floor(value) && value >= least && value <= most) return static_cast<int>(value);
  stop("expected " + what + ", from " + std::to_string(least) + " to " + std::to_string(most) +
       ", got " + quote(words_[at_ - 1].text));
}

VectorX DefWords::list(std::string_view kind, const std::string& shown, int size) {
  label(kind, shown + '[');
  const std::string what = "a number of " + shown + "[ ] (" + std::to_string(size) + " in all)";
  VectorX values(size);
  for (int i = 0; i < size; ++i) values(i) = number(what);
  const Word& end = next("']' after " + std::to_string(size) + " numbers of " + shown);
  if (end.text != "]") {
    stop("expected ']' after " + std::to_string(size) + " numbers of " + shown + ", got " +
         quote(end.text));
  }
  return values;
}

double DefWords::value(std::string_view name) {
  const std::string shown = std::string(name) + '=';
  const Word& word = next("'" + shown + "'");
  if (word.text != shown) stop("expected '" + shown + "', got " + quote(word.text));
  return number("a number after '" + shown + "'");
}

std::optional<ForeignModel> read_def(const Source& source, ProblemList& problems) {
  if (!check_text(source, problems)) return std::nullopt;
  try {
    return DefReader(source, problems).read();
  } catch (const StopReading&) {
    return std::nullopt;
  }
}

}  // namespace spacedyn::loading::foreign
