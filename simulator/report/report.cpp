// SPDX-License-Identifier: MIT
#include "simulator/report/report.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "core/base/error.hpp"
#include "imageio/small/png_preview.hpp"
#include "simulator/pictures/orthogonal_view.hpp"
#include "simulator/report/markup.hpp"
#include "simulator/report/photon_transfer.hpp"
#include "simulator/report/psf_profile.hpp"
#include "simulator/report/survey.hpp"
#include "simulator/report/svg_plot.hpp"
#include "simulator/report/tables.hpp"

namespace synthoscope::simulator {
namespace {

using Mark = PlotSeries::Mark;
constexpr const char *kBlue = "#2f6fb3", *kOrange = "#d9772b", *kGrey = "#7a8494";

std::string shown(const OrthogonalView& view, std::string_view described) {
  const Canvas& canvas = view.canvas();
  return picture(imageio::png_bytes(canvas.width(), canvas.height(), canvas.pixels()), described);
}

void require_type(const imageio::OpenImage& stack, PixelType type) {
  if (stack.info.type != type)
    throw InvalidInput(
        fmt::format("report: {} holds {} voxels instead of {}; simulate the data set again",
                    stack.info.path.string(), name_of(stack.info.type), name_of(type)));
}

/// The stacks of a frame, kept open.
struct OpenFrame {
  imageio::CountedImage image, photons, labels;
  Grid grid;
  std::int64_t bin;

  OpenFrame(const DataSetReader& set, std::int64_t frame, std::size_t channel,
            const RunContext& context)
      : image{set.image(frame, channel, context)},
        photons{set.photons(frame, channel, context)},
        labels{set.labels(frame, context)},
        grid{grid_of(image)},
        bin{photons.info.extent.y / grid.extent.y} {
    if (image.info.type != PixelType::uint8) require_type(image, PixelType::uint16);
    require_type(photons, PixelType::float32);
    require_type(labels, PixelType::uint16);
    const Extent3 under{grid.extent.z, grid.extent.y * bin, grid.extent.x * bin};
    for (const auto* stack : {&photons, &labels})
      if (!(stack->info.extent == under))
        throw InvalidInput(fmt::format(
            "report: {} holds {} voxels and {} {}; the files of the data set do not belong "
            "together; simulate it again",
            stack->info.path.string(), stack->info.extent, image.info.path.string(), grid.extent));
  }
  [[nodiscard]] FrameStacks stacks(std::int64_t saturated) const {
    return {*image.source, *photons.source, *labels.source, grid, bin, saturated};
  }
};

std::string pictures(const OpenFrame& frame, const Survey& seen, TaskPool& pool) {
  const Index3 at = seen.brightest;
  const Index3 under{at.z, at.y * frame.bin + frame.bin / 2, at.x * frame.bin + frame.bin / 2};
  const Grid fine = grid_of(frame.photons);
  const Slices labels = read_slices(*frame.labels.source, fine.pitch, under, pool);
  const Slices photons = read_slices(*frame.photons.source, fine.pitch, under, pool);
  const Slices image = read_slices(*frame.image.source, frame.grid.pitch, at, pool);

  const auto view = [&](const Slices& light, const Slices& counts, const Slices& ids) {
    OrthogonalView drawn{frame.grid, 3};
    drawn.draw(0, light, ids, {"PHOTONS", warm}, pool);
    drawn.draw(1, counts, ids, {"COUNTS", grey}, pool);
    drawn.draw(2, counts, ids, {"LABELS", overlaid, 0.9}, pool);
    drawn.scale_bar();
    return drawn;
  };
  return section("Slices", shown(view(photons, image, labels),
                                 "Slices along y and x, z and x, y and z through the brightest "
                                 "pixel. Brightness runs from the 1 % quantile to the 99.9 % "
                                 "quantile, over 12 standard deviations of the noise at "
                                 "least.")) +
         section("Maximum projections",
                 shown(view(seen.photons, seen.image, seen.labels),
                       "Largest values along z, y and x; of overlapping labels the highest."));
}

/// Returns counts gathered in at most 256 bars.
PlotSeries bars(std::string name, std::string colour, const std::vector<std::int64_t>& histogram,
                std::int64_t first, std::int64_t last) {
  const std::int64_t width = std::max<std::int64_t>(1, (last - first + 256) / 256);
  PlotSeries series{std::move(name), std::move(colour), Mark::steps, {}};
  for (std::int64_t begin = first; begin <= last; begin += width) {
    std::int64_t pixels = 0;
    for (std::int64_t count = begin; count < std::min(begin + width, last + 1); ++count)
      pixels += histogram[static_cast<std::size_t>(count)];
    series.points.emplace_back(static_cast<double>(begin), static_cast<double>(pixels));
  }
  series.points.emplace_back(static_cast<double>(last + width), series.points.back().second);
  return series;
}

std::string histogram(const Survey& seen) {
  const auto& a = seen.background_histogram;
  const auto& b = seen.object_histogram;
  std::int64_t first = 0, last = std::ssize(a) - 1;
  const auto is_empty = [&](std::int64_t i) {
    return a[static_cast<std::size_t>(i)] == 0 && b[static_cast<std::size_t>(i)] == 0;
  };
  while (first < last && is_empty(first)) ++first;
  while (last > first && is_empty(last)) --last;
  return section("Histogram of counts", svg_plot({"counts / DN"}, {"pixels", Scale::logarithmic},
                                                 {bars("outside objects", kGrey, a, first, last),
                                                  bars("in objects", kBlue, b, first, last)}));
}

std::string photon_transfer(const Survey& seen, const TransferModelOrReason& expectation,
                            std::optional<double> ratio) {
  const auto& model = expectation.model;
  const auto bins = trusted(seen.transfer);
  PlotSeries measured{"counts of this frame", kBlue, Mark::points, {}};
  PlotSeries expected{"expected of the camera", kOrange, Mark::line, {}};
  for (const auto& bin : bins) {
    measured.points.emplace_back(bin.mean_counts(), bin.variance());
    if (model) expected.points.emplace_back(bin.mean_counts(), model->variance(bin.mean_photons()));
  }
  std::vector<PlotSeries> series{measured};
  if (model) series.push_back(expected);
  const std::string note =
      !model   ? fmt::format("There is nothing to compare with: {}.", expectation.why_none)
      : !ratio ? "No group of pixels that get the same light is large enough and without clipped "
                 "counts."
               : fmt::format(
                     "Variance over the expected one: {:.3f} (median of {} groups of pixels that "
                     "get the same light, out of {}; the others are small or have clipped counts).",
                     *ratio, bins.size(), seen.transfer.size());
  return section("Photon transfer", svg_plot({"mean / DN", Scale::logarithmic},
                                             {"variance / DN²", Scale::logarithmic}, series) +
                                        fmt::format("<p class='note'>{}</p>", escaped(note)));
}

struct PsfPart {
  std::string html;
  std::array<std::optional<double>, 3> widths;
};

PsfPart psf_part(const DataSetReader& set, std::size_t channel, const RunContext& context) {
  const imageio::CountedImage file = set.psf(channel, context);
  const Grid grid = grid_of(file);
  const Extent3 e = grid.extent;
  const auto room =
      context.memory.reserve(slices_bytes(e) + slices_reading_bytes(e, context.pool.threads()) +
                                 OrthogonalView::bytes(grid, 1),
                             "the picture of the PSF");
  require_type(file, PixelType::float32);
  const Index3 centre = file.info.kernel_center.value_or(Index3{e.z / 2, e.y / 2, e.x / 2});

  PsfPart part;
  constexpr std::array<const char*, 3> kColours{kOrange, kGrey, kBlue};
  const auto profiles = psf_profiles(*file.source, centre, grid.pitch);
  std::vector<PlotSeries> axial, lateral;
  std::vector<std::vector<std::string>> rows{{"axis", "full width at half maximum"}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    PlotSeries series{fmt::format("along {}", "zyx"[axis]), kColours[axis], Mark::line, {}};
    const double most = 6 * profiles[axis].width_um().value_or(INFINITY);
    for (std::size_t i = 0; i < profiles[axis].um.size(); ++i)
      if (std::abs(profiles[axis].um[i]) <= most)
        series.points.emplace_back(profiles[axis].um[i], profiles[axis].values[i]);
    (axis == 0 ? axial : lateral).push_back(std::move(series));
    part.widths[axis] = profiles[axis].width_um();
    rows.push_back({std::string{"zyx"[axis]}, part.widths[axis]
                                                  ? fmt::format("{:.3f} um", *part.widths[axis])
                                                  : "outside the PSF"});
  }
  OrthogonalView view{grid, 1};
  Slices slices = read_slices(*file.source, grid.pitch, centre, context.pool);
  for (auto* slice : {&slices.yx, &slices.zx, &slices.yz})
    for (float& value : slice->values) value = std::sqrt(std::max(value, 0.0f));
  view.draw(0, slices, slices, {"PSF", warm}, context.pool);
  view.scale_bar();
  part.html = section(
      "Point spread function",
      fmt::format("<div class='columns'>{}<div>{}{}{}</div></div>",
                  shown(view, "Slices through the centre; brightness is the square root."),
                  svg_plot({"lateral position / um"}, {"over the largest"}, lateral),
                  svg_plot({"axial position / um"}, {"over the largest"}, axial), table(rows)));
  return part;
}

/// The content of a page, counted against the budget as it grows.
class GrowingBody {
 public:
  explicit GrowingBody(MemoryBudget& memory) : memory_{memory} {}
  void add(const std::string& part) {
    // The part, its copy in the body, whose capacity exceeds its size, and in the finished page
    constexpr std::int64_t kCopies = 4;
    counted_.push_back(memory_.reserve(kCopies * std::ssize(part), "the page of the report"));
    text_ += part;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  MemoryBudget& memory_;
  std::vector<Reservation> counted_;
  std::string text_;
};

std::string headline(const DataSetReader& set, std::int64_t number) {
  return fmt::format(
      "<h1>{}</h1><p class='note'>Frame {} of {}, seed {}, made by synthoscope {}."
      "</p>",
      escaped(set.name()), number + 1, set.frames(),
      escaped(text_of(set.record().at("scene").value("seed", Json{}))),
      escaped(set.record().value("version", "")));
}

/// Returns the channel and grid of an image, the headline of its sections.
std::string subtitle(const std::string& channel, const Grid& grid) {
  return fmt::format("{}<p class='note'>{} voxels (z, y, x) of {:g} x {:g} x {:g} um.</p>",
                     channel.empty() ? "" : fmt::format("<h1>{}</h1>", escaped(channel)),
                     grid.extent, grid.pitch.z_um, grid.pitch.y_um, grid.pitch.x_um);
}

/// Adds the images of a channel to the page.
ImageFigures add_image(const DataSetReader& set, std::int64_t number, std::size_t channel,
                       const RunContext& context, GrowingBody& body) {
  const OpenFrame frame{set, number, channel, context};
  const FrameStacks stacks = frame.stacks(set.largest_count(channel));
  const Extent3 fine = grid_of(frame.photons).extent;
  const auto held = context.memory.reserve(survey_bytes(stacks) + 3 * slices_bytes(fine) +
                                               slices_reading_bytes(fine, context.pool.threads()) +
                                               OrthogonalView::bytes(frame.grid, 3),
                                           "the report");
  const Survey seen = survey(stacks, context);
  const auto model = transfer_model(set, channel);
  ImageFigures figures{set.channels()[channel], {}, {}};
  if (model.model) figures.variance_ratio = variance_ratio(trusted(seen.transfer), *model.model);
  const PsfPart psf = psf_part(set, channel, context);
  figures.psf_widths_um = psf.widths;
  body.add(subtitle(figures.channel, frame.grid));
  body.add(pictures(frame, seen, context.pool));
  body.add(psf.html);
  body.add(fmt::format("<div class='columns'>{}{}</div>", histogram(seen),
                       photon_transfer(seen, model, figures.variance_ratio)));
  return figures;
}

}  // namespace

DataSetReport report_on(const DataSetReader& set, std::int64_t number, const RunContext& context) {
  if (!set.made().holds(number))
    throw InvalidSpec(fmt::format("report: there is no frame {}; give {} to {} with --frame",
                                  number, set.made().first, set.made().last));
  DataSetReport report;
  GrowingBody body{context.memory};
  body.add(headline(set, number));
  for (std::size_t channel = 0; channel < set.channels().size(); ++channel)
    report.images.push_back(add_image(set, number, channel, context, body));
  body.add(objects_part(set, number, report.objects));
  body.add(tracks_part(set));
  body.add(section("Parameters", parameters(set.record())));
  report.html = page(set.name(), body.text());
  report.counted = context.memory.reserve(std::ssize(report.html), "the page of the report");
  return report;
}

}  // namespace synthoscope::simulator
