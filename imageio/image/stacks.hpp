// SPDX-License-Identifier: MIT
// imageio/image/stacks.hpp — what the reader of every format is given, and what it returns.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include "imageio/image/info.hpp"
#include "imageio/image/name.hpp"
#include "imageio/input/file.hpp"

namespace synthoscope::imageio {

/// The input of a reader. The file is open already, so that recognition and reading see the same
/// bytes.
struct ImageInput {
  ImageName name;
  std::optional<InputFile> file;  ///< none: `name.file` is a folder
};

/// What an image holds, and how one of its stacks is opened.
struct ImageStacks {
  ImageInfo info;
  /// Opens the stack of a channel and a frame that `info` counts. @throws as open_image
  std::function<OpenImage(std::int64_t channel, std::int64_t frame)> open;
};

}  // namespace synthoscope::imageio
