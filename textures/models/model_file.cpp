// SPDX-License-Identifier: MIT
#include "textures/models/model_file.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/version.hpp"
#include "imageio/hdf5/tables.hpp"
#include "kernels/visual_words/word_histogram.hpp"

namespace synthoscope::textures {
namespace {

constexpr std::int64_t kVersionOfModel = 1;
constexpr const char* kKind = "visual words";
constexpr const char* kNoWords = "it holds no visual words";
constexpr const char* kAdvice = "give a model that `synthoscope words train` wrote, or train again";
constexpr std::int64_t kCopies = 3;        ///< of the file's bytes, while it is read
constexpr std::int64_t kRecordBytes = 16;  ///< that a character of the record may take: "[1,1,1"

template <class T>
using Numbers = std::vector<T>;

Json pitch_json(const std::optional<double>& um) {
  return um ? Json(*um) : Json();
}

Json spec_json(const TextureSpec& spec) {
  Json json{{"bank", name_of(spec.features.filters.bank)},
            {"factor_tolerance", spec.features.filters.tolerance},
            {"standardised", spec.features.standardised},
            {"contrast_normalised", spec.features.contrast_normalised},
            {"levels", spec.levels},
            {"distance", name_of(spec.distance)},
            {"middle_plane", spec.planes == Planes::middle},
            {"patch", nullptr}};
  if (spec.patch) json["patch"] = {spec.patch->z, spec.patch->y, spec.patch->x};
  return json;
}

Json model_json(const TextureModel& model) {
  const TrainingRecord& t = model.training;
  return {
      {"program", "synthoscope"},
      {"version", kVersion},
      {"kind", kKind},
      {"model_version", kVersionOfModel},
      {"texture", spec_json(model.spec)},
      {"training",
       {{"seed", t.seed},
        {"samples_each", t.samples_each},
        {"samples", t.samples},
        {"inertia", t.inertia},
        {"iterations", t.iterations},
        {"converged", t.converged}}},
      {"voxel_um",
       {pitch_json(model.pitch.z_um), pitch_json(model.pitch.y_um), pitch_json(model.pitch.x_um)}},
      {"features", model.dictionary.features},
      {"classes", model.classes},
      {"images", model.images}};
}

template <class T, class From>
Numbers<T> numbers_from(const From& values) {
  return Numbers<T>(values.begin(), values.end());
}

/// Of tables_of.
std::int64_t table_bytes(const TextureModel& model) {
  constexpr std::size_t kOfTexture = 7;  // image, origin, size
  return static_cast<std::int64_t>(sizeof(double) *
                                   (model.dictionary.centroids.size() + model.histograms.size() +
                                    model.word_sizes.size() + model.image_class.size() +
                                    kOfTexture * model.textures.size()));
}

std::vector<imageio::Hdf5Table> tables_of(const TextureModel& model) {
  Numbers<std::int64_t> images, origins, sizes;
  for (const Texture& texture : model.textures) {
    images.push_back(texture.image);
    const auto& [origin, size] = texture.box;
    origins.insert(origins.end(), {origin.z, origin.y, origin.x});
    sizes.insert(sizes.end(), {size.z, size.y, size.x});
  }
  const auto textures = static_cast<std::int64_t>(model.textures.size());
  return {
      {"/dictionary",
       model.dictionary.size(),
       {{"centroid", {model.dictionary.features}, numbers_from<double>(model.dictionary.centroids)},
        {"size", {}, model.word_sizes}}},
      {"/image",
       static_cast<std::int64_t>(model.images.size()),
       {{"class", {}, model.image_class}}},
      {"/texture",
       textures,
       {{"image", {}, std::move(images)},
        {"origin", {3}, std::move(origins)},
        {"size", {3}, std::move(sizes)},
        {"histogram", {model.histogram_length}, numbers_from<double>(model.histograms)}}}};
}

/// A file that should be a model; complaints name it.
class ModelReader {
 public:
  ModelReader(const std::filesystem::path& path, MemoryBudget& memory)
      : path_{path}, memory_{memory}, tables_{imageio::read_hdf5_tables(path, kAdvice)} {}

  [[nodiscard]] TextureModel read() {
    const auto text = imageio::read_hdf5_provenance(path_);
    if (!text) refuse(kNoWords);
    const Reservation held = memory_.reserve(kRecordBytes * static_cast<std::int64_t>(text->size()),
                                             "the model's record");
    const Json json = record(*text);
    TextureModel model;
    try {
      read_record(json, model);
    } catch (const Json::exception&) {
      refuse("a value of its record is missing or has another type");
    }
    read_numbers(model);
    require_whole(model);
    return model;
  }

 private:
  [[noreturn]] void refuse(const std::string& found) const {
    throw InvalidInput(fmt::format("open {}: {}; {}", path_.string(), found, kAdvice));
  }

  [[nodiscard]] Json record(const std::string& text) const {
    const auto json = try_parse_json(text);
    if (!json || !json->is_object() || json->value("kind", Json()) != Json(kKind)) refuse(kNoWords);
    if (const auto version = json->value("model_version", Json()); version != Json(kVersionOfModel))
      refuse(fmt::format("it is a model of version {}, and {} is what this program reads",
                         text_of(version), kVersionOfModel));
    return *json;
  }

  template <class Named>
  auto named(Named find, const Json& word) const {
    const auto text = word.get<std::string>();
    const auto found = find(text);
    if (!found) refuse(fmt::format("'{}' is not known here", text));
    return *found;
  }

  void read_record(const Json& json, TextureModel& model) const {
    const Json& texture = json.at("texture");
    TextureSpec& spec = model.spec;
    spec.features.filters.bank = named(&kernels::filter_bank_named, texture.at("bank"));
    spec.features.filters.tolerance = texture.at("factor_tolerance").get<double>();
    spec.features.standardised = texture.at("standardised").get<bool>();
    spec.features.contrast_normalised = texture.at("contrast_normalised").get<bool>();
    const std::int64_t levels = whole_of(texture.at("levels"));
    if (levels < 0 || levels > kernels::kMaxPyramidLevels)
      refuse(fmt::format("its pyramid has {} levels", levels));
    spec.levels = static_cast<int>(levels);
    spec.distance = named(&kernels::histogram_distance_named, texture.at("distance"));
    spec.planes = texture.at("middle_plane").get<bool>() ? Planes::middle : Planes::all;
    if (const Json& patch = texture.at("patch"); !patch.is_null())
      spec.patch = Extent3{whole_of(patch.at(0)), whole_of(patch.at(1)), whole_of(patch.at(2))};
    const Json& training = json.at("training");
    model.training = {unsigned_of(training.at("seed")),    whole_of(training.at("samples_each")),
                      whole_of(training.at("samples")),    training.at("inertia").get<double>(),
                      whole_of(training.at("iterations")), training.at("converged").get<bool>()};
    const auto pitch = [&](std::size_t axis) -> std::optional<double> {
      const Json& um = json.at("voxel_um").at(axis);
      return um.is_null() ? std::nullopt : std::optional{um.get<double>()};
    };
    model.pitch = {pitch(0), pitch(1), pitch(2)};
    model.dictionary.features = whole_of(json.at("features"));
    model.classes = json.at("classes").get<std::vector<std::string>>();
    model.images = json.at("images").get<std::vector<std::string>>();
  }

  template <class T>
  Numbers<T> column(const std::string& group, const std::string& name,
                    std::optional<std::int64_t> values_each) {
    for (auto& table : tables_) {
      if (table.group != group) continue;
      for (auto& found : table.columns) {
        std::int64_t each = 1;
        for (const std::int64_t size : found.row) each *= size;
        if (found.name == name && each == values_each.value_or(each) &&
            std::get_if<Numbers<T>>(&found.values))
          return std::move(std::get<Numbers<T>>(found.values));
      }
    }
    refuse(fmt::format("it has no numbers {}/{} of the right kind", group, name));
  }

  void read_numbers(TextureModel& model) {
    if (model.dictionary.features < 1 || model.dictionary.features > kernels::kMaxFeatures)
      refuse(fmt::format("its words have {} features", model.dictionary.features));
    model.dictionary.centroids =
        numbers_from<float>(column<double>("/dictionary", "centroid", model.dictionary.features));
    model.word_sizes = column<std::int64_t>("/dictionary", "size", 1);
    if (model.images.empty()) return;
    model.image_class = column<std::int64_t>("/image", "class", 1);
    const auto images = column<std::int64_t>("/texture", "image", 1);
    const auto origins = column<std::int64_t>("/texture", "origin", 3);
    const auto sizes = column<std::int64_t>("/texture", "size", 3);
    for (std::size_t i = 0; i < images.size(); ++i) {
      const auto* o = &origins[3 * i];
      const auto* s = &sizes[3 * i];
      model.textures.push_back({images[i], {{o[0], o[1], o[2]}, {s[0], s[1], s[2]}}});
    }
    const auto histograms = column<double>("/texture", "histogram", std::nullopt);
    model.histogram_length =
        static_cast<std::int64_t>(histograms.size() / std::max<std::size_t>(1, images.size()));
    model.histograms = numbers_from<float>(histograms);
  }

  /// Checks that the texture's histogram is one of these words. @throws InvalidSpec  its box is not
  /// valid.
  void require_measured(const Texture& texture, const TextureModel& model) const {
    const auto& [origin, size] = texture.box;
    if (origin.z < 0 || origin.y < 0 || origin.x < 0 || size.z < 1 || size.y < 1 || size.x < 1)
      refuse(fmt::format("a texture describes the voxels {}", texture.box));
    const std::int64_t features = kernels::feature_count(model.spec.features, size);
    if (features != model.dictionary.features)
      refuse(fmt::format("its words have {} features, but its textures {}",
                         model.dictionary.features, features));
    const std::int64_t length =
        kernels::histogram_length(size, model.dictionary.size(), model.spec.levels);
    if (length != model.histogram_length)
      refuse(fmt::format("its histograms have {} values, but its textures {}",
                         model.histogram_length, length));
  }

  /// All that others rely on.
  void require_whole(const TextureModel& model) const {
    try {
      require_usable(model.spec);
      kernels::require_usable(model.dictionary);
      for (const Texture& texture : model.textures) require_measured(texture, model);
    } catch (const InvalidSpec& failure) {
      refuse(failure.what());
    }
    const auto are_below = [](const auto& values, std::size_t count) {
      return std::all_of(values.begin(), values.end(), [&](std::int64_t value) {
        return value >= 0 && value < static_cast<std::int64_t>(count);
      });
    };
    if (model.image_class.size() != model.images.size() ||
        !are_below(model.image_class, model.classes.size()))
      refuse("some classes of its images are missing");
    for (const Texture& texture : model.textures)
      if (!are_below(std::array{texture.image}, model.images.size()))
        refuse("a texture describes an image that is not in it");
    for (const float value : model.histograms)
      if (!std::isfinite(value) || value < 0)
        refuse("a histogram holds negative or non-finite values");
  }

  const std::filesystem::path& path_;
  MemoryBudget& memory_;
  std::vector<imageio::Hdf5Table> tables_;
};

}  // namespace

void write_model(const std::filesystem::path& path, const TextureModel& model, bool overwrite,
                 MemoryBudget& memory) {
  const Reservation held = memory.reserve(table_bytes(model), "the model to write");
  imageio::write_hdf5_tables(path, tables_of(model), text_of(model_json(model)), overwrite);
}

ReadModel read_model(const std::filesystem::path& path, const RunContext& context) {
  if (!std::filesystem::is_regular_file(path))
    throw IoError(
        fmt::format("open the model {}: there is no such file; check the name", path.string()));
  const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(path));
  ReadModel read;
  read.held = context.memory.reserve(kCopies * bytes, "the model");
  read.model = ModelReader{path, context.memory}.read();
  return read;
}

}  // namespace synthoscope::textures
