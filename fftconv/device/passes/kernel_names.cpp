// SPDX-License-Identifier: MIT
#include "fftconv/device/passes/kernel_names.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/cuda/code/cuda_name.hpp"

namespace synthoscope::fftconv::device {
namespace {

std::string_view name_of(Choice choice) {
  return choice == Choice::all     ? "Choice::all"
         : choice == Choice::front ? "Choice::front"
                                   : "Choice::listed";
}
std::string_view name_of(Placing placing) {
  return placing == Placing::whole   ? "Placing::whole"
         : placing == Placing::front ? "Placing::front"
                                     : "Placing::listed";
}
std::string_view name_of(Pass pass) {
  return pass == Pass::forward    ? "Pass::forward"
         : pass == Pass::inverse  ? "Pass::inverse"
         : pass == Pass::convolve ? "Pass::convolve"
                                  : "Pass::correlate";
}

}  // namespace

std::string rows_forward_name(const BlockShape& s, const RowLoading& how) {
  return fmt::format("rows_forward<{}, {}, {}, {}, {}, {}>", type_name(s.line), s.lines,
                     s.pad_every, cuda::cuda_name(how.type), name_of(how.placing), s.blocks);
}

std::string rows_back_name(const BlockShape& s, PixelType stored) {
  return fmt::format("rows_back<{}, {}, {}, {}, {}>", type_name(s.line), s.lines, s.pad_every,
                     cuda::cuda_name(stored), s.blocks);
}

std::string fold_rows_name(const BlockShape& s, const RowLoading& how) {
  return fmt::format("fold_rows<{}, {}, {}, {}, {}, {}>", type_name(s.line), s.lines, s.pad_every,
                     cuda::cuda_name(how.type), name_of(how.placing), s.blocks);
}

std::string part_rows_back_name(const BlockShape& s) {
  return fmt::format("part_rows_back<{}, {}, {}, {}>", type_name(s.line), s.lines, s.pad_every,
                     s.blocks);
}

std::string place_rows_name(const RowLoading& how) {
  return fmt::format("place_rows<{}, {}>", cuda::cuda_name(how.type), name_of(how.placing));
}

std::string store_rows_name(PixelType stored) {
  return fmt::format("store_rows<{}>", cuda::cuda_name(stored));
}

std::string unfold_parts_name(std::int64_t parts) {
  return fmt::format("unfold_parts<{}>", parts);
}

std::string columns_name(const BlockShape& s, const ColumnPass& how) {
  return fmt::format("columns<{}, {}, {}, {}, {}, {}, {}, {}>", type_name(s.line), s.lines,
                     s.pad_every, name_of(how.pass), name_of(how.loaded), name_of(how.stored),
                     how.adds, s.blocks);
}

std::vector<WantedKernel> kernels_for(const DeviceLayout& sizes, const PassList& list) {
  std::vector<WantedKernel> wanted{
      {rows_back_name(sizes.rows, list.stored), sizes.rows.shared_bytes}};
  for (const RowLoading& how : list.rows)
    wanted.push_back({rows_forward_name(sizes.rows, how), sizes.rows.shared_bytes});
  if (!is_one_row(sizes.columns_y))
    for (const ColumnPass& how : list.columns_y)
      wanted.push_back({columns_name(sizes.columns_y, how), sizes.columns_y.shared_bytes});
  for (const ColumnPass& how : list.columns_z)
    wanted.push_back({columns_name(sizes.columns_z, how), sizes.columns_z.shared_bytes});
  if (list.sums_planes) wanted.push_back({kSumPlanesName, 0});
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  return wanted;
}

}  // namespace synthoscope::fftconv::device
