#include "picture.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <memory>

#include <cairo-pdf.h>
#include <cairo.h>
#include <librsvg/rsvg.h>

#include "failure.hpp"

namespace spacedyn::cli {
namespace {

constexpr double kPixelsPerInch = 96.0, kPointsPerInch = 72.0;

Failure failure(const std::string& reason) {
  return {ExitCode::output_failed, "cannot draw the picture: " + reason};
}

void check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS) throw failure(cairo_status_to_string(status));
}

cairo_status_t append(void* target, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(target)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

struct Release {
  void operator()(RsvgHandle* picture) const { g_object_unref(picture); }
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* context) const { cairo_destroy(context); }
};
using Surface = std::unique_ptr<cairo_surface_t, Release>;

/// An SVG picture that has been read.
class Drawing {
 public:
  explicit Drawing(const std::string& svg) {
    GError* error = nullptr;
    picture_.reset(
        rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(svg.data()), svg.size(), &error));
    if (!picture_) refuse(error);
    rsvg_handle_set_dpi(picture_.get(), kPixelsPerInch);
    if (rsvg_handle_get_intrinsic_size_in_pixels(picture_.get(), &width_, &height_) == FALSE) {
      throw failure("it has no size");
    }
  }

  double width() const { return width_; }    ///< px
  double height() const { return height_; }  ///< px

  /// Fills a surface of a size in its own units.
  void draw(cairo_surface_t* surface, double width, double height) const {
    const std::unique_ptr<cairo_t, Release> context(cairo_create(surface));
    const RsvgRectangle all{0.0, 0.0, width, height};
    GError* error = nullptr;
    if (rsvg_handle_render_document(picture_.get(), context.get(), &all, &error) == FALSE) {
      refuse(error);
    }
    check(cairo_status(context.get()));
  }

 private:
  [[noreturn]] static void refuse(GError* error) {
    const std::string reason = error == nullptr ? "it is no SVG" : error->message;
    g_clear_error(&error);
    throw failure(reason);
  }

  std::unique_ptr<RsvgHandle, Release> picture_;
  double width_ = 0.0, height_ = 0.0;
};

/// White, up to edges that the picture's own background covers by half.
void fill(cairo_surface_t* surface) {
  const std::unique_ptr<cairo_t, Release> context(cairo_create(surface));
  cairo_set_source_rgb(context.get(), 1.0, 1.0, 1.0);
  cairo_paint(context.get());
}

std::string png(const Drawing& drawing, double resolution) {
  const double scale = resolution / kPixelsPerInch;
  const auto width = static_cast<int>(std::lround(drawing.width() * scale));
  const auto height = static_cast<int>(std::lround(drawing.height() * scale));
  const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height));
  check(cairo_surface_status(surface.get()));
  fill(surface.get());
  drawing.draw(surface.get(), width, height);
  std::string bytes;
  check(cairo_surface_write_to_png_stream(surface.get(), &append, &bytes));
  return bytes;
}

std::string pdf(const Drawing& drawing) {
  const double scale = kPointsPerInch / kPixelsPerInch;
  const double width = drawing.width() * scale, height = drawing.height() * scale;
  std::string bytes;
  const Surface surface(cairo_pdf_surface_create_for_stream(&append, &bytes, width, height));
  check(cairo_surface_status(surface.get()));
  drawing.draw(surface.get(), width, height);
  cairo_surface_finish(surface.get());
  check(cairo_surface_status(surface.get()));
  return bytes;
}

}  // namespace

PictureFormat picture_format(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending == ".svg") return PictureFormat::svg;
  if (ending == ".png") return PictureFormat::png;
  if (ending == ".pdf") return PictureFormat::pdf;
  throw Failure(ExitCode::wrong_command_line,
                "cannot draw into '" + path + "': expected a name ending in .svg, .png or .pdf");
}

std::string draw_picture(const std::string& svg, PictureFormat format, double resolution) {
  if (format == PictureFormat::svg) return svg;
  const Drawing drawing(svg);
  return format == PictureFormat::png ? png(drawing, resolution) : pdf(drawing);
}

}  // namespace spacedyn::cli
