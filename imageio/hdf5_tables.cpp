// SPDX-License-Identifier: MIT
#include "imageio/hdf5_tables.hpp"
#include <fmt/format.h>
#include <hdf5.h>
#include <cerrno>
#include <utility>
#include "core/assert.hpp"
#include "core/error.hpp"
#include "imageio/hdf5_attributes.hpp"
#include "imageio/hdf5_library.hpp"
#include "imageio/partial_file.hpp"

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

/// One file that is being made by the library. Under its lock.
class Making {
 public:
  explicit Making(PartialFile& file) : partial_{file} {
    const Hdf5Handle access{H5Pcreate(H5P_FILE_ACCESS), H5Pclose};
    const Hdf5Handle creation{H5Pcreate(H5P_FILE_CREATE), H5Pclose};
    H5Pset_file_locking(access.get(), false, true);  // the partial file is locked by us
    H5Pset_obj_track_times(creation.get(), false);
    errno = 0;
    file_ = {H5Fcreate(partial_path(partial_.path()).c_str(), H5F_ACC_TRUNC, creation.get(),
                       access.get()),
             H5Fclose};
    check(static_cast<bool>(file_), "make the file");
  }

  void write_provenance(const std::string& text) {
    const Hdf5Handle root{H5Gopen2(file_.get(), "/", H5P_DEFAULT), H5Gclose};
    check(root && write_text(root, kProvenance, text), "write the attributes");
  }

  void write(const Hdf5Table& table) {
    if (table.rows == 0) return;
    const Hdf5Handle creation{H5Pcreate(H5P_GROUP_CREATE), H5Pclose};
    H5Pset_obj_track_times(creation.get(), false);
    const Hdf5Handle group{
        H5Gcreate2(file_.get(), table.group.c_str(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
        H5Gclose};
    check(static_cast<bool>(group), "make a group");
    for (const auto& column : table.columns) write(group, table.rows, column);
  }

  void finish() {
    check(H5Fflush(file_.get(), H5F_SCOPE_LOCAL) >= 0, "flush the file");
    check(file_.close(), "close the file");
  }

 private:
  void check(bool is_done, const char* step) const {
    if (is_done) return;
    const int failure = errno;
    if (failure == ENOSPC || failure == EFBIG || failure == EDQUOT) partial_.fail(failure, 0);
    throw IoError(
        fmt::format("write {}: the HDF5 library cannot {} ({}); check the disk and the "
                    "variable HDF5_USE_FILE_LOCKING",
                    partial_.path().string(), step, hdf5_complaint()));
  }

  void write(const Hdf5Handle& group, std::int64_t rows, const Hdf5Column& column) {
    std::vector<hsize_t> shape{static_cast<hsize_t>(rows)};
    for (const std::int64_t size : column.row) shape.push_back(static_cast<hsize_t>(size));
    const Hdf5Handle space{H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
                           H5Sclose};
    const Hdf5Handle creation{H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
    H5Pset_obj_track_times(creation.get(), false);
    H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER);
    const auto [stored, held] = types_of(column);
    Hdf5Handle data_set{H5Dcreate2(group.get(), column.name.c_str(), stored, space.get(),
                                   H5P_DEFAULT, creation.get(), H5P_DEFAULT),
                        H5Dclose};
    check(static_cast<bool>(data_set), "make a column");
    std::visit(
        [&](const auto& values) {
          SYNTHOSCOPE_ASSERT(static_cast<hssize_t>(values.size()), ==,
                             H5Sget_simple_extent_npoints(space.get()));
          errno = 0;
          check(H5Dwrite(data_set.get(), held, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0,
                "write a column");
        },
        column.values);
    check(data_set.close(), "close a column");
  }

  PartialFile& partial_;
  Hdf5Handle file_;
};

}  // namespace

void write_hdf5_tables(const std::filesystem::path& path, const std::vector<Hdf5Table>& tables,
                       const std::string& provenance, bool overwrite) {
  PartialFile file{path, overwrite};
  {
    const Hdf5Lock lock;
    file.allocate(bytes_of(tables, provenance));  // a full disk is met here, not inside the library
    Making making{file};
    making.write_provenance(provenance);
    for (const auto& table : tables) making.write(table);
    making.finish();
  }
  file.commit();
}

}  // namespace synthoscope::imageio
