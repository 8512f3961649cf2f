// SPDX-License-Identifier: MIT
// An image on another grid: turned, scaled, deskewed, bent.
#include "kernels/resample/resample.hpp"
#include <fmt/format.h>
#include "core/base/json.hpp"
#include "core/base/names.hpp"
#include "tools/commands/commands.hpp"
#include "tools/jobs/kernel_job.hpp"
#include "tools/jobs/resample_maps.hpp"
#include "tools/options/rows.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {
namespace {

using kernels::CoordinateProduct;
using kernels::Interpolation;
using kernels::Outside;
using kernels::ResampleStrategy;

/// Types of a result; none means the type of the image.
using ResultType = std::optional<PixelType>;
constexpr NameTable<ResultType, 4> kResultTypes{{{std::nullopt, "same"},
                                                 {PixelType::uint8, "uint8"},
                                                 {PixelType::uint16, "uint16"},
                                                 {PixelType::float32, "float32"}}};

class ResampleCommand final : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "resample"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Resamples an image: rotates, scales, deskews or bends it. Every voxel of the result is "
           "interpolated at its position in the image.";
  }
  void describe(OptionTable& table) override;

 private:
  void run(const Invocation& invocation) override;
  void name_files(imageio::RunFiles& files) const override {
    job_.name_files(files, {job_.output});
    for (const MapOption& map : maps_)
      if (names_file(map)) files.add_input(map.name, std::filesystem::path{map.text});
  }
  void take_order(std::string_view text);
  [[nodiscard]] Outside outside() const;
  /// What --order, --interpolation and --labels say together.
  [[nodiscard]] Interpolation interpolation() const;
  [[nodiscard]] PixelType result_type(PixelType image, Interpolation how) const;

  KernelJobOptions job_;
  std::vector<MapOption> maps_;
  std::optional<Extent3> size_;
  std::optional<Interpolation> order_, word_;
  std::optional<Outside> outside_;
  ResampleStrategy strategy_ = ResampleStrategy::automatic;
  CoordinateProduct coordinates_ = CoordinateProduct::fused;
  ResultType type_;
  bool labels_ = false;
  double fill_ = 0;
};

void ResampleCommand::describe(OptionTable& table) {
  job_.describe_files(table, "image or stack to resample");
  table.add({"output-size", "Z,Y,X", "that of the image, or the size that covers the same space",
             "voxels", "size of the result",
             [this](std::string_view text) { size_ = parse_triple(text, 1); }});
  table.add(choice_row(
      "output-type", type_, kResultTypes,
      "type of the result's voxels; integers are rounded and clipped, and the clipped voxels are "
      "counted. For an image of float64, same is float32, except with --labels"));
  describe_maps(table, maps_);
  table.group("Interpolation and boundary");
  table.add({"order", "0|1|3", "1", "",
             "order of the spline through the voxels: 0 takes the nearest one, 1 is linear, 3 is "
             "the cubic spline",
             [this](std::string_view text) { take_order(text); }});
  table.add({"interpolation", "nearest|linear|cubic|lanczos", "", "",
             "the same by name; lanczos uses six voxels along each axis",
             [this](std::string_view text) {
               word_ = kernels::interpolation_named(text);
               if (!word_)
                 throw InvalidSpec(fmt::format(
                     "'{}' is not one of the accepted words; write nearest, linear, cubic, lanczos",
                     text));
             }});
  table.add(switch_row(
      "labels", labels_,
      "the image contains labels: each is copied from the nearest voxel, so no new labels appear"));
  table.add(
      choice_row("boundary", outside_,
                 {Outside::zero, Outside::grid_constant, Outside::nearest, Outside::reflect,
                  Outside::mirror, Outside::wrap, Outside::scipy_wrap},
                 "nearest for --scale, --spacing and --isotropic, else zero",
                 "values outside the image, beyond the centres of its outermost voxels: zero uses "
                 "the value of --fill without interpolation, grid-constant uses voxels of this "
                 "value; scipy-wrap treats the first and the last voxel as the same"));
  table.add(only(
      "with --boundary zero or grid-constant",
      [this] { return outside() == Outside::zero || outside() == Outside::grid_constant; },
      real_row("fill", "VALUE", fill_, "", "value outside the image for zero and grid-constant")));
  table.add(
      choice_row("strategy", strategy_,
                 {ResampleStrategy::automatic, ResampleStrategy::pixel, ResampleStrategy::column,
                  ResampleStrategy::tile, ResampleStrategy::texture},
                 "how voxels are computed: column shares sums if each axis is only scaled and "
                 "shifted, tile copies the neighbourhood of a tile first (for homographies, "
                 "landmarks and displacements only on the host), pixel goes voxel by voxel; all "
                 "give identical results. texture, only for linear on a GPU, has an error of up to "
                 "1/256 of the difference between neighbours along each axis"));
  table.add(choice_row(
      "coordinates", coordinates_,
      {CoordinateProduct::fused, CoordinateProduct::naive, CoordinateProduct::tiled,
       CoordinateProduct::summa},
      "for comparisons of speed, how coordinates are computed: fused, during the interpolation; on "
      "a GPU also before it, as a product of matrices: naive, element by element; tiled, by tiles "
      "in shared memory; summa, by outer products. For planes that are all rotated, scaled and "
      "shifted in the same way; all give identical results"));
  job_.describe_gpu(table);
  job_.describe_rest(table);
}

Outside ResampleCommand::outside() const {
  const bool keeps_space = maps_.size() == 1 && is_same_space(maps_.front());
  return outside_.value_or(keeps_space ? Outside::nearest : Outside::zero);
}

void ResampleCommand::take_order(std::string_view text) {
  if (text == "0")
    order_ = Interpolation::nearest;
  else if (text == "1")
    order_ = Interpolation::linear;
  else if (text == "3")
    order_ = Interpolation::cubic;
  else
    throw InvalidSpec(fmt::format("'{}' is not an accepted order; write 0, 1 or 3", text));
}

Interpolation ResampleCommand::interpolation() const {
  if (order_ && word_ && *order_ != *word_)
    throw InvalidSpec(fmt::format(
        "resample: --order and --interpolation {} contradict each other; give one of them",
        name_of(*word_)));
  const auto said = order_ ? order_ : word_;
  if (labels_ && said && *said != Interpolation::nearest)
    throw InvalidSpec(
        fmt::format("resample: values between labels mean nothing, and --interpolation {} would "
                    "make them; leave it or --labels out",
                    name_of(*said)));
  return labels_ ? Interpolation::nearest : said.value_or(Interpolation::linear);
}

PixelType ResampleCommand::result_type(PixelType image, Interpolation how) const {
  if (labels_ && type_ && *type_ != image)
    throw InvalidSpec(fmt::format(
        "resample: labels of type {} stay what they are; leave --output-type or --labels out",
        name_of(image)));
  if (type_) return *type_;
  const bool is_computed = how != Interpolation::nearest;
  return is_computed && image == PixelType::float64 ? PixelType::float32 : image;
}

/// Predicts the seconds of one thread: measured for rotations of planes and of volumes
/// (bench/kernels/kernels.py), and for each landmark.
double host_seconds(const kernels::ResampleSpec& spec, const kernels::CoordinateMap& map) {
  const kernels::WholeAxes whole = map.whole_axes();
  const auto* const plate = dynamic_cast<const kernels::ThinPlateMap*>(&map);
  const double bending = plate ? 2e-9 * plate->body().count : 0;
  return ((whole.z ? 1.5e-8 : 2.5e-8) + bending) * static_cast<double>(volume(spec.result));
}

void ResampleCommand::run(const Invocation& invocation) {
  const MapOption& asked = the_map(maps_);
  const Interpolation how = interpolation();
  job_.file.labels = labels_;
  KernelJob job{name(), job_, {job_.output}, files_, invocation};
  const MapInUse map = open_map(asked, size_, job_.input.open_options(), job);
  kernels::ResampleSpec spec;
  spec.result = map.extent;
  spec.interpolation = how;
  spec.outside = outside();
  spec.fill = fill_;
  spec.type = result_type(job.image().type, how);
  spec.strategy = strategy_;
  spec.coordinates = coordinates_;
  kernels::Resample resample{job.image().extent, map.map, spec};
  job.set_pitch(map.pitch);
  job.run(resample,
          Json{{asked.name, asked.text},
               {"output_size", json_of(map.extent)},
               {"interpolation", kernels::name_of(how)},
               {"boundary", kernels::name_of(spec.outside)},
               {"fill", fill_},
               {"output_type", name_of(spec.type)}},
          host_seconds(spec, *map.map));
}

}  // namespace

std::unique_ptr<Command> make_resample() {
  return std::make_unique<ResampleCommand>();
}

}  // namespace synthoscope::tools
