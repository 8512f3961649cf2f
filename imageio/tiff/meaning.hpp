// SPDX-License-Identifier: MIT
// imageio/tiff/meaning.hpp — the tags of a TIFF page that say what its numbers mean: which are
// refused, and which are ignored and named.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>
#include "imageio/tiff/index.hpp"
#include "imageio/tiff/tags.hpp"

namespace synthoscope::imageio {

/// Refuses a page whose numbers are to be taken through a table or a predictor that is not applied
/// here. `format` is complete but for `ignored`. @throws InvalidInput
void check_meaning(TiffTags& tags, const TiffRawDirectory& directory, const TiffFormat& format,
                   const std::filesystem::path& path);

/// The tags that the page has and whose effect is left out: for TiffFormat::ignored.
std::uint32_t ignored_tags(TiffTags& tags, const TiffRawDirectory& directory,
                           const TiffFormat& format);

/// One note for each of them.
std::vector<std::string> notes_of_ignored(std::uint32_t ignored);

}  // namespace synthoscope::imageio
