// SPDX-License-Identifier: MIT
#include "imageio/hdf5/storage.hpp"
#include <fmt/format.h>
#include <hdf5.h>
#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include "core/run/memory_budget.hpp"
#include "imageio/chunks/filters.hpp"
#include "imageio/hdf5/find.hpp"
#include "imageio/input/byte_order.hpp"

namespace synthoscope::imageio {
namespace {

constexpr int kMaxAxes = 5;

/// Finding the place of a chunk in HDF5 1.10 takes a walk over all before it: 0.1 s for these.
constexpr std::int64_t kMaxPlaces = 4096;

/// Each reading by the library takes milliseconds, since another process does it.
constexpr std::int64_t kLibraryReadsAtOnce = 1 << 20;

/// A type of HDF5, and what is read of it.
struct ReadType {
  PixelType type;
  hid_t little, big;
  StoredType stored = StoredType::voxels;
};

std::array<ReadType, 10> read_types() {
  return {{{PixelType::int8, H5T_STD_I8LE, H5T_STD_I8BE},
           {PixelType::uint8, H5T_STD_U8LE, H5T_STD_U8BE},
           {PixelType::int16, H5T_STD_I16LE, H5T_STD_I16BE},
           {PixelType::uint16, H5T_STD_U16LE, H5T_STD_U16BE},
           {PixelType::int32, H5T_STD_I32LE, H5T_STD_I32BE},
           {PixelType::uint32, H5T_STD_U32LE, H5T_STD_U32BE},
           {PixelType::float32, H5T_IEEE_F32LE, H5T_IEEE_F32BE},
           {PixelType::float64, H5T_IEEE_F64LE, H5T_IEEE_F64BE},
           {PixelType::int32, H5T_STD_I64LE, H5T_STD_I64BE, StoredType::int64},
           {PixelType::uint32, H5T_STD_U64LE, H5T_STD_U64BE, StoredType::uint64}}};
}

/// IEEE 754's half, which HDF5 has no name for.
Hdf5Handle half_type(hid_t single) {
  Hdf5Handle half{H5Tcopy(single), H5Tclose};
  H5Tset_fields(half.get(), 15, 10, 5, 0, 10);
  H5Tset_size(half.get(), 2);
  H5Tset_ebias(half.get(), 15);
  return half;
}

/// What h5py makes of numpy's bool: 0 is FALSE, 1 is TRUE.
bool is_bool(const Hdf5Handle& type) {
  if (H5Tget_class(type.get()) != H5T_ENUM || H5Tget_size(type.get()) != 1 ||
      H5Tget_nmembers(type.get()) != 2)
    return false;
  signed char no = -1, yes = -1;
  return H5Tenum_valueof(type.get(), "FALSE", &no) >= 0 && no == 0 &&
         H5Tenum_valueof(type.get(), "TRUE", &yes) >= 0 && yes == 1;
}

/// Reads one array's creation properties into a Hdf5Storage, step by step.
class StorageReader {
 public:
  StorageReader(const Hdf5Handle& data_set, const std::string& name, const InputFile& file,
                const InputLimits& limits)
      : data_set_{data_set},
        name_{name},
        file_{file},
        limits_{limits},
        type_{H5Dget_type(data_set.get()), H5Tclose},
        properties_{H5Dget_create_plist(data_set.get()), H5Pclose} {
    if (!type_ || !properties_) refuse_broken_hdf5(file_.path(), "read how " + name_ + " is kept");
  }

  Hdf5Storage read() {
    read_type();
    read_shape();
    read_fill();
    storage_.chunk = storage_.shape;
    read_layout();
    storage_.stored_chunk = storage_.chunk;
    if (storage_.kind == Hdf5Storage::Kind::library) read_more_at_once();
    return std::move(storage_);
  }

 private:
  [[noreturn]] void refuse(const std::string& found, const std::string& advice) const {
    refuse_hdf5(file_.path(), fmt::format("its array {} {}", name_, found), advice);
  }

  void read_type() {
    for (const ReadType& known : read_types())
      if (take_type(known)) return;
    const Hdf5Handle little = half_type(H5T_IEEE_F32LE), big = half_type(H5T_IEEE_F32BE);
    if (take_type({PixelType::float32, little.get(), big.get(), StoredType::float16})) return;
    if (is_bool(type_)) return;  // a byte each, as the storage says to begin with
    constexpr const char* kKinds[] = {
        "integers",     "floating-point numbers", "times",          "texts",
        "bit fields",   "opaque bytes",           "compound types", "references",
        "enumerations", "variable-length lists",  "arrays"};
    const int kind = H5Tget_class(type_.get());
    const bool is_known = kind >= 0 && kind < static_cast<int>(std::size(kKinds));
    refuse(fmt::format("holds {} of {} bits", is_known ? kKinds[kind] : "an unknown type",
                       8 * H5Tget_size(type_.get())),
           "bool, integers of 8, 16, 32 and 64 bits and floats of 16, 32 and 64 bits are accepted: "
           "convert it");
  }

  bool take_type(const ReadType& known) {
    const bool is_little = H5Tequal(type_.get(), known.little) > 0;
    if (!is_little && H5Tequal(type_.get(), known.big) <= 0) return false;
    storage_.type = known.type;
    storage_.stored = known.stored;
    storage_.is_foreign_order = is_little != kHostIsLittleEndian && storage_.element_bytes() > 1;
    return true;
  }

  void read_shape() {
    const Hdf5Handle space{H5Dget_space(data_set_.get()), H5Sclose};
    const int axes = H5Sget_simple_extent_ndims(space.get());
    if (axes < 2 || axes > kMaxAxes)
      refuse(fmt::format("has {} axes", axes), fmt::format("give one with 2 to {}", kMaxAxes));
    std::vector<hsize_t> shape(static_cast<std::size_t>(axes));
    H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr);
    std::int64_t bytes = storage_.element_bytes();
    for (const hsize_t n : shape) {
      if (n < 1) refuse("is empty: one of its axes has no voxels", "give one with voxels");
      if (n > static_cast<hsize_t>(limits_.axis))
        refuse(fmt::format("is {} voxels long along one axis, the limit is {}", n, limits_.axis),
               "raise it with --max-axis if you trust the file");
      storage_.shape.push_back(static_cast<std::int64_t>(n));
      if (__builtin_mul_overflow(bytes, storage_.shape.back(), &bytes))
        refuse("is larger than can be counted", "the file is damaged: create it again");
    }
    check_ratio(bytes, "declares");
  }

  void check_ratio(std::int64_t bytes, const char* what) const {
    constexpr std::int64_t kAlwaysBelieved = std::int64_t{1} << 30;
    const double believed = limits_.declared_to_file_ratio *
                            static_cast<double>(std::max<std::int64_t>(1, file_.size()));
    if (bytes > kAlwaysBelieved && static_cast<double>(bytes) > believed)
      refuse(fmt::format("{} {}, the file has {}", what, print_bytes(bytes),
                         print_bytes(file_.size())),
             "raise the limit with --max-ratio if you trust the file");
  }

  void read_fill() {
    storage_.fill.assign(static_cast<std::size_t>(storage_.element_bytes()), std::byte{0});
    H5D_fill_value_t defined = H5D_FILL_VALUE_UNDEFINED;
    H5Pfill_value_defined(properties_.get(), &defined);
    if (defined == H5D_FILL_VALUE_USER_DEFINED)
      H5Pget_fill_value(properties_.get(), type_.get(), storage_.fill.data());
  }

  void read_layout() {
    if (H5Pget_external_count(properties_.get()) > 0)
      refuse("keeps its voxels in other files", "copy it into one file");
    switch (H5Pget_layout(properties_.get())) {
      case H5D_CONTIGUOUS:
        return read_contiguous();
      case H5D_CHUNKED:
        return read_chunked();
      case H5D_COMPACT:
        return read_compact();
      case H5D_VIRTUAL:
        refuse("consists of other arrays (an HDF5 virtual dataset)", "copy it into one file");
      default:
        refuse_broken_hdf5(file_.path(), "read the layout of " + name_);
    }
  }

  void read_compact() {
    storage_.kind = Hdf5Storage::Kind::library;
    // The library copies as many bytes as the shape has, from whatever the file holds
    const auto stored = static_cast<std::int64_t>(H5Dget_storage_size(data_set_.get()));
    if (stored < storage_.chunk_bytes())
      refuse(fmt::format("stores {} bytes of {}", stored, storage_.chunk_bytes()),
             "the file is truncated or damaged: copy or create it again");
  }

  void read_contiguous() {
    const haddr_t offset = H5Dget_offset(data_set_.get());
    if (offset == HADDR_UNDEF) return;  // nothing was written yet
    std::int64_t bytes = storage_.chunk_bytes();
    storage_.offset = in_file(offset, bytes);
  }

  std::int64_t in_file(std::uint64_t offset, std::int64_t bytes) const {
    const auto size = static_cast<std::uint64_t>(file_.size());
    if (offset > size || static_cast<std::uint64_t>(bytes) > size - offset)
      refuse(fmt::format("reaches byte {}, the file ends at {}",
                         static_cast<double>(offset) + static_cast<double>(bytes), file_.size()),
             "the file is truncated or damaged: copy or create it again");
    return static_cast<std::int64_t>(offset);
  }

  void read_chunked() {
    std::vector<hsize_t> chunk(storage_.shape.size());
    if (H5Pget_chunk(properties_.get(), static_cast<int>(chunk.size()), chunk.data()) < 0)
      refuse_broken_hdf5(file_.path(), "read the chunks of " + name_);
    std::int64_t bytes = storage_.element_bytes();
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      storage_.chunk[i] = static_cast<std::int64_t>(chunk[i]);
      if (storage_.chunk[i] < 1 || __builtin_mul_overflow(bytes, storage_.chunk[i], &bytes))
        refuse("has chunks of an impossible size", "the file is damaged: create it again");
    }
    check_ratio(bytes, "has chunks of");
    storage_.kind = Hdf5Storage::Kind::chunks;
    read_filters();
    // Incomplete chunks at the far faces may be stored without filters; their filter masks do not
    // say so
    unsigned options = 0;
    if (H5Pget_chunk_opts(properties_.get(), &options) < 0 || options != 0)
      storage_.kind = Hdf5Storage::Kind::library;
    if (storage_.kind == Hdf5Storage::Kind::chunks) return read_places();
    if (std::ranges::any_of(storage_.filters, is_plug_in))
      refuse(fmt::format(
                 "is compressed by the filters {}, and the HDF5 library does not have all of them",
                 storage_.filter_names),
             "zstd, blosc and lzf are accepted alone, after shuffle or before fletcher32: save it "
             "that way");
  }

  /// Several chunks, first along the last axis, and nothing beyond the far faces.
  void read_more_at_once() {
    const auto& shape = storage_.shape;
    auto& chunk = storage_.chunk;
    for (std::size_t i = 0; i < chunk.size(); ++i) chunk[i] = std::min(chunk[i], shape[i]);
    for (std::size_t i = chunk.size(); i-- > 0;) {
      const auto times = std::max<std::int64_t>(1, kLibraryReadsAtOnce / storage_.chunk_bytes());
      chunk[i] = times > shape[i] / chunk[i] ? shape[i] : times * chunk[i];
      if (chunk[i] < shape[i]) return;
    }
  }

  static bool is_plug_in(Hdf5Filter filter) {
    return filter == Hdf5Filter::zstd || filter == Hdf5Filter::blosc || filter == Hdf5Filter::lzf;
  }

  void read_filters() {
    const int count = H5Pget_nfilters(properties_.get());
    for (int i = 0; i < count; ++i) {
      unsigned flags = 0;
      std::size_t values = 1;
      unsigned value = 0;
      std::array<char, 80> title{};
      const auto filter = H5Pget_filter2(properties_.get(), static_cast<unsigned>(i), &flags,
                                         &values, &value, title.size(), title.data(), nullptr);
      add_filter(filter, value, title.data());
    }
    // The library reads data in other orders than the usual one
    std::span<const Hdf5Filter> rest = storage_.filters;
    if (!rest.empty() && rest.front() == Hdf5Filter::shuffle) rest = rest.subspan(1);
    if (!rest.empty() && rest.back() == Hdf5Filter::fletcher32) rest = rest.first(rest.size() - 1);
    if (rest.size() > 1 || (rest.size() == 1 && !is_packing(rest.front())))
      storage_.kind = Hdf5Storage::Kind::library;
  }

  void add_filter(H5Z_filter_t filter, unsigned value, const char* title) {
    const auto name_it = [this](const char* name) {
      storage_.filter_names += storage_.filter_names.empty() ? "" : ", ";
      storage_.filter_names += name;
    };
    const auto undo_it = [&](Hdf5Filter ours, const char* name) {
      storage_.filters.push_back(ours);
      name_it(name);
    };
    if (filter == H5Z_FILTER_DEFLATE) return undo_it(Hdf5Filter::deflate, "deflate");
    if (filter == kHdf5Zstd) return undo_it(Hdf5Filter::zstd, "zstd");
    if (filter == kHdf5Lzf) return undo_it(Hdf5Filter::lzf, "lzf");
    if (filter == kHdf5Blosc) return undo_it(Hdf5Filter::blosc, "blosc");
    if (filter == H5Z_FILTER_FLETCHER32) return undo_it(Hdf5Filter::fletcher32, "fletcher32");
    if (filter == H5Z_FILTER_SHUFFLE &&
        static_cast<std::int64_t>(value) == storage_.element_bytes())
      return undo_it(Hdf5Filter::shuffle, "shuffle");
    storage_.kind = Hdf5Storage::Kind::library;
    switch (filter) {
      case H5Z_FILTER_SHUFFLE:
        return name_it("shuffle");
      case H5Z_FILTER_SZIP:
        return name_it("szip");
      case H5Z_FILTER_NBIT:
        return name_it("nbit");
      case H5Z_FILTER_SCALEOFFSET:
        return name_it("scaleoffset");
      default:
        refuse(fmt::format("is compressed by the filter '{}' (number {}), which is a plug-in",
                           title, filter),
               "no plug-ins are loaded: save it with deflate, lzf, zstd or blosc");
    }
  }

  /// HDF5 1.10 counts addresses of chunks from the end of the user block, but not those of
  /// contiguous data.
  [[nodiscard]] bool has_user_block() const {
    const Hdf5Handle file{H5Iget_file_id(data_set_.get()), H5Fclose};
    const Hdf5Handle properties{H5Fget_create_plist(file.get()), H5Pclose};
    hsize_t bytes = 0;
    return H5Pget_userblock(properties.get(), &bytes) < 0 || bytes > 0;
  }

  void read_places() {
    const auto grid = storage_.grid();
    std::int64_t chunks = 1;
    for (const std::int64_t n : grid) chunks *= n;
    const Hdf5Handle space{H5Dget_space(data_set_.get()), H5Sclose};
    hsize_t written = 0;
    // Walks over all that says where chunks are, so that a trial has met it
    if (H5Dget_num_chunks(data_set_.get(), space.get(), &written) < 0)
      refuse_broken_hdf5(file_.path(), "count the chunks of " + name_);
    if (chunks > kMaxPlaces || has_user_block()) return;
    storage_.places.resize(static_cast<std::size_t>(chunks));
    std::vector<hsize_t> origin(grid.size());
    for (hsize_t i = 0; i < written; ++i) {
      unsigned skipped = 0;
      haddr_t offset = HADDR_UNDEF;
      hsize_t bytes = 0;
      if (H5Dget_chunk_info(data_set_.get(), space.get(), i, origin.data(), &skipped, &offset,
                            &bytes) < 0)
        refuse_broken_hdf5(file_.path(), "find the chunks of " + name_);
      std::int64_t number = 0;
      for (std::size_t axis = 0; axis < grid.size(); ++axis) {
        const std::int64_t at = static_cast<std::int64_t>(origin[axis]) / storage_.chunk[axis];
        if (at < 0 || at >= grid[axis])
          refuse("has a chunk outside itself", "the file is damaged: create it again");
        number = number * grid[axis] + at;
      }
      const auto stored = static_cast<std::int64_t>(bytes);
      if (stored < 0) refuse("has a chunk of no size", "the file is damaged: create it again");
      storage_.places[static_cast<std::size_t>(number)] = {in_file(offset, stored), stored,
                                                           skipped};
    }
  }

  const Hdf5Handle& data_set_;
  const std::string& name_;
  const InputFile& file_;
  const InputLimits& limits_;
  Hdf5Handle type_, properties_;
  Hdf5Storage storage_;
};

}  // namespace

Hdf5Storage read_storage(const Hdf5Handle& data_set, const std::string& name, const InputFile& file,
                         const InputLimits& limits) {
  return StorageReader{data_set, name, file, limits}.read();
}

}  // namespace synthoscope::imageio
