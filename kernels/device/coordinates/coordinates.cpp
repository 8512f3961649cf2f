// SPDX-License-Identifier: MIT
#include "kernels/device/coordinates/coordinates.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "kernels/device/code/programs.hpp"

namespace synthoscope::kernels::device {
namespace {

/// The most blocks of a launch of multiply_tiled: several for each multiprocessor. A block makes
/// one tile after another.
constexpr std::int64_t kMaxBlocks = 4096;

std::string kernel_of(CoordinateProduct how, const ProductTile& tile) {
  switch (how) {
    case CoordinateProduct::naive:
      return "multiply_naive";
    case CoordinateProduct::tiled:
      return fmt::format("multiply_tiled<{}, {}, {}>", tile.rows, tile.columns, tile.depth);
    case CoordinateProduct::summa:
      return "multiply_summa";
    case CoordinateProduct::fused:
      break;
  }
  return "coordinates_fused";
}

std::int64_t blocks_for(std::int64_t elements, std::int64_t of_block) {
  return (elements + of_block - 1) / of_block;
}

}  // namespace

std::vector<cuda::KernelName> CoordinateProducts::kernels(CoordinateProduct how,
                                                          const ProductTile& tile) {
  const char* const source = "coordinates/coordinates.cuh";
  std::vector<cuda::KernelName> all{{source, kernel_of(how, tile)}};
  if (how != CoordinateProduct::fused) all.push_back({source, "write_targets"});
  return all;
}

CoordinateProducts::CoordinateProducts(const cuda::DeviceInfo& device, CoordinateProduct how,
                                       ProductTile tile)
    : how_{how}, tile_{tile} {
  const std::vector<cuda::KernelName> wanted = kernels(how, tile);
  product_ = device_library().kernel(device, wanted[0]);
  if (how != CoordinateProduct::fused) targets_ = device_library().kernel(device, wanted[1]);
}

CoordinateProductArguments CoordinateProducts::arguments(const PixelBox& box,
                                                         double* memory) const {
  const std::int64_t pixels = box.lines * box.columns;
  CoordinateProductArguments a;
  a.sources = memory;
  a.targets = memory + 2 * pixels;
  const bool in_blocks = how_ == CoordinateProduct::summa;
  a.steps = in_blocks ? CoordinateSteps{box.columns, 3 * box.columns}
                      : CoordinateSteps{pixels, box.columns};
  a.source_steps = in_blocks ? CoordinateSteps{box.columns, 2 * box.columns} : a.steps;
  a.lines = box.lines;
  a.columns = box.columns;
  a.y = box.y;
  a.x = box.x;
  return a;
}

void CoordinateProducts::enqueue_targets(const cuda::Stream& stream, const PixelBox& box,
                                         double* memory) const {
  const std::int64_t pixels = box.lines * box.columns;
  if (targets_ && pixels > 0)
    targets_->launch(stream, {{blocks_for(pixels, kCoordinateThreads)}, {kCoordinateThreads}, 0},
                     arguments(box, memory));
}

DeviceCoordinates CoordinateProducts::enqueue_product(const cuda::Stream& stream,
                                                      const std::array<double, 6>& matrix,
                                                      const PixelBox& box, double* memory) const {
  CoordinateProductArguments a = arguments(box, memory);
  std::copy(matrix.begin(), matrix.end(), a.matrix);
  const std::int64_t pixels = box.lines * box.columns;
  if (pixels > 0) {
    if (how_ == CoordinateProduct::tiled)
      product_->launch(stream,
                       {{std::min(blocks_for(pixels, tile_.columns), kMaxBlocks)},
                        {tile_.columns, tile_.rows},
                        0},
                       a);
    else
      product_->launch(
          stream,
          {{blocks_for(how_ == CoordinateProduct::naive ? 2 * pixels : pixels, kCoordinateThreads)},
           {kCoordinateThreads},
           0},
          a);
  }
  return {a.sources, a.source_steps};
}

DeviceCoordinates CoordinateProducts::enqueue(const cuda::Stream& stream,
                                              const std::array<double, 6>& matrix,
                                              const PixelBox& box, double* memory) const {
  enqueue_targets(stream, box, memory);
  return enqueue_product(stream, matrix, box, memory);
}

}  // namespace synthoscope::kernels::device
