// SPDX-License-Identifier: MIT
#include "simulator/data_set/data_set.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/base/json.hpp"
#include "core/run/memory_budget.hpp"
#include "core/stream/carry.hpp"
#include "core/stream/store_as.hpp"
#include "imageio/image/ending.hpp"
#include "imageio/image/stack_sink.hpp"
#include "imageio/input/folder_files.hpp"
#include "imageio/open.hpp"
#include "imageio/output/atomic_file.hpp"
#include "imageio/run/content_hash.hpp"
#include "imageio/zarr/labels.hpp"
#include "simulator/base/file_tree.hpp"
#include "simulator/data_set/pattern_table.hpp"
#include "simulator/data_set/scene_record.hpp"
#include "simulator/data_set/tee_sink.hpp"
#include "simulator/phantom/structure_source.hpp"
#include "simulator/pictures/canvas.hpp"
#include "simulator/scene/blur_setup.hpp"
#include "simulator/truth/objects.hpp"

namespace synthoscope::simulator {
namespace {

/// A stack that becomes labels of an OME-Zarr, and its name there.
struct NestedLabels {
  const char *stack, *name;
};
constexpr NestedLabels kNestedLabels[] = {{"labels", "objects"}, {"structures", "structures"}};

/// Returns the bytes of the image of a channel.
std::int64_t image_bytes(const SceneSpec& channel) {
  const CameraSpec& camera = channel.camera;
  return volume(binned(channel.grid, camera.binning).extent) *
         size_of(camera.bit_depth <= 8 ? PixelType::uint8 : PixelType::uint16);
}

/// @throws InvalidSpec  as require_holdable
void require_joinable(const std::vector<Channel>& channels, const SimulateOptions& options) {
  const auto refuse = [](const std::string& why) {
    throw InvalidSpec("put the channels of a frame into one file: " + why);
  };
  const bool is_native = options.layout == TruthLayout::native;
  const bool is_plain = is_native && options.flavor == imageio::TiffFlavor::plain;
  if (is_native && (is_chunked(options) || is_plain))
    refuse(fmt::format(
        "only OME-TIFF and ImageJ's TIFF say which planes are a channel, and {} is "
        "asked for; leave it out, or leave --join-channels out",
        is_plain ? "--tiff-flavor plain"
                 : fmt::format("--format {}", name_in(imageio::kFileFormatNames, options.format))));
  const SceneSpec& first = channels.front().scene;
  for (const Channel& channel : channels) {
    const CameraSpec &camera = first.camera, &other = channel.scene.camera;
    if (camera.binning != other.binning || image_bytes(first) != image_bytes(channel.scene))
      refuse(
          fmt::format("all images must have one size and one type, and camera.binning and "
                      "camera.bit_depth are {} and {} in channel {}, but {} and {} in channel "
                      "{}; make them equal, or choose one channel with --channel",
                      camera.binning, camera.bit_depth, channels.front().name, other.binning,
                      other.bit_depth, channel.name));
  }
  if (is_native && options.flavor != imageio::TiffFlavor::imagej) return;
  constexpr std::int64_t kLargestImagej = 4'000'000'000;
  const std::int64_t bytes = std::ssize(channels) * image_bytes(first);
  if (bytes > kLargestImagej)
    refuse(
        fmt::format("an image has {}, and ImageJ's TIFF holds at most 4 GB; choose one channel "
                    "with --channel, or use --truth-layout native with --tiff-flavor ome",
                    print_bytes(bytes)));
  if (options.compression != imageio::Compression::none)
    refuse(
        "ImageJ's TIFF, which says which planes are a channel, is uncompressed; leave "
        "--compression out, or use --truth-layout native with --tiff-flavor ome");
}

/// Refuses what boxes of an image, or napari's axes, cannot hold.
/// @param refuse  throws, with a reason
template <class Refuse>
void require_annotatable(const SceneSpec& scene, TruthLayout layout, bool is_joined,
                         Refuse&& refuse) {
  const Extent3& grid = scene.grid.extent;
  const bool has_boxes = layout == TruthLayout::coco || layout == TruthLayout::yolo;
  if (has_boxes && grid.z > 1)
    refuse(
        fmt::format("its boxes are those of an image of one plane, and grid.size has {} planes; "
                    "use grid.size = [1, {}, {}] with grid.masks = \"footprint\", or "
                    "--truth-layout native",
                    grid.z, grid.y, grid.x));
  if (layout == TruthLayout::napari && is_joined)
    refuse(
        "its tables have no axis of channels, which --join-channels adds to the images; choose one "
        "channel with --channel, or use --truth-layout native");
}

/// @throws InvalidSpec  as require_holdable
void require_holdable_by_zarr(const std::vector<Channel>& channels) {
  for (const Channel& channel : channels)
    if (const auto binning = channel.scene.camera.binning; binning > 1)
      throw InvalidSpec(
          fmt::format("write the data set as OME-Zarr: labels have the size of their image there, "
                      "but camera.binning is {}, which makes images smaller than labels; use "
                      "camera.binning = 1, or --format tiff or hdf5",
                      binning));
}

}  // namespace

std::string_view ending_of(const SimulateOptions& options) {
  return imageio::ending_of(options.format, options.flavor);
}

bool joins_channels(const SceneSpec& scene, const SimulateOptions& options) {
  const bool wanted = options.join_channels || options.layout == TruthLayout::cellpose;
  return wanted && imaged_names(scene, options.channel).size() > 1;
}

DataSetLayout layout_of(const SceneSpec& scene, const SimulateOptions& options,
                        const std::vector<ImageBlur>& blurs) {
  const PhantomSpec phantom = phantom_of(scene);
  std::vector<std::size_t> psfs;
  for (const ImageBlur& blur : blurs) psfs.push_back(blur.references.all.size());
  return {options.layout,
          scene.frames,
          std::string{ending_of(options)},
          {has_structures(phantom, sample_grid(scene)), SpotTable::has(phantom, sample_grid(scene)),
           scene.time.is_movie(), has_patterns(channels_of(scene, options.channel)),
           joins_channels(scene, options), options.keep_photons, scene.output.light},
          imaged_names(scene, options.channel),
          options.frames,
          psfs};
}

void DataSet::require_free(const SimulateOptions& options) {
  DataSetFolder::require_free(options.directory, options.overwrite, may_be_simulated);
}

DataSet::DataSet(const SceneSpec& scene, const SimulateOptions& options,
                 const std::vector<ImageBlur>& blurs, const RunContext& context)
    : context_{context},
      stacks_{scene, options, layout_of(scene, options, blurs), context},
      grid_{scene.grid},
      folder_{options.directory, options.overwrite, may_be_simulated} {
  for (const auto& folder : layout().folders()) folder_.make_folder(folder);
}

std::vector<std::string> DataSet::names_of(std::string_view stack, std::int64_t frame,
                                           std::size_t channel) const {
  if (stack == "labels" || stack == "structures") {
    const auto named = stack == "labels" ? layout().labels(frame) : layout().structures(frame);
    // When parts are joined, their labels lie in the images already
    if (!layout().nests_labels() || std::filesystem::exists(path_of(named.front()))) return named;
    return {layout().unnested(stack, frame)};
  }
  return {stacks_.file(stack, frame, channel)};
}

std::int64_t DataSet::buffer_bytes(const Grid& grid, PixelType type, const SimulateOptions& options,
                                   TaskPool& pool) {
  auto spec = spec_of_volume(grid.extent, type, grid, options);
  spec.compression = options.compression;
  spec.pool = &pool;
  return is_chunked(options) ? imageio::buffered_bytes(spec) : 0;
}

std::unique_ptr<Sink> DataSet::create_stack(std::string_view name, std::int64_t frame,
                                            PixelType type, std::size_t channel) const {
  const imageio::ImageSpec spec = stacks_.spec(name, type, channel);
  std::unique_ptr<Sink> stack;
  for (const auto& file : names_of(name, frame, channel)) {
    std::unique_ptr<Sink> copy = imageio::create_image(path_of(file), spec);
    stack = stack ? std::make_unique<TeeSink>(std::move(stack), std::move(copy)) : std::move(copy);
  }
  return stack;
}

void DataSet::adopt_stack(std::string_view name, std::int64_t frame, std::size_t channel) const {
  const std::string file = stacks_.file(name, frame, channel);
  link_or_copy(options().recorded / file, path_of(file));
}

std::unique_ptr<Source> DataSet::open_stack(std::string_view name, std::int64_t frame,
                                            std::size_t channel) const {
  imageio::OpenOptions opening;
  opening.cache_bytes = 0;  // readers take each chunk once, or a few times for a slice
  std::string file = names_of(name, frame, channel).front();
  // When parts are joined, their channels are in one image already
  const bool is_joined = name == "image" && layout().extras().joined &&
                         std::filesystem::exists(path_of(layout().image(frame)));
  if (is_joined) {
    file = layout().image(frame);
    opening.channel = static_cast<std::int64_t>(channel);
  }
  return std::move(imageio::open_image(path_of(file), opening).source);
}

std::unique_ptr<Sink> DataSet::create_psf(const Extent3& extent, const Index3& centre,
                                          std::size_t channel, std::size_t reference) const {
  auto spec =
      spec_of_volume(extent, PixelType::float32, blur_grid(channels()[channel].scene), options());
  spec.chunks.reset();
  if (!is_chunked(options())) spec.pool = &context_.pool;
  spec.kernel_center = centre;
  spec.provenance = provenance();
  return imageio::create_image(path_of(layout().psf(channel, reference)), spec);
}

std::unique_ptr<Source> DataSet::open_psf(std::size_t channel, std::size_t reference) const {
  return std::move(imageio::open_image(path_of(layout().psf(channel, reference))).source);
}

void DataSet::require_accepted(std::int64_t frame, const std::vector<LabelCount>& counts) const {
  const bool has_cells =
      std::any_of(counts.begin(), counts.end(), [](const LabelCount& c) { return c.voxels > 0; });
  if (options().layout != TruthLayout::ctc || has_cells) return;
  const auto [z, y, x] = channels().front().scene.time.drift_um_per_second;
  const bool drifts = z != 0 || y != 0 || x != 0;
  throw InvalidSpec(fmt::format(
      "lay out the data set as ctc: every frame needs a cell there, and no object of frame {} "
      "covers a voxel; use {}finer voxels, larger objects, or --truth-layout native",
      frame, drifts ? "a slower time.drift_um_per_second, fewer frames, " : ""));
}

void DataSet::write_text(const std::string& file, std::string_view text) const {
  imageio::write_file_atomically(path_of(file), text, false);
}

void DataSet::begin_record(const Json& record) const {
  imageio::write_file_atomically(path_of(kSceneRecord), indented_text_of(record) + "\n", true);
}

void DataSet::put_labels_into(const std::string& image, std::int64_t frame, bool is_last) const {
  std::vector<std::string> names;
  for (const auto& [stack, name] : kNestedLabels) {
    const auto made = path_of(layout().unnested(stack, frame));
    if (!std::filesystem::exists(made)) continue;
    const auto place = path_of(image) / "labels" / name;
    if (is_last)
      move_to(made, place);
    else
      copy_to_disk(made, place);
    names.emplace_back(name);
  }
  if (!names.empty()) imageio::write_label_list(path_of(image), options().format, names);
}

void DataSet::put_labels_into_images() const {
  if (!layout().nests_labels()) return;
  for (std::int64_t frame = layout().frames().first; frame <= layout().frames().last; ++frame)
    for (std::size_t channel = 0; channel < layout().images(); ++channel) {
      context_.stop.check();
      put_labels_into(layout().image(frame, channel), frame, channel + 1 == layout().images());
    }
}

void DataSet::join_channels_of(std::int64_t frame) const {
  const auto joined = path_of(layout().image(frame));
  if (std::filesystem::exists(joined)) return;  // parts are joined
  std::unique_ptr<imageio::ImageFile> file;
  for (std::size_t channel = 0; channel < layout().images(); ++channel) {
    const auto own = open_stack("image", frame, channel);
    if (!file) file = imageio::create_image(joined, stacks_.joined_spec(own->pixel_type()));
    imageio::StackSink its_planes{*file, own->extent(), static_cast<std::int64_t>(channel)};
    StoreAs as_they_are{own->pixel_type()};
    carry("channels in one file", *own, as_they_are, its_planes, context_);
  }
  file->close();
  for (std::size_t channel = 0; channel < layout().images(); ++channel)
    std::filesystem::remove(path_of(layout().unjoined(frame, channel)));
}

void DataSet::join_channels() const {
  if (!layout().extras().joined) return;
  for (std::int64_t frame = layout().frames().first; frame <= layout().frames().last; ++frame)
    join_channels_of(frame);
}

void DataSet::drop_photons() const {
  if (layout().extras().photons) return;
  for (std::int64_t frame = layout().frames().first; frame <= layout().frames().last; ++frame)
    for (std::size_t channel = 0; channel < layout().images(); ++channel)
      std::filesystem::remove_all(path_of(layout().photons(frame, channel)));
}

void DataSet::complete_record(Json record) const {
  join_channels();
  drop_photons();
  put_labels_into_images();
  std::vector<std::string> files = layout().files();
  std::erase(files, kSceneRecord);
  std::vector<std::string> hashes(files.size());
  context_.pool.for_each(std::ssize(files), [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    hashes[at] = imageio::hash_file(path_of(files[at]), &context_.stop);
  });
  for (std::size_t i = 0; i < files.size(); ++i) {
    record["files"]["bytes"][files[i]] = imageio::bytes_in(path_of(files[i]));
    record["files"]["xxh64"][files[i]] = hashes[i];
  }
  begin_record(record);
}

void DataSet::write_world(const World& world) const {
  world.write(path_of(kWorldFile), provenance());
}

std::vector<std::filesystem::path> DataSet::commit() {
  folder_.commit();
  std::vector<std::filesystem::path> files;
  for (const auto& file : layout().files()) files.push_back(options().directory / file);
  return files;
}

void require_holdable(const SceneSpec& scene, const SimulateOptions& options) {
  const auto channels = channels_of(scene, options.channel);  // refuses an unknown name
  if (options.frames && options.frames->last >= scene.frames)
    throw InvalidSpec(fmt::format("make frames {}-{}: the scene has frames 0-{}",
                                  options.frames->first, options.frames->last, scene.frames - 1));
  if (is_zarr(options.format)) require_holdable_by_zarr(channels);
  if (joins_channels(scene, options)) require_joinable(channels, options);
  if (options.layout == TruthLayout::native) return;
  const auto refuse = [&](const std::string& why) {
    throw InvalidSpec(fmt::format("lay out the data set as {}: {}",
                                  name_in(kTruthLayoutNames, options.layout), why));
  };
  if (is_chunked(options))
    refuse(
        fmt::format("its readers only accept TIFF, but --format is {}; leave --format out, or use "
                    "--truth-layout native",
                    name_in(imageio::kFileFormatNames, options.format)));
  if (channels.size() > 1 && !joins_channels(scene, options))
    refuse(
        fmt::format("an image has one channel there, and the scene has {}; choose one with "
                    "--channel, or use --truth-layout cellpose or native",
                    fmt::join(imaged_names(scene, options.channel), ", ")));
  require_annotatable(scene, options.layout, joins_channels(scene, options), refuse);
  const bool has_relative_boxes = options.layout == TruthLayout::yolo;
  if (const auto binning = channels.front().scene.camera.binning;
      binning > 1 && !has_relative_boxes)
    refuse(fmt::format(
        "images and masks have the same size there, and camera.binning is {}, which makes images "
        "smaller than masks; use camera.binning = 1, or --truth-layout native",
        binning));
  if (options.layout == TruthLayout::ctc && number_of(phantom_of(scene), sample_grid(scene)) == 0)
    refuse(
        "every frame needs an object there, and the scene has none; use nuclei.count = 1 or more, "
        "or --truth-layout native");
}

}  // namespace synthoscope::simulator
