// SPDX-License-Identifier: MIT
// studio/session/preview_event.hpp — what the page is told of a preview.
#pragma once
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>
#include "core/base/json_fwd.hpp"
#include "studio/preview/shown.hpp"

namespace synthoscope::studio {

/// Returns the stacks of an image that the page shows, by their names: "light", "photons", "image"
/// and "psf", which is the middle of the PSF.
std::vector<std::pair<std::string_view, SharedStack>> stacks_of(const ShownImage& image);

/// The number of the preview that first had a stack.
using FirstShown = std::map<const Stack*, std::int64_t>;

/// Returns it for all stacks of preview `id`.
/// @param before  of the last preview, whose stacks still exist
FirstShown first_shown_in(std::int64_t id, const Shown& shown, const FirstShown& before);

/// Returns the event "preview" that LivePreview describes.
Json event_of(std::int64_t id, const Shown& shown, const FirstShown& first);

}  // namespace synthoscope::studio
