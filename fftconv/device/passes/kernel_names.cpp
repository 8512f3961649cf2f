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
  return fmt::format("columns<{}, {}, {}, {}, {}, {}, {}, {}, {}>", type_name(s.line), s.lines,
                     s.classes, s.pad_every, name_of(how.pass), name_of(how.loaded),
                     name_of(how.stored), how.adds, s.blocks);
}

std::string planes_forward_name(const PlaneShape& s, const PlaneLoading& how) {
  return fmt::format("planes_forward<{}, {}, {}, {}, {}, {}, {}, {}, {}>", type_name(s.rows),
                     type_name(s.columns), s.cluster, s.classes, s.threads,
                     cuda::cuda_name(how.rows.type), name_of(how.rows.placing), name_of(how.placed),
                     s.blocks);
}

std::string planes_back_name(const PlaneShape& s, PixelType stored) {
  return fmt::format("planes_back<{}, {}, {}, {}, {}, {}, {}>", type_name(s.rows),
                     type_name(s.columns), s.cluster, s.classes, s.threads, cuda::cuda_name(stored),
                     s.blocks);
}

std::string planes_convolve_name(const PlaneShape& s, const PlaneLoading& how, PixelType stored) {
  return fmt::format("planes_convolve<{}, {}, {}, {}, {}, {}, {}, {}, {}>", type_name(s.rows),
                     type_name(s.columns), s.cluster, s.threads, cuda::cuda_name(how.rows.type),
                     name_of(how.rows.placing), name_of(how.placed), cuda::cuda_name(stored),
                     s.blocks);
}

std::string sum_planes_name(int classes) {
  return fmt::format("sum_planes<{}>", classes);
}

std::string join_classes_name(int classes) {
  return fmt::format("join_classes<{}>", classes);
}

namespace {

void add_columns_z(const BlockShape& shape, const PassList& list,
                   std::vector<WantedKernel>& wanted) {
  for (const ColumnPass& how : list.columns_z)
    wanted.push_back({columns_name(shape, how), shape.shared_bytes});
  if (!list.sums_planes) return;
  wanted.push_back({sum_planes_name(shape.classes), 0});
  if (shape.classes > 1) wanted.push_back({join_classes_name(shape.classes), 0});
}

std::vector<WantedKernel> each_once(std::vector<WantedKernel> wanted) {
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  return wanted;
}

}  // namespace

std::vector<WantedKernel> kernels_for(const DeviceLayout& sizes, const PassList& list) {
  const BlockShape &rows = sizes.rows, &columns = sizes.columns_y;
  std::vector<WantedKernel> wanted{{rows_back_name(rows, list.stored), rows.shared_bytes}};
  for (const PlaneLoading& how : list.planes) {
    wanted.push_back({rows_forward_name(rows, how.rows), rows.shared_bytes});
    if (!is_one_row(columns))
      wanted.push_back({columns_name(columns, how.columns), columns.shared_bytes});
  }
  if (!is_one_row(columns))
    for (const ColumnPass& how : list.columns_y)
      wanted.push_back({columns_name(columns, how), columns.shared_bytes});
  add_columns_z(sizes.columns_z, list, wanted);
  return each_once(std::move(wanted));
}

std::vector<WantedKernel> kernels_for_planes(const PlanePasses& passes, const PassList& list) {
  const PlaneShape& planes = passes.planes;
  std::vector<WantedKernel> wanted{
      {planes_back_name(planes, list.stored), shared_bytes_of(planes)}};
  for (const PlaneLoading& how : list.planes)
    wanted.push_back({planes_forward_name(planes, how), shared_bytes_of(planes)});
  if (planes.classes == 1)
    for (const PlaneLoading& how : list.convolved)
      wanted.push_back({planes_convolve_name(planes, how, list.stored), shared_bytes_of(planes)});
  add_columns_z(passes.columns_z, list, wanted);
  return each_once(std::move(wanted));
}

}  // namespace synthoscope::fftconv::device
