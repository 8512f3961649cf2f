// SPDX-License-Identifier: MIT
#include "python/files/array_stream.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <algorithm>
#include <cstring>
#include <vector>
#include "core/base/error.hpp"
#include "core/volume/box.hpp"

namespace synthoscope::python {
namespace {

namespace nb = nanobind;

/// Fractions of the memory: for a layer of an array, and for a piece of an array without layers.
constexpr std::int64_t kShareOfLayer = 4, kShareOfPiece = 16;
constexpr std::int64_t kMaxOfPiece = std::int64_t{64} << 20;

std::int64_t bytes_of_layer(const SlicedArray& array) {
  return array.layer() * array.extent().y * array.extent().x * size_of(array.type());
}

/// How many copies of a layer are there at once: of what an array gives, and the same in another
/// type or order; of planes that wait, and what an array may keep of them.
constexpr std::int64_t kCopiesRead = 2;
std::int64_t copies_written(const SlicedArray& array) {
  return array.may_keep_slices() ? 2 : 1;
}

bool fits_layers(const SlicedArray& array, std::int64_t copies, const MemoryBudget& memory) {
  return array.layer() > 1 && copies * bytes_of_layer(array) <= memory.limit() / kShareOfLayer;
}

std::int64_t bytes_of_piece(const SlicedArray& array, const MemoryBudget& memory) {
  if (fits_layers(array, kCopiesRead, memory)) return bytes_of_layer(array);
  const std::int64_t row = array.extent().x * size_of(array.type());
  const std::int64_t all = volume(array.extent()) * size_of(array.type());
  return std::max(row, std::min({memory.limit() / kShareOfPiece / kCopiesRead, kMaxOfPiece, all}));
}

/// What to say where layers are met again and again.
std::string said_of_layers(const SlicedArray& array, std::int64_t copies, bool fits) {
  if (fits || array.layer() == 1) return {};
  return fmt::format(
      "{} is stored in layers of {} planes, which do not fit into memory: each layer is read or "
      "written several times; give --memory {} or more",
      array.name(), array.layer(),
      size_of_at_least(kShareOfLayer * copies * bytes_of_layer(array)));
}

/// In the machine's own byte order.
nb::object native_dtype(const nb::object& array, const std::string& attempt) {
  if (!nb::hasattr(array, "shape") || !nb::hasattr(array, "dtype"))
    throw InvalidSpec(
        fmt::format("{}: it is neither a file's name nor an array; give an object with "
                    "shape, dtype and slices",
                    attempt));
  return nb::module_::import_("numpy").attr("dtype")(array.attr("dtype")).attr("newbyteorder")("=");
}

PixelType type_of(const nb::object& dtype, const std::string& attempt) {
  const auto called = nb::cast<std::string>(dtype.attr("name"));
  if (called == "bool") return PixelType::uint8;
  if (const auto type = pixel_type_named(called)) return *type;
  throw InvalidSpec(fmt::format("{}: its voxels are {}; use int8 to uint32, float32 or float64",
                                attempt, called));
}

std::vector<std::int64_t> shape_of(const nb::object& array) {
  std::vector<std::int64_t> shape;
  for (const nb::handle length : array.attr("shape"))
    shape.push_back(nb::cast<std::int64_t>(length));
  return shape;
}

/// Chunks along the first axis: one length for all, or the length of every chunk.
std::int64_t layer_of(const nb::object& array) {
  const nb::object chunks = nb::getattr(array, "chunks", nb::none());
  if (chunks.is_none()) return 1;
  try {
    const nb::object first = chunks[0];
    return nb::cast<std::int64_t>(nb::hasattr(first, "__len__") ? nb::object(first[0]) : first);
  } catch (const std::exception&) {  // another word for something else
    return 1;
  }
}

/// numpy's arrays, and those that write to a file, do not keep a slice once it is assigned. Others
/// may: those of dask, or an object that defers its work.
bool copies_at_once(const nb::object& array) {
  if (nb::isinstance(array, nb::module_::import_("numpy").attr("ndarray"))) return true;
  const auto module = nb::cast<std::string>(nb::str(array.type().attr("__module__")));
  const std::string package = module.substr(0, module.find('.'));
  return package == "h5py" || package == "zarr";
}

/// Planes of `box` that have at most `voxels` voxels, or rows of one.
Extent3 planes_within(std::int64_t voxels, const Extent3& box) {
  const std::int64_t planes = voxels / (box.y * box.x);
  return planes > 0 ? Extent3{planes, box.y, box.x} : rows_within(voxels, box);
}

void copy_rows(ConstVoxelView from, const Box3& part, const Box3& box, VoxelView to) {
  const auto bytes = static_cast<std::size_t>(size_of(to.type()));
  const Index3 at = shifted(part, box.origin, -1).origin;
  for (std::int64_t z = 0; z < part.size.z; ++z)
    for (std::int64_t y = 0; y < part.size.y; ++y) {
      const std::int64_t source = (z * from.extent().y + y) * from.pitch();
      const std::int64_t target = ((at.z + z) * to.extent().y + at.y + y) * to.pitch() + at.x;
      std::memcpy(to.data() + static_cast<std::size_t>(target) * bytes,
                  from.data() + static_cast<std::size_t>(source) * bytes,
                  static_cast<std::size_t>(part.size.x) * bytes);
    }
}

/// `inner` of an array that holds `box`.
ConstVoxelView view_in(const nb::object& array, const Box3& box, const Box3& inner,
                       PixelType type) {
  const auto voxels = nb::cast<nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>>(array);
  const Index3 at = shifted(inner, box.origin, -1).origin;
  const std::int64_t first = (at.z * box.size.y + at.y) * box.size.x + at.x;
  return {static_cast<const std::byte*>(voxels.data()) + first * size_of(type), type, box.size};
}

}  // namespace

SlicedArray::SlicedArray(nb::object array, std::string name, const std::string& call)
    : array_{std::move(array)}, name_{std::move(name)} {
  const std::string attempt = call + ' ' + name_;
  const nb::object dtype = native_dtype(array_, attempt);
  type_ = type_of(dtype, attempt);
  const auto shape = shape_of(array_);
  if ((shape.size() != 2 && shape.size() != 3) ||
      std::any_of(shape.begin(), shape.end(), [](std::int64_t n) { return n < 1; }))
    throw InvalidSpec(fmt::format("{}: its shape is ({}); give (z, y, x) or (y, x)", attempt,
                                  fmt::join(shape, ", ")));
  is_flat_ = shape.size() == 2;
  extent_ = {is_flat_ ? 1 : shape.front(), shape[shape.size() - 2], shape.back()};
  layer_ = is_flat_ ? 1 : std::max<std::int64_t>(1, layer_of(array_));
  may_keep_slices_ = !copies_at_once(array_);
  const nb::module_ numpy = nb::module_::import_("numpy");
  as_contiguous_ = nb::module_::import_("functools")
                       .attr("partial")(numpy.attr("ascontiguousarray"),
                                        nb::arg("dtype") = std::string{name_of(type_)});
}

nb::object SlicedArray::index_of(const Box3& box) const {
  const auto along = [](std::int64_t origin, std::int64_t size) {
    return nb::slice(static_cast<Py_ssize_t>(origin), static_cast<Py_ssize_t>(origin + size),
                     Py_ssize_t{1});
  };
  const auto y = along(box.origin.y, box.size.y), x = along(box.origin.x, box.size.x);
  if (is_flat_) return nb::make_tuple(y, x);
  return nb::make_tuple(along(box.origin.z, box.size.z), y, x);
}

nb::object SlicedArray::read(const Box3& box) const {
  const nb::object voxels = as_contiguous_(array_[index_of(box)]);
  if (const auto bytes = nb::cast<std::int64_t>(voxels.attr("nbytes"));
      bytes != volume(box.size) * size_of(type_))
    throw InvalidInput(fmt::format("read {}: of {} it gave {} bytes instead of {}", name_, box,
                                   bytes, volume(box.size) * size_of(type_)));
  return voxels;
}

void SlicedArray::write(const Box3& box, ConstVoxelView voxels) const {
  const auto [z, y, x] = box.size;
  const std::int64_t plane = voxels.extent().y * voxels.pitch();
  const std::size_t shape[] = {static_cast<std::size_t>(z), static_cast<std::size_t>(y),
                               static_cast<std::size_t>(x)};
  const std::int64_t strides[] = {plane, voxels.pitch(), 1};
  const int skipped = is_flat_ ? 1 : 0;
  const nb::dlpack::dtype dtype =
      visit_pixel_type(voxels.type(), [](auto zero) { return nb::dtype<decltype(zero)>(); });
  const nb::object seen = nb::cast(
      nb::ndarray<nb::numpy, nb::ro>(voxels.data(), static_cast<std::size_t>(3 - skipped),
                                     shape + skipped, nb::none(), strides + skipped, dtype));
  array_[index_of(box)] = may_keep_slices_ ? nb::object(seen.attr("copy")()) : seen;
}

ArraySource::ArraySource(SlicedArray array, MemoryBudget& memory)
    : array_{std::move(array)},
      piece_bytes_{bytes_of_piece(array_, memory)},
      keeps_layers_{fits_layers(array_, kCopiesRead, memory)},
      counted_{memory.reserve(kCopiesRead * piece_bytes_, "pieces of " + array_.name())} {}

std::string ArraySource::slowness() const {
  return said_of_layers(array_, kCopiesRead, keeps_layers_);
}

void ArraySource::read(const Box3& box, VoxelView out) {
  const std::scoped_lock turn{one_at_a_time_};
  const std::int64_t layer = array_.layer();
  if (keeps_layers_) {
    for (std::int64_t z = box.origin.z, end = z + box.size.z; z < end;) {
      const std::int64_t next = std::min(end, (z / layer + 1) * layer);
      read_from_layer(box, {{z, box.origin.y, box.origin.x}, {next - z, box.size.y, box.size.x}},
                      out);
      z = next;
    }
    return;
  }
  const Extent3 piece = rows_within(piece_bytes_ / size_of(pixel_type()), box.size);
  for_each_piece(box.size, piece,
                 [&](const Box3& part) { read_piece(box, shifted(part, box.origin), out); });
}

void ArraySource::read_from_layer(const Box3& box, const Box3& part, VoxelView out) {
  const nb::gil_scoped_acquire locked;
  const bool is_kept = kept_.is_valid() && intersection(kept_box_, part) == part;
  if (!is_kept) {
    kept_.reset();
    const std::int64_t first = part.origin.z / array_.layer() * array_.layer();
    kept_box_ = part;
    kept_box_.origin.z = first;
    kept_box_.size.z = std::min(array_.layer(), extent().z - first);
    kept_ = array_.read(kept_box_);
  }
  const ConstVoxelView voxels = view_in(kept_, kept_box_, part, pixel_type());
  const nb::gil_scoped_release unlocked;
  copy_rows(voxels, part, box, out);
}

void ArraySource::read_piece(const Box3& box, const Box3& part, VoxelView out) {
  const nb::gil_scoped_acquire locked;
  const nb::object read = array_.read(part);
  const ConstVoxelView voxels = view_in(read, part, part, pixel_type());
  const nb::gil_scoped_release unlocked;
  copy_rows(voxels, part, box, out);
}

ArraySink::ArraySink(SlicedArray array, MemoryBudget& memory) : array_{std::move(array)} {
  if (array_.may_keep_slices()) {
    copied_bytes_ = bytes_of_piece(array_, memory);
    copied_ = memory.reserve(copied_bytes_, "pieces of " + array_.name());
  }
  if (fits_layers(array_, copies_written(array_), memory))
    layer_ = HostBuffer<std::byte>{memory, bytes_of_layer(array_), "a layer of " + array_.name()};
}

std::string ArraySink::slowness() const {
  return said_of_layers(array_, copies_written(array_), layer_.count() > 0);
}

BoxOrder ArraySink::accepts() const {
  return layer_.count() > 0 ? BoxOrder::planes_in_order : BoxOrder::any;
}

void ArraySink::write(const Box3& box, ConstVoxelView voxels) {
  const std::scoped_lock turn{one_at_a_time_};
  if (accepts() == BoxOrder::any) {
    const std::int64_t voxel = size_of(pixel_type());
    const Extent3 piece =
        array_.may_keep_slices() ? planes_within(copied_bytes_ / voxel, box.size) : box.size;
    for_each_piece(box.size, piece, [&](const Box3& part) {
      const auto [z, y, x] = part.origin;
      const std::int64_t first = (z * voxels.extent().y + y) * voxels.pitch() + x;
      const nb::gil_scoped_acquire locked;
      array_.write(shifted(part, box.origin),
                   {voxels.data() + first * voxel, pixel_type(), voxels.extent(), voxels.pitch()});
    });
    return;
  }
  const Extent3 layer{array_.layer(), extent().y, extent().x};
  const VoxelView waiting{layer_.data(), pixel_type(), layer};
  for (std::int64_t z = box.origin.z; z < box.origin.z + box.size.z; ++z) {
    const ConstVoxelView plane{voxels.data() + (z - box.origin.z) * voxels.extent().y *
                                                   voxels.pitch() * size_of(pixel_type()),
                               pixel_type(),
                               {1, box.size.y, box.size.x},
                               voxels.pitch()};
    copy_rows(plane, synthoscope::plane(extent(), z), {{first_waiting_, 0, 0}, layer}, waiting);
    if (z + 1 - first_waiting_ < layer.z && z + 1 < extent().z) continue;
    const Extent3 whole{z + 1 - first_waiting_, layer.y, layer.x};
    const nb::gil_scoped_acquire locked;
    array_.write({{first_waiting_, 0, 0}, whole},
                 ConstVoxelView{layer_.data(), pixel_type(), whole});
    first_waiting_ = z + 1;
  }
}

}  // namespace synthoscope::python
