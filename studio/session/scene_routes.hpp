// SPDX-License-Identifier: MIT
// studio/session/scene_routes.hpp — what the page asks about scenes: keys, checks, edits, previews.
#pragma once
#include <filesystem>
#include <memory>
#include "studio/server/router.hpp"
#include "studio/session/live_preview.hpp"

namespace synthoscope::studio {

/// Adds
///
///     GET  /api/keys                     keys_json
///     POST /api/check {toml}             check_json
///     POST /api/set {toml, key, value, channel}  the same for the text that set_key returns, and
///                                        "toml"; channel is a place from 0, or null; a key that
///                                        begins with "sweep." is one of set_sweep
///     POST /api/channels/add {toml}      the same for add_channel
///     POST /api/channels/remove {toml, channel}  the same for remove_channel
///     POST /api/preview {toml, region, frame}  {"id": 7}: see LivePreview
///     GET  /api/preview/ID/NAME/NUMBER   voxels of a stack, little endian, z, y, x
///     POST /api/copy {toml, name, output?, format?, truth_layout?, seed}
///                                        {"command", "python"}: the same data set elsewhere; seed
///                                        is the one that a preview drew, or null
///
/// @param folder   that file names in scenes are relative to
/// @param preview  outlives the router
void add_scene_routes(Router& router, const std::filesystem::path& folder, LivePreview& preview);

}  // namespace synthoscope::studio
