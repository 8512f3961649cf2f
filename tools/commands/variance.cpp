// SPDX-License-Identifier: MIT
// Mean, variance and standard deviation of every voxel's neighbourhood; contrast made even by them.
#include <fmt/format.h>
#include <algorithm>
#include "core/base/json.hpp"
#include "imageio/image/statistics.hpp"
#include "kernels/variance/contrast.hpp"
#include "kernels/variance/local_variance.hpp"
#include "kernels/variance/merge_steps.hpp"
#include "tools/commands/commands.hpp"
#include "tools/jobs/kernel_job.hpp"
#include "tools/options/rows.hpp"

namespace synthoscope::tools {
namespace {

using kernels::LocalStatistic;
using kernels::LocalWindow;
using kernels::VarianceStrategy;
using kernels::WindowShape;

class Variance final : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "variance"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Computes local mean and variance, or evens out local contrast. Statistics are those of "
           "the neighbourhood of each voxel: mean, variance or standard deviation; variances are "
           "correct even if the mean is much larger than the spread. With --enhance, it evens out "
           "local contrast.";
  }
  void describe(OptionTable& table) override;

 private:
  void run(const Invocation& invocation) override;
  void name_files(imageio::RunFiles& files) const override { job_.name_files(files, outputs()); }
  void take_window(std::string_view text);
  void take_scales(std::string_view text);
  void take_statistics(std::string_view text);
  void take_type(std::string_view text);
  [[nodiscard]] std::vector<LocalWindow> windows_for(const Extent3& image) const;
  [[nodiscard]] std::vector<std::filesystem::path> outputs() const;
  void take_statistics_of(KernelJob& job) const;
  void enhance(KernelJob& job) const;

  KernelJobOptions job_;
  WindowShape shape_ = WindowShape::triangle;
  std::vector<double> sizes_;  ///< values of --window: one, or one for each of z, y, x
  std::vector<std::int64_t> scales_;
  std::vector<LocalStatistic> statistics_{LocalStatistic::variance};
  VarianceStrategy strategy_ = VarianceStrategy::threewise;
  Boundary boundary_ = Boundary::reflect;
  std::optional<PixelType> type_;
  bool enhances_ = false;
  kernels::ContrastSpec contrast_;
  std::optional<double> target_;
};

void Variance::describe(OptionTable& table) {
  job_.describe_files(table, "image or stack to compute statistics of");
  table.add({"window", "SHAPE:SIZE", "", "voxels",
             "the neighbourhood and its weights: box:N has N voxels, an odd number, along each "
             "axis; triangle:R has weights 1 to R and back to 1; gaussian:S has the standard "
             "deviation S. Along x and y, and along z if there are several planes; or sizes Z,Y,X, "
             "where 1 (0 for a Gaussian) means no neighbours",
             [this](std::string_view text) { take_window(text); }});
  table.add({"scales", "R,R,...", "", "voxels",
             "instead of --window: triangles of these half-widths, all in one pass, each a "
             "multiple of the one before, such as 2,4,8,16,32",
             [this](std::string_view text) { take_scales(text); }});
  const auto measures = [this] { return !enhances_; };
  const auto enhances = [this] { return enhances_; };
  table.add(only("without --enhance", measures,
                 {"statistic", "mean|variance|std", "variance", "",
                  "statistic to write, or several, separated by commas. Several results are "
                  "written to one file each: OUT with -STATISTIC, or -STATISTIC-SCALE if there are "
                  "scales, before its extension",
                  [this](std::string_view text) { take_statistics(text); }}));
  table.add(choice_row(
      "boundary", boundary_,
      {Boundary::zero, Boundary::nearest, Boundary::reflect, Boundary::mirror, Boundary::wrap},
      "values outside the image"));
  table.add(only(
      "without --enhance", measures,
      choice_row("strategy", strategy_,
                 {VarianceStrategy::threewise, VarianceStrategy::two_pass, VarianceStrategy::online,
                  VarianceStrategy::pairwise, VarianceStrategy::koenig, VarianceStrategy::integral},
                 "how the variance is computed: threewise joins parts of windows three at a time; "
                 "integral is exact for boxes of integers; the others go voxel by voxel in "
                 "float32, for comparison. If the mean is 10,000 standard deviations, the error of "
                 "threewise is 1e-6 of the variance, of two-pass 7e-4, of pairwise 1e-3, of online "
                 "3e-3, and of koenig hundreds of times the variance")));
  table.add({"output-type", "uint8|uint16|float32", "float32; the image's with --enhance", "",
             "type of the results' voxels; integers are rounded and clipped, and the clipped "
             "voxels are counted",
             [this](std::string_view text) { take_type(text); }});
  table.group("Contrast");
  table.add(switch_row("enhance", enhances_,
                       "write the image with even local contrast: each scale has its own gain, "
                       "which is large where the image varies little. Scales are 2,4,8,16,32 "
                       "unless --scales or --window says otherwise"));
  table.add(
      only("with --enhance", enhances,
           real_row("strength", "A", contrast_.strength, "",
                    "strength of the enhancement, from 0, which does not change the image, to 1")));
  table.add(only(
      "with --enhance", enhances,
      real_row("target", "S", target_, "", "that of the whole image",
               "standard deviation that all neighbourhoods should have, in units of the image")));
  table.add(only("with --enhance", enhances,
                 real_row("limit", "G", contrast_.limit, "",
                          "largest gain, at least 1; a smaller limit amplifies noise less")));
  job_.describe_gpu(table);
  job_.describe_rest(table);
}

void Variance::take_window(std::string_view text) {
  const auto colon = text.find(':');
  const auto shape = kernels::window_shape_named(text.substr(0, colon));
  if (!shape || colon == text.npos)
    throw InvalidSpec(fmt::format(
        "'{}' is not a window; write triangle:R, box:N or gaussian:S, such as box:7", text));
  const auto sizes = split_at_commas(text.substr(colon + 1));
  if (sizes.size() != 1 && sizes.size() != 3)
    throw InvalidSpec(fmt::format("'{}' has {} sizes; write one for all axes, or three, Z,Y,X",
                                  text, sizes.size()));
  shape_ = *shape;
  for (const std::string_view size : sizes) sizes_.push_back(parse_real(size));
}

void Variance::take_scales(std::string_view text) {
  for (const std::string_view scale : split_at_commas(text))
    scales_.push_back(parse_whole(scale, 1));
}

void Variance::take_statistics(std::string_view text) {
  statistics_.clear();
  for (const std::string_view name : split_at_commas(text)) {
    const auto statistic = kernels::local_statistic_named(name);
    if (statistic && std::ranges::count(statistics_, *statistic) > 0)
      throw InvalidSpec(fmt::format("'{}' is named twice; name each statistic once", name));
    if (!statistic)
      throw InvalidSpec(fmt::format(
          "'{}' is not a statistic; write mean, variance or std, several with commas between them",
          name));
    statistics_.push_back(*statistic);
  }
}

void Variance::take_type(std::string_view text) {
  for (const PixelType type : {PixelType::uint8, PixelType::uint16, PixelType::float32})
    if (text == name_of(type)) type_ = type;
  if (!type_)
    throw InvalidSpec(
        fmt::format("'{}' is not one of the accepted words; write uint8, uint16 or float32", text));
}

std::vector<LocalWindow> Variance::windows_for(const Extent3& image) const {
  std::vector<std::int64_t> scales = scales_;
  if (enhances_ && sizes_.empty() && scales.empty()) scales = {2, 4, 8, 16, 32};
  if (sizes_.empty() == scales.empty())
    throw InvalidSpec(
        fmt::format("variance: {}; give one of them, such as --window box:7 or --scales 2,4,8",
                    sizes_.empty() ? "neither --window nor --scales is given"
                                   : "--window and --scales are both given"));
  if (sizes_.size() == 3) return {{shape_, sizes_[0], sizes_[1], sizes_[2]}};
  if (!sizes_.empty()) return {kernels::window_for(shape_, sizes_[0], image)};
  for (std::size_t i = 1; i < scales.size(); ++i)
    if (scales[i] % scales[i - 1] != 0 || scales[i] == scales[i - 1])
      throw InvalidSpec(
          fmt::format("variance: --scales has {} after {}; each is made from the one before, so "
                      "give whole multiples of it, such as 2,4,8",
                      scales[i], scales[i - 1]));
  std::vector<LocalWindow> windows;
  for (const std::int64_t scale : scales)
    windows.push_back(
        kernels::window_for(WindowShape::triangle, static_cast<double>(scale), image));
  return windows;
}

std::vector<std::filesystem::path> Variance::outputs() const {
  if (enhances_ || (scales_.size() <= 1 && statistics_.size() == 1)) return {job_.output};
  std::vector<std::filesystem::path> outputs;
  if (scales_.empty())
    for (const LocalStatistic statistic : statistics_)
      outputs.push_back(with_suffix(job_.output, name_of(statistic)));
  for (const std::int64_t scale : scales_)
    for (const LocalStatistic statistic : statistics_)
      outputs.push_back(with_suffix(job_.output, fmt::format("{}-{}", name_of(statistic), scale)));
  return outputs;
}

/// Predicts the seconds of one thread for a pixel and a merge of its windows, including statistics
/// and bands: measured for boxes of 31 x 31, which are 8 merges (bench/kernels/variance.py).
constexpr double kMergeSeconds = 7e-10;

double merge_count(const std::vector<LocalWindow>& windows) {
  double merges = 0;
  for (const kernels::MergeStep& step : kernels::merge_steps(windows).steps)
    merges += static_cast<double>(std::max<std::size_t>(1, step.taps.size()));
  return merges;
}

/// The same for a voxel of a window of 15 x 15 that is gone through, and for integral sums.
double strategy_seconds(VarianceStrategy strategy, const LocalWindow& window) {
  if (strategy == VarianceStrategy::integral) return 6e-9;
  const Extent3 half = half_reach(window);
  const double voxels =
      static_cast<double>(volume(Extent3{2 * half.z + 1, 2 * half.y + 1, 2 * half.x + 1}));
  return voxels * (strategy == VarianceStrategy::koenig     ? 5e-10
                   : strategy == VarianceStrategy::two_pass ? 1e-9
                   : strategy == VarianceStrategy::online   ? 1.6e-9
                                                            : 1.9e-9);
}

double host_seconds(const kernels::LocalVarianceSpec& spec, const Extent3& image) {
  double seconds = 0;
  if (spec.strategy == VarianceStrategy::threewise)
    seconds = kMergeSeconds * (merge_count(spec.windows) +
                               static_cast<double>(spec.windows.size() * spec.statistics.size()));
  else
    for (const LocalWindow& window : spec.windows)
      seconds += strategy_seconds(spec.strategy, window);
  return seconds * static_cast<double>(volume(image));
}

double host_seconds(const kernels::ContrastSpec& spec, const Extent3& image) {
  return kMergeSeconds * (merge_count(spec.windows) + static_cast<double>(spec.windows.size())) *
         static_cast<double>(volume(image));
}

Json names_of(const std::vector<LocalWindow>& windows) {
  Json names = Json::array();
  for (const LocalWindow& window : windows) names.push_back(print_window(window));
  return names;
}

void Variance::take_statistics_of(KernelJob& job) const {
  kernels::LocalVarianceSpec spec;
  spec.windows = windows_for(job.image().extent);
  spec.statistics = statistics_;
  spec.boundary = boundary_;
  spec.strategy = strategy_;
  spec.type = type_.value_or(PixelType::float32);
  const auto operation = kernels::local_variance(spec, job.image().extent, job.image().type);
  Json statistics = Json::array();
  for (const LocalStatistic statistic : statistics_) statistics.push_back(name_of(statistic));
  job.run(*operation,
          Json{{"windows", names_of(spec.windows)},
               {"statistics", statistics},
               {"boundary", name_of(boundary_)},
               {"strategy", name_of(strategy_)},
               {"output_type", name_of(spec.type)}},
          host_seconds(spec, job.image().extent));
}

void Variance::enhance(KernelJob& job) const {
  RunContext context = job.context();
  kernels::ContrastSpec spec = contrast_;
  spec.windows = windows_for(job.image().extent);
  spec.boundary = boundary_;
  spec.type = type_.value_or(job.image().type);
  if (target_)
    spec.target = *target_;
  else if (!job_.dry_run)  // a plan is the same for any
    spec.target = imageio::statistics(job.source(), context).standard_deviation;
  const auto operation = kernels::local_contrast(spec, job.image().extent);
  job.run(*operation,
          Json{{"windows", names_of(spec.windows)},
               {"boundary", name_of(boundary_)},
               {"enhance",
                {{"strength", spec.strength}, {"target", spec.target}, {"limit", spec.limit}}},
               {"output_type", name_of(spec.type)}},
          host_seconds(spec, job.image().extent));
}

void Variance::run(const Invocation& invocation) {
  KernelJob job{name(), job_, outputs(), files_, invocation};
  job.warn_of_single_precision();
  if (enhances_)
    enhance(job);
  else
    take_statistics_of(job);
}

}  // namespace

std::unique_ptr<Command> make_variance() {
  return std::make_unique<Variance>();
}

}  // namespace synthoscope::tools
