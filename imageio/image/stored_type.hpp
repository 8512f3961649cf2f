// SPDX-License-Identifier: MIT
// imageio/image/stored_type.hpp — number types of files that are no voxel types (float16, 64-bit
// integers, packed bits), and their conversion.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include "core/volume/pixel_type.hpp"

namespace synthoscope::imageio {

/// The type of the numbers in a file. Booleans of a byte are `voxels` of uint8.
enum class StoredType {
  voxels,   ///< as the voxel type that is read
  float16,  ///< IEEE 754 half precision, read as float32: exact
  int64,    ///< read as int32
  uint64,   ///< read as uint32
  bits      ///< unsigned integers of 1 to 31 bits, packed; read as the narrowest unsigned type
};

/// Returns the bytes of a stored number whose type is not `bits`.
std::int64_t size_of_stored(StoredType stored, PixelType type);

/// Converts numbers in the host's byte order, one after the other. Not for `bits`.
/// @throws InvalidInput  a 64-bit integer does not fit: "read FILE: it holds the value ...".
void convert_stored(StoredType stored, PixelType type, const std::byte* numbers, std::int64_t count,
                    std::byte* voxels, const std::string& file);

/// Unpacks numbers that are packed from the highest bit of the first byte on.
/// @param first   number of bits before the first number
/// @param stride  bits from one number to the next
/// @param type    uint8, uint16 or uint32
void unpack_bits(const std::byte* bytes, std::int64_t first, std::int64_t stride, std::int64_t bits,
                 std::int64_t count, PixelType type, std::byte* voxels);

/// Reverses the order of bits in each byte.
void reverse_bits(std::byte* bytes, std::int64_t count);

/// Returns the value of an IEEE 754 half.
float float_of_half(std::uint16_t half);

}  // namespace synthoscope::imageio
