// SPDX-License-Identifier: MIT
// studio/run/estimate.hpp — how much a run will write.
#pragma once
#include <filesystem>
#include <string_view>
#include "core/base/json_fwd.hpp"
#include "core/run/run_context.hpp"
#include "fftconv/executor.hpp"

namespace synthoscope::studio {

/// Returns, for the text of a scene,
///
///     {"frames": 1, "channels": 2, "sets": 4, "image": [z, y, x], "bytes": 1300000,
///      "free_bytes": 5000000000}
///
/// where sets is 1 without [sweep], and bytes are those of all stacks, uncompressed: a data set has
/// some tables more. Voxels are counted in every set, PSFs in the first alone. Takes as long as a
/// plan, and writes nothing.
/// @param file     where the text belongs: file names in it are relative to its folder
/// @param machine  that the blurs are planned for, from which the sizes of PSFs follow
/// @throws InvalidSpec, InvalidInput, IoError, PlanError  as simulate
Json estimate_json(std::string_view toml, const std::filesystem::path& file,
                   const fftconv::Machine& machine, const RunContext& context);

}  // namespace synthoscope::studio
