// SPDX-License-Identifier: MIT
// studio/session/scene_routes.hpp — what the page asks about scenes: keys, checks, edits, previews.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include "studio/server/router.hpp"
#include "studio/session/live_preview.hpp"

namespace synthoscope::studio {

/// Adds
///
///     GET  /api/keys                     keys_json
///     POST /api/check {toml}             check_json
///     POST /api/set {toml, key, value, channel}  the same for the text that set_key returns, and
///                                        "toml"; channel is a place from 0, or null
///     POST /api/channels/add {toml}      the same for add_channel
///     POST /api/channels/remove {toml, channel}  the same for remove_channel
///     POST /api/preview {toml, region, frame}  {"id": 7}: see LivePreview
///     GET  /api/preview/ID/NAME/NUMBER   voxels of a stack, little endian, z, y, x
///     POST /api/copy {toml, name, seed}  {"command", "python"}: the same data set elsewhere; seed
///                                        is the one that a preview drew, or null
///
/// @param folder   that file names in scenes are relative to
/// @param preview  outlives the router
void add_scene_routes(Router& router, const std::filesystem::path& folder, LivePreview& preview);

/// Returns check_json of a scene that was changed, and its text as "toml".
Response checked_scene(const std::string& toml, const std::filesystem::path& folder);

/// Returns the number that a text is; -1 if it is none.
std::int64_t number_in(const std::string& text);

/// Returns the stack of a preview that the parts ID, NAME and NUMBER of a path name.
/// @throws RequestFailure  404: there is none, or a newer preview has replaced it.
PublishedStack stack_of(const Request& request, const LivePreview& preview);

/// Returns the voxels of a stack.
Response response_of(const Stack& stack);

}  // namespace synthoscope::studio
