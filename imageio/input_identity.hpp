// SPDX-License-Identifier: MIT
// imageio/input_identity.hpp — whether an input is still the file that it was.
#pragma once
#include <filesystem>
#include <string>

namespace synthoscope::imageio {

/// Size, time of the last change and XXH64 of a sample of at most 1 MiB, as a JSON object. The
/// sample is the whole of a small file, and blocks spread evenly over a large one. Of a folder the
/// sample is the names, sizes and times of all files in it.
/// @throws IoError
std::string identity_of_input(const std::filesystem::path& path);

}  // namespace synthoscope::imageio
