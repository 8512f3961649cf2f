// SPDX-License-Identifier: MIT
// jobs/output/keep_finished.hpp — failures after which finished work is kept.
#pragma once
#include <functional>
#include <string_view>

namespace synthoscope::jobs {

/// Runs `body`. If it fails, `keep` keeps what is finished and returns whether anything was kept.
/// If the failure is temporary (disk, memory, GPU or a stop), `how` is added to its message: "the
/// same command with --resume continues it". Nothing is kept after OutputLost, NameTaken and
/// InputChanged.
/// @throws what `body` throws
void keep_finished(const std::function<void()>& body, const std::function<bool()>& keep,
                   std::string_view how);

}  // namespace synthoscope::jobs
