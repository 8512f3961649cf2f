// SPDX-License-Identifier: MIT
// imageio/hdf5/tables.hpp — tables of numbers in an HDF5 file: a group for each, an array a
// column.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace synthoscope::imageio {

/// One array with as many rows as its table, in order. A row is one value, or an array of shape
/// `row`.
struct Hdf5Column {
  std::string name;
  std::vector<std::int64_t> row;
  std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<std::uint64_t>> values;
};

/// A group such as "/nucleus", or "/nucleus/lobe" after the group that holds it.
struct Hdf5Table {
  std::string group;
  std::int64_t rows = 0;
  std::vector<Hdf5Column> columns;
};

/// Writes a file that appears under its name when it is whole, with an attribute `provenance` at
/// its root. Tables without rows are left out. Equal tables give equal bytes, in whatever order
/// they and their columns are: no times are stored.
/// @throws InvalidSpec  `path` exists and `overwrite` is not set.
/// @throws IoError      it cannot be written, or the disk is full.
void write_hdf5_tables(const std::filesystem::path& path, const std::vector<Hdf5Table>& tables,
                       const std::string& provenance, bool overwrite);

/// The tables of such a file, groups and columns by name. Whatever the file claims, no more memory
/// is taken than its size.
/// @param advice  what to do about one that is not: "give the world.h5 that synthoscope wrote".
/// @throws InvalidInput  it is no such file: says what is there. IoError
std::vector<Hdf5Table> read_hdf5_tables(const std::filesystem::path& path,
                                        const std::string& advice);

/// The provenance of such a file, or none. @throws InvalidInput, IoError
std::optional<std::string> read_hdf5_provenance(const std::filesystem::path& path);

/// Appends the rows of `more` to those of the same groups; groups that are new are added.
/// @throws InvalidInput  the columns of a group differ: names the group.
void append_rows(std::vector<Hdf5Table>& tables, std::vector<Hdf5Table> more);

}  // namespace synthoscope::imageio
