// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <cmath>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "imageio/input/length_unit.hpp"
#include "imageio/input/parsing_memory.hpp"
#include "imageio/tiff/planes/flavours.hpp"

namespace synthoscope::imageio {
namespace {

/// One array: what its description says.
struct ShapedArray {
  std::vector<std::int64_t> shape;
  std::string axes;
  std::optional<double> spacing;
  std::string unit;
  std::string name;
};

/// Nothing where the text is no such description. What parsing takes is counted.
std::optional<ShapedArray> parse_shaped(std::string_view text, const InputLimits& limits,
                                        const TiffStacks& stacks) try {
  if (!is_shaped(text)) return std::nullopt;
  const auto room =
      reserve_for_parsing(limits, json_parsing_bytes(text), stacks.info.path, "description");
  const auto json = try_parse_json(text);
  if (!json || !json->is_object()) return std::nullopt;
  ShapedArray array;
  array.shape = whole_numbers_of(json->at("shape"));
  if (array.shape.size() < 2 || array.shape.size() > 32 ||
      std::ranges::any_of(array.shape, [](std::int64_t n) { return n < 1; }))
    return std::nullopt;
  const auto text_at = [&](const char* key) {
    const auto found = json->find(key);
    return found != json->end() && found->is_string() ? found->get<std::string>() : std::string{};
  };
  array.axes = text_at("axes");
  array.unit = text_at("unit");
  array.name = text_at("name");
  if (const auto spacing = json->find("spacing"); spacing != json->end() && spacing->is_number())
    array.spacing = spacing->get<double>();
  return array;
} catch (const Json::exception&) {
  return std::nullopt;
}

/// Takes the axes of a page off the end of the shape. Nothing where it does not end in them.
std::optional<AxesOfFile> axes_of_planes(const ShapedArray& array, const TiffFormat& format,
                                         const TiffStacks& stacks) {
  AxesOfFile planes{array.shape, array.axes, "its description"};
  if (!planes.letters.empty() && planes.letters.size() != planes.sizes.size())
    planes.letters.clear();
  const auto erase = [&](std::size_t at) {
    planes.sizes.erase(planes.sizes.begin() + static_cast<std::ptrdiff_t>(at));
    if (!planes.letters.empty()) planes.letters.erase(at, 1);
  };
  const bool has_samples = format.samples > 1 || planes.letters.ends_with('S');
  if (has_samples) {
    const std::size_t from_end = format.is_planar ? 3 : 1;
    if (planes.sizes.size() < from_end + (format.is_planar ? 0 : 2)) return std::nullopt;
    const std::size_t at = planes.sizes.size() - from_end;
    if (planes.sizes[at] != format.samples) return std::nullopt;
    erase(at);
  }
  const std::size_t count = planes.sizes.size();
  if (planes.sizes[count - 2] != format.height || planes.sizes[count - 1] != format.width)
    return std::nullopt;
  if (!planes.letters.empty() && !planes.letters.ends_with("YX"))
    refuse_stacks(stacks, fmt::format("its description names axes {}, and a page holds rows of y "
                                      "and x; write it again with axes that end in YX",
                                      array.axes));
  planes.sizes.resize(count - 2);
  if (!planes.letters.empty()) planes.letters.resize(count - 2);
  return planes;
}

std::optional<std::int64_t> product(const std::vector<std::int64_t>& sizes) {
  std::int64_t all = 1;
  for (const std::int64_t n : sizes)
    if (__builtin_mul_overflow(all, n, &all)) return std::nullopt;
  return all;
}

/// An array in the file, and the range of its pages among those of full size.
struct PlacedArray {
  ShapedArray array;
  AxesOfFile planes;
  std::size_t begin = 0, end = 0;
  std::int64_t count = 0;  ///< of planes; if there is one page, they follow it
};

/// The array that begins at page `begin`; nothing if its description does not fit the pages.
std::optional<PlacedArray> array_at(std::string_view text, std::size_t begin,
                                    const std::vector<std::int64_t>& pages,
                                    const InputLimits& limits, const TiffStacks& stacks) {
  auto array = parse_shaped(text, limits, stacks);
  if (!array) return std::nullopt;
  const TiffFormat& format = stacks.files[0]->index().format_of(pages[begin]);
  auto planes = axes_of_planes(*array, format, stacks);
  if (!planes) return std::nullopt;
  const auto count = product(planes->sizes);
  const std::size_t left = pages.size() - begin;
  const bool is_one_page = left == 1 && count && *count > 1;
  if (!count || (!is_one_page && *count > static_cast<std::int64_t>(left))) return std::nullopt;
  const std::size_t used = is_one_page ? 1 : static_cast<std::size_t>(*count);
  return PlacedArray{*std::move(array), *std::move(planes), begin, begin + used, *count};
}

std::string line_of(const PlacedArray& placed) {
  return fmt::format("{}{}{}", fmt::join(placed.array.shape, " x "),
                     placed.array.axes.empty() ? "" : ", axes " + placed.array.axes,
                     placed.array.name.empty() ? "" : ", " + placed.array.name);
}

/// All arrays of the file. Pages after the last one that has a description belong to none.
std::vector<PlacedArray> arrays_in(std::string_view text, const std::vector<std::int64_t>& pages,
                                   const InputLimits& limits, const TiffStacks& stacks) {
  std::vector<PlacedArray> all;
  auto first = array_at(text, 0, pages, limits, stacks);
  if (!first) return all;
  all.push_back(*std::move(first));
  // Each may be as long as the limit, and many may lie at one place of the file
  auto left = limits.description_bytes - static_cast<std::int64_t>(text.size());
  while (all.back().end < pages.size()) {
    const std::size_t begin = all.back().end;
    const std::string next = stacks.files[0]->index().description_of(pages[begin], limits);
    left -= static_cast<std::int64_t>(next.size());
    if (left < 0)
      refuse_stacks(stacks, fmt::format("its descriptions have more than {} bytes, the limit; "
                                        "raise it with --max-description if you trust the file",
                                        limits.description_bytes));
    auto placed = array_at(next, begin, pages, limits, stacks);
    if (!placed) break;
    all.push_back(*std::move(placed));
  }
  return all;
}

void set_shaped_voxel_size(const ShapedArray& array, TiffStacks& stacks) {
  const auto unit = micrometres_per(array.unit);
  const TiffIndex& index = stacks.files[0]->index();
  // The unit that tifffile writes if no resolution was given
  constexpr std::int64_t kNoUnit = 1;
  const bool is_unknown =
      index.resolution_unit == kNoUnit && index.x_resolution == 1.0 && index.y_resolution == 1.0;
  if (!is_unknown) set_resolution(unit, unit, stacks);
  if (unit && array.spacing && std::isfinite(*array.spacing) && *array.spacing > 0)
    stacks.info.z_um = *array.spacing * *unit;
}

}  // namespace

bool is_shaped(std::string_view text) {
  return text.starts_with('{') && text.find("\"shape\"") != std::string_view::npos;
}

std::optional<AxesOfFile> place_shaped_planes(std::string_view text,
                                              const std::vector<std::int64_t>& pages,
                                              const OpenOptions& options, TiffStacks& stacks) {
  const auto arrays = arrays_in(text, pages, options.limits, stacks);
  if (arrays.empty()) {
    stacks.info.notes.push_back(fmt::format(
        "its description of a shape does not fit its {} pages, which are read as one stack",
        pages.size()));
    return std::nullopt;
  }
  // Programs that write one plane at a time describe each plane as an array: they are one stack
  const bool are_planes =
      std::ranges::all_of(arrays, [](const PlacedArray& one) { return one.count == 1; });
  set_shaped_voxel_size(arrays.front().array, stacks);
  if (are_planes && arrays.size() > 1) return std::nullopt;
  if (arrays.size() > 1)
    for (const PlacedArray& one : arrays) stacks.info.images.push_back(line_of(one));
  choose_image(options.image, stacks.info);
  const PlacedArray& chosen = arrays[static_cast<std::size_t>(stacks.info.image)];
  if (chosen.end != pages.size() && arrays.size() == 1)
    stacks.info.notes.push_back(
        fmt::format("its description covers {} of its {} pages; the "
                    "others are left out",
                    chosen.end, pages.size()));
  const std::int64_t stride = chosen.end - chosen.begin == 1 && chosen.count > 1
                                  ? stride_of_one_page(stacks, pages[chosen.begin], chosen.count,
                                                       "its description", options.limits)
                                  : 0;
  for (std::int64_t i = 0; i < chosen.count; ++i)
    stacks.planes.push_back(
        {0, pages[chosen.begin + (stride > 0 ? 0 : static_cast<std::size_t>(i))], i * stride});
  stacks.info.format += ", tifffile's shape";
  return chosen.planes;
}

}  // namespace synthoscope::imageio
