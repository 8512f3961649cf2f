// SPDX-License-Identifier: MIT
#include "imageio/zarr/ome_zarr.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <limits>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/version.hpp"
#include "imageio/chunks/pyramid.hpp"
#include "imageio/image/axes.hpp"
#include "imageio/input/file.hpp"
#include "imageio/input/length_unit.hpp"
#include "imageio/input/parsing_memory.hpp"

namespace synthoscope::imageio {
namespace {

/// Our own attributes, under a name that is ours alone.
constexpr const char* kOwn = "synthoscope";

/// Halved so often, no axis has a voxel left; each level is a file to be read.
constexpr std::size_t kMaxLevels = 64;

bool is_0_4(const ImageSpec& spec) {
  return zarr_version(spec) == ZarrVersion::ome_0_4;
}

const char* version_of(const ImageSpec& spec) {
  return is_0_4(spec) ? "0.4" : "0.5";
}

Json axes_of(const ImageSpec& spec) {
  Json axes = Json::array();
  if (spec.channel) axes.push_back({{"name", "c"}, {"type", "channel"}});
  const std::pair<const char*, bool> space[] = {
      {"z", spec.z_um.has_value()}, {"y", spec.y_um.has_value()}, {"x", spec.x_um.has_value()}};
  for (const auto& [axis, is_known] : space) {
    axes.push_back({{"name", axis}, {"type", "space"}});
    if (is_known) axes.back()["unit"] = "micrometer";
  }
  return axes;
}

/// Where voxels of a level lie: `factor` voxels of the whole volume make one, whose middle is
/// theirs.
Json transformations_of(const ImageSpec& spec, const Extent3& factor) {
  Json scale = Json::array(), translation = Json::array();
  if (spec.channel) {
    scale.push_back(1.0);
    translation.push_back(0.0);
  }
  const std::pair<std::optional<double>, std::int64_t> axes[] = {
      {spec.z_um, factor.z}, {spec.y_um, factor.y}, {spec.x_um, factor.x}};
  for (const auto& [um, count] : axes) {
    const double step = um.value_or(1), n = static_cast<double>(count);
    scale.push_back(step * n);
    translation.push_back(step * (n - 1) / 2);
  }
  Json all = Json::array({Json{{"type", "scale"}, {"scale", scale}}});
  if (factor != Extent3{1, 1, 1})
    all.push_back({{"type", "translation"}, {"translation", translation}});
  return all;
}

Json multiscales_of(const ImageSpec& spec) {
  Json levels = Json::array();
  for (std::size_t i = 0; i < pyramid_extents(spec.extent).size(); ++i)
    levels.push_back(
        {{"path", std::to_string(i)},
         {"coordinateTransformations", transformations_of(spec, pyramid_factor(spec.extent, i))}});
  Json image{{"axes", axes_of(spec)}, {"datasets", levels}};
  image["type"] = spec.labels ? "mode" : "mean";
  image["metadata"] = {{"description", spec.labels ? "the label that most of 2x2x2 voxels have"
                                                   : "means of 2x2x2 voxels"},
                       {"method", "synthoscope"},
                       {"version", kVersion}};
  if (is_0_4(spec)) image["version"] = version_of(spec);
  return Json::array({image});
}

/// The colour of a channel, and what its voxels can be and are.
Json omero_of(const ImageSpec& spec, const IntensityRange& range) {
  constexpr std::uint32_t kWhite = 0xffffff;
  IntensityRange possible = range;
  visit_pixel_type(spec.type, [&](auto zero) {
    using T = decltype(zero);
    if (!is_floating(spec.type))
      possible = {static_cast<double>(std::numeric_limits<T>::lowest()),
                  static_cast<double>(std::numeric_limits<T>::max())};
  });
  Json channel{
      {"label", spec.channel->name},
      {"color", fmt::format("{:06X}", spec.channel->rgb.value_or(kWhite))},
      {"active", true},
      {"window",
       {{"min", possible.low}, {"max", possible.high}, {"start", range.low}, {"end", range.high}}}};
  if (spec.channel->emission_nm) channel["emission_nm"] = *spec.channel->emission_nm;
  if (spec.channel->excitation_nm) channel["excitation_nm"] = *spec.channel->excitation_nm;
  Json omero{{"channels", Json::array({channel})}};
  if (is_0_4(spec)) omero["version"] = version_of(spec);
  return omero;
}

Json own_attributes(const ImageSpec& spec) {
  Json own = Json::object();
  if (const auto& c = spec.kernel_center) own["kernel_center"] = {c->z, c->y, c->x};
  if (!spec.provenance.empty()) own["provenance"] = parse_json(spec.provenance);
  return own;
}

/// Reads what a group says, step by step.
class GroupReader {
 public:
  explicit GroupReader(const std::filesystem::path& folder) : folder_{folder} {}

  OmeZarrImage read(const Json& said, const Json& attributes, ZarrVersion version,
                    std::int64_t number) {
    image_.version = version;
    const Json& images = said.at("multiscales");
    if (!images.is_array() || images.empty()) refuse("names no image");
    list(images);
    const bool is_there = number >= 0 && number < std::ssize(images);
    const Json& first = images[is_there ? static_cast<std::size_t>(number) : 0];
    if (said.contains("omero")) read_channels(said["omero"]);
    if (!first.contains("axes")) refuse("is older than OME-Zarr 0.4, and names no axes");
    for (const Json& axis : first["axes"]) read_axis(axis);
    const auto whole = scale_in(first);
    const Json& levels = first.at("datasets");
    if (levels.size() > kMaxLevels)
      refuse(fmt::format("names {} levels, the limit is {}", levels.size(), kMaxLevels));
    for (const Json& level : levels) read_level(level, whole);
    if (image_.levels.empty()) refuse("names an image without arrays");
    if (attributes.contains(kOwn)) read_own(attributes[kOwn]);
    return std::move(image_);
  }

 private:
  [[noreturn]] void refuse(const std::string& found) const {
    throw InvalidInput(fmt::format("open {}: its description {}; OME-Zarr 0.4 and 0.5 are accepted",
                                   folder_.string(), found));
  }

  void list(const Json& images) {
    for (std::size_t i = 0; i < images.size(); ++i) {
      const auto name = images[i].find("name");
      image_.images.push_back(name != images[i].end() && name->is_string()
                                  ? name->get<std::string>()
                                  : fmt::format("multiscales {}", i));
    }
  }

  /// What does not fit is left out: it is about how to show an image, not about its voxels.
  void read_channels(const Json& omero) {
    constexpr std::size_t kMax = 1024, kMaxName = 256;
    const auto channels = omero.is_object() ? omero.find("channels") : omero.end();
    if (channels == omero.end() || !channels->is_array()) return;
    for (const Json& said : *channels) {
      if (image_.channels.size() == kMax || !said.is_object()) break;
      ImageChannel channel;
      if (const auto label = said.find("label"); label != said.end() && label->is_string())
        channel.name = label->get<std::string>().substr(0, kMaxName);
      if (const auto colour = said.find("color"); colour != said.end() && colour->is_string())
        channel.rgb = parse_colour(colour->get<std::string>());
      channel.emission_nm = wavelength_in(said, "emission_nm");
      channel.excitation_nm = wavelength_in(said, "excitation_nm");
      image_.channels.push_back(channel);
    }
  }

  static std::optional<double> wavelength_in(const Json& channel, const char* key) {
    const auto found = channel.find(key);
    if (found == channel.end() || !found->is_number()) return std::nullopt;
    const auto nm = found->get<double>();
    return nm > 0 && nm <= std::numeric_limits<double>::max() ? std::optional{nm} : std::nullopt;
  }

  /// Axes of time and channels may have any name, since they have a type.
  void read_axis(const Json& axis) {
    const auto name = axis.at("name").get<std::string>();
    const auto type = axis.value("type", "");
    const char letter = type == "time" ? 'T' : type == "channel" ? 'C' : axis_letter(name);
    if (letter == '#' || letter == '?') refuse(fmt::format("names an axis '{}'", name));
    image_.axes += letter;
    units_.push_back(micrometres_per(axis.value("unit", "")));
  }

  /// Along all axes; 1 where nothing is said.
  std::vector<double> scale_in(const Json& object) const {
    std::vector<double> scale(image_.axes.size(), 1.0);
    if (!object.contains("coordinateTransformations")) return scale;
    for (const Json& step : object["coordinateTransformations"])
      if (step.at("type") == "scale") scale = step.at("scale").get<std::vector<double>>();
    if (scale.size() != image_.axes.size()) refuse("gives scales for other axes than it has");
    return scale;
  }

  void read_level(const Json& said, const std::vector<double>& whole) {
    OmeZarrLevel level;
    level.path = said.at("path").get<std::string>();
    const std::filesystem::path path{level.path};
    if (path.empty() || path.is_absolute() || std::ranges::find(path, "..") != path.end())
      refuse(fmt::format("names the array '{}', which lies outside", level.path));
    const auto scale = scale_in(said);
    for (std::size_t i = 0; i < scale.size(); ++i) {
      const double um = units_[i].value_or(0) * scale[i] * whole[i];
      if (!(um > 0) || um > std::numeric_limits<double>::max()) continue;
      if (image_.axes[i] == 'Z') level.z_um = um;
      if (image_.axes[i] == 'Y') level.y_um = um;
      if (image_.axes[i] == 'X') level.x_um = um;
    }
    image_.levels.push_back(std::move(level));
  }

  void read_own(const Json& own) {
    if (!own.contains("kernel_center")) return;
    const auto at = whole_numbers_of(own["kernel_center"]);
    if (at.size() == 3) image_.kernel_center = Index3{at[0], at[1], at[2]};
  }

  const std::filesystem::path& folder_;
  OmeZarrImage image_;
  std::vector<std::optional<double>> units_;  ///< um of the unit of each axis
};

/// What a folder's group has to say, and by which version.
struct Attributes {
  Json all;
  ZarrVersion version = ZarrVersion::ome_0_4;

  [[nodiscard]] Json said() const {
    return version == ZarrVersion::ome_0_4 ? all : all.value("ome", Json::object());
  }
};

/// @throws InvalidInput  a group of format 3 that says what must be understood and is not.
void require_known_group(const Json& group, const std::filesystem::path& folder) {
  const auto refuse = [&](const std::string& found) {
    throw InvalidInput(
        fmt::format("open {}: the group {}; save it without", folder.string(), found));
  };
  if (group.at("zarr_format") != 3) refuse("is not of Zarr's format 3");
  constexpr std::array<std::string_view, 4> kKnown{"zarr_format", "node_type", "attributes",
                                                   "consolidated_metadata"};
  for (const auto& [name, value] : group.items())
    if (std::ranges::find(kKnown, name) == kKnown.end() && !may_be_ignored(value))
      refuse(fmt::format("has the member '{}', which readers must support and this one does not",
                         name));
}

std::optional<Attributes> read_attributes(const std::filesystem::path& folder,
                                          const InputLimits& limits) {
  if (const auto text = read_description(folder / "zarr.json", limits)) {
    const Json json = parse_json(*text);
    if (json.at("node_type") != "group") return std::nullopt;
    require_known_group(json, folder);
    return Attributes{json.value("attributes", Json::object()), ZarrVersion::ome_0_5};
  }
  if (const auto text = read_description(folder / ".zattrs", limits))
    return Attributes{parse_json(*text), ZarrVersion::ome_0_4};
  return std::nullopt;
}

/// Names of the images in the folder labels/.
std::vector<std::string> read_labels(const std::filesystem::path& folder,
                                     const InputLimits& limits) {
  const auto group = read_attributes(folder / "labels", limits);
  if (!group) return {};
  const Json said = group->said();
  return said.contains("labels") ? said["labels"].get<std::vector<std::string>>()
                                 : std::vector<std::string>{};
}

}  // namespace

std::vector<std::pair<std::string, std::string>> print_ome_zarr(const ImageSpec& spec,
                                                                const IntensityRange& range) {
  Json said{{"multiscales", multiscales_of(spec)}};
  if (spec.channel) said["omero"] = omero_of(spec, range);
  if (spec.labels) said["image-label"] = {{"version", version_of(spec)}};
  const Json own = own_attributes(spec);
  if (is_0_4(spec)) {
    if (!own.empty()) said[kOwn] = own;
    return {{".zgroup", indented_text_of({{"zarr_format", 2}}) + '\n'},
            {".zattrs", indented_text_of(said) + '\n'}};
  }
  Json ome{{"version", version_of(spec)}};
  ome.update(said);
  Json attributes{{"ome", ome}};
  if (!own.empty()) attributes[kOwn] = own;
  const Json group{{"zarr_format", 3}, {"node_type", "group"}, {"attributes", attributes}};
  return {{"zarr.json", indented_text_of(group) + '\n'}};
}

std::optional<OmeZarrImage> read_ome_zarr(const std::filesystem::path& folder,
                                          const InputLimits& limits,
                                          std::int64_t image_number) try {
  const auto group = read_attributes(folder, limits);
  if (!group) return std::nullopt;
  const Json said = group->said();
  if (!said.contains("multiscales")) return std::nullopt;
  OmeZarrImage image = GroupReader{folder}.read(said, group->all, group->version, image_number);
  image.labels = read_labels(folder, limits);
  return image;
} catch (const Json::exception& failure) {
  throw InvalidInput(
      fmt::format("open {}: its description is not what OME-Zarr prescribes ({}); create it again",
                  folder.string(), failure.what()));
}

std::vector<std::string> images_in_series(const std::filesystem::path& folder,
                                          const InputLimits& limits) {
  const auto group = read_attributes(folder, limits);
  if (!group || !group->said().is_object() || !group->said().contains("bioformats2raw.layout"))
    return {};
  std::vector<std::string> images;
  std::error_code ignored;
  while (std::ssize(images) < limits.directories &&
         std::filesystem::is_directory(folder / std::to_string(images.size()), ignored))
    images.push_back(std::to_string(images.size()));
  return images;
}

std::optional<std::string> read_description(const std::filesystem::path& file,
                                            const InputLimits& limits) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return std::nullopt;
  const InputFile input{file};
  if (input.size() > limits.description_bytes)
    throw InvalidInput(
        fmt::format("open {}: it has {} bytes, the limit of descriptions is {}; raise it with "
                    "--max-description if you trust the file",
                    file.string(), input.size(), limits.description_bytes));
  std::string text(static_cast<std::size_t>(input.size()), '\0');
  input.read_at(0, std::as_writable_bytes(std::span{text}));
  // Only looked at: it is given back before the text is parsed, alone and at once
  static_cast<void>(reserve_for_parsing(limits, json_parsing_bytes(text), file, "description"));
  return text;
}

}  // namespace synthoscope::imageio
