// SPDX-License-Identifier: MIT
#include "deconvolution/device/field_parts.hpp"
#include <algorithm>

namespace synthoscope::deconvolution {

std::int64_t most_parts(const Geometry& geometry, const fftconv::VolumeAxis& axis) {
  if (geometry.edge == Edge::wrap) return 1;
  // Convolutions of a single plane have other axes (fftconv::WorkAxes), whose spectra do not fit
  constexpr std::int64_t kFewest = 2;
  const std::int64_t shared = geometry.kernel.*axis.size - 1;
  return std::max<std::int64_t>(1, geometry.field.*axis.size / std::max(kFewest, shared));
}

std::vector<FieldPart> parts_of_field(const Geometry& geometry, const fftconv::VolumeAxis& axis,
                                      std::int64_t count) {
  const std::int64_t all = geometry.field.*axis.size;
  std::vector<FieldPart> parts;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t first = all * i / count, next = all * (i + 1) / count;
    FieldPart part{geometry, whole(geometry.field), {}, {}};
    part.geometry.field.*axis.size = part.field.size.*axis.size = next - first;
    part.estimate = whole(estimate_extent(part.geometry));
    part.field.origin.*axis.at = part.estimate.origin.*axis.at = first;
    part.own = part.estimate;
    if (i + 1 < count) part.own.size.*axis.size = next - first;
    parts.push_back(part);
  }
  return parts;
}

Box3 shared_places(const FieldPart& part, const FieldPart& other) {
  return shifted(intersection(part.estimate, other.estimate), part.estimate.origin, -1);
}

}  // namespace synthoscope::deconvolution
