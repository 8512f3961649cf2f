// SPDX-License-Identifier: MIT
// imageio/image/choice.hpp — which image of a file that holds several.
#pragma once
#include <cstdint>
#include <optional>
#include "imageio/image/info.hpp"

namespace synthoscope::imageio {

/// Sets `info.image` to `choice`. Without a choice it is the first image, and a note says that
/// there are others.
/// `info.images` is empty if the file holds one image.
/// @throws InvalidSpec  there is no such image.
void choose_image(std::optional<std::int64_t> choice, ImageInfo& info);

}  // namespace synthoscope::imageio
