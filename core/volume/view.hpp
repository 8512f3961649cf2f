// SPDX-License-Identifier: MIT
// core/volume/view.hpp — non-owning access to voxels. Views are passed by value.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include "core/base/assert.hpp"
#include "core/volume/extent.hpp"
#include "core/volume/pixel_type.hpp"

namespace synthoscope {

/// Host voxels in rows of `extent().x`, `pitch()` elements apart; planes lie back to back.
template <class T>
class HostView3 {
 public:
  constexpr HostView3() = default;
  constexpr HostView3(T* data, Extent3 extent) : HostView3{data, extent, extent.x} {}
  constexpr HostView3(T* data, Extent3 extent, std::int64_t pitch)
      : data_{data}, extent_{extent}, pitch_{pitch} {}

  /// A writable view converts to a read-only one, never the reverse.
  template <class U>
  requires(std::is_same_v<const U, T> && !std::is_same_v<U, T>) constexpr HostView3(
      HostView3<U> other)  // NOLINT(google-explicit-constructor)
      : HostView3{other.data(), other.extent(), other.pitch()} {}

  constexpr T* data() const { return data_; }
  constexpr const Extent3& extent() const { return extent_; }
  constexpr std::int64_t pitch() const { return pitch_; }
  constexpr T* row(std::int64_t z, std::int64_t y) const {
    return data_ + (z * extent_.y + y) * pitch_;
  }
  constexpr T& operator()(std::int64_t z, std::int64_t y, std::int64_t x) const {
    return row(z, y)[x];
  }

 private:
  T* data_ = nullptr;
  Extent3 extent_;
  std::int64_t pitch_ = 0;
};

/// Host voxels whose type is known at run time. `Byte` is std::byte or const std::byte.
template <class Byte>
class AnyView3 {
 public:
  AnyView3(Byte* data, PixelType type, Extent3 extent) : AnyView3{data, type, extent, extent.x} {}
  AnyView3(Byte* data, PixelType type, Extent3 extent, std::int64_t pitch)
      : data_{data}, type_{type}, extent_{extent}, pitch_{pitch} {}

  template <class T>
  requires(!std::is_const_v<T> || std::is_const_v<Byte>)
      AnyView3(HostView3<T> view)  // NOLINT(google-explicit-constructor)
      : data_{reinterpret_cast<Byte*>(view.data())},
        type_{pixel_type_of<std::remove_const_t<T>>()},
        extent_{view.extent()},
        pitch_{view.pitch()} {}

  template <class Other>
  requires(std::is_const_v<Byte> && !std::is_const_v<Other>)
      AnyView3(AnyView3<Other> other)  // NOLINT(google-explicit-constructor)
      : data_{other.data()}, type_{other.type()}, extent_{other.extent()}, pitch_{other.pitch()} {}

  Byte* data() const { return data_; }
  PixelType type() const { return type_; }
  const Extent3& extent() const { return extent_; }
  std::int64_t pitch() const { return pitch_; }  ///< elements from row to row
  bool is_contiguous() const { return pitch_ == extent_.x; }
  std::int64_t bytes() const { return volume(extent_) * size_of(type_); }

  /// The same voxels with their type; T must be the one that type() names.
  template <class T>
  auto as() const {
    SYNTHOSCOPE_ASSERT(pixel_type_of<T>(), ==, type_);
    using Element = std::conditional_t<std::is_const_v<Byte>, const T, T>;
    return HostView3<Element>{reinterpret_cast<Element*>(data_), extent_, pitch_};
  }

 private:
  Byte* data_;
  PixelType type_;
  Extent3 extent_;
  std::int64_t pitch_;
};

using VoxelView = AnyView3<std::byte>;
using ConstVoxelView = AnyView3<const std::byte>;

}  // namespace synthoscope
