// SPDX-License-Identifier: MIT
#include "kernels/device/resample/at.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/base/round_up.hpp"
#include "kernels/device/code/programs.hpp"

namespace synthoscope::kernels::device {
namespace {

/// Bytes of coordinates at a time, unless a row needs more.
constexpr std::int64_t kCoordinateBytes = std::int64_t{64} << 20;

std::int64_t rows_at_a_time(std::int64_t rows, std::int64_t columns) {
  const std::int64_t of_row =
      CoordinateProducts::doubles(1, columns) * std::int64_t{sizeof(double)};
  return std::clamp<std::int64_t>(kCoordinateBytes / of_row, 1, rows);
}

LookupShape shape_at(Interpolation how) {
  const bool is_wide = how == Interpolation::cubic || how == Interpolation::lanczos;
  return {.wide = 32, .columns = is_wide ? 2 : 4, .rows = 2};
}

}  // namespace

std::int64_t LookupAtProducts::working_bytes(const Extent3& box) {
  return CoordinateProducts::doubles(rows_at_a_time(box.y, box.x), box.x) *
         std::int64_t{sizeof(double)};
}

cuda::KernelName LookupAtProducts::lookup_kernel(const std::string& types) const {
  return {"resample/at.cuh",
          fmt::format("resample_at<{}, {}, 3>", types, shape_at(interpolation_).columns)};
}

std::vector<cuda::KernelName> LookupAtProducts::kernels(const std::string& types) const {
  auto all = CoordinateProducts::kernels(how_);
  all.push_back(lookup_kernel(types));
  return all;
}

void LookupAtProducts::prepare(const cuda::DeviceContext& gpu, const std::string& types,
                               const Extent3& box) {
  release();  // frees what a failed run left
  products_.emplace(gpu.device, how_);
  kernel_ = device_library().kernel(gpu.device, lookup_kernel(types));
  memory_ = {gpu.device.id, gpu.memory, working_bytes(box) / std::int64_t{sizeof(double)},
             "coordinates"};
}

void LookupAtProducts::enqueue(const cuda::Stream& stream, const ResampleArguments& a,
                               std::int64_t out_bytes) const {
  const auto& rows_of_map = affine_.rows;
  const std::array matrix{rows_of_map[1][1], rows_of_map[1][2], rows_of_map[1][3],
                          rows_of_map[2][1], rows_of_map[2][2], rows_of_map[2][3]};
  const LookupShape shape = shape_at(interpolation_);
  const std::int64_t at_a_time = rows_at_a_time(a.out.rows, a.out.columns);
  for (std::int64_t y = 0; y < a.out.rows; y += at_a_time) {
    const std::int64_t rows = std::min<std::int64_t>(at_a_time, a.out.rows - y);
    const DeviceCoordinates made = products_->enqueue(
        stream, matrix, {a.out.y + y, a.out.x, rows, a.out.columns}, memory_.data());
    for (std::int64_t z = 0; z < a.out.planes; ++z) {
      ResampleAtArguments at{a, made.values, made.steps.line_step, made.steps.row_step};
      MadeVoxels& out = at.lookup.out;
      out.voxels =
          static_cast<std::byte*>(a.out.voxels) + (z * a.out.rows + y) * a.out.columns * out_bytes;
      out.z += z;
      out.y += y;
      out.planes = 1;
      out.rows = rows;
      at.lookup.tiles_x = parts_of<std::int64_t>(out.columns, columns_of(shape));
      at.lookup.tiles_y = parts_of<std::int64_t>(rows, rows_of(shape));
      at.lookup.rows_each = shape.rows;
      kernel_->launch(stream, {{at.lookup.tiles_x * at.lookup.tiles_y}, {32, kLookupWarps}, 0}, at);
    }
  }
}

}  // namespace synthoscope::kernels::device
