// SPDX-License-Identifier: MIT
#include "deconvolution/device/neighbours.hpp"
#include <algorithm>
#include "core/cuda/runtime/peers.hpp"
#include "deconvolution/device/code/arguments.hpp"

namespace synthoscope::deconvolution::device {
namespace {

constexpr std::int64_t kPairBytes = 2 * sizeof(float);

/// One piece travels while another is computed.
constexpr std::int64_t kMostPieces = 4, kPieceBytes = std::int64_t{16} << 20;

}  // namespace

SharedRows shared_rows(const FieldPart& part, const FieldPart& other,
                       const fftconv::WorkAxes& axes) {
  // The exchange of axes leads back, too
  const Box3 box = axes.to_volume(shared_places(part, other));
  return {{box.origin.z, box.size.z}, {box.origin.y, box.size.y}};
}

Neighbours::Neighbours(const FieldPart& part, cuda::DeviceId device,
                       const fftconv::device::ResidentConvolution& convolution)
    : part_{part}, convolution_{convolution}, exchange_{device}, made_{device}, added_{device} {}

void Neighbours::meet(Neighbours& other, const fftconv::WorkAxes& axes,
                      MemoryBudget& device_memory) {
  const SharedRows shared = shared_rows(part_, other.part_, axes);
  if (&other == this || shared.count() == 0) return;
  const cuda::DeviceId device = exchange_.device();
  // Where they cannot, copies go through the host
  static_cast<void>(cuda::enable_reach(device, other.exchange_.device()));
  const std::int64_t values =
      shared.count() * convolution_.made_rows(shared.planes, shared.rows).spectrum_row;
  links_.push_back({&other,
                    shared,
                    pieces_of(shared, values * kPairBytes),
                    {device, device_memory, 2 * values, "rows of another GPU"}});
}

std::vector<Neighbours::Piece> Neighbours::pieces_of(const SharedRows& shared,
                                                     std::int64_t bytes) const {
  const std::int64_t planes = shared.planes.count,
                     count = std::min(
                         planes, std::clamp<std::int64_t>(bytes / kPieceBytes, 1, kMostPieces));
  std::vector<Piece> pieces;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t first = planes * i / count;
    pieces.push_back({{shared.planes.first + first, planes * (i + 1) / count - first},
                      cuda::Event{exchange_.device()}});
  }
  return pieces;
}

/// Returns the planes of which no neighbour has a row.
std::vector<Interval> Neighbours::planes_alone() const {
  IntervalSet shared;
  for (const Link& link : links_) shared.add(link.shared.planes);
  return IntervalSet{{0, convolution_.extent(fftconv::device::Side::image).z}}
      .without(shared)
      .all();
}

Neighbours::Link& Neighbours::link_to(const Neighbours& other) {
  return *std::find_if(links_.begin(), links_.end(),
                       [&](const Link& link) { return link.other == &other; });
}

void Neighbours::send(const cuda::Stream& compute, const OfPlanes& make) {
  for (const Link& link : links_) exchange_.wait_for(link.other->added_);
  std::vector<Interval> made;
  for (Link& link : links_)
    for (std::size_t i = 0; i < link.pieces.size(); ++i) {
      const Interval& planes = link.pieces[i].planes;
      if (std::find(made.begin(), made.end(), planes) == made.end()) {
        make(planes);
        made.push_back(planes);
      }
      send(compute, link, i);
    }
  for (const Interval& planes : planes_alone()) make(planes);
}

void Neighbours::send(const cuda::Stream& compute, Link& link, std::size_t piece) {
  const auto& [planes, sent] = link.pieces[piece];
  made_.record(compute);
  exchange_.wait_for(made_);
  const auto rows = convolution_.made_rows(planes, link.shared.rows);
  const std::int64_t bytes = rows.row_count * rows.spectrum_row * kPairBytes,
                     first = planes.first - link.shared.planes.first;
  auto* const there =
      reinterpret_cast<std::byte*>(link.other->link_to(*this).came.data()) + first * bytes;
  cuda::enqueue_copy_rows(exchange_, there, bytes, rows.spectra, rows.spectrum_plane * kPairBytes,
                          bytes, planes.count);
  link.pieces[piece].sent.record(exchange_);
}

void Neighbours::receive(cuda::Stream& compute, const cuda::GpuKernel& add_rows,
                         const OfPlanes& use) {
  for (const Interval& planes : planes_alone()) use(planes);
  for (std::size_t i = 0; i < kMostPieces; ++i) {
    std::vector<Interval> added;
    for (Link& link : links_) {
      if (i >= link.pieces.size()) continue;
      add(compute, add_rows, link, i);
      const Interval& planes = link.pieces[i].planes;
      if (std::find(added.begin(), added.end(), planes) == added.end()) added.push_back(planes);
    }
    for (const Interval& planes : added) use(planes);
  }
  added_.record(compute);
}

/// Adds what a neighbour sent, once what it is sent is away.
void Neighbours::add(cuda::Stream& compute, const cuda::GpuKernel& add_rows, Link& link,
                     std::size_t piece) {
  compute.wait_for(link.pieces[piece].sent);
  compute.wait_for(link.other->link_to(*this).pieces[piece].sent);
  const Interval& planes = link.pieces[piece].planes;
  const std::int64_t before = (planes.first - link.shared.planes.first) * link.shared.rows.count;
  AddedRows a;
  a.rows = convolution_.made_rows(planes, link.shared.rows);
  a.others = reinterpret_cast<const float2*>(link.came.data() + 2 * before * a.rows.spectrum_row);
  add_rows.launch(compute, {{planes.count * link.shared.rows.count}, {256}, 0}, a);
}

}  // namespace synthoscope::deconvolution::device
