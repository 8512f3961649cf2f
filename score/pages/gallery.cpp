// SPDX-License-Identifier: MIT
#include "score/pages/gallery.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <optional>
#include "core/run/host_buffer.hpp"
#include "imageio/small/png_preview.hpp"
#include "simulator/pictures/canvas.hpp"
#include "simulator/report/markup.hpp"

namespace synthoscope::score {
namespace {

constexpr std::int64_t kLeastMargin = 6, kLargestSide = 600, kPictureSide = 220;
constexpr simulator::Colour kTruthColour{0.2, 0.9, 0.3}, kResultColour{1, 0.25, 0.85};

/// One plane of a part of an image.
struct Crop {
  Extent3 size;
  std::vector<double> values;

  [[nodiscard]] double at(std::int64_t y, std::int64_t x) const {
    return values[static_cast<std::size_t>(std::clamp<std::int64_t>(y, 0, size.y - 1) * size.x +
                                           std::clamp<std::int64_t>(x, 0, size.x - 1))];
  }
};

Crop read_crop(Source& source, const Box3& box, MemoryBudget& memory) {
  const PixelType type = source.pixel_type();
  const std::int64_t count = volume(box.size);
  const HostBuffer<std::byte> bytes{memory, count * size_of(type), "a picture of an object"};
  source.read(box, {bytes.data(), type, box.size});
  Crop crop{box.size, {}};
  crop.values.reserve(static_cast<std::size_t>(count));
  visit_pixel_type(type, [&]<class T>(T) {
    const T* const from = reinterpret_cast<const T*>(bytes.data());
    for (std::int64_t i = 0; i < count; ++i) crop.values.push_back(static_cast<double>(from[i]));
  });
  return crop;
}

/// Returns the part of a plane around an object.
Box3 box_around(const ScoredObject& object, const Extent3& image) {
  const auto part = [](std::int64_t low, std::int64_t high, std::int64_t size) {
    const std::int64_t margin = std::max(kLeastMargin, (high - low + 1) / 2);
    const std::int64_t first = std::max<std::int64_t>(0, low - margin);
    const std::int64_t last = std::min(size - 1, high + margin);
    const std::int64_t length = std::min(last - first + 1, kLargestSide);
    return std::pair{first + (last - first + 1 - length) / 2, length};
  };
  const auto [y, height] = part(object.low.y, object.high.y, image.y);
  const auto [x, width] = part(object.low.x, object.high.x, image.x);
  return {{(object.low.z + object.high.z) / 2, y, x}, {1, height, width}};
}

/// Returns the part of the image that shows a box of labels. A camera that bins has fewer pixels.
Box3 box_in_image(const Box3& labels, const Extent3& all_labels, const Extent3& image) {
  const std::int64_t bin = std::max<std::int64_t>(1, all_labels.y / image.y);
  const std::int64_t y = labels.origin.y / bin, x = labels.origin.x / bin;
  const auto end = [&](std::int64_t last, std::int64_t size) {
    return std::min(size, (last + bin - 1) / bin);
  };
  return {{labels.origin.z, y, x},
          {1, end(labels.origin.y + labels.size.y, image.y) - y,
           end(labels.origin.x + labels.size.x, image.x) - x}};
}

/// The values of a crop that are shown black and white.
std::pair<double, double> range_of(const Crop& light) {
  std::vector<double> sorted = light.values;
  std::sort(sorted.begin(), sorted.end());
  const auto at = [&](double share) {
    return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
  };
  return {at(0.01), at(0.998)};
}

/// Draws light in grey, and outlines of both labels over it.
simulator::Canvas drawn(const std::optional<Crop>& light, const Crop& truth, const Crop& result) {
  const std::int64_t enlarged =
      std::max<std::int64_t>(1, kPictureSide / std::max(truth.size.y, truth.size.x));
  const std::int64_t height = truth.size.y * enlarged, width = truth.size.x * enlarged;
  simulator::Canvas canvas{width, height, {0, 0, 0}};
  const auto [low, high] = light ? range_of(*light) : std::pair{0.0, 1.0};
  const auto is_outline = [&](const Crop& labels, std::int64_t row, std::int64_t column) {
    const double here = labels.at(row / enlarged, column / enlarged);
    return here != 0 &&
           (here != labels.at((row + 1) / enlarged, column / enlarged) ||
            here != labels.at(row / enlarged, (column + 1) / enlarged) ||
            (row > 0 && here != labels.at((row - 1) / enlarged, column / enlarged)) ||
            (column > 0 && here != labels.at(row / enlarged, (column - 1) / enlarged)));
  };
  for (std::int64_t row = 0; row < height; ++row)
    for (std::int64_t column = 0; column < width; ++column) {
      double grey = 0;
      if (light && high > low) {
        const double value =
            light->at(row * light->size.y / height, column * light->size.x / width);
        grey = std::clamp((value - low) / (high - low), 0.0, 1.0);
      }
      simulator::Colour colour{grey, grey, grey};
      if (is_outline(truth, row, column)) colour = kTruthColour;
      if (is_outline(result, row, column)) colour = kResultColour;
      canvas.set(column, row, colour);
    }
  return canvas;
}

std::string caption(const WorstObject& worst, const std::string& name, const Index3& at) {
  const ScoredObject& object = worst.object;
  const std::string place = fmt::format("{}frame {}, voxel {} (z, y, x)",
                                        name.empty() ? "" : name + ", ", object.frame, at);
  if (!worst.is_truth) return fmt::format("result {} is no true object; {}", object.id, place);
  const std::string light = object.snr ? fmt::format(", SNR {:.3g}", *object.snr) : "";
  if (!object.is_found()) return fmt::format("object {} was missed{}; {}", object.id, light, place);
  return fmt::format("object {} and result {}: IoU {:.2f}{}; {}", object.id, object.partner,
                     object.iou, light, place);
}

std::string picture_of(const WorstObject& worst, const LabelTask& task, const RunContext& context) {
  const std::int64_t frame = worst.object.frame - task.first_frame;
  const imageio::CountedImage truth = task.truth.open(frame, context);
  const imageio::CountedImage result = task.results.open(frame, context);
  const Box3 box = box_around(worst.object, truth.info.extent);
  std::optional<Crop> light;
  if (task.image) {
    const imageio::CountedImage image = task.image->open(frame, context);
    light = read_crop(*image.source, box_in_image(box, truth.info.extent, image.info.extent),
                      context.memory);
  }
  const simulator::Canvas canvas = drawn(light, read_crop(*truth.source, box, context.memory),
                                         read_crop(*result.source, box, context.memory));
  const Index3 centre{box.origin.z, (worst.object.low.y + worst.object.high.y) / 2,
                      (worst.object.low.x + worst.object.high.x) / 2};
  return simulator::picture(imageio::png_bytes(canvas.width(), canvas.height(), canvas.pixels()),
                            caption(worst, task.name, centre));
}

}  // namespace

std::vector<WorstObject> worst_objects(const LabelReport& report, std::size_t truths,
                                       std::size_t results) {
  std::vector<WorstObject> worst, extra;
  for (const ScoredObject& object : report.truth)
    if (!(object.iou >= 1)) worst.push_back({object, true});
  for (const ScoredObject& object : report.results)
    if (!object.is_found()) extra.push_back({object, false});
  const auto is_worse = [](const WorstObject& a, const WorstObject& b) {
    if (a.object.iou != b.object.iou) return a.object.iou < b.object.iou;
    return a.object.volume > b.object.volume;
  };
  std::stable_sort(worst.begin(), worst.end(), is_worse);
  std::stable_sort(extra.begin(), extra.end(), is_worse);
  worst.resize(std::min(worst.size(), truths));
  extra.resize(std::min(extra.size(), results));
  worst.insert(worst.end(), extra.begin(), extra.end());
  return worst;
}

std::string gallery(const std::vector<LabelTask>& tasks, const std::vector<WorstObject>& objects,
                    const RunContext& context) {
  if (objects.empty()) return "<p class='note'>All objects agree in every voxel.</p>";
  std::string html =
      "<p class='note'>Green: outlines of the truth. Magenta: outlines of the result, drawn over "
      "them. Each picture is the plane through the middle of its object.</p>"
      "<div style='display:grid;gap:1rem;grid-template-columns:repeat(auto-fill,minmax(14rem,1fr))'"
      ">";
  for (const WorstObject& worst : objects) {
    context.stop.check();
    html += picture_of(worst, tasks.at(worst.object.set), context);
  }
  return html + "</div>";
}

}  // namespace synthoscope::score
