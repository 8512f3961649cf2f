// SPDX-License-Identifier: MIT
#include "kernels/conversion/conversion.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <atomic>
#include <type_traits>
#include "core/base/error.hpp"
#include "core/volume/stored_voxel.hpp"

namespace synthoscope::kernels {
namespace {

template <class To, class From>
StoredCounts convert_row(const From* from, std::int64_t count, To* to) {
  StoredCounts counts;
  if constexpr (std::is_same_v<To, From>) {
    std::copy_n(from, count, to);
  } else if constexpr (std::is_floating_point_v<To>) {
    for (std::int64_t i = 0; i < count; ++i) to[i] = static_cast<To>(from[i]);
  } else {
    for (std::int64_t i = 0; i < count; ++i) {
      const auto value = static_cast<double>(from[i]);
      counts.clipped += in_range<To>(value) ? 0 : 1;
      to[i] = rounded<To>(value);
    }
  }
  if constexpr (std::is_floating_point_v<From>)
    for (std::int64_t i = 0; i < count; ++i) counts.non_finite += is_finite(from[i]) ? 0 : 1;
  return counts;
}

class Conversion final : public Operation {
 public:
  Conversion(const Box3& part, PixelType type) : part_{part}, type_{type} {}

  [[nodiscard]] std::string_view stage() const override { return "convert"; }
  [[nodiscard]] Extent3 extent() const override { return part_.size; }
  [[nodiscard]] std::vector<PixelType> types() const override { return {type_}; }
  [[nodiscard]] Box3 needs(const Box3& box) const override {
    const Index3 &from = part_.origin, &at = box.origin;
    return {{from.z + at.z, from.y + at.y, from.x + at.x}, box.size};
  }
  [[nodiscard]] std::int64_t working_bytes(const Extent3&, int) const override { return 0; }

  void apply(const Window& in, const Box3& box, std::span<const VoxelView> out,
             TaskPool& pool) override {
    const Box3 wanted = needs(box);
    const Index3 from{wanted.origin.z - in.box.origin.z, wanted.origin.y - in.box.origin.y,
                      wanted.origin.x - in.box.origin.x};
    visit_pixel_type(in.voxels.type(), [&](auto read) {
      visit_pixel_type(type_, [&](auto stored) {
        const auto voxels = in.voxels.as<decltype(read)>();
        const auto result = out.front().as<decltype(stored)>();
        pool.for_each(box.size.z, [&](std::int64_t z) {
          StoredCounts counts;
          for (std::int64_t y = 0; y < box.size.y; ++y) {
            const StoredCounts row = convert_row(voxels.row(from.z + z, from.y + y) + from.x,
                                                 box.size.x, result.row(z, y));
            counts.clipped += row.clipped;
            counts.non_finite += row.non_finite;
          }
          clipped_ += counts.clipped;
          non_finite_ += counts.non_finite;
        });
      });
    });
  }

  [[nodiscard]] StoredCounts stored_counts() const override {
    return {clipped_.load(), non_finite_.load()};
  }

 private:
  Box3 part_;
  PixelType type_;
  std::atomic<std::int64_t> clipped_ = 0, non_finite_ = 0;
};

}  // namespace

std::unique_ptr<Operation> conversion(const Box3& part, PixelType type, const Extent3& image) {
  const auto is_within = [](std::int64_t origin, std::int64_t size, std::int64_t axis) {
    return origin >= 0 && size >= 1 && size <= axis - origin;
  };
  if (!is_within(part.origin.z, part.size.z, image.z) ||
      !is_within(part.origin.y, part.size.y, image.y) ||
      !is_within(part.origin.x, part.size.x, image.x))
    throw InvalidSpec(
        fmt::format("convert: the part of {} from {} on is not inside the image of {}; give a part "
                    "of at least one voxel that is",
                    part.size, part.origin, image));
  return std::make_unique<Conversion>(part, type);
}

}  // namespace synthoscope::kernels
