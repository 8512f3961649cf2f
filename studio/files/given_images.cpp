// SPDX-License-Identifier: MIT
#include "studio/files/given_images.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <utility>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "imageio/hdf5/find.hpp"
#include "imageio/open.hpp"
#include "studio/server/request.hpp"
#include "studio/server/saved_scene.hpp"

namespace synthoscope::studio {
namespace {

Json json_of_three(std::int64_t z, std::int64_t y, std::int64_t x) {
  return {z, y, x};
}

Json json_of_size(const std::optional<double>& um) {
  return um ? Json(*um) : Json(nullptr);
}

bool is_called_psf(std::string name) {
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name.find("psf") != std::string::npos;
}

/// Returns a message in which a file that was received has its own name.
std::string with_name(std::string message, const std::string& path, const std::string& name) {
  for (auto at = message.find(path); at != std::string::npos; at = message.find(path, at))
    message.replace(at, path.size(), name);
  return message;
}

/// Calls `read`, whose messages name `path`, so that they name the file as the user knows it.
template <class Read>
auto with_names(const std::string& path, const std::string& name, Read&& read) {
  try {
    return read();
  } catch (const InvalidInput& problem) {
    throw InvalidInput(with_name(problem.what(), path, name));
  } catch (const InvalidSpec& problem) {
    throw InvalidSpec(with_name(problem.what(), path, name));
  } catch (const IoError& problem) {
    throw InvalidInput(with_name(problem.what(), path, name));
  } catch (const PlanError& problem) {
    throw InvalidInput(with_name(problem.what(), path, name));
  }
}

/// Returns the names of the arrays of an HDF5 file; none for all other files.
std::vector<std::string> arrays_of(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return {};
  return imageio::is_hdf5(imageio::InputFile{path}) ? imageio::data_sets_of(path)
                                                    : std::vector<std::string>{};
}

void require_image(const GivenFile& file, std::size_t count, std::int64_t image) {
  if (image < 0 || image >= static_cast<std::int64_t>(count))
    throw InvalidSpec(
        fmt::format("open {}: there is no image {}; it holds {}, from 0", file.name, image, count));
}

/// Opens an array of an HDF5 file: the one that was chosen, otherwise its only image, or the first
/// of several.
imageio::ImageStacks opened_array(const GivenFile& file, const std::vector<std::string>& arrays,
                                  const Reading& reading, const imageio::OpenOptions& options) {
  if (reading.image) {
    require_image(file, arrays.size(), *reading.image);
  } else {
    try {
      return imageio::open_stacks(file.path, options);
    } catch (const InvalidSpec&) {
      // It holds several
    }
  }
  const auto& array = arrays[static_cast<std::size_t>(reading.image.value_or(0))];
  return imageio::open_stacks(file.path.string() + ":" + array, options);
}

GivenImage opened_image(const GivenFile& file, const Reading& reading,
                        imageio::OpenOptions options) {
  auto arrays = arrays_of(file.path);
  if (arrays.size() > 1) {
    auto stacks = opened_array(file, arrays, reading, options);
    const auto found = std::ranges::find(arrays, stacks.info.data_set);
    const auto number = found == arrays.end() ? 0 : found - arrays.begin();
    return {0, file, std::move(arrays), number, std::move(stacks)};
  }
  options.image = reading.image;
  auto stacks = imageio::open_stacks(file.path, options);
  return {0, file, stacks.info.images, stacks.info.image, std::move(stacks)};
}

/// Returns a range of at most `most` in the middle of `n`.
std::pair<std::int64_t, std::int64_t> middle(std::int64_t n, std::int64_t most) {
  const std::int64_t size = std::min(n, most);
  return {(n - size) / 2, size};
}

}  // namespace

Box3 shown_part(const Extent3& extent, PixelType type) {
  const auto [y, height] = middle(extent.y, kMostShownPixels);
  const auto [x, width] = middle(extent.x, kMostShownPixels);
  const std::int64_t plane_bytes = height * width * size_of(type);
  const auto [z, depth] =
      middle(extent.z, std::max<std::int64_t>(1, kMostShownBytes / plane_bytes));
  return {{z, y, x}, {depth, height, width}};
}

Json json_of(const GivenImage& image) {
  const imageio::ImageInfo& info = image.stacks.info;
  const auto& [origin, size] = shown_part(info.extent, info.type);
  Json names = Json::array();
  for (const imageio::ImageChannel& channel : info.channel_names) names.push_back(channel.name);
  std::string letters;
  for (const imageio::NamedAxis& axis : info.axes) letters += axis.letter;
  const bool is_psf = info.kernel_center || is_called_psf(image.file.name);
  return {{"id", image.id},
          {"name", image.file.name},
          {"is_upload", image.file.upload != nullptr},
          {"format", info.format},
          {"axes", info.axes_text()},
          {"letters", letters},
          {"axes_assumed", info.axes_assumed},
          {"type", name_of(info.type)},
          {"extent", json_of_three(info.extent.z, info.extent.y, info.extent.x)},
          {"channels", info.channels},
          {"frames", info.frames},
          {"images", image.images},
          {"image", image.image},
          {"channel_names", names},
          {"voxel_um", {json_of_size(info.z_um), json_of_size(info.y_um), json_of_size(info.x_um)}},
          {"notes", info.notes},
          {"likely", is_psf ? "psf" : "image"},
          {"shown",
           {{"origin", json_of_three(origin.z, origin.y, origin.x)},
            {"extent", json_of_three(size.z, size.y, size.x)}}}};
}

SharedStack shown_stack(const GivenImage& image, std::int64_t channel, std::int64_t frame,
                        MemoryBudget& memory) {
  const imageio::ImageInfo& info = image.stacks.info;
  imageio::chosen_stack(image.file.name, "channel", info.channels, channel);
  imageio::chosen_stack(image.file.name, "frame", info.frames, frame);
  return with_names(image.file.path.string(), image.file.name, [&] {
    const Box3 part = shown_part(info.extent, info.type);
    auto stack = std::make_shared<Stack>(part.size, info.type, memory, "an image that is shown");
    const imageio::OpenImage opened = image.stacks.open(channel, frame);
    opened.source->read(part, stack->view());
    return SharedStack{std::move(stack)};
  });
}

GivenImages::GivenImages(std::filesystem::path folder, MemoryBudget& memory)
    : folder_{std::move(folder)}, memory_{memory} {}

std::shared_ptr<const GivenImage> GivenImages::take(const std::string& name,
                                                    std::shared_ptr<const UnnamedFile> file) {
  const std::filesystem::path path = file->path();
  return keep({name, path, std::move(file)}, {});
}

std::shared_ptr<const GivenImage> GivenImages::open(const std::string& name) {
  if (!is_plain_name(imageio::file_of(name).string()))
    throw InvalidSpec(fmt::format(
        "open '{}': it is no plain name; give the name of a file in the folder of the program",
        name));
  return keep({name, folder_ / name, nullptr}, {});
}

std::shared_ptr<const GivenImage> GivenImages::open_again(std::int64_t id, const Reading& reading) {
  return keep(image(id)->file, reading);
}

std::shared_ptr<const GivenImage> GivenImages::keep(const GivenFile& file, const Reading& reading) {
  imageio::OpenOptions options;
  options.axes = reading.axes;
  options.limits.memory = &memory_;
  GivenImage opened = with_names(file.path.string(), file.name,
                                 [&] { return opened_image(file, reading, options); });
  if (!reading.axes.empty()) opened.stacks.info.axes_source = "as you named them";
  const std::scoped_lock lock{mutex_};
  opened.id = ++last_id_;
  kept_.push_back(std::make_shared<const GivenImage>(std::move(opened)));
  if (kept_.size() > kMostKept) kept_.pop_front();
  return kept_.back();
}

std::shared_ptr<const GivenImage> GivenImages::image(std::int64_t id) const {
  const std::scoped_lock lock{mutex_};
  const auto found = std::ranges::find_if(kept_, [&](const auto& one) { return one->id == id; });
  if (found == kept_.end())
    throw RequestFailure(404,
                         fmt::format("show image {}: newer ones have replaced it; open the file "
                                     "again",
                                     id));
  return *found;
}

}  // namespace synthoscope::studio
