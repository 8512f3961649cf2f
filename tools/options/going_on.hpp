// SPDX-License-Identifier: MIT
// tools/options/going_on.hpp — failures after which finished work is kept.
#pragma once
#include <functional>
#include <string_view>

namespace synthoscope::tools {

/// Runs `body`. If it fails, `leave` keeps what is finished and returns whether anything was kept.
/// If the failure is temporary (disk, memory, GPU or a stop), `how` is added to its message: "the
/// same command with --resume continues it". Nothing is kept after OutputLost, NameTaken and
/// InputChanged.
/// @throws what `body` throws
void keep_where_it_fails(const std::function<void()>& body, const std::function<bool()>& leave,
                         std::string_view how);

}  // namespace synthoscope::tools
