// SPDX-License-Identifier: MIT
// imageio/hdf5/find.hpp — opens an HDF5 file and finds the array that is the image.
#pragma once
#include <string>
#include <vector>
#include "imageio/hdf5/library.hpp"
#include "imageio/image/name.hpp"
#include "imageio/input/file.hpp"
#include "imageio/input/limits.hpp"

namespace synthoscope::imageio {

/// Returns true if the file begins with HDF5's signature, at byte 0 or after a user block.
/// @source  HDF5 File Format Specification 3.0, II.A.
bool is_hdf5(const InputFile& file);

/// Opens a file for reading.
/// @throws InvalidInput  the library cannot make sense of it. @throws IoError  it is being written.
Hdf5Handle open_hdf5(const std::filesystem::path& file);

struct Hdf5Found {
  Hdf5Handle data_set;
  std::string name;  ///< "/group/image"
};

/// Returns the array that `name` names. Without a name it is the only numeric array of three
/// or more axes, or else the only one of two. External links are not followed.
/// @throws InvalidSpec   there is no such array, or a name is needed; lists the arrays.
/// @throws InvalidInput  the file holds no image, a link leads out of the file, or a limit is
///                       passed.
Hdf5Found find_data_set(const Hdf5Handle& file, const ImageName& name, const InputLimits& limits);

/// Names of all arrays of `file`, which is HDF5. @throws IoError, InvalidInput
std::vector<std::string> data_sets_of(const std::filesystem::path& file);

/// @throws InvalidInput  "open FILE: FOUND; ADVICE".
[[noreturn]] void refuse_hdf5(const std::filesystem::path& file, const std::string& found,
                              const std::string& advice);

/// The library gave up. @throws InvalidInput
[[noreturn]] void refuse_broken_hdf5(const std::filesystem::path& file, const std::string& attempt,
                                     const std::string& complaint = hdf5_complaint());

}  // namespace synthoscope::imageio
