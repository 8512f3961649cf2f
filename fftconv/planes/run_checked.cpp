// SPDX-License-Identifier: MIT
#include "fftconv/planes/run_checked.hpp"
#include <fmt/format.h>
#include "core/base/assert.hpp"
#include "core/stream/scratch_volume.hpp"
#include "fftconv/plan/cuts/layout.hpp"
#include "fftconv/plan/cuts/sums.hpp"

namespace synthoscope::fftconv {
namespace {

void require_matching(const Plan& plan, std::span<const Term> terms, const Epilogue& epilogue,
                      const Sink& sink) {
  const Problem& p = plan.problem;
  if (static_cast<std::int64_t>(terms.size()) != p.terms)
    throw PlanError(fmt::format("run the plan: it is for {} terms, {} were given; make a new plan",
                                p.terms, terms.size()));
  for (const Term& term : terms)
    if (!(term.image->extent() == p.image && term.kernel.voxels->extent() == p.kernel))
      throw PlanError(
          fmt::format("run the plan: it is for an image of {} and a kernel of {}, but they have {} "
                      "and {}; make a new plan",
                      p.image, p.kernel, term.image->extent(), term.kernel.voxels->extent()));
  for (const Term& term : terms)
    if (const auto weights = static_cast<std::int64_t>(term.weight_z.size());
        weights > 0 && (weights != p.image.z || p.remove_mean))
      throw PlanError(fmt::format(
          "run the plan: a term has {} weights along z for {} planes{}; give one per plane and "
          "leave the mean in, or none",
          weights, p.image.z, p.remove_mean ? " with the image mean subtracted" : ""));
  for (const Term& term : terms)
    if ((plan.cut.along_y || is_by_sums(plan.strategy)) && !term.weight_z.empty())
      throw PlanError(fmt::format(
          "run the plan: {}, but a term has weights along z; choose another --strategy",
          plan.cut.along_y ? "it takes the image in parts along y" : "it sums over the kernel"));
  const StreamFormat format = epilogue.format(output_extent(p));
  SYNTHOSCOPE_ASSERT(format.extent, ==, sink.extent());
  SYNTHOSCOPE_ASSERT(name_of(format.type), ==, name_of(sink.pixel_type()));
}

/// Plane after plane from a scratch file to a sink that takes them in order.
void hand_over(ScratchVolume& pieces, Sink& sink, const RunContext& context) {
  const Extent3 e = pieces.extent();
  const HostBuffer<std::byte> room{context.memory, e.y * e.x * size_of(pieces.pixel_type()),
                                   "a plane to hand over"};
  const VoxelView one{room.data(), pieces.pixel_type(), {1, e.y, e.x}};
  context.progress.begin("write planes", e.z);
  for (std::int64_t z = 0; z < e.z; ++z) {
    context.stop.check();
    pieces.read(plane(e, z), one);
    sink.write(plane(e, z), one);
    context.progress.advance(1);
  }
}

}  // namespace

RunReport run_checked(const Plan& plan, std::span<const Term> terms, const Epilogue& epilogue,
                      Sink& sink, const std::filesystem::path& scratch_folder,
                      const RunContext& context,
                      const std::function<RunReport(Sink&, const RunContext&)>& run) {
  const StopScope stops{context.stop};
  require_matching(plan, terms, epilogue, sink);
  if (sink.accepts() == BoxOrder::any || finishes_in_order(plan)) return run(sink, context);
  // Pieces of planes wait in a file until all are there
  ScratchVolume pieces{sink.extent(), sink.pixel_type(), scratch_folder};
  RunContext unrecorded = context;  // that file does not outlive the process: no step is finished
  unrecorded.checkpoint = nullptr;
  const RunReport report = run(pieces, unrecorded);
  hand_over(pieces, sink, context);
  return report;
}

}  // namespace synthoscope::fftconv
