// SPDX-License-Identifier: MIT
#include "imageio/hdf5/records.hpp"
#include <fmt/format.h>
#include <hdf5.h>
#include <algorithm>
#include "imageio/hdf5/find.hpp"
#include "imageio/hdf5/library.hpp"
#include "imageio/hdf5/trial.hpp"

namespace synthoscope::imageio {
namespace {

constexpr std::int64_t kRowsAtOnce = 1 << 14;

/// An opened array of records.
struct OpenRecords {
  Hdf5Handle file, array, type, space;
};

OpenRecords open_records(const std::filesystem::path& path, const std::string& array,
                         const std::string& advice) {
  OpenRecords open;
  open.file = open_hdf5(path);
  const std::string refusal = fmt::format("it has no array of records {}", array);
  H5L_info_t link;
  if (H5Lexists(open.file.get(), array.c_str(), H5P_DEFAULT) <= 0 ||
      H5Lget_info(open.file.get(), array.c_str(), &link, H5P_DEFAULT) < 0 ||
      link.type != H5L_TYPE_HARD)
    refuse_hdf5(path, refusal, advice);
  open.array = {H5Dopen2(open.file.get(), array.c_str(), H5P_DEFAULT), H5Dclose};
  if (!open.array) refuse_hdf5(path, refusal, advice);
  open.type = {H5Dget_type(open.array.get()), H5Tclose};
  open.space = {H5Dget_space(open.array.get()), H5Sclose};
  if (!open.type || !open.space) refuse_broken_hdf5(path, "inspect an array of records");
  if (H5Tget_class(open.type.get()) != H5T_COMPOUND ||
      H5Sget_simple_extent_ndims(open.space.get()) != 1)
    refuse_hdf5(path, refusal, advice);
  return open;
}

/// Returns the names of the fields that are single numbers.
std::vector<std::string> numbers_in(const Hdf5Handle& type) {
  std::vector<std::string> names;
  const int count = H5Tget_nmembers(type.get());
  for (unsigned i = 0; i < static_cast<unsigned>(std::max(count, 0)); ++i) {
    const H5T_class_t kind = H5Tget_member_class(type.get(), i);
    if (kind != H5T_INTEGER && kind != H5T_FLOAT) continue;
    char* const name = H5Tget_member_name(type.get(), i);
    if (!name) continue;
    names.emplace_back(name);
    H5free_memory(name);
  }
  return names;
}

/// Returns the type in memory: the fields as doubles, one after another.
Hdf5Handle type_of_fields(const std::vector<std::string>& fields) {
  Hdf5Handle type{H5Tcreate(H5T_COMPOUND, fields.size() * sizeof(double)), H5Tclose};
  for (std::size_t i = 0; i < fields.size(); ++i)
    H5Tinsert(type.get(), fields[i].c_str(), i * sizeof(double), H5T_NATIVE_DOUBLE);
  return type;
}

void read_all_records(const std::filesystem::path& path, const Hdf5Records& records,
                      const std::vector<std::string>& fields,
                      const std::function<void(std::int64_t, const std::vector<double>&)>& visit) {
  const NoHdf5PlugIns no_plug_ins;
  const OpenRecords open = open_records(path, records.array, "give the file as it was");
  const Hdf5Handle type = type_of_fields(fields);
  std::vector<double> values;
  for (std::int64_t first = 0; first < records.rows; first += kRowsAtOnce) {
    const hsize_t begin = static_cast<hsize_t>(first);
    const hsize_t count = static_cast<hsize_t>(std::min(kRowsAtOnce, records.rows - first));
    values.resize(count * fields.size());
    const Hdf5Handle rows{H5Screate_simple(1, &count, nullptr), H5Sclose};
    const bool is_read = H5Sselect_hyperslab(open.space.get(), H5S_SELECT_SET, &begin, nullptr,
                                             &count, nullptr) >= 0 &&
                         H5Dread(open.array.get(), type.get(), rows.get(), open.space.get(),
                                 H5P_DEFAULT, values.data()) >= 0;
    if (!is_read) refuse_broken_hdf5(path, "read records");
    visit(first, values);
  }
}

}  // namespace

bool is_hdf5_file(const std::filesystem::path& path) {
  return is_hdf5(InputFile{path});
}

Hdf5Records describe_records(const std::filesystem::path& path, const std::string& array,
                             const std::string& advice) {
  const Hdf5Lock lock;
  return after_trial(path, [&] {
    const OpenRecords open = open_records(path, array, advice);
    const auto rows = static_cast<std::int64_t>(H5Sget_simple_extent_npoints(open.space.get()));
    return Hdf5Records{array, rows, numbers_in(open.type)};
  });
}

void read_records(const std::filesystem::path& path, const Hdf5Records& records,
                  const std::vector<std::string>& fields,
                  const std::function<void(std::int64_t, const std::vector<double>&)>& visit) {
  const Hdf5Lock lock;
  try_hdf5(path, [&] { read_all_records(path, records, fields, [](auto, const auto&) {}); });
  read_all_records(path, records, fields, visit);
}

}  // namespace synthoscope::imageio
