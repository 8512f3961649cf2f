// SPDX-License-Identifier: MIT
// imageio/hdf5/records.hpp — arrays of records in an HDF5 file: each element has several numbers
// with names, as tables of h5py, PyTables and Picasso have.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace synthoscope::imageio {

/// Names and length of an array of records. Fields that are no single numbers are left out.
struct Hdf5Records {
  std::string array;  ///< "/locs"
  std::int64_t rows = 0;
  std::vector<std::string> fields;  ///< in the order of the file
};

/// Returns whether the file is HDF5. @throws IoError
bool is_hdf5_file(const std::filesystem::path& path);

/// Describes an array of records.
/// @param advice  what to do about another file: "give the HDF5 file that Picasso wrote"
/// @throws InvalidInput  there is no such array, or it has no records or several axes. IoError
Hdf5Records describe_records(const std::filesystem::path& path, const std::string& array,
                             const std::string& advice);

/// Reads some fields of all records, some rows at a time. Integers beyond 2^53 are rounded.
/// @param fields  of `records`
/// @param visit   gets the number of the first row, and the values, row after row
/// @throws InvalidInput  the file cannot be read. IoError, and what `visit` throws
void read_records(const std::filesystem::path& path, const Hdf5Records& records,
                  const std::vector<std::string>& fields,
                  const std::function<void(std::int64_t, const std::vector<double>&)>& visit);

}  // namespace synthoscope::imageio
