// SPDX-License-Identifier: MIT
#include "imageio/hdf5_tables.hpp"
#include <hdf5.h>
#include <cerrno>
#include <utility>
#include "core/assert.hpp"
#include "imageio/hdf5_attributes.hpp"
#include "imageio/hdf5_making.hpp"

namespace synthoscope::imageio {
namespace {

std::int64_t bytes_of(const std::vector<Hdf5Table>& tables, const std::string& provenance) {
  constexpr std::int64_t kBesideValues = 4096;  // more than a column, a group or the file takes
  std::int64_t bytes = kBesideValues + static_cast<std::int64_t>(provenance.size());
  for (const auto& table : tables) {
    bytes += kBesideValues;
    for (const auto& column : table.columns)
      bytes += kBesideValues +
               std::visit(
                   [](const auto& values) { return static_cast<std::int64_t>(values.size() * 8); },
                   column.values);
  }
  return bytes;
}

/// In the file, and in memory.
std::pair<hid_t, hid_t> types_of(const Hdf5Column& column) {
  const std::pair<hid_t, hid_t> kTypes[] = {{H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE},
                                            {H5T_STD_I64LE, H5T_NATIVE_INT64},
                                            {H5T_STD_U64LE, H5T_NATIVE_UINT64}};
  return kTypes[column.values.index()];
}

void write_column(const Hdf5Making& file, const Hdf5Handle& group, std::int64_t rows,
                  const Hdf5Column& column) {
  std::vector<hsize_t> shape{static_cast<hsize_t>(rows)};
  for (const std::int64_t size : column.row) shape.push_back(static_cast<hsize_t>(size));
  const Hdf5Handle space{H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
                         H5Sclose};
  const Hdf5Handle creation{H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
  H5Pset_obj_track_times(creation.get(), false);
  H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER);
  const auto [stored, held] = types_of(column);
  Hdf5Handle data_set{H5Dcreate2(group.get(), column.name.c_str(), stored, space.get(), H5P_DEFAULT,
                                 creation.get(), H5P_DEFAULT),
                      H5Dclose};
  file.check(static_cast<bool>(data_set), "make a column");
  std::visit(
      [&](const auto& values) {
        SYNTHOSCOPE_ASSERT(static_cast<hssize_t>(values.size()), ==,
                           H5Sget_simple_extent_npoints(space.get()));
        errno = 0;
        file.check(
            H5Dwrite(data_set.get(), held, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0,
            "write a column");
      },
      column.values);
  file.check(data_set.close(), "close a column");
}

void write_table(const Hdf5Making& file, const Hdf5Table& table) {
  if (table.rows == 0) return;
  const Hdf5Handle group = file.make_group(table.group);
  for (const auto& column : table.columns) write_column(file, group, table.rows, column);
}

void write_provenance(const Hdf5Making& file, const std::string& text) {
  const Hdf5Handle root{H5Gopen2(file.get(), "/", H5P_DEFAULT), H5Gclose};
  file.check(root && write_text(root, kProvenance, text), "write the attributes");
}

}  // namespace

void write_hdf5_tables(const std::filesystem::path& path, const std::vector<Hdf5Table>& tables,
                       const std::string& provenance, bool overwrite) {
  PartialFile file{path, overwrite};
  {
    const Hdf5Lock lock;
    file.allocate(bytes_of(tables, provenance));  // a full disk is met here, not inside the library
    Hdf5Making making{file};
    write_provenance(making, provenance);
    for (const auto& table : tables) write_table(making, table);
    making.finish();
  }
  file.commit();
}

}  // namespace synthoscope::imageio
