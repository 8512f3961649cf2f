// SPDX-License-Identifier: MIT
// How long does an operation on neighbourhoods take on the host, from memory to memory?
//
//   kernels_bench FOLDER
//
// FOLDER/job.json says what is done, and to FOLDER/image.raw; the result goes to FOLDER/result.raw.
// Prints one JSON object with the seconds of each run. bench/kernels/kernels.py runs it beside
// others.
#include <fmt/format.h>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include "bench/kernels/kernel_jobs.hpp"
#include "core/base/error.hpp"
#include "core/run/host_buffer.hpp"
#include "core/vector/vector_level.hpp"

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

/// The whole image at once.
void apply(Operation& operation, const Voxels& image, const Voxels& result, TaskPool& pool) {
  const VoxelView out[] = {result.view()};
  operation.apply(whole_window(image.view()), whole(operation.extent()), out, pool);
}

int run(const Path& folder) {
  const Job job = job_of(json_in(folder / "job.json"));
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
