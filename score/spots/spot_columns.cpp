// SPDX-License-Identifier: MIT
#include "score/spots/spot_columns.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <cctype>
#include "core/base/error.hpp"
#include "core/base/near_names.hpp"

namespace synthoscope::score {
namespace {

using Header = std::vector<std::string>;
using ColumnNumber = std::optional<std::size_t>;

constexpr std::array<const char*, 3> kAxisNames{"z", "y", "x"};

std::string lower_case(std::string_view text) {
  std::string lower{text};
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  });
  return lower;
}

ColumnNumber column_of(const Header& header, std::string_view name) {
  const auto at = std::find(header.begin(), header.end(), name);
  if (at == header.end()) return std::nullopt;
  return static_cast<std::size_t>(at - header.begin());
}

/// Returns the first of several names that the header has, in any case of its letters.
ColumnNumber column_like(const Header& header, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names)
    for (std::size_t i = 0; i < header.size(); ++i)
      if (lower_case(header[i]) == name) return i;
  return std::nullopt;
}

void find_common(const Header& header, SpotColumns& columns) {
  columns.id = column_like(header, {"id"});
  columns.frame = column_like(header, {"frame"});
  columns.radius = column_like(header, {"radius_um"});
  columns.photons = column_like(header, {"photons", "intensity [photon]"});
}

/// Returns the unit that ends a name: "y_um", "y (nm)", "centroid_x_px".
std::optional<SpotUnit> unit_in(const std::string& name) {
  const auto at = name.find_last_of("_ ([");
  return at == std::string::npos ? std::nullopt : unit_named(std::string_view{name}.substr(at));
}

/// Finds the column of one axis by the names that tables have for it.
ColumnNumber plain_axis(const Header& header, const std::string& axis) {
  for (std::size_t i = 0; i < header.size(); ++i) {
    const std::string name = lower_case(header[i]);
    if (name == axis) return i;
    if (name.size() > 1 && name.starts_with(axis) && name.find_first_of("_ ([") == 1 &&
        unit_in(name))
      return i;
  }
  return std::nullopt;
}

[[noreturn]] void refuse_header(const Header& header, const std::string& name) {
  throw InvalidInput(fmt::format(
      "read spots {}: its columns are {}, and none of them hold positions; name the columns, such "
      "as z=Z,y=Y,x=X, and their unit",
      name, fmt::join(header, ", ")));
}

std::size_t named_column(const Header& header, const std::string& wanted, const std::string& name) {
  if (const ColumnNumber at = column_of(header, wanted)) return *at;
  const auto near = near_names(wanted, header);
  throw InvalidSpec(fmt::format("read spots {}: it has no column {}; give {}", name, wanted,
                                fmt::join(near.empty() ? header : near, ", ")));
}

SpotColumns as_told(const Header& header, const std::string& name,
                    const SpotTableOptions& options) {
  SpotColumns columns;
  find_common(header, columns);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::string& wanted = options.zyx[axis];
    if (wanted.empty() && axis == 0) continue;
    if (wanted.empty())
      throw InvalidSpec(
          fmt::format("read spots {}: the column of {} is not named, but another one "
                      "is; name those of y and x, and of z if there is one",
                      name, kAxisNames[axis]));
    columns.zyx[axis] = named_column(header, wanted, name);
    columns.unit[axis] = unit_in(lower_case(wanted));
  }
  if (!options.frame.empty()) columns.frame = named_column(header, options.frame, name);
  if (!options.photons.empty()) columns.photons = named_column(header, options.photons, name);
  return columns;
}

SpotColumns trackmate_columns(const Header& header) {
  SpotColumns columns;
  columns.format = SpotFormat::trackmate;
  columns.zyx = {column_of(header, "POSITION_Z"), column_of(header, "POSITION_Y"),
                 column_of(header, "POSITION_X")};
  columns.id = column_of(header, "ID");
  columns.frame = column_of(header, "FRAME");
  return columns;
}

SpotColumns thunderstorm_columns(const Header& header) {
  SpotColumns columns;
  find_common(header, columns);
  columns.format = SpotFormat::thunderstorm;
  columns.zyx = {column_of(header, "z [nm]"), column_of(header, "y [nm]"),
                 column_of(header, "x [nm]")};
  columns.unit = {SpotUnit::nm, SpotUnit::nm, SpotUnit::nm};
  columns.first_frame = 1;
  return columns;
}

SpotColumns object_columns(const Header& header) {
  SpotColumns columns;
  find_common(header, columns);
  columns.format = SpotFormat::objects;
  columns.zyx = {column_of(header, "centroid_z_um"), column_of(header, "centroid_y_um"),
                 column_of(header, "centroid_x_um")};
  columns.unit = {SpotUnit::um, SpotUnit::um, SpotUnit::um};
  columns.kind = column_of(header, "class");
  columns.volume = column_of(header, "volume_um3");
  return columns;
}

/// Axes count from the slowest: the last two are y and x, the one before z, or the frame of planes.
SpotColumns napari_columns(const Header& header, const std::string& name, const SpotSpace& space) {
  std::vector<std::size_t> axes;
  while (const ColumnNumber next = column_of(header, fmt::format("axis-{}", axes.size())))
    axes.push_back(*next);
  const std::size_t count = axes.size();
  if (count < 2 || count > 4)
    throw InvalidInput(
        fmt::format("read spots {}: its points have {} axes; give points along y "
                    "and x, and if there are any along z and frames",
                    name, count));
  SpotColumns columns;
  columns.format = SpotFormat::napari;
  columns.id = column_of(header, "index");
  columns.zyx = {std::nullopt, axes[count - 2], axes[count - 1]};
  const bool is_of_planes = space.is_plane() && space.frames.count() > 1;
  if (count == 3) (is_of_planes ? columns.frame : columns.zyx[0]) = axes[0];
  if (count == 4) {
    columns.frame = axes[0];
    columns.zyx[0] = axes[1];
  }
  columns.unit = {SpotUnit::px, SpotUnit::px, SpotUnit::px};
  return columns;
}

SpotColumns plain_columns(const Header& header) {
  SpotColumns columns;
  find_common(header, columns);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    columns.zyx[axis] = plain_axis(header, kAxisNames[axis]);
    if (columns.zyx[axis]) columns.unit[axis] = unit_in(lower_case(header[*columns.zyx[axis]]));
  }
  return columns;
}

SpotOrigin usual_origin(SpotFormat format, std::optional<SpotUnit> unit) {
  return format == SpotFormat::trackmate || unit == SpotUnit::px ? SpotOrigin::middle
                                                                 : SpotOrigin::corner;
}

}  // namespace

std::optional<SpotUnit> unit_named(std::string_view text) {
  const auto first = text.find_first_not_of("_ ([");
  if (first == std::string_view::npos) return std::nullopt;
  const std::string unit = lower_case(text.substr(first, text.find_last_not_of(" )]") - first + 1));
  for (const char* const name : {"um", "µm", "μm", "micron", "microns", "micrometer"})
    if (unit == name) return SpotUnit::um;
  for (const char* const name : {"nm", "nanometer"})
    if (unit == name) return SpotUnit::nm;
  for (const char* const name : {"px", "pixel", "pixels"})
    if (unit == name) return SpotUnit::px;
  return std::nullopt;
}

SpotColumns columns_in(const std::vector<std::string>& header, const std::string& name,
                       const SpotSpace& space, const SpotTableOptions& options) {
  const auto has = [&](const char* column) { return column_of(header, column).has_value(); };
  SpotColumns columns = options.names_columns()                ? as_told(header, name, options)
                        : has("centroid_x_um") && has("class") ? object_columns(header)
                        : has("POSITION_X")                    ? trackmate_columns(header)
                        : has("x [nm]")                        ? thunderstorm_columns(header)
                        : has("axis-0")                        ? napari_columns(header, name, space)
                                                               : plain_columns(header);
  if (!columns.zyx[1] || !columns.zyx[2]) refuse_header(header, name);
  if (options.unit) columns.unit = {options.unit, options.unit, options.unit};
  for (std::size_t axis = 0; axis < 3; ++axis)
    columns.origin[axis] =
        options.origin.value_or(usual_origin(columns.format, columns.unit[axis]));
  return columns;
}

}  // namespace synthoscope::score
