// SPDX-License-Identifier: MIT
#include "fftconv/axis.hpp"
#include <algorithm>

namespace synthoscope::fftconv {
namespace {

/// Appends one position, as part of the last run where it continues it.
void append(std::vector<IndexRun>& runs, std::int64_t position, std::int64_t source,
            bool negative) {
  if (!runs.empty()) {
    IndexRun& last = runs.back();
    const std::int64_t end = last.source + last.step * (last.count - 1);
    const std::int64_t step = source - end;
    const bool continues = last.position + last.count == position && last.negative == negative;
    if (continues && last.count == 1 && step >= -1 && step <= 1) {
      last.step = static_cast<int>(step);
      last.count = 2;
      return;
    }
    if (continues && step == last.step) {
      ++last.count;
      return;
    }
  }
  runs.push_back({position, source, 1, 1, negative});
}

}  // namespace

AxisGeometry axis_geometry(std::int64_t image, std::int64_t kernel, std::int64_t center,
                           Boundary boundary, Shape shape, bool correlate, const Interval& part) {
  AxisGeometry a;
  a.image = image;
  a.kernel = kernel;
  a.boundary = boundary;
  a.flip = correlate;
  const std::int64_t c = correlate ? kernel - 1 - center : center;
  a.center = c;

  // Result: h[o] = sum_k f[o + c - k] g[k] in convolution order
  switch (shape) {
    case Shape::same:
      a.result_begin = 0, a.wanted = image;
      break;
    case Shape::full:
      a.result_begin = -c, a.wanted = image + kernel - 1;
      break;
    case Shape::valid:
      a.result_begin = kernel - 1 - c, a.wanted = image - kernel + 1;
      break;
  }

  if (part.count > 0) {
    a.result_begin += part.first;
    a.wanted = part.count;
  }

  // Image voxels that some wanted result needs; with boundary zero only those that exist
  std::int64_t begin = a.result_begin + c - (kernel - 1);
  std::int64_t end = a.result_begin + a.wanted + c;
  if (boundary == Boundary::zero) {
    begin = std::max<std::int64_t>(begin, 0);
    end = std::min(end, image);
  }
  a.load_begin = begin;
  a.loaded = end - begin;

  // Kernel voxels that join a loaded voxel to a wanted result
  const std::int64_t first = std::max<std::int64_t>(0, a.result_begin + c - (end - 1));
  const std::int64_t last = std::min(kernel - 1, a.result_begin + a.wanted - 1 + c - begin);
  a.kernel_begin = first;
  a.kernel_count = last - first + 1;
  a.shift = first + begin - c - a.result_begin;
  a.min_length = std::max({a.loaded, a.wanted, a.kernel_count,
                           a.loaded + a.kernel_count - 1 + a.shift, a.wanted - a.shift});
  return a;
}

AxisGeometry axis_geometry(const Problem& p, const VolumeAxis& axis) {
  return axis_geometry(p.image.*axis.size, p.kernel.*axis.size, p.center.*axis.at, p.boundary,
                       p.shape, p.correlate, {p.part.origin.*axis.at, p.part.size.*axis.size});
}

bool can_close(const AxisGeometry& axis, std::int64_t length) {
  return axis.boundary == Boundary::wrap && axis.result_begin == 0 && axis.wanted == axis.image &&
         axis.kernel <= axis.image && length == axis.image;
}

AxisGeometry fitted(const AxisGeometry& axis, std::int64_t length) {
  if (!can_close(axis, length)) return axis;
  AxisGeometry ring = axis;
  ring.load_begin = 0;
  ring.loaded = ring.min_length = axis.image;
  ring.kernel_begin = 0;
  ring.kernel_count = axis.kernel;
  ring.shift = -axis.center;
  return ring;
}

AxisGeometry part_of(const AxisGeometry& axis, std::int64_t first, std::int64_t count) {
  AxisGeometry part = axis;
  part.result_begin = axis.result_begin + first;
  part.wanted = count;
  // The kernel voxels that count for the whole axis, wherever the part lies
  part.load_begin = part.result_begin + axis.center - (axis.kernel_begin + axis.kernel_count - 1);
  part.loaded = count + axis.kernel_count - 1;
  part.shift = 1 - axis.kernel_count;
  part.min_length = part.loaded;
  return part;
}

std::vector<IndexRun> image_runs(const AxisGeometry& axis) {
  std::vector<IndexRun> runs;
  for (std::int64_t p = 0; p < axis.loaded; ++p) {
    const std::int64_t source = mapped_index(axis.boundary, axis.load_begin + p, axis.image);
    if (source != kOutside) append(runs, p, source, false);
  }
  return runs;
}

std::vector<IndexRun> kernel_runs(const AxisGeometry& axis, std::int64_t length) {
  std::vector<IndexRun> runs;
  for (std::int64_t j = 0; j < axis.kernel_count; ++j) {
    const std::int64_t k = axis.kernel_begin + j, position = j + axis.shift;
    const std::int64_t wraps =
        position >= 0 ? position / length : -((length - 1 - position) / length);
    append(runs, position - wraps * length, axis.flip ? axis.kernel - 1 - k : k, wraps % 2 != 0);
  }
  return runs;
}

std::vector<std::int64_t> sources_of(const std::vector<IndexRun>& runs) {
  std::vector<std::int64_t> sources;
  for (const IndexRun& run : runs)
    for (std::int64_t i = 0; i < run.count; ++i) sources.push_back(run.source + i * run.step);
  return sources;
}

SourceRange range_of(const std::vector<IndexRun>& runs) {
  SourceRange range{runs.front().source, runs.front().source + 1};
  for (const IndexRun& run : runs) {
    const std::int64_t last = run.source + run.step * (run.count - 1);
    range.begin = std::min({range.begin, run.source, last});
    range.end = std::max({range.end, run.source + 1, last + 1});
  }
  return range;
}

}  // namespace synthoscope::fftconv
