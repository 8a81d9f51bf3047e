#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "spacedyn/error.hpp"
#include "spacedyn/forces/spherical_harmonics.hpp"

namespace spacedyn {
namespace {

/// Beyond it a file is wrong rather than detailed; a series of this degree takes a second to make.
constexpr int kMostDegree = 1000;
/// Radius of the series of the World Magnetic Model, m, and the years for which each is made.
constexpr double kMagneticRadius = 6371200.0, kYearsOfModel = 5.0;

/// The lines of a coefficient file, word by word.
class CoefficientLines {
 public:
  CoefficientLines(const std::string& text, const std::string& name) : text_(text), name_(name) {}

  /// Goes to the next line that has words. @returns whether there is one
  bool next() {
    std::string line;
    while (std::getline(text_, line)) {
      ++line_;
      std::istringstream stream(line);
      words_.clear();
      for (std::string word; stream >> word;) words_.push_back(word);
      if (!words_.empty()) return true;
    }
    return false;
  }
  const std::string& word(std::size_t i) const {
    static const std::string kNone;
    return i < words_.size() ? words_[i] : kNone;
  }
  std::size_t size() const { return words_.size(); }
  /// A number; exponents may be those of Fortran.
  double number(std::size_t i) const {
    std::string text = word(i);
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == 'D' || c == 'd'; }, 'e');
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !std::isfinite(value)) {
      fail(fmt::format("expected a number, got '{}'", word(i)));
    }
    return value;
  }
  int index(std::size_t i, int most) const {
    const double value = number(i);
    if (value != std::floor(value) || value < 0.0 || value > most) {
      fail(fmt::format("expected a whole number from 0 to {}, got '{}'", most, word(i)));
    }
    return static_cast<int>(value);
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw DomainError(fmt::format("{}:{}: {}", name_, line_, what));
  }
  [[noreturn]] void fail_at_end(const std::string& what) const {
    throw DomainError(fmt::format("{}: {}", name_, what));
  }

 private:
  std::istringstream text_;
  std::string name_;
  int line_ = 0;
  std::vector<std::string> words_;
};

/// Factor √((2 − δ_0m)(2n + 1)(n − m)!/(n + m)!) by which full normalization divides coefficients.
double normalization(int n, int m) {
  double product = 1.0;
  for (int k = n - m + 1; k <= n + m; ++k) product *= k;
  return std::sqrt((m == 0 ? 1.0 : 2.0) * (2.0 * n + 1.0) / product);
}

/// What stands above the coefficients of an ICGEM file.
struct Header {
  double mu = 0.0, radius = 0.0;
  int degree = -1;
  bool is_normalized = true;
};

/// @param has_begin  whether `begin_of_head` ends a description, whose words are no keys
Header read_header(CoefficientLines& lines, bool has_begin) {
  Header header;
  while (lines.next()) {
    const std::string& key = lines.word(0);
    if (has_begin) {
      has_begin = key != "begin_of_head";
      continue;
    }
    if (key == "end_of_head") {
      if (!(header.mu > 0.0)) lines.fail("expected a positive earth_gravity_constant above");
      if (!(header.radius > 0.0)) lines.fail("expected a positive radius above");
      if (header.degree < 0) lines.fail("expected a max_degree above");
      return header;
    }
    if (lines.size() < 2) continue;
    if (key == "earth_gravity_constant" || key == "gravity_constant") header.mu = lines.number(1);
    if (key == "radius") header.radius = lines.number(1);
    if (key == "max_degree") header.degree = lines.index(1, 100000);
    if (key == "norm") {
      header.is_normalized = lines.word(1) == "fully_normalized";
      if (!header.is_normalized && lines.word(1) != "unnormalized") {
        lines.fail("expected norm fully_normalized or unnormalized, got '" + lines.word(1) + "'");
      }
    }
    if (key == "product_type" && lines.word(1) != "gravity_field") {
      lines.fail("expected the product_type gravity_field, got '" + lines.word(1) + "'");
    }
  }
  lines.fail_at_end("expected the line 'end_of_head' of an ICGEM file, got none");
}

}  // namespace

HarmonicCoefficients parse_gfc(const std::string& text, const std::string& name) {
  CoefficientLines lines(text, name);
  const bool has_begin = text.find("begin_of_head") != std::string::npos;
  const Header header = read_header(lines, has_begin);
  const int size = std::min(header.degree, kMostDegree) + 1;
  HarmonicCoefficients result{header.mu, header.radius, MatrixX::Zero(size, size),
                              MatrixX::Zero(size, size)};
  MatrixX known = MatrixX::Zero(size, size);
  result.cosine(0, 0) = 1.0;
  while (lines.next()) {
    if (lines.word(0) != "gfc") {
      lines.fail("expected a coefficient 'gfc L M C S' of a static field, got '" + lines.word(0) +
                 "'");
    }
    const int n = lines.index(1, header.degree), m = lines.index(2, n);
    const double c = lines.number(3), s = lines.number(4);
    if (n >= size) continue;
    if (known(n, m) != 0.0) lines.fail(fmt::format("degree {} and order {} come twice", n, m));
    known(n, m) = 1.0;
    const double factor = header.is_normalized ? 1.0 : normalization(n, m);
    result.cosine(n, m) = c / factor;
    result.sine(n, m) = s / factor;
  }
  if (known.isZero(0.0)) lines.fail_at_end("expected coefficients below 'end_of_head', got none");
  return result;
}

HarmonicCoefficients parse_cof(const std::string& text, const std::string& name, double date) {
  CoefficientLines lines(text, name);
  if (!lines.next()) lines.fail_at_end("expected an epoch and coefficients, got an empty file");
  const double epoch = lines.number(0), years = date - epoch;
  if (!(years >= 0.0 && years <= kYearsOfModel)) {
    lines.fail_at_end(fmt::format("expected a date from {:g} to {:g}, got {:g}", epoch,
                                  epoch + kYearsOfModel, date));
  }
  constexpr int kMost = 200, kEmpty = kMost + 1;
  HarmonicCoefficients result{0.0, kMagneticRadius, MatrixX::Zero(kEmpty, kEmpty),
                              MatrixX::Zero(kEmpty, kEmpty)};
  MatrixX known = MatrixX::Zero(kEmpty, kEmpty);
  int degree = 0;
  while (lines.next()) {
    if (lines.word(0).size() > 5 && lines.word(0).find_first_not_of('9') == std::string::npos) {
      break;
    }
    if (lines.size() < 6) lines.fail("expected n, m, g, h and their changes per year");
    const int n = lines.index(0, kMost), m = lines.index(1, n);
    if (n == 0) lines.fail("expected a degree of at least 1, got 0");
    if (known(n, m) != 0.0) lines.fail(fmt::format("degree {} and order {} come twice", n, m));
    known(n, m) = 1.0;
    degree = std::max(degree, n);
    // Schmidt's functions are the fully normalized ones over √(2n + 1)
    const double factor = 1.0 / std::sqrt(2.0 * n + 1.0);
    result.cosine(n, m) = factor * (lines.number(2) + years * lines.number(4));
    result.sine(n, m) = factor * (lines.number(3) + years * lines.number(5));
  }
  if (degree == 0) lines.fail_at_end("expected coefficients below the epoch, got none");
  return result.up_to(degree);
}

}  // namespace spacedyn
