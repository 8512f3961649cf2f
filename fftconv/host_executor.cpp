// SPDX-License-Identifier: MIT
#include "fftconv/host_executor.hpp"
#include <fmt/format.h>
#include "fftconv/host_run.hpp"
#include "fftconv/layout.hpp"

namespace synthoscope::fftconv {
namespace {

void require_matching(const Plan& plan, std::span<const Term> terms, const Epilogue& epilogue,
                      const Sink& sink) {
  const Problem& p = plan.problem;
  if (static_cast<std::int64_t>(terms.size()) != p.terms)
    throw PlanError(
        fmt::format("run the plan: it is for {} terms, {} were given; make the plan "
                    "again",
                    p.terms, terms.size()));
  for (const Term& term : terms)
    if (!(term.image->extent() == p.image && term.kernel.voxels->extent() == p.kernel))
      throw PlanError(fmt::format(
          "run the plan: it is for an image of {} and a kernel of {}, but they have {} and {}; "
          "make the plan again",
          p.image, p.kernel, term.image->extent(), term.kernel.voxels->extent()));
  for (const Term& term : terms)
    if (const auto weights = static_cast<std::int64_t>(term.weight_z.size());
        weights > 0 && (weights != p.image.z || p.remove_mean))
      throw PlanError(fmt::format(
          "run the plan: a term has {} weights along z for {} planes{}; give one per plane and "
          "leave the mean in, or none",
          weights, p.image.z, p.remove_mean ? " with the image mean taken out" : ""));
  const bool whole_planes = plan.cut.result.y >= wanted_extent(plan.work).y &&
                            plan.cut.result.x >= wanted_extent(plan.work).x;
  const bool one_piece = plan.cut.result == wanted_extent(plan.work);
  if (sink.accepts() == BoxOrder::planes_in_order &&
      !(one_piece || (whole_planes && plan.work == plan.problem)))
    throw PlanError(
        "run the plan: it finishes planes in pieces, but this output takes whole planes in order; "
        "write it uncompressed or raise --memory");
  const StreamFormat format = epilogue.format(output_extent(p));
  SYNTHOSCOPE_ASSERT(format.extent, ==, sink.extent());
  SYNTHOSCOPE_ASSERT(name_of(format.type), ==, name_of(sink.pixel_type()));
}

class HostExecutor final : public Executor {
 public:
  explicit HostExecutor(const Machine& machine) : machine_{machine} {}
  [[nodiscard]] Machine machine() const override { return machine_; }

  RunReport run(const Plan& plan, std::span<const Term> terms, Epilogue& epilogue, Sink& sink,
                const RunContext& context) override {
    require_matching(plan, terms, epilogue, sink);
    return plan.problem.precision == Precision::float32
               ? run_on_host<float>(plan, terms, epilogue, sink, context)
               : run_on_host<double>(plan, terms, epilogue, sink, context);
  }

 private:
  Machine machine_;
};

}  // namespace

std::unique_ptr<Executor> make_host_executor(const Machine& machine) {
  return std::make_unique<HostExecutor>(machine);
}

}  // namespace synthoscope::fftconv
