// SPDX-License-Identifier: MIT
// studio/files/given_images.hpp — image files that the user gives the page: what they hold, and the
// part of a stack that is shown.
#pragma once
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>
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

/// What the user chooses of a file.
struct Reading {
  std::string axes = {};                   ///< letters such as "TYX"; empty: as the file says
  std::optional<std::int64_t> image = {};  ///< from 0, of several; absent: the first
};

struct GivenFile {
  std::string name;
  std::filesystem::path path;
  std::shared_ptr<const UnnamedFile> upload;  ///< null: a file of the folder
};

struct GivenImage {
  std::int64_t id;
  GivenFile file;
  std::vector<std::string> images;  ///< of a file with several: what each is
  std::int64_t image;               ///< number of the one that is opened
  imageio::ImageStacks stacks;
};

/// Returns what the page shows of an image:
///
///     {"id": 3, "name": "beads.tif", "is_upload": true, "format": "TIFF", "axes": "Z=5, ...",
///      "letters": "ZYX", "axes_assumed": false,
///      "type": "uint16", "extent": [z, y, x], "channels": 1, "frames": 1,
///      "images": [...], "image": 0, "channel_names": [...], "voxel_um": [z, y, x], "notes": [...],
///      "likely": "psf", "shown": {"origin": [z, y, x], "extent": [z, y, x]}}
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

  /// Opens the file of a kept image again.
  /// @throws RequestFailure  as `image`
  /// @throws InvalidSpec  the axes do not fit, or there is no such image in the file.
  std::shared_ptr<const GivenImage> open_again(std::int64_t id, const Reading& reading);

  /// @throws RequestFailure  404: there is no such image, or newer ones have replaced it.
  [[nodiscard]] std::shared_ptr<const GivenImage> image(std::int64_t id) const;

 private:
  static constexpr std::size_t kMostKept = 3;

  std::shared_ptr<const GivenImage> keep(const GivenFile& file, const Reading& reading);

  const std::filesystem::path folder_;
  MemoryBudget& memory_;
  mutable std::mutex mutex_;
  std::int64_t last_id_ = 0;
  std::deque<std::shared_ptr<const GivenImage>> kept_;
};

}  // namespace synthoscope::studio
