// SPDX-License-Identifier: MIT
// imageio/tiff/planes/stacks.hpp — which plane of a TIFF file belongs to which channel, frame and
// z.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>
#include "imageio/image/stacks.hpp"
#include "imageio/tiff/page_reader.hpp"

namespace synthoscope::imageio {

/// A plane in one of the files of a set.
struct StackPlane {
  std::size_t file = 0;
  std::int64_t page = -1;  ///< -1: no file holds it
  std::int64_t skip_bytes = 0;
};

/// What a TIFF file, or a set of them, holds.
struct TiffStacks {
  ImageInfo info;
  std::vector<std::shared_ptr<TiffPageReader>> files;
  std::int64_t page_channels = 1;    ///< channels that have pages of their own
  std::vector<StackPlane> planes;    ///< (frame, page channel, z), z fastest
  bool as_stored = false;            ///< min-is-white pixels are not inverted
  bool is_signed_by_offset = false;  ///< the file's uint16 are the values + 32768

  /// One stack. A channel counts samples first: channel = page channel * samples + sample.
  /// @param most_bytes  for decoded strips and tiles that are kept, and again for decoding
  [[nodiscard]] std::unique_ptr<Source> source(std::int64_t channel, std::int64_t frame,
                                               std::int64_t most_bytes) const;

  /// Memory of such a source, without the caller's voxels.
  [[nodiscard]] std::int64_t buffer_bytes(std::int64_t channel, std::int64_t frame,
                                          std::int64_t most_bytes) const;

 private:
  [[nodiscard]] std::span<const StackPlane> stack(std::int64_t channel, std::int64_t frame) const;
};

/// Sets the voxel size in x and y from the first page's resolution. `x_unit_um` and `y_unit_um` are
/// the lengths that the description names, used where the resolution tags name none.
void set_resolution(std::optional<double> x_unit_um, std::optional<double> y_unit_um,
                    TiffStacks& stacks);

/// Bytes from one plane to the next where `planes` planes follow the only page of a file, as
/// `said_by` ("its ImageJ description") declares.
/// @throws InvalidInput  the page is compressed or tiled, the file is too short, or a limit is
///                       passed.
std::int64_t stride_of_one_page(const TiffStacks& stacks, std::int64_t page, std::int64_t planes,
                                const char* said_by, const InputLimits& limits);

/// @throws InvalidInput  always: "open FILE: " and what was found, with advice.
[[noreturn]] void refuse_stacks(const TiffStacks& stacks, const std::string& found_and_advice);

/// Reads directories and descriptions, no pixels.
/// @throws IoError, InvalidInput, InvalidSpec
ImageStacks read_tiff(ImageInput input, const OpenOptions& options);

}  // namespace synthoscope::imageio
