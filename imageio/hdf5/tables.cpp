// SPDX-License-Identifier: MIT
#include "imageio/hdf5/tables.hpp"
#include <fmt/format.h>
#include <hdf5.h>
#include <algorithm>
#include <cerrno>
#include <iterator>
#include <set>
#include <utility>
#include "core/base/assert.hpp"
#include "core/base/error.hpp"
#include "imageio/hdf5/attributes.hpp"
#include "imageio/hdf5/find.hpp"
#include "imageio/hdf5/making.hpp"
#include "imageio/hdf5/trial.hpp"

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
      [&, held = held](const auto& values) {
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

/// Sorts by name, so that a group comes before its members.
template <class Named>
std::vector<const Named*> by_name(const std::vector<Named>& all, std::string Named::*name) {
  std::vector<const Named*> sorted;
  for (const Named& one : all) sorted.push_back(&one);
  std::sort(sorted.begin(), sorted.end(),
            [&](const Named* a, const Named* b) { return a->*name < b->*name; });
  return sorted;
}

void write_table(const Hdf5Making& file, const Hdf5Table& table) {
  if (table.rows == 0) return;
  const Hdf5Handle group = file.make_group(table.group);
  for (const auto* column : by_name(table.columns, &Hdf5Column::name))
    write_column(file, group, table.rows, *column);
}

void write_provenance(const Hdf5Making& file, const std::string& text) {
  const Hdf5Handle root{H5Gopen2(file.get(), "/", H5P_DEFAULT), H5Gclose};
  file.check(root && write_text_attribute(root, kProvenance, text), "write the attributes");
}

/// A file of tables that is read; complaints name it.
class TableReader {
 public:
  TableReader(const std::filesystem::path& path, std::string advice)
      : path_{path},
        advice_{std::move(advice)},
        file_{open_hdf5(path)},
        left_bytes_{static_cast<std::int64_t>(std::filesystem::file_size(path))} {}

  [[nodiscard]] std::vector<Hdf5Table> read() {
    std::vector<Hdf5Table> tables;
    const Hdf5Handle root{H5Gopen2(file_.get(), "/", H5P_DEFAULT), H5Gclose};
    check(static_cast<bool>(root), "open its root");
    for (const auto& name : names_in(root)) read_group(root, name, "", tables);
    return tables;
  }

 private:
  void check(bool is_done, const char* step) const {
    if (!is_done) refuse_broken_hdf5(path_, step, hdf5_complaint());
  }

  /// What no table that we wrote has.
  void require(bool is_so, const std::string& found) const {
    if (!is_so) refuse_hdf5(path_, found, advice_);
  }

  [[nodiscard]] std::vector<std::string> names_in(const Hdf5Handle& group) const {
    H5G_info_t info;
    check(H5Gget_info(group.get(), &info) >= 0, "list a group");
    std::vector<std::string> names;
    for (hsize_t i = 0; i < info.nlinks; ++i) {
      char name[256] = {};
      const ssize_t length = H5Lget_name_by_idx(group.get(), ".", H5_INDEX_NAME, H5_ITER_INC, i,
                                                name, sizeof name, H5P_DEFAULT);
      check(length >= 0, "list a group");
      require(length < std::ssize(name), fmt::format("a name of {} characters", length));
      H5L_info_t link;
      check(H5Lget_info(group.get(), name, &link, H5P_DEFAULT) >= 0, "inspect a link");
      require(link.type == H5L_TYPE_HARD, fmt::format("{} leads elsewhere", name));
      names.emplace_back(name);
    }
    return names;
  }

  void read_group(const Hdf5Handle& outer, const std::string& name, const std::string& place,
                  std::vector<Hdf5Table>& tables) {
    const Hdf5Handle group{H5Gopen2(outer.get(), name.c_str(), H5P_DEFAULT), H5Gclose};
    check(static_cast<bool>(group), "open a group");
    H5O_info_t info;
    check(H5Oget_info(group.get(), &info) >= 0, "inspect a group");
    require(met_.insert(info.addr).second, fmt::format("{}/{} exists twice", place, name));
    require(std::count(place.begin(), place.end(), '/') < kDeepest,
            fmt::format("groups that are more than {} deep", kDeepest));
    Hdf5Table table{place + "/" + name, 0, {}};
    std::vector<std::string> inner;
    for (const auto& link : names_in(group)) {
      const Hdf5Handle object{H5Oopen(group.get(), link.c_str(), H5P_DEFAULT), H5Oclose};
      check(static_cast<bool>(object), "open a column");
      if (H5Iget_type(object.get()) == H5I_GROUP)
        inner.push_back(link);
      else
        table.columns.push_back(read_column(object, link, table));
    }
    tables.push_back(std::move(table));
    const std::string here = tables.back().group;
    for (const auto& link : inner) read_group(group, link, here, tables);
  }

  [[nodiscard]] Hdf5Column read_column(const Hdf5Handle& data_set, const std::string& name,
                                       Hdf5Table& table) {
    Hdf5Column column{name, {}, {}};
    const Hdf5Handle space{H5Dget_space(data_set.get()), H5Sclose};
    const int axes = space ? H5Sget_simple_extent_ndims(space.get()) : 0;
    check(axes >= 1 && axes <= 8, "read the shape of a column");
    hsize_t shape[8] = {};
    H5Sget_simple_extent_dims(space.get(), shape, nullptr);
    const auto rows = static_cast<std::int64_t>(shape[0]);
    if (table.columns.empty()) table.rows = rows;
    require(rows == table.rows,
            fmt::format("{0}/{1} has {2} rows, but the other columns of {0} have {3}", table.group,
                        name, rows, table.rows));
    for (int i = 1; i < axes; ++i) column.row.push_back(static_cast<std::int64_t>(shape[i]));
    const auto values_held = static_cast<std::int64_t>(H5Sget_simple_extent_npoints(space.get()));
    require(values_held >= 0 && values_held <= left_bytes_ / kValueBytes,
            fmt::format("{}/{} is larger than the file", table.group, name));
    left_bytes_ -= values_held * kValueBytes;
    const Hdf5Handle creation{H5Dget_create_plist(data_set.get()), H5Pclose};
    check(static_cast<bool>(creation), "inspect the storage of a column");
    require(H5Pget_layout(creation.get()) == H5D_CONTIGUOUS &&
                H5Pget_external_count(creation.get()) == 0,
            fmt::format("{}/{} is not stored in one piece of the file", table.group, name));
    const Hdf5Handle type{H5Dget_type(data_set.get()), H5Tclose};
    check(static_cast<bool>(type), "read the type of a column");
    if (H5Tequal(type.get(), H5T_STD_I64LE) > 0)
      column.values = std::vector<std::int64_t>{};
    else if (H5Tequal(type.get(), H5T_STD_U64LE) > 0)
      column.values = std::vector<std::uint64_t>{};
    else
      require(H5Tequal(type.get(), H5T_IEEE_F64LE) > 0,
              fmt::format("{}/{} holds other numbers than floats and integers of 64 bits",
                          table.group, name));
    std::visit(
        [&](auto& values) {
          values.resize(static_cast<std::size_t>(values_held));
          check(H5Dread(data_set.get(), types_of(column).second, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                        values.data()) >= 0,
                "read a column");
        },
        column.values);
    return column;
  }

  static constexpr std::int64_t kValueBytes = 8;
  static constexpr std::ptrdiff_t kDeepest = 8;

  const std::filesystem::path& path_;
  std::string advice_;
  Hdf5Handle file_;
  std::int64_t left_bytes_;  ///< that values may still take: each is stored, once
  std::set<haddr_t> met_;    ///< groups
};

/// Returns whether a row holds the same fields in both.
bool are_alike(const Hdf5Column& a, const Hdf5Column& b) {
  return a.name == b.name && a.row == b.row && a.values.index() == b.values.index();
}

void append_rows(Hdf5Table& table, Hdf5Table more) {
  const bool fits = std::equal(table.columns.begin(), table.columns.end(), more.columns.begin(),
                               more.columns.end(), are_alike);
  if (!fits) throw InvalidInput(fmt::format("join tables: the columns of {} differ", table.group));
  table.rows += more.rows;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    std::visit(
        [&](auto& values) {
          const auto& further = std::get<std::decay_t<decltype(values)>>(more.columns[i].values);
          values.insert(values.end(), further.begin(), further.end());
        },
        table.columns[i].values);
}

}  // namespace

std::vector<Hdf5Table> read_hdf5_tables(const std::filesystem::path& path,
                                        const std::string& advice) {
  const Hdf5Lock lock;
  return after_trial(path, [&] { return TableReader{path, advice}.read(); });
}

std::optional<std::string> read_hdf5_provenance(const std::filesystem::path& path) {
  const Hdf5Lock lock;
  return after_trial(path, [&] {
    const Hdf5Handle file = open_hdf5(path);
    const Hdf5Handle root{H5Gopen2(file.get(), "/", H5P_DEFAULT), H5Gclose};
    if (!root) refuse_broken_hdf5(path, "open its root");
    return read_text_attribute(root, kProvenance,
                               static_cast<std::int64_t>(std::filesystem::file_size(path)));
  });
}

void append_rows(std::vector<Hdf5Table>& tables, std::vector<Hdf5Table> more) {
  for (Hdf5Table& one : more) {
    const auto same = std::find_if(tables.begin(), tables.end(), [&](const Hdf5Table& table) {
      return table.group == one.group;
    });
    if (same == tables.end())
      tables.push_back(std::move(one));
    else
      append_rows(*same, std::move(one));
  }
}

void write_hdf5_tables(const std::filesystem::path& path, const std::vector<Hdf5Table>& tables,
                       const std::string& provenance, bool overwrite) {
  PartialFile file{path, overwrite};
  {
    const Hdf5Lock lock;
    file.allocate(bytes_of(tables, provenance));  // a full disk is met here, not inside the library
    Hdf5Making making{file};
    write_provenance(making, provenance);
    for (const auto* table : by_name(tables, &Hdf5Table::group)) write_table(making, *table);
    making.finish();
  }
  file.commit();
}

}  // namespace synthoscope::imageio
