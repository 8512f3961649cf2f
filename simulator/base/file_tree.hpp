// SPDX-License-Identifier: MIT
// simulator/base/file_tree.hpp — copies, links and moves files, and folders with all that they
// hold.
#pragma once
#include <filesystem>

namespace synthoscope::simulator {

// Missing parent folders of `to` are made. All @throws IoError

/// Copies to the disk: the copy outlives a power loss if its folders do.
void copy_to_disk(const std::filesystem::path& from, const std::filesystem::path& to);

/// Gives the same files a second name, or copies them if the file system has no hard links.
void link_or_copy(const std::filesystem::path& from, const std::filesystem::path& to);

/// Moves within one file system.
void move_to(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace synthoscope::simulator
