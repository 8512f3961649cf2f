// SPDX-License-Identifier: MIT
// fftconv/device/passes/kernel_names.hpp — what device code must be compiled for, and what it calls
// that.
#pragma once
#include <string>
#include <vector>
#include "core/cuda/code/device_library.hpp"
#include "core/volume/pixel_type.hpp"
#include "fftconv/device/code/arguments.hpp"
#include "fftconv/plan/gpu/layout.hpp"

namespace synthoscope::fftconv::device {

/// One way of loading rows.
struct RowLoading {
  PixelType type = PixelType::float32;
  Placing placing = Placing::front;
};

/// One way of taking columns.
struct ColumnTaking {
  Pass pass = Pass::forward;
  Choice there = Choice::all, wanted = Choice::all;
  bool adds = false;
};

/// Names in namespace synthoscope::fftconv::device, as rows.cuh and columns.cuh have them.
std::string rows_forward_name(const BlockShape& shape, const RowLoading& how);
std::string rows_back_name(const BlockShape& shape, PixelType stored);
std::string columns_name(const BlockShape& shape, const ColumnTaking& how);
/// Names of the kernels of parts.cuh: the same passes with folding and unfolding.
std::string fold_rows_name(const BlockShape& shape, const RowLoading& how);
std::string part_rows_back_name(const BlockShape& shape);
std::string unfold_parts_name(std::int64_t parts);
inline constexpr const char* kSumPlanesName = "sum_planes";

/// Everything that a run will launch.
struct PassList {
  std::vector<RowLoading> rows;
  PixelType stored = PixelType::float32;  ///< what rows are stored as
  std::vector<ColumnTaking> columns_y, columns_z;
  bool sums_planes = false;  ///< thin kernels
};

using cuda::WantedKernel;

/// Each once.
std::vector<WantedKernel> kernels_for(const DeviceLayout& sizes, const PassList& list);

}  // namespace synthoscope::fftconv::device
