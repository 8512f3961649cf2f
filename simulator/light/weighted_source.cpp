// SPDX-License-Identifier: MIT
#include "simulator/light/weighted_source.hpp"
#include <algorithm>
#include "simulator/light/device_light.hpp"

namespace synthoscope::simulator {

std::vector<std::vector<double>> weights_between(const std::vector<double>& nodes,
                                                 const std::vector<double>& values) {
  std::vector<std::vector<double>> weights(nodes.size(), std::vector<double>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto above = std::upper_bound(nodes.begin(), nodes.end(), values[i]);
    if (above == nodes.begin()) {
      weights.front()[i] = 1;
    } else if (above == nodes.end()) {
      weights.back()[i] = 1;
    } else {
      const auto k = static_cast<std::size_t>(above - nodes.begin());
      const double part = (values[i] - nodes[k - 1]) / (nodes[k] - nodes[k - 1]);
      weights[k - 1][i] = 1 - part;
      weights[k][i] = part;
    }
  }
  return weights;
}

namespace {

double weight(const std::vector<double>& axis, std::int64_t i) {
  return axis.empty() ? 1 : axis[static_cast<std::size_t>(i)];
}

void darken(HostView3<float> voxels, std::int64_t first, std::int64_t count) {
  for (std::int64_t z = first; z < first + count; ++z)
    for (std::int64_t y = 0; y < voxels.extent().y; ++y)
      std::fill_n(voxels.row(z, y), voxels.extent().x, 0.0F);
}

Box3 planes_of(const Box3& box, const Interval& planes) {
  return {{box.origin.z + planes.first, box.origin.y, box.origin.x},
          {planes.count, box.size.y, box.size.x}};
}

}  // namespace

Interval weighted_planes(const VoxelWeights& weights, const Box3& box) {
  std::int64_t first = 0, end = box.size.z;
  while (first < end && weight(weights.z, box.origin.z + first) == 0) ++first;
  while (end > first && weight(weights.z, box.origin.z + end - 1) == 0) --end;
  return {first, end - first};
}

WeightedSource::WeightedSource(Source& light, const VoxelWeights& weights)
    : light_{light}, weights_{weights} {
  SYNTHOSCOPE_ASSERT(name_of(light.pixel_type()), ==, name_of(PixelType::float32));
}

void WeightedSource::read(const Box3& box, VoxelView out) {
  const auto voxels = out.as<float>();
  const Interval planes = weighted_planes(weights_, box);
  darken(voxels, 0, planes.first);
  darken(voxels, planes.end(), box.size.z - planes.end());
  if (planes.count == 0) return;
  const Box3 lit = planes_of(box, planes);
  const HostView3<float> some{voxels.row(planes.first, 0), lit.size, voxels.pitch()};
  light_.read(lit, some);
  for (std::int64_t z = 0; z < planes.count; ++z)
    for (std::int64_t y = 0; y < lit.size.y; ++y) {
      const double of_plane = weight(weights_.z, lit.origin.z + z),
                   of_row = weight(weights_.y, lit.origin.y + y);
      float* const row = some.row(z, y);
      for (std::int64_t x = 0; x < lit.size.x; ++x)
        row[x] = static_cast<float>(static_cast<double>(row[x]) *
                                    (of_plane * (of_row * weight(weights_.x, lit.origin.x + x))));
    }
}

void WeightedSource::expect(const Box3& box) {
  const Interval planes = weighted_planes(weights_, box);
  if (planes.count > 0) light_.expect(planes_of(box, planes));
}

std::unique_ptr<cuda::DeviceSource> WeightedSource::make_on_device() {
  auto inner = light_.make_on_device();
  return inner ? device::make_weighted_light(std::move(inner), weights_) : nullptr;
}

}  // namespace synthoscope::simulator
