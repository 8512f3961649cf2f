// SPDX-License-Identifier: MIT
// jobs/convolve/stack.hpp — what a job reads: a file, or voxels that its caller has.
#pragma once
#include <filesystem>
#include <string>
#include "imageio/run/counted_image.hpp"
#include "imageio/run/run_files.hpp"

namespace synthoscope::jobs {

/// A file by its name, or voxels that the caller has.
struct Stack {
  std::filesystem::path file;
  Source* voxels = nullptr;  ///< null: `file` is read
  std::string name = {};     ///< of such voxels, for messages

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

/// A kernel, which is the only stack of its file. @throws as open_counted
imageio::CountedImage open_kernel(const std::filesystem::path& path,
                                  const imageio::InputLimits& limits, const RunContext& context);

/// The same, or the voxels that the caller has.
OpenedStack open_kernel(const Stack& stack, const imageio::InputLimits& limits,
                        const RunContext& context);

/// Adds the files of an open stack to the names of the run.
/// @throws InvalidSpec  the run makes one of them.
void join_files(imageio::RunFiles& files, const std::string& role, const Stack& given,
                const OpenedStack& stack);

}  // namespace synthoscope::jobs
