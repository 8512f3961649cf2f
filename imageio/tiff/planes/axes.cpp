// SPDX-License-Identifier: MIT
#include "imageio/tiff/planes/axes.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/base/error.hpp"

namespace synthoscope::imageio {
namespace {

/// Axes of length 1 say nothing about the order of planes, and --axes needs no letters for them.
void drop_short_axes(AxesOfFile& planes) {
  for (std::size_t i = planes.sizes.size(); i-- > 0;)
    if (planes.sizes[i] == 1) {
      planes.sizes.erase(planes.sizes.begin() + static_cast<std::ptrdiff_t>(i));
      if (!planes.letters.empty()) planes.letters.erase(i, 1);
    }
}

/// The letters of --axes without S: the samples of a pixel lie within a page.
std::string without_samples(const std::string& given, std::int64_t samples) {
  std::string letters = given;
  if (samples > 1) std::erase_if(letters, [](char c) { return c == 'S' || c == 's'; });
  return letters;
}

/// The place of a plane among those that are stored.
class StoredOrder {
 public:
  explicit StoredOrder(const std::vector<std::int64_t>& sizes) : steps_(sizes.size(), 1) {
    for (std::size_t i = sizes.size(); i-- > 1;) steps_[i - 1] = steps_[i] * sizes[i];
  }
  [[nodiscard]] std::size_t at(const ArrayAxes& axes, std::int64_t t, std::int64_t c,
                               std::int64_t z) const {
    const auto along = [&](int axis) { return ArrayAxes::along(steps_, axis, 0); };
    return static_cast<std::size_t>(t * along(axes.t) + c * along(axes.c) + z * along(axes.z));
  }

 private:
  std::vector<std::int64_t> steps_;
};

}  // namespace

void sort_planes(AxesOfFile planes, const std::string& given, TiffStacks& stacks) {
  const StackPlane& first = stacks.planes[0];
  const TiffFormat& format = stacks.files[first.file]->index().format_of(first.page);
  drop_short_axes(planes);
  AxesOfFile all = planes;
  all.sizes.insert(all.sizes.end(), {format.height, format.width});
  if (!planes.letters.empty() || planes.sizes.empty()) all.letters += "YX";
  if (planes.sizes.empty()) all.named_by = "the one page";
  ImageInfo& info = stacks.info;
  const KnownAxes known = axes_of_array(info.path, all, without_samples(given, format.samples));
  if (!known.places.has_rows_last(all.sizes.size())) {
    const std::string found =
        fmt::format("open {}: its axes are {} as {}, and a page holds rows of y and x",
                    info.path.string(), print_axes(known.axes), known.source);
    if (!given.empty()) throw InvalidSpec(found + "; give --axes that end in YX");
    throw InvalidInput(found + "; write it again with y and x last");
  }

  const ArrayAxes& axes = known.places;
  info.frames = ArrayAxes::along(all.sizes, axes.t);
  stacks.page_channels = ArrayAxes::along(all.sizes, axes.c);
  info.extent.z = ArrayAxes::along(all.sizes, axes.z);
  const StoredOrder stored{planes.sizes};
  std::vector<StackPlane> sorted;
  sorted.reserve(stacks.planes.size());
  for (std::int64_t t = 0; t < info.frames; ++t)
    for (std::int64_t c = 0; c < stacks.page_channels; ++c)
      for (std::int64_t z = 0; z < info.extent.z; ++z)
        sorted.push_back(stacks.planes[stored.at(axes, t, c, z)]);
  stacks.planes = std::move(sorted);
  info.axes = known.axes;
  if (format.samples > 1) info.axes.push_back({'S', format.samples});
  info.axes_source = known.source;
  info.axes_assumed = known.is_assumed;
}

}  // namespace synthoscope::imageio
