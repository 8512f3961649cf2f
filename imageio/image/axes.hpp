// SPDX-License-Identifier: MIT
// imageio/image/axes.hpp — finds the axes of space, channels and time of an array.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "core/volume/extent.hpp"

namespace synthoscope::imageio {

/// Places among the axes of an array; -1 where there is none.
struct ArrayAxes {
  int t = -1, c = -1, z = -1, y = -1, x = -1;

  /// What `sizes`, one for each axis of the array, says along `axis`; `missing` where there is
  /// none.
  static std::int64_t along(const std::vector<std::int64_t>& sizes, int axis,
                            std::int64_t missing = 1) {
    return axis < 0 ? missing : sizes[static_cast<std::size_t>(axis)];
  }
  [[nodiscard]] Extent3 space(const std::vector<std::int64_t>& sizes) const {
    return {along(sizes, z), along(sizes, y), along(sizes, x)};
  }
  /// True if rows along x are contiguous and follow each other along y.
  [[nodiscard]] bool has_rows_last(std::size_t axes) const {
    return x == static_cast<int>(axes) - 1 && y == x - 1;
  }
};

/// One axis in the order of storage. `letter` is T, C, Z, Y, X, S (samples of a pixel), or any
/// other letter for an axis of length 1 that nothing is read along.
struct NamedAxis {
  char letter = 'Z';
  std::int64_t size = 1;
};

/// An array as its file describes it. `letters` has one letter for each axis, in either case; I, Q
/// and ? are axes without a name, and an empty text names none.
struct AxesOfFile {
  std::vector<std::int64_t> sizes;
  std::string letters;
  std::string named_by;  ///< "its description"
};

/// What the axes of an array were taken for.
struct KnownAxes {
  ArrayAxes places;
  std::vector<NamedAxis> axes;  ///< all, in the order of storage
  std::string source;           ///< "named by its description"
  bool is_assumed = false;      ///< z is an axis without a name
};

/// Uses `given` (the option --axes) if it is not empty, otherwise what the file says. The last two
/// unnamed axes are y and x, and one more that is longer than 1 is z.
/// @throws InvalidSpec   `given` does not fit the array.
/// @throws InvalidInput  the file names axes that cannot be read, or leaves more than three
/// unnamed.
KnownAxes axes_of_array(const std::filesystem::path& file, const AxesOfFile& array,
                        std::string_view given);

/// The letter of an axis called `name`: "z", "time", "channel"; '?' for an empty name, and '#' for
/// one that means none of T, C, Z, Y and X.
char axis_letter(std::string_view name);

/// "C=2, Z=5, Y=64, X=64".
std::string print_axes(const std::vector<NamedAxis>& axes);

}  // namespace synthoscope::imageio
