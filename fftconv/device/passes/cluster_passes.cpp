// SPDX-License-Identifier: MIT
#include "fftconv/device/passes/cluster_passes.hpp"
#include <algorithm>
#include <utility>
#include "core/base/error.hpp"
#include "core/cuda/memory/tensor_map.hpp"
#include "fftconv/device/code/programs.hpp"

namespace synthoscope::fftconv::device {
namespace {

/// Copies begin at multiples of this many bytes, and take as many.
constexpr std::int64_t kCopied = 16;

/// Whether all rows can be copied as they lie in memory.
bool can_be_copied(const RowsForward& rows, const RowLoading& how) {
  constexpr std::int64_t kMostBytes = 4;  // planes_forward.cuh
  const std::int64_t bytes = size_of(how.type);
  return how.placing != Placing::listed && bytes <= kMostBytes &&
         reinterpret_cast<std::uintptr_t>(rows.voxels) % kCopied == 0 &&
         rows.width * bytes % kCopied == 0 && rows.voxel_row * bytes % kCopied == 0 &&
         rows.voxel_plane * bytes % kCopied == 0;
}

/// Tables in one vector, each where device code reads two values at once.
class Joined {
 public:
  std::size_t add(const std::vector<float>& table) {
    constexpr std::size_t kFloatsOfPair = 4;
    all_.resize((all_.size() + kFloatsOfPair - 1) / kFloatsOfPair * kFloatsOfPair);
    const std::size_t at = all_.size();
    all_.insert(all_.end(), table.begin(), table.end());
    return at;
  }
  [[nodiscard]] const std::vector<float>& all() const { return all_; }

 private:
  std::vector<float> all_;
};

}  // namespace

std::unique_ptr<Passes> ClusterPasses::make(const cuda::DeviceInfo& device,
                                            const DeviceLayout& sizes, const PassList& list,
                                            const cuda::Stream& stream, MemoryBudget& device_memory,
                                            TaskPool& pool) {
  const PlaneShape& planes = sizes.fused.planes;
  if (!is_possible(planes, block_limits(device))) return nullptr;
  const std::vector<WantedKernel> wanted = kernels_for_planes(sizes.fused, list);
  for (const WantedKernel& one : wanted)
    if (!device_library().can_load(device, {kProgram, one.name})) return nullptr;
  Kernels kernels = device_library().kernels(device, kProgram, wanted, pool);
  std::map<std::string, int> clusters;
  const auto add = [&](const std::string& name) {
    return (clusters[name] = kernels.at(name).clusters_at_once(planes.cluster, planes.threads,
                                                               shared_bytes_of(planes))) > 0;
  };
  if (!add(planes_back_name(planes, list.stored))) return nullptr;
  for (const PlaneLoading& how : list.planes)
    if (!add(planes_forward_name(planes, how))) return nullptr;
  if (planes.classes == 1)
    for (const PlaneLoading& how : list.convolved)
      if (!add(planes_convolve_name(planes, how, list.stored))) return nullptr;
  return std::unique_ptr<Passes>{new ClusterPasses{device, sizes, list, std::move(kernels),
                                                   std::move(clusters), stream, device_memory}};
}

ClusterPasses::ClusterPasses(const cuda::DeviceInfo& device, const DeviceLayout& sizes,
                             const PassList& list, Kernels kernels,
                             std::map<std::string, int> clusters, const cuda::Stream& stream,
                             MemoryBudget& device_memory)
    : sizes_{sizes},
      stored_{list.stored},
      convolves_planes_{sizes.fused.planes.classes == 1 && !list.convolved.empty()},
      gpu_kernels_{std::move(kernels)},
      clusters_{std::move(clusters)} {
  const PlaneFactors planes = plane_factors_of(sizes.fused.planes);
  Joined tables;
  const std::size_t rows = tables.add(planes.rows), columns = tables.add(planes.columns),
                    turns = tables.add(planes.turns), classes = tables.add(planes.class_turns),
                    z = tables.add(factors_of(sizes.fused.columns_z.line));
  factors_ = {device.id, device_memory, static_cast<std::int64_t>(tables.all().size()), "factors"};
  cuda::enqueue_copy(stream, factors_.data(), tables.all().data(), factors_.bytes());
  counters_ = {device.id, device_memory, kPlaneCounters, "counters"};
  cuda::enqueue_zeros(stream, counters_.data(), counters_.bytes());
  const auto at = [this](std::size_t table) {
    // float2 is CUDA's own; it has two floats
    return reinterpret_cast<const float2*>(factors_.data() + table);
  };
  row_factors_ = at(rows);
  column_factors_ = at(columns);
  turns_ = at(turns);
  class_turns_ = at(classes);
  z_factors_ = at(z);
}

PlanesForward ClusterPasses::to_load(const PlaneLoading& how, const PlanesToLoad& planes,
                                     std::int64_t count) const {
  PlanesForward a;
  a.rows = planes.rows;
  a.rows.factors = row_factors_;
  a.rows.planes = static_cast<int>(count);
  a.rows.spectrum_row = sizes_.pitch;
  a.rows.spectrum_plane = sizes_.plane_values;
  a.column_factors = column_factors_;
  a.turns = turns_;
  a.loaded = {planes.positions.count, planes.sources};
  a.copied = can_be_copied(planes.rows, how.rows);
  a.drawn = counter();
  a.turned = planes.come_back;
  return a;
}

void ClusterPasses::load_planes(const cuda::Stream& stream, const PlaneLoading& how,
                                const PlanesToLoad& planes, std::int64_t count) const {
  launch(planes_forward_name(sizes_.fused.planes, how), stream, count, to_load(how, planes, count));
}

void ClusterPasses::convolve_planes(const cuda::Stream& stream, const PlaneLoading& how,
                                    const PlanesToLoad& planes, const float2* transfer,
                                    const RowsBack& results, std::int64_t count) const {
  PlanesConvolve a{to_load(how, planes, count), results, transfer};
  launch(planes_convolve_name(sizes_.fused.planes, how, stored_), stream, count, a);
}

void ClusterPasses::store_planes(const cuda::Stream& stream, const ColumnPass& /*along_y*/,
                                 RowsBack rows, std::int64_t count) const {
  PlanesBack a;
  a.rows = rows;
  a.rows.factors = row_factors_;
  a.rows.planes = static_cast<int>(count);
  a.rows.spectrum_row = sizes_.pitch;
  a.rows.spectrum_plane = sizes_.plane_values;
  a.column_factors = column_factors_;
  a.turns = turns_;
  a.spectra = boxes_of(rows.spectra, count);
  a.drawn = counter();
  launch(planes_back_name(sizes_.fused.planes, stored_), stream, count, a);
}

unsigned* ClusterPasses::counter() const {
  return counters_.data() + launches_++ % kPlaneCounters;
}

/// Rows of spectra as planes_back.cuh copies them.
TensorMap ClusterPasses::boxes_of(const float2* spectra, std::int64_t planes) const {
  const CopiedBoxes boxes = copied_boxes(sizes_.fused.planes, planes);
  TensorMap map;
  std::ranges::copy(cuda::tensor_map({spectra, boxes.lengths, boxes.steps, boxes.box}), map.words);
  return map;
}

/// Launches no more clusters than run at once: each takes several planes.
template <class Arguments>
void ClusterPasses::launch(const std::string& name, const cuda::Stream& stream, std::int64_t planes,
                           const Arguments& arguments) const {
  const PlaneShape& shape = sizes_.fused.planes;
  const std::int64_t clusters = std::min<std::int64_t>(planes * shape.classes, clusters_.at(name));
  gpu_kernels_.at(name).launch(
      stream, {{clusters * shape.cluster}, {shape.threads}, shared_bytes_of(shape)}, arguments);
}

void ClusterPasses::columns_z(const cuda::Stream& stream, const ColumnPass& how, Columns a) const {
  const BlockShape& s = sizes_.fused.columns_z;
  a.factors = z_factors_;
  a.apart = sizes_.plane_values;
  a.class_turns = class_turns_;
  a.row = static_cast<int>(sizes_.pitch * s.classes);
  gpu_kernels_.at(columns_name(s, how))
      .launch(stream, {{sizes_.plane_values / s.lines}, {s.threads()}, s.shared_bytes}, a);
}

PlaneSums ClusterPasses::with_classes(PlaneSums a) const {
  a.class_turns = class_turns_;
  a.row = static_cast<int>(sizes_.pitch);
  return a;
}

void ClusterPasses::prepare_kernel_planes(const cuda::Stream& stream, const PlaneSums& a,
                                          std::int64_t planes) const {
  const int classes = sizes_.fused.planes.classes;
  if (classes == 1) return;
  launch_sums(gpu_kernels_.at(join_classes_name(classes)), stream, with_classes(a), planes,
              classes);
}

void ClusterPasses::sum_planes(const cuda::Stream& stream, const PlaneSums& a,
                               std::int64_t results) const {
  const int classes = sizes_.fused.planes.classes;
  launch_sums(gpu_kernels_.at(sum_planes_name(classes)), stream, with_classes(a), results, classes);
}

void ClusterPasses::columns_y(const cuda::Stream& /*stream*/, const ColumnPass& /*how*/,
                              Columns /*arguments*/, std::int64_t /*planes*/) const {
  static_cast<void>(rows_to_change());
}

SpectrumRows ClusterPasses::rows_to_change() const {
  throw CudaError(
      "change voxels between two transforms of whole planes: rows are not in memory then; leave "
      "DeviceLayout::fused out");
}

}  // namespace synthoscope::fftconv::device
