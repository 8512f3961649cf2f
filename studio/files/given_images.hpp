// SPDX-License-Identifier: MIT
// studio/files/given_images.hpp — image files that the user gives the page: what they hold, and the
// part of a stack that is shown.
#pragma once
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include "core/base/json_fwd.hpp"
#include "core/run/memory_budget.hpp"
#include "core/volume/box.hpp"
#include "imageio/image/stacks.hpp"
#include "studio/preview/shown.hpp"
#include "studio/server/unnamed_file.hpp"

namespace synthoscope::studio {

/// The bytes of the part of a stack that is shown, at most.
inline constexpr std::int64_t kMostShownBytes = std::int64_t{128} << 20;
/// Its pixels along y and along x, at most.
inline constexpr std::int64_t kMostShownPixels = 1024;

/// Returns the middle of a stack that the two limits allow.
Box3 shown_part(const Extent3& extent, PixelType type);

struct GivenImage {
  std::int64_t id;
  std::string name;                           ///< of the file
  std::shared_ptr<const UnnamedFile> upload;  ///< null: a file of the folder
  imageio::ImageStacks stacks;
};

/// Returns what the page shows of an image:
///
///     {"id": 3, "name": "beads.tif", "is_upload": true, "format": "TIFF", "axes": "Z=5, ...",
///      "letters": "ZYX", "axes_assumed": false,
///      "type": "uint16", "extent": [z, y, x], "channels": 1, "frames": 1,
///      "channel_names": [...], "voxel_um": [z, y, x], "notes": [...], "likely": "psf",
///      "shown": {"origin": [z, y, x], "extent": [z, y, x]}}
///
/// where a voxel size that the file does not know is null, `likely` is "image" or "psf", and axes
/// are assumed if z is one without a name, which may be time.
Json json_of(const GivenImage& image);

/// Returns the part of a stack that is shown.
/// @throws InvalidSpec  there is no such channel or frame.
/// @throws PlanError    the memory budget is too small.  @throws as open_image
SharedStack shown_stack(const GivenImage& image, std::int64_t channel, std::int64_t frame,
                        MemoryBudget& memory);

/// Keeps the images that were opened last, so that their other channels and frames can be shown.
/// Thread-safe.
class GivenImages {
 public:
  /// @param folder  whose files can be opened by their names
  /// @param memory  outlives this; counts what files make their readers hold
  GivenImages(std::filesystem::path folder, MemoryBudget& memory);

  /// Opens a file that was received. Messages call it `name`.
  /// @throws InvalidInput  it is no image, or damaged.  @throws as open_stacks
  std::shared_ptr<const GivenImage> take(const std::string& name,
                                         std::shared_ptr<const UnnamedFile> file);

  /// Opens a file of the folder. An array of an HDF5 file is named as "stack.h5:/array".
  /// @throws InvalidSpec  `name` is no plain name.  @throws as open_stacks
  std::shared_ptr<const GivenImage> open(const std::string& name);

  /// Opens a kept image again, with these letters for its axes, such as "TYX".
  /// @throws RequestFailure  as `image`
  /// @throws InvalidSpec  the axes do not fit the image.
  std::shared_ptr<const GivenImage> with_axes(std::int64_t id, const std::string& axes);

  /// @throws RequestFailure  404: there is no such image, or newer ones have replaced it.
  [[nodiscard]] std::shared_ptr<const GivenImage> image(std::int64_t id) const;

 private:
  static constexpr std::size_t kMostKept = 3;

  std::shared_ptr<const GivenImage> keep(const std::string& name,
                                         std::shared_ptr<const UnnamedFile> file,
                                         const std::filesystem::path& path,
                                         const std::string& axes = {});

  const std::filesystem::path folder_;
  MemoryBudget& memory_;
  mutable std::mutex mutex_;
  std::int64_t last_id_ = 0;
  std::deque<std::shared_ptr<const GivenImage>> kept_;
};

}  // namespace synthoscope::studio
