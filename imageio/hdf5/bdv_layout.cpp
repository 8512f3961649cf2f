// SPDX-License-Identifier: MIT
#include "imageio/hdf5/bdv_layout.hpp"
#include <fmt/format.h>
#include <hdf5.h>
#include <array>
#include <charconv>
#include "imageio/hdf5/attributes.hpp"

namespace synthoscope::imageio {
namespace {

/// Removes `before` and the digits that follow it from the front of `text`.
std::optional<std::int64_t> take_number(std::string_view& text, std::string_view before) {
  if (!text.starts_with(before)) return std::nullopt;
  const char* begin = text.data() + before.size();
  std::int64_t number = 0;
  const auto [end, failure] = std::from_chars(begin, text.data() + text.size(), number);
  if (failure != std::errc{} || number < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

/// Whether there is something, and no link on the way, which could lead out of the file.
bool is_inside(const Hdf5Handle& file, const std::string& path) {
  const auto is_there = [&](const std::string& part) {
    H5L_info_t info;
    return H5Lexists(file.get(), part.c_str(), H5P_DEFAULT) > 0 &&
           H5Lget_info(file.get(), part.c_str(), &info, H5P_DEFAULT) >= 0 &&
           info.type == H5L_TYPE_HARD;
  };
  for (auto at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1))
    if (!is_there(path.substr(0, at))) return false;
  return is_there(path);
}

/// Nothing where it is missing or not of three axes.
std::optional<Extent3> extent_of(const Hdf5Handle& file, const std::string& cells) {
  if (!is_inside(file, cells)) return std::nullopt;
  const Hdf5Handle data_set{H5Dopen2(file.get(), cells.c_str(), H5P_DEFAULT), H5Dclose};
  const Hdf5Handle space{H5Dget_space(data_set.get()), H5Sclose};
  if (H5Sget_simple_extent_ndims(space.get()) != 3) return std::nullopt;
  std::array<hsize_t, 3> size{};
  H5Sget_simple_extent_dims(space.get(), size.data(), nullptr);
  const auto along = [&](std::size_t axis) { return static_cast<std::int64_t>(size[axis]); };
  return Extent3{along(0), along(1), along(2)};
}

}  // namespace

std::string bdv_cells(const BdvPlace& place) {
  return fmt::format("/t{:05}/s{:02}/{}/cells", place.timepoint, place.setup, place.level);
}

std::optional<BdvPlace> bdv_place(std::string_view data_set) {
  std::string_view rest = data_set;
  const auto timepoint = take_number(rest, "/t"), setup = take_number(rest, "/s"),
             level = take_number(rest, "/");
  if (!timepoint || !setup || !level || rest != "/cells") return std::nullopt;
  return BdvPlace{*timepoint, *setup, *level};
}

bool is_bdv_uint16(const Hdf5Handle& file, std::string_view data_set) {
  constexpr std::int64_t kLongestType = 16;
  const auto place = bdv_place(data_set);
  if (!place) return false;
  const std::string setup = fmt::format("/s{:02}", place->setup);
  if (!is_inside(file, setup + "/resolutions")) return false;
  const Hdf5Handle group{H5Gopen2(file.get(), setup.c_str(), H5P_DEFAULT), H5Gclose};
  return group &&
         read_text_attribute(group, "dataType", kLongestType).value_or("uint16") == "uint16";
}

std::vector<Extent3> bdv_levels(const Hdf5Handle& file, const BdvPlace& whole) {
  constexpr std::int64_t kMax = 32;  // halvings of any axis there is
  std::vector<Extent3> levels;
  for (BdvPlace place = whole; place.level < kMax; ++place.level)
    if (const auto extent = extent_of(file, bdv_cells(place)))
      levels.push_back(*extent);
    else
      break;
  return levels;
}

}  // namespace synthoscope::imageio
