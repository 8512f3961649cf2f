// SPDX-License-Identifier: MIT
// simulator/file_tree.hpp — files, and folders with all that lies in them, take other places.
#pragma once
#include <filesystem>

namespace synthoscope::simulator {

// The folders that `to` lies in are made where they are missing. All @throws IoError

/// What is copied outlives a power loss when its folders do.
void copy_to_disk(const std::filesystem::path& from, const std::filesystem::path& to);

/// The same files under two names, or copies where the file system knows one name alone.
void link_or_copy(const std::filesystem::path& from, const std::filesystem::path& to);

/// On one file system.
void move_to(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace synthoscope::simulator
