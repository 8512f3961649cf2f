// SPDX-License-Identifier: MIT
#include "fftconv/sums_run.hpp"
#include <array>
#include "core/stopwatch.hpp"
#include "fftconv/scratch.hpp"
#include "fftconv/sums.hpp"
#include "kernels/run_bricks.hpp"
#include "kernels/vector_level.hpp"

namespace synthoscope::fftconv {
namespace {

/// Takes planes as they are computed and hands on what an epilogue makes of them. Its room is in
/// the working memory of make_sums.
class Finishing final : public Sink {
 public:
  Finishing(Epilogue& epilogue, Sink& sink, const Extent3& computed, Precision precision,
            std::int64_t plane_bytes, int threads)
      : epilogue_{epilogue},
        sink_{sink},
        computed_{computed},
        precision_{precision},
        planes_(static_cast<std::size_t>(threads)) {
    for (auto& plane : planes_) plane.resize(static_cast<std::size_t>(plane_bytes));
  }
  [[nodiscard]] Extent3 extent() const override { return computed_; }
  [[nodiscard]] PixelType pixel_type() const override {
    return precision_ == Precision::float32 ? PixelType::float32 : PixelType::float64;
  }
  [[nodiscard]] BoxOrder accepts() const override { return sink_.accepts(); }

  void write(const Box3& box, ConstVoxelView voxels) override {
    const int slot = std::max(0, TaskPool::slot());
    const VoxelView made{planes_.at(static_cast<std::size_t>(slot)).data(), sink_.pixel_type(),
                         box.size};
    if (precision_ == Precision::float32)
      epilogue_.apply(box, voxels.as<float>(), made);
    else
      epilogue_.apply(box, voxels.as<double>(), made);
    sink_.write(box, made);
  }
  void close() override {}

 private:
  Epilogue& epilogue_;
  Sink& sink_;
  Extent3 computed_;
  Precision precision_;
  std::vector<std::vector<std::byte>> planes_;  ///< one a thread
};

}  // namespace

RunReport run_sums(const Plan& plan, const Term& term, Epilogue& epilogue, Sink& sink,
                   const RunContext& context) {
  RunReport report;
  Stopwatch watch{report.stages};
  const Problem& p = plan.problem;
  const auto operation = make_sums(p, plan.strategy, weights_of(term.kernel, context.stop));
  const Extent3& brick = plan.cut.result;
  TaskPool pool{
      affordable_threads(context, plan.memory_bytes(), operation->working_bytes(brick, 1))};
  const RunContext own{pool,        context.memory, context.progress,
                       context.log, context.stop,   context.checkpoint};
  const auto bricks =
      kernels::cut_into(*operation, size_of(term.image->pixel_type()), brick, pool.threads());
  Finishing finishing{epilogue,
                      sink,
                      operation->extent(),
                      p.precision,
                      brick.y * brick.x * size_of(sink.pixel_type()),
                      pool.threads()};
  watch.lap("prepare");
  const std::array<Sink*, 1> sinks{&finishing};
  kernels::run_bricks(bricks, *operation, *term.image, sinks, own);
  watch.lap("sums");
  report.instruction_set = name_of(kernels::vector_level());
  report.seconds = watch.total();
  report.peak_memory_bytes = context.memory.peak();
  return report;
}

}  // namespace synthoscope::fftconv
