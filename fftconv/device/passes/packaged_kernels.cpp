// SPDX-License-Identifier: MIT
#include "fftconv/device/passes/packaged_kernels.hpp"
#include <array>
#include <set>
#include "fftconv/device/code/programs.hpp"
#include "fftconv/device/passes/kernel_names.hpp"
#include "fftconv/lines/tuned_lines.hpp"
#include "fftconv/plan/gpu/layout.hpp"

namespace synthoscope::fftconv::device {
namespace {

constexpr std::array kTypes{PixelType::uint8, PixelType::uint16, PixelType::float32};
constexpr std::array kPlacings{Placing::whole, Placing::front, Placing::listed};
constexpr std::array kChoices{Choice::all, Choice::front, Choice::listed};
constexpr std::int64_t kMostParts = 64;  ///< more only where memory is scarce

void add_rows(const BlockShape& shape, std::vector<std::string>& to) {
  for (const PixelType type : kTypes) {
    for (const Placing placing : kPlacings) {
      to.push_back(rows_forward_name(shape, {type, placing}));
      to.push_back(fold_rows_name(shape, {type, placing}));
    }
    to.push_back(rows_back_name(shape, type));
  }
  to.push_back(part_rows_back_name(shape));
}

/// Rows of a run that changes rows (ResidentConvolution): volumes are float32, its kernel may not
/// be.
void add_rows_beside_changing(const BlockShape& shape, std::vector<std::string>& to) {
  for (const Placing placing : kPlacings)
    to.push_back(rows_forward_name(shape, {PixelType::float32, placing}));
  for (const PixelType type : {PixelType::uint8, PixelType::uint16})
    to.push_back(rows_forward_name(shape, {type, Placing::listed}));
  to.push_back(rows_back_name(shape, PixelType::float32));
}

void add_columns(const BlockShape& shape, std::vector<std::string>& to) {
  for (const Choice loaded : kChoices)
    to.push_back(columns_name(shape, {Pass::forward, loaded, Choice::all, false}));
  for (const Choice stored : {Choice::all, Choice::front})
    to.push_back(columns_name(shape, {Pass::inverse, Choice::all, stored, false}));
}

void add_along_z(const BlockShape& shape, std::vector<std::string>& to) {
  to.push_back(columns_name(shape, {Pass::forward, Choice::listed, Choice::all, false}));
  to.push_back(columns_name(shape, {Pass::convolve, Choice::all, Choice::all, false}));
  to.push_back(columns_name(shape, {Pass::correlate, Choice::front, Choice::front, false}));
  for (const Choice which : {Choice::front, Choice::listed})
    for (const bool adds : {false, true})
      to.push_back(columns_name(shape, {Pass::convolve, which, which, adds}));
}

void add_planes(const PlaneShape& shape, std::vector<std::string>& to) {
  for (const PixelType type : kTypes) {
    for (const Placing placing : kPlacings)
      for (const Choice placed : kChoices) {
        const PlaneLoading how{{type, placing}, placed, {}};
        to.push_back(planes_forward_name(shape, how));
        if (shape.classes == 1) to.push_back(planes_convolve_name(shape, how, PixelType::float32));
      }
    to.push_back(planes_back_name(shape, type));
  }
}

/// Adds kernels of all measured planes, and of columns along z that put their classes together.
void add_all_planes(const BlockLimits& limits, std::vector<std::string>& to) {
  std::set<int> classes;
  for (const PlaneShape& shape : tuned_planes()) {
    if (!is_possible(shape, limits)) continue;
    add_planes(shape, to);
    if (shape.classes > 1) classes.insert(shape.classes);
  }
  for (const int count : classes) {
    to.push_back(sum_planes_name(count));
    to.push_back(join_classes_name(count));
    for (std::int64_t n = 1; n <= longest_measured_line(); ++n)
      if (is_device_length(n, limits) && is_preferred(n, LineKind::along_z, limits))
        if (const auto shape = columns_of_classes_shape(n, limits, count)) add_along_z(*shape, to);
  }
}

}  // namespace

std::vector<cuda::KernelName> packaged_kernels(const cuda::DeviceInfo& device) {
  const BlockLimits limits = block_limits(device);
  std::vector<std::string> names{sum_planes_name(1)};
  for (std::int64_t n = 1; n <= longest_measured_line(); ++n) {
    if (!is_device_length(n, limits)) continue;
    if (is_preferred(n, LineKind::row, limits)) {
      const BlockShape rows = row_shape(n, limits), changing = changing_row_shape(n, limits);
      add_rows(rows, names);
      if (changing != rows) add_rows_beside_changing(changing, names);
    }
    if (is_preferred(n, LineKind::column, limits))
      add_columns(column_shape(n, limits, LineKind::column), names);
    if (is_preferred(n, LineKind::along_z, limits))
      add_along_z(column_shape(n, limits, LineKind::along_z), names);
  }
  add_all_planes(limits, names);
  for (std::int64_t parts = 1; parts <= kMostParts; ++parts)
    names.push_back(unfold_parts_name(parts));
  std::vector<cuda::KernelName> kernels;
  for (std::string& name : names) kernels.push_back({kProgram, std::move(name)});
  return kernels;
}

}  // namespace synthoscope::fftconv::device
