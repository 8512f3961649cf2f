// SPDX-License-Identifier: MIT
// jobs/convolve/job_files.hpp — the files of a job: what it reads, and how its results are written.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include "core/base/json_fwd.hpp"
#include "imageio/create.hpp"
#include "imageio/open.hpp"
#include "imageio/run/counted_image.hpp"
#include "imageio/run/run_files.hpp"

namespace synthoscope::jobs {

/// A file by its name, or voxels that the caller has.
struct Stack {
  std::filesystem::path file;
  Source* voxels = nullptr;  ///< null: `file` is read
  std::string name = {};     ///< of such voxels, for messages
  /// Centre of such voxels, if they are a PSF that names it.
  std::optional<Index3> kernel_center = {};

  [[nodiscard]] bool is_file() const { return voxels == nullptr; }
};

/// A stack that is open.
struct OpenedStack {
  imageio::CountedImage file;  ///< for voxels of the caller, only the extent and the type
  Source* source = nullptr;
  std::string name;
};

/// Opens a stack, with what its reader holds counted.
/// @throws as open_counted
OpenedStack open_stack(const Stack& stack, const imageio::OpenOptions& options,
                       const RunContext& context);

/// Opens a kernel, which is the only stack of its file.
/// @param image  how the image is opened: its limits and digests hold for the kernel, too
/// @throws as open_counted
imageio::CountedImage open_kernel(const std::filesystem::path& path,
                                  const imageio::OpenOptions& image, const RunContext& context);

/// The same, or the voxels that the caller has.
OpenedStack open_kernel(const Stack& stack, const imageio::OpenOptions& image,
                        const RunContext& context);

/// Adds the files of an open stack to the names of the run.
/// @throws InvalidSpec  the run makes one of them.
void join_files(imageio::RunFiles& files, const std::string& role, const Stack& given,
                const OpenedStack& stack);

/// Returns what shows whether any file of an image was changed since, as a JSON object.
/// @param path  under which the image was opened
Json identity_of(const std::filesystem::path& path, const imageio::ImageInfo& image);

/// How the files of a job are written.
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
