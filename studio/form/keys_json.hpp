// SPDX-License-Identifier: MIT
// studio/form/keys_json.hpp — the keys of scenes for the form of the page.
#pragma once
#include "core/base/json_fwd.hpp"

namespace synthoscope::studio {

/// Returns every key of scenes, table by table in the order of the reference:
///
///     [{"table": "optics", "keys": [{"name": "na", "full": "optics.na", "kind": "number",
///       "unit": "", "low": 0.01, "high": 4.0, "low_open": false, "high_open": false,
///       "choices": [], "default": 1.4, "optional": false, "absent": "", "help": "...",
///       "stage": "optics", "in_channels": true}, ...]}, ...]
///
/// Kinds are number, integer, switch, choice, file, terms, text_or_number, list_of_numbers and
/// list_of_integers. Ends of ranges are null where there is none. `default` is that of a scene
/// without keys, null if the key is absent there; `absent` says what holds then.
/// `stage` is the first stage that the key changes, of kStageNames; where illumination.snr chooses
/// the dose, keys of background and camera change the dose as well. `in_channels` says whether a
/// channel may have another value.
Json keys_json();

}  // namespace synthoscope::studio
