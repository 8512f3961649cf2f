// SPDX-License-Identifier: MIT
// jobs/output/file_choice.hpp — how the files of a job are written.
#pragma once
#include <optional>
#include "imageio/create.hpp"
#include "imageio/open.hpp"

namespace synthoscope::jobs {

struct FileChoice {
  bool overwrite = false;
  imageio::TiffFlavor flavor = imageio::TiffFlavor::ome;
  imageio::FileFormat format = imageio::FileFormat::by_name;
  imageio::Compression compression = imageio::Compression::none;
  std::optional<Extent3> chunks;
  bool labels = false;  ///< voxels are numbers of objects

  void apply(imageio::ImageSpec& spec) const;
};

/// Returns the spec of a file of `type` and `extent` with the voxel size and metadata of `info`.
imageio::ImageSpec spec_like(const imageio::ImageInfo& info, const Extent3& extent, PixelType type,
                             const FileChoice& choice);

}  // namespace synthoscope::jobs
