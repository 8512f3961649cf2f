// SPDX-License-Identifier: MIT
// imageio/hdf5/attributes.hpp — attributes of an HDF5 array: axes, voxel size, provenance.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>
#include "imageio/hdf5/library.hpp"

namespace synthoscope::imageio {

// Names of attributes. Fiji's HDF5 plug-in knows the first; axes are in the order of storage.
inline constexpr const char* kElementSize = "element_size_um";  ///< z, y, x
inline constexpr const char* kAxes = "axes";                    ///< such as "zyx"
inline constexpr const char* kAxisTags = "axistags";            ///< JSON of vigra and ilastik
inline constexpr const char* kAxisLabels = "DIMENSION_LABELS";  ///< of HDF5's dimension scales
inline constexpr const char* kKernelCenter = "kernel_center";   ///< z, y, x
inline constexpr const char* kProvenance = "provenance";        ///< JSON
inline constexpr const char* kChannelName = "channel_name";
inline constexpr const char* kChannelColour = "channel_color";  ///< "00FF00"
inline constexpr const char* kEmission = "emission_nm";
inline constexpr const char* kExcitation = "excitation_nm";
inline constexpr const char* kVoxelSizes[] = {"z_um", "y_um", "x_um"};

// The caller of these functions holds the lock of the HDF5 library.

/// Returns the numbers of an attribute; none if it is absent, holds no numbers, or more than 16.
std::optional<std::vector<double>> read_numbers_attribute(const Hdf5Handle& data_set,
                                                          const char* name);

/// Returns the text of an attribute; none if it is absent, longer than `limit`, or not one text.
std::optional<std::string> read_text_attribute(const Hdf5Handle& data_set, const char* name,
                                               std::int64_t limit);

/// Returns the texts of an attribute; none if it is absent, or holds anything but up to 16 texts of
/// variable length.
std::optional<std::vector<std::string>> read_texts_attribute(const Hdf5Handle& data_set,
                                                             const char* name);

/// Write an attribute of `data_set`. Return false if the HDF5 library reports an error.
[[nodiscard]] bool write_numbers_attribute(const Hdf5Handle& data_set, const char* name,
                                           std::span<const double> values);
[[nodiscard]] bool write_numbers_attribute(const Hdf5Handle& data_set, const char* name,
                                           std::span<const std::int64_t> values);
[[nodiscard]] bool write_text_attribute(const Hdf5Handle& data_set, const char* name,
                                        const std::string& text);

}  // namespace synthoscope::imageio
