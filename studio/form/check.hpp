// SPDX-License-Identifier: MIT
// studio/form/check.hpp — whether the text of a scene is valid, and what the form shows of it.
#pragma once
#include <filesystem>
#include <string_view>
#include "core/base/json_fwd.hpp"

namespace synthoscope::studio {

/// Checks a scene as `synthoscope simulate FILE` does before it reads images: with [sweep], every
/// scene of it. A neuron's file is read. `file`, which need not exist, is where the text belongs:
/// messages name it, and file names in the scene are relative to its folder. Returns, for a valid
/// scene,
///
///     {"ok": true, "values": {"optics.na": 1.2, ...}, "given": ["optics.na", ...],
///      "used_tables": ["", "grid", ...], "channels": ["dapi", ...],
///      "in_channels": [{"values": {"optics.na": 1.2, ...}, "given": ["light.nuclei", ...]}, ...],
///      "sweep": {"keys": [{"key": "optics.na", "values": ["1", "1.2"]}], "repeats": 2,
///                "seed": "own", "sets": 4}, "grid": {"extent": [z, y, x], "voxel_um": [z, y, x]}}
///
/// where `values` has every key, as the scene gives it, and null if it is absent; `in_channels` has
/// the keys that may differ in channels, with the values of each channel and those that it gives;
/// `sweep` is null if the scene has none; tables are used if a key of them is given, also in a
/// channel, if the scene has such objects, or if every scene needs them. For others,
///
///     {"ok": false, "error": "read scene.toml, line 12: optics.na is 9; ...", "line": 12,
///      "fault": "optics.na is 9; ...", "keys": ["optics.na"]}
///
/// where `error` is the message of the command line, `line` its first line number or null, `fault`
/// the message without the file and that number, and `keys` the full names of keys that it names.
Json check_json(std::string_view toml, const std::filesystem::path& file);

}  // namespace synthoscope::studio
