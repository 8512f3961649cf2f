// SPDX-License-Identifier: MIT
// studio/form/set_sweep.hpp — one key of [sweep] is changed in the text of a scene; comments, order
// and all other text stay.
#pragma once
#include <string>
#include <string_view>
#include "core/base/json_fwd.hpp"

namespace synthoscope::studio {

/// Returns the text of a scene in which a key of [sweep] has other values. A key that is not there
/// follows the last value of [sweep], which is added at the end if it is not there. null removes
/// the key and the rest of its line; a [sweep] that makes one set only is removed, too. The values
/// need not be right for the key: see check_json.
/// @param name   full name of a key, such as "optics.na" or "channel.gfp.optics.na"; or "repeats"
///               or "seed"
/// @param value  a list of values; or {"from", "to", "step"} or {"from", "to", "count"}; for
///               repeats a number, for seed "own" or "shared"; or null
/// @throws InvalidSpec  there is no such key, the text is not TOML, the value is something else, or
///                      [sweep] is written in a form in which the key cannot be changed alone.
std::string set_sweep(std::string_view toml, const std::string& name, const Json& value);

}  // namespace synthoscope::studio
