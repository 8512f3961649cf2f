// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <array>
#include <cstring>
#include <span>
#include "imageio/input/byte_order.hpp"
#include "imageio/tiff/planes/flavours.hpp"

namespace synthoscope::imageio {
namespace {

/// A row of the table UIC2: z distance as a fraction, then day and time of creation and of change.
using StkRow = std::array<std::uint32_t, 6>;

std::vector<StkRow> rows_of(const TiffIndex& index) {
  std::vector<StkRow> rows(static_cast<std::size_t>(index.stk_planes));
  index.file.read_at(index.stk_table, std::as_writable_bytes(std::span{rows}));
  if (index.is_foreign_order)
    for (StkRow& row : rows)
      for (std::uint32_t& word : row) word = byte_swapped(word);
  return rows;
}

std::string letter_of(const std::vector<StkRow>& rows) {
  bool has_distances = true, has_times = true;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    has_distances &= rows[i][0] != 0;
    has_times &= i == 0 || rows[i][2] != rows[i - 1][2] || rows[i][3] != rows[i - 1][3];
  }
  return has_distances ? "Z" : has_times ? "T" : "";
}

}  // namespace

AxesOfFile place_stk_planes(std::int64_t page, const InputLimits& limits, TiffStacks& stacks) {
  const TiffIndex& index = stacks.files[0]->index();
  constexpr const char* kSaidBy = "its MetaMorph table";
  const std::int64_t planes = index.stk_planes;
  const std::int64_t stride =
      planes > 1 ? stride_of_one_page(stacks, page, planes, kSaidBy, limits) : 0;
  const auto table_bytes = static_cast<std::int64_t>(sizeof(StkRow)) * planes;
  if (table_bytes > index.file.size() - index.stk_table)
    refuse_stacks(stacks, fmt::format("its MetaMorph table of {} planes is longer than the file; "
                                      "the file is truncated, copy it again",
                                      planes));
  for (std::int64_t i = 0; i < planes; ++i) stacks.planes.push_back({0, page, i * stride});
  stacks.info.format += ", MetaMorph stack";
  set_resolution(std::nullopt, std::nullopt, stacks);
  return {{planes}, letter_of(rows_of(index)), kSaidBy};
}

}  // namespace synthoscope::imageio
