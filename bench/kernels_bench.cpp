// SPDX-License-Identifier: MIT
// How long does an operation on neighbourhoods take on the host, from memory to memory?
//
//   kernels_bench FOLDER
//
// FOLDER/job.json says what is done, and to FOLDER/image.raw; the result goes to FOLDER/result.raw.
// Prints one JSON object with the seconds of each run. bench/kernels.py runs it beside others.
#include <fmt/format.h>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include "core/error.hpp"
#include "core/host_buffer.hpp"
#include "core/json.hpp"
#include "kernels/correlation.hpp"
#include "kernels/separable_correlation.hpp"

namespace synthoscope::kernels {
namespace {

using Path = std::filesystem::path;

/// Voxels in host memory, read from a file or written to one.
struct Voxels {
  Voxels(MemoryBudget& budget, PixelType of, const Extent3& size)
      : type{of}, extent{size}, bytes{budget, volume(size) * size_of(of), "voxels"} {
    std::fill_n(bytes.data(), bytes.count(), std::byte{});  // memory that is there already
  }
  void load(const Path& path) {
    std::ifstream file{path, std::ios::binary};
    file.read(reinterpret_cast<char*>(bytes.data()), bytes.count());
    if (!file) throw IoError(fmt::format("read {}: it is too short", path.string()));
  }
  void save(const Path& path) const {
    std::ofstream{path, std::ios::binary}.write(reinterpret_cast<const char*>(bytes.data()),
                                                bytes.count());
  }
  [[nodiscard]] VoxelView view() const { return {bytes.data(), type, extent}; }

  PixelType type;
  Extent3 extent;
  HostBuffer<std::byte> bytes;
};

struct Job {
  Path folder;
  Json words;
  Extent3 extent;
  PixelType type;
};

Extent3 extent_in(const Json& json) {
  return {json.at(0).get<std::int64_t>(), json.at(1).get<std::int64_t>(),
          json.at(2).get<std::int64_t>()};
}

NeighbourhoodSetting setting_of(const Job& job) {
  NeighbourhoodSetting setting;
  setting.image = job.extent;
  setting.type = job.type;
  return setting;
}

std::unique_ptr<Operation> correlation(const Job& job) {
  Stencil stencil;
  const Extent3 extent = extent_in(job.words.at("weights_extent"));
  std::vector<double> weights(static_cast<std::size_t>(volume(extent)));
  std::ifstream file{job.folder / job.words.at("weights").get<std::string>(), std::ios::binary};
  file.read(reinterpret_cast<char*>(weights.data()), volume(extent) * std::int64_t{sizeof(double)});
  if (!file) throw IoError("read the weights: there are too few");
  return make_direct_correlation(setting_of(job), correlation_stencil(extent, std::move(weights)));
}

/// The same weights along every axis, but none along z where there is one plane.
std::unique_ptr<Operation> separable(const Job& job, const std::vector<double>& weights) {
  return make_separable_correlation(
      setting_of(job),
      separable_stencil(job.extent.z > 1 ? weights : std::vector{1.0}, weights, weights));
}

std::unique_ptr<Operation> gaussian(const Job& job) {
  const double sigma = job.words.at("sigma"), truncate = job.words.at("truncate");
  const auto radius = static_cast<int>(truncate * sigma + 0.5);
  std::vector<double> weights;
  double sum = 0;
  for (int i = -radius; i <= radius; ++i) {
    weights.push_back(std::exp(-0.5 * i * i / (sigma * sigma)));
    sum += weights.back();
  }
  for (double& weight : weights) weight /= sum;
  return separable(job, weights);
}

std::unique_ptr<Operation> box(const Job& job) {
  const std::size_t side = job.words.at("side");
  return separable(job, std::vector(side, 1.0 / static_cast<double>(side)));
}

/// The whole image at once.
void apply(Operation& operation, const Voxels& image, const Voxels& result, TaskPool& pool) {
  const VoxelView out[] = {result.view()};
  operation.apply(whole_window(image.view()), whole(operation.extent()), out, pool);
}

std::unique_ptr<Operation> operation_of(const Job& job) {
  const auto name = job.words.at("operation").get<std::string>();
  if (name == "correlate") return correlation(job);
  if (name == "gaussian") return gaussian(job);
  if (name == "box") return box(job);
  throw InvalidSpec(fmt::format("measure {}: there is no such operation", name));
}

int run(const Path& folder) {
  const Job job = [&] {
    std::ifstream file{folder / "job.json"};
    Job made{folder, parse_json(std::string{std::istreambuf_iterator<char>{file}, {}}), {}, {}};
    made.extent = extent_in(made.words.at("extent"));
    made.type = *pixel_type_named(made.words.at("type").get<std::string>());
    return made;
  }();
  TaskPool pool{job.words.at("threads").get<int>()};
  MemoryBudget memory{std::int64_t{8} << 30};
  Voxels image{memory, job.type, job.extent};
  image.load(folder / "image.raw");

  const std::unique_ptr<Operation> operation = operation_of(job);
  const Voxels result{memory, operation->types().front(), operation->extent()};
  const double patience = job.words.at("patience");
  Json json;
  for (int i = 0; i < 6; ++i) {
    const auto start = std::chrono::steady_clock::now();
    apply(*operation, image, result, pool);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (i > 0 || seconds.count() > patience) json["seconds"].push_back(seconds.count());
    if (seconds.count() > patience) break;
  }
  result.save(folder / "result.raw");
  json["vector_level"] = name_of(vector_level());
  fmt::print("{}\n", text_of(json));
  return 0;
}

}  // namespace
}  // namespace synthoscope::kernels

int main(int count, char** arguments) try {
  if (count != 2) {
    fmt::print(stderr, "usage: kernels_bench FOLDER\n");
    return 2;
  }
  return synthoscope::kernels::run(arguments[1]);
} catch (const std::exception& error) {
  fmt::print(stderr, "kernels_bench: {}\n", error.what());
  return 1;
}
