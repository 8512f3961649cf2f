// SPDX-License-Identifier: MIT
// tests/fuzz/read_image.hpp — reads an image as commands do: what it is, then boxes of its stacks.
#pragma once
#include <filesystem>

namespace synthoscope::fuzz {

/// Reads what the file says of itself, then corners and, where it is small, all of its first and
/// its last stack. Ends the program where a voxel was left out or has two values.
/// @throws Error
void read_image(const std::filesystem::path& path);

}  // namespace synthoscope::fuzz
