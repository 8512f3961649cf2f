// SPDX-License-Identifier: MIT
// imageio/input/parsing_memory.hpp — what texts and tables of a file take while they are parsed,
// counted before they are.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string_view>
#include "core/run/memory_budget.hpp"
#include "imageio/input/limits.hpp"

namespace synthoscope::imageio {

/// Most bytes that the tree of an XML text, and what is taken out of it, can have.
std::int64_t xml_parsing_bytes(std::string_view text);

/// Most bytes that the tree of a JSON text can have.
std::int64_t json_parsing_bytes(std::string_view text);

/// Counts `bytes` for as long as the reservation lives; nothing if `limits` names no memory, or if
/// they are at most 1 MiB.
/// @param what  "OME-XML"
/// @throws PlanError  there is no room: says how much there has to be.
Reservation reserve_for_parsing(const InputLimits& limits, std::int64_t bytes,
                                const std::filesystem::path& path, std::string_view what);

}  // namespace synthoscope::imageio
