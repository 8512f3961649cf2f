// SPDX-License-Identifier: MIT
// fftconv/device/passes/kernel_names.hpp — the names of the device functions that a run launches.
#pragma once
#include <string>
#include <vector>
#include "core/cuda/code/device_library.hpp"
#include "core/volume/pixel_type.hpp"
#include "fftconv/device/code/arguments.hpp"
#include "fftconv/plan/gpu/layout.hpp"

namespace synthoscope::fftconv::device {

/// How a pass loads rows: the type of the voxels, and their positions in a row's transform.
struct RowLoading {
  PixelType type = PixelType::float32;
  Placing placing = Placing::front;
};

/// How a pass transforms columns.
struct ColumnPass {
  Pass pass = Pass::forward;
  Choice loaded = Choice::all;  ///< elements that are loaded; the others are zero
  Choice stored = Choice::all;  ///< elements that are stored
  bool adds = false;            ///< results are added to what is in memory
};

/// How planes of voxels become spectra.
struct PlaneLoading {
  RowLoading rows;
  Choice placed = Choice::front;  ///< positions along y; each has its own row, or rows are listed
  ColumnPass columns;             ///< along y, once rows are in their places
};

/// Names in namespace synthoscope::fftconv::device, as rows.cuh and columns.cuh have them.
std::string rows_forward_name(const BlockShape& shape, const RowLoading& how);
std::string rows_back_name(const BlockShape& shape, PixelType stored);
std::string columns_name(const BlockShape& shape, const ColumnPass& how);
std::string planes_forward_name(const PlaneShape& shape, const PlaneLoading& how);
std::string planes_back_name(const PlaneShape& shape, PixelType stored);
std::string planes_convolve_name(const PlaneShape& shape, const PlaneLoading& how,
                                 PixelType stored);
/// Names of the kernels of parts.cuh: the same passes with folding and unfolding.
std::string fold_rows_name(const BlockShape& shape, const RowLoading& how);
std::string part_rows_back_name(const BlockShape& shape);
std::string unfold_parts_name(std::int64_t parts);
std::string sum_planes_name(int classes);
std::string join_classes_name(int classes);
/// Names of the kernels of plain.cuh, and the threads of their blocks.
inline constexpr int kPlainThreads = 256;
std::string place_rows_name(const RowLoading& how);
std::string store_rows_name(PixelType stored);
inline constexpr const char *kGatherStripName = "gather_strip",
                            *kMultiplyStripName = "multiply_strip",
                            *kScatterStripName = "scatter_strip",
                            *kMultiplySpectraName = "multiply_spectra";

/// The passes that a run launches.
struct PassList {
  std::vector<PlaneLoading> planes;
  PixelType stored = PixelType::float32;         ///< type of stored rows
  std::vector<ColumnPass> columns_y, columns_z;  ///< along y: on the way back
  bool sums_planes = false;                      ///< thin kernels
  std::vector<PlaneLoading> convolved;           ///< planes, each by itself, where that is possible
};

using cuda::WantedKernel;

/// Returns the kernels of `list`, each once, by rows and columns one after the other.
std::vector<WantedKernel> kernels_for(const DeviceLayout& sizes, const PassList& list);
/// The same for passes over whole planes (DeviceLayout::fused). Planes that are cut into classes
/// have no kernel that convolves them by themselves.
std::vector<WantedKernel> kernels_for_planes(const PlanePasses& passes, const PassList& list);

}  // namespace synthoscope::fftconv::device
