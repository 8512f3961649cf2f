// SPDX-License-Identifier: MIT
// Filters an image with a kernel of its neighbourhood.
#include "kernels/filters/filter.hpp"
#include <fmt/format.h>
#include <limits>
#include "core/base/json.hpp"
#include "fftconv/kernel/use.hpp"
#include "fftconv/plan/cuts/sums.hpp"
#include "tools/commands/commands.hpp"
#include "tools/jobs/kernel_job.hpp"
#include "tools/options/filter.hpp"
#include "tools/options/rows.hpp"

namespace synthoscope::tools {
namespace {

using kernels::FilterStrategy;

/// automatic: the image's own type where results have its scale, else float32.
enum class FilteredType { automatic, same, uint8, uint16, int16, uint32, float32 };
constexpr NameTable<FilteredType, 7> kFilteredTypeNames{{
    {FilteredType::automatic, "auto"},
    {FilteredType::same, "same"},
    {FilteredType::uint8, "uint8"},
    {FilteredType::uint16, "uint16"},
    {FilteredType::int16, "int16"},
    {FilteredType::uint32, "uint32"},
    {FilteredType::float32, "float32"},
}};

// Memory for each weight while it is read, flipped and factored
constexpr std::int64_t kBytesPerWeight = 64;

std::string way_of(FilterStrategy strategy) {
  return strategy == FilterStrategy::separable
             ? "passes along the axes"
             : fmt::format("direct sums, strategy {}", name_of(strategy));
}

std::string explanation_of(const kernels::ChosenFilter& filter) {
  std::string text = way_of(filter.strategy);
  if (filter.strategy == FilterStrategy::separable)
    text = fmt::format("separable, {} product{} of weights along the axes", filter.products,
                       filter.products == 1 ? "" : "s");
  if (filter.on_device != filter.strategy)
    text += fmt::format("; on a GPU {}", way_of(filter.on_device));
  return text;
}

/// Returns the predicted seconds of an FFT of the image on the host; none if it cannot be planned.
std::optional<double> fft_seconds(const Extent3& image, const Extent3& kernel,
                                  const fftconv::MachineRates& rates) try {
  fftconv::Problem problem;
  problem.image = image;
  problem.kernel = kernel;
  problem.image_voxel_bytes = problem.result_voxel_bytes = 0;
  const auto plan = plan_convolution(problem, {std::numeric_limits<std::int64_t>::max(), 0, rates},
                                     fftconv::Strategy::in_core);
  return plan.candidates.front().seconds;
} catch (const Error&) {
  return std::nullopt;
}

/// A kernel may be a sum of so many products that passes take longer than anything else.
void warn_of_slow_passes(const kernels::ChosenFilter& filter, const Extent3& image,
                         const Extent3& weights, Console& console) {
  const fftconv::MachineRates rates;
  const auto seconds = [&](double of_voxel) {
    return fftconv::sums_seconds(volume(image), of_voxel, rates);
  };
  const double direct = kernels::direct_seconds(weights);
  if (filter.products == 1 || filter.host_seconds <= direct) return;
  const auto fft = fft_seconds(image, weights, rates);
  console.warn(fmt::format(
      "filter by passes: the kernel is a sum of {} products of weights along the axes, which takes "
      "about {:.2g} s on two cores; --strategy register is expected to take {:.2g} s{}",
      filter.products, seconds(filter.host_seconds), seconds(direct),
      fft ? fmt::format(", and convolve, by FFT, {:.2g} s", *fft) : ""));
}

class Filter final : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "filter"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Filters an image: a weighted sum around every voxel. Use it for "
           "small or named kernels; for kernels of any size use convolve.";
  }
  void describe(OptionTable& table) override;

 private:
  void run(const Invocation& invocation) override;
  void name_files(imageio::RunFiles& files) const override {
    job_.name_files(files, {job_.output});
    files.add_input("kernel", filter_.kernel);
  }
  [[nodiscard]] bool takes_apart() const;
  [[nodiscard]] PixelType output_type(PixelType image) const;
  [[nodiscard]] std::optional<kernels::Stencil> read_kernel(KernelJob& job) const;
  void run_bank(const kernels::NeighbourhoodSetting& setting, Json asked, KernelJob& job) const;

  KernelJobOptions job_;
  FilterOptions filter_;
  Boundary boundary_ = Boundary::reflect;
  FilterStrategy strategy_ = FilterStrategy::automatic;
  double tolerance_ = kernels::kFactorTolerance;
  FilteredType type_ = FilteredType::automatic;
};

void Filter::describe(OptionTable& table) {
  job_.describe_files(table, "image or stack to filter");
  table.add(choice_row(
      "boundary", boundary_,
      {Boundary::zero, Boundary::nearest, Boundary::reflect, Boundary::mirror, Boundary::wrap},
      "values outside the image, as in scipy.ndimage"));
  table.add(
      choice_row("output-type", type_, kFilteredTypeNames,
                 "type of the result's voxels; auto is the image's type if the kernel keeps its "
                 "scale (a Gaussian, a box, a kernel divided by its sum), otherwise float32; "
                 "integers are rounded and clipped, and the clipped voxels are counted"));
  filter_.describe(table);
  table.group("Method");
  table.add(
      choice_row("strategy", strategy_,
                 {FilterStrategy::automatic, FilterStrategy::global, FilterStrategy::shared,
                  FilterStrategy::registers, FilterStrategy::separable},
                 "global sums every voxel by definition, in double, slowly; shared and register "
                 "share reads between neighbouring sums (the same on the host); separable filters "
                 "one axis after another; auto takes the method that is expected to be fastest"));
  table.add(only(
      "for kernels that can be split: with --kernel, --named or --bank, and --strategy auto or "
      "separable",
      [this] { return takes_apart(); },
      real_row("factor-tolerance", "SHARE", tolerance_, "",
               "largest share of a kernel's weights that may be neglected when it is split into "
               "products of weights along the axes")));
  job_.describe_gpu(table);
  job_.describe_rest(table);
}

bool Filter::takes_apart() const {
  return (strategy_ == FilterStrategy::automatic || strategy_ == FilterStrategy::separable) &&
         filter_.gaussian.empty() && filter_.box.empty();
}

PixelType Filter::output_type(PixelType image) const {
  if (type_ == FilteredType::same) return image;
  if (type_ != FilteredType::automatic)
    return *pixel_type_named(name_in(kFilteredTypeNames, type_));
  return filter_.keeps_scale() && !is_floating(image) ? image : PixelType::float32;
}

std::optional<kernels::Stencil> Filter::read_kernel(KernelJob& job) const {
  if (filter_.kernel.empty()) return {};
  const RunContext context = job.context();
  const CountedImage file = open_kernel(filter_.kernel, job.opening(), context);
  job.add_image("kernel", filter_.kernel, file.info);
  const auto held =
      context.memory.reserve(volume(file.info.extent) * kBytesPerWeight, "the kernel's weights");
  const fftconv::KernelSummary summary = fftconv::summarize(*file.source, context.stop);
  fftconv::require_usable(summary, filter_.kernel.string());
  const Index3 middle = kernel_center(fftconv::CenterRule::middle, summary, filter_.correlate);
  if (const auto warning = off_center_warning(
          {filter_.kernel.string(), *file.source, std::nullopt}, summary, middle, filter_.correlate,
          "convolve with --kernel-center peak keeps it in place", context.stop))
    context.log.warn(*warning);
  const double scale = fftconv::normalization_scale(filter_.normalization, summary);
  return kernels::correlation_stencil(
      file.info.extent, fftconv::weights_of({file.source.get(), 0, scale}, context.stop));
}

void Filter::run(const Invocation& invocation) {
  filter_.require_consistent();
  KernelJob job{name(), job_, {job_.output}, files_, invocation};
  job.warn_of_single_precision();
  const auto weights = read_kernel(job);
  const kernels::NeighbourhoodSetting setting{job.image().extent, boundary_,
                                              output_type(job.image().type)};
  Json asked = filter_.asked();
  asked["boundary"] = name_of(boundary_);
  if (filter_.bank) return run_bank(setting, asked, job);
  const kernels::FilterKernel kernel = filter_.kernel_for(setting.image, weights);
  const auto filter = kernels::make_filter(setting, kernel, strategy_, tolerance_);
  const Extent3 extent = std::visit([](const auto& known) { return known.extent; }, kernel);
  if (strategy_ == FilterStrategy::separable)
    warn_of_slow_passes(filter, setting.image, extent, invocation.console);
  if (job_.explain) invocation.console.text(explanation_of(filter));
  const auto asked_by = [&](FilterStrategy strategy) {
    Json how{{"strategy", name_of(strategy)}};
    if (strategy == FilterStrategy::separable) how["factor_tolerance"] = tolerance_;
    return how;
  };
  Json on_host = asked, on_gpu = asked;
  on_host.update(asked_by(filter.strategy));
  on_gpu.update(asked_by(filter.on_device));
  job.run(*filter.operation, on_host, on_gpu,
          filter.host_seconds * static_cast<double>(volume(setting.image)));
}

void Filter::run_bank(const kernels::NeighbourhoodSetting& setting, Json asked,
                      KernelJob& job) const {
  asked["strategy"] = name_of(strategy_);
  asked["factor_tolerance"] = tolerance_;
  kernels::FilterBankSpec spec{*filter_.bank, strategy_, tolerance_};
  if (spec.bank == kernels::FilterBank::invariants) {
    if (const auto size = job.image().voxel_size()) spec.depth_ratio = size->z_um / size->x_um;
    asked["depth_ratio"] = spec.depth_ratio;
  }
  const auto bank = kernels::make_filter_bank(setting, spec);
  job.run(*bank.operation, asked, bank.host_seconds * static_cast<double>(volume(setting.image)));
}

}  // namespace

std::unique_ptr<Command> make_filter() {
  return std::make_unique<Filter>();
}

}  // namespace synthoscope::tools
