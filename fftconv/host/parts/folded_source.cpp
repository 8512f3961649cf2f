// SPDX-License-Identifier: MIT
#include "fftconv/host/parts/folded_source.hpp"
#include <algorithm>
#include <array>
#include <numeric>
#include "core/run/task_pool.hpp"
#include "fftconv/planes/access.hpp"

namespace synthoscope::fftconv {

FoldInput image_to_fold(const Layout& layout, const WorkAxes& axes, const Term& term, double mean) {
  FoldInput fold{term.image, 1, mean, {}};
  for (const IndexRun& run : image_runs(layout.z))
    for (std::int64_t i = 0; i < run.count; ++i)
      fold.planes.push_back({run.position + i, run.source + i * run.step, 1});
  if (!term.weight_z.empty())
    for (FoldInput::Plane& plane : fold.planes)
      plane.weight =
          term.weight_z[axes.rows_as_planes() ? 0 : static_cast<std::size_t>(plane.source)];
  return fold;
}

FoldInput kernel_to_fold(const Layout& layout, const Kernel& kernel) {
  const AxisGeometry& z = layout.z;
  FoldInput fold{kernel.voxels, kernel.scale, kernel.background, {}};
  for (std::int64_t j = 0; j < z.kernel_count; ++j) {
    const std::int64_t k = z.kernel_begin + j;
    fold.planes.push_back({j + z.shift, z.flip ? z.kernel - 1 - k : k, 1});
  }
  return fold;
}

std::vector<std::int64_t> all_planes(const Decimation& decimation) {
  std::vector<std::int64_t> planes(static_cast<std::size_t>(decimation.planes));
  std::iota(planes.begin(), planes.end(), std::int64_t{0});
  return planes;
}

std::vector<std::int64_t> folded_planes(const FoldInput& input, const Decimation& decimation) {
  std::vector<std::int64_t> planes;
  for (const FoldInput::Plane& plane : input.planes)
    planes.push_back(decimation.plane_of(plane.position));
  std::sort(planes.begin(), planes.end());
  planes.erase(std::unique(planes.begin(), planes.end()), planes.end());
  return planes;
}

template <class Real>
FoldedSource<Real>::FoldedSource(const FoldInput& input, const WorkAxes& axes,
                                 const Decimation& decimation,
                                 const std::vector<std::int64_t>& kept,
                                 const LaneFunctions<Real>& functions,
                                 std::span<const Scratch<Real>> scratch)
    : input_{input},
      axes_{axes},
      decimation_{decimation},
      functions_{functions},
      kept_(kept.size()),
      scratch_{scratch} {
  for (std::size_t i = 0; i < input_.planes.size(); ++i) {
    const std::int64_t position = input_.planes[i].position;
    const auto found = std::lower_bound(kept.begin(), kept.end(), decimation_.plane_of(position));
    kept_[static_cast<std::size_t>(found - kept.begin())].push_back(
        {static_cast<std::int64_t>(i), position, {}});
  }
  set_part(0);
}

template <class Real>
void FoldedSource<Real>::set_part(std::int64_t part) {
  for (auto& folded : kept_)
    for (Rotated& rotated : folded) rotated.factor = factor_of(part, rotated);
}

template <class Real>
std::complex<double> FoldedSource<Real>::factor_of(std::int64_t part,
                                                   const Rotated& rotated) const {
  return rotation(decimation_, part, rotated.position) * input_.scale *
         input_.planes[static_cast<std::size_t>(rotated.plane)].weight;
}

template <class Real>
Extent3 FoldedSource<Real>::extent() const {
  const Extent3 e = axes_.to_volume(input_.source->extent());
  return {2 * static_cast<std::int64_t>(kept_.size()), e.y, e.x};
}

template <class Real>
void FoldedSource<Real>::read(const Box3& box, VoxelView out) {
  SYNTHOSCOPE_ASSERT(box.origin.z % 2 + box.size.z % 2, ==, 0);
  const std::int64_t per_plane = box.size.y * box.size.x;
  Real* re = out.as<Real>().data();
  for (std::int64_t z = box.origin.z; z < box.origin.z + box.size.z; z += 2, re += 2 * per_plane)
    fold(z / 2, box, re, re + per_plane);
}

template <class Real>
void FoldedSource<Real>::fold(std::int64_t kept, const Box3& rows, Real* re, Real* im) const {
  std::fill_n(re, rows.size.y * rows.size.x, Real{0});
  std::fill_n(im, rows.size.y * rows.size.x, Real{0});
  for (const Rotated& rotated : kept_[static_cast<std::size_t>(kept)])
    fold_plane(rotated, rows, Factors{&rotated.factor, 1}, re, im);
}

template <class Real>
void FoldedSource<Real>::fold_parts(std::int64_t kept, const Box3& rows, Real* pieces) const {
  const std::int64_t count = rows.size.y * rows.size.x;
  std::fill_n(pieces, 2 * decimation_.parts * count, Real{0});
  std::vector<std::complex<double>> factors(static_cast<std::size_t>(decimation_.parts));
  for (const Rotated& rotated : kept_[static_cast<std::size_t>(kept)]) {
    for (std::size_t part = 0; part < factors.size(); ++part)
      factors[part] = factor_of(static_cast<std::int64_t>(part), rotated);
    fold_plane(rotated, rows, factors, pieces, pieces + count);
  }
}

/// Adds one input plane's rows and columns of `rows` to as many pairs of planes as there are
/// factors; the pairs are contiguous.
template <class Real>
void FoldedSource<Real>::fold_plane(const Rotated& rotated, const Box3& rows, Factors factors,
                                    Real* re, Real* im) const {
  const std::int64_t source = input_.planes[static_cast<std::size_t>(rotated.plane)].source;
  const Box3 box =
      axes_.to_volume(Box3{{source, rows.origin.y, rows.origin.x}, {1, rows.size.y, rows.size.x}});
  const auto& native = scratch_[static_cast<std::size_t>(TaskPool::slot())].fold;
  const PixelType type = input_.source->pixel_type();
  SYNTHOSCOPE_ASSERT(volume(box.size) * size_of(type), <=, native.count());
  input_.source->read(box, VoxelView{native.data(), type, box.size});
  visit_pixel_type(type, [&](auto zero) {
    add(reinterpret_cast<const decltype(zero)*>(native.data()), volume(box.size), factors, re, im);
  });
}

template <class Real>
template <class Native>
void FoldedSource<Real>::add(const Native* voxels, std::int64_t count, Factors factors, Real* re,
                             Real* im) const {
  constexpr std::int64_t kTogether = 1024;  // stays in the nearest cache between the two loops
  std::array<Real, kTogether> reals;
  const auto convert = [&](auto scale, const Native* from, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) reals[static_cast<std::size_t>(i)] = scale(from[i]);
  };
  const auto add_reals = [&](const Real* from, std::int64_t at, std::int64_t n) {
    for (std::size_t i = 0; i < factors.size(); ++i) {
      const std::int64_t to = 2 * static_cast<std::int64_t>(i) * count + at;
      functions_.add_rotated(from, n, static_cast<Real>(factors[i].real()),
                             static_cast<Real>(factors[i].imag()), re + to, im + to);
    }
  };
  if constexpr (std::is_same_v<Native, Real>)
    if (input_.background == 0) return add_reals(voxels, 0, count);
  const bool is_exact = holds_exactly<Native, Real>(input_.background);
  for (std::int64_t at = 0; at < count; at += kTogether) {
    const std::int64_t n = std::min(kTogether, count - at);
    if (is_exact)
      convert(VoxelScale<Real, Real>{1, static_cast<Real>(input_.background)}, voxels + at, n);
    else
      convert(VoxelScale<double, Real>{1, input_.background}, voxels + at, n);
    add_reals(reals.data(), at, n);
  }
}

template class FoldedSource<float>;
template class FoldedSource<double>;

}  // namespace synthoscope::fftconv
