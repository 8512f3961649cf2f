// SPDX-License-Identifier: MIT
// How long does the wrapped convolution of two equal images take on the host by brute force, by DFT
// as a matrix product, and by FFT?
//
//   equal_images_bench JSON THREADS SIDE...
#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <numbers>
#include "bench/convolution/equal_images.hpp"
#include "core/base/json.hpp"
#include "core/stream/store_as.hpp"
#include "core/vector/vector_level.hpp"
#include "fftconv/host/executor.hpp"

namespace synthoscope::bench {
namespace {

/// Pixels of a row that are summed at once: eight registers of eight.
constexpr std::int64_t kRun = 64;

/// Rows are summed in float32, and these sums in float64.
void brute_force(const EqualImages& pair, HostView3<float> out, TaskPool& pool) {
  const std::int64_t n = pair.side;
  // Each row of `a` twice, one behind the other, so that no index has to wrap
  std::vector<float> rows(static_cast<std::size_t>(2 * n * n));
  for (std::int64_t y = 0; y < n; ++y)
    for (std::int64_t twice = 0; twice < 2; ++twice)
      std::copy_n(pair.a.view().row(0, y), n, rows.data() + (2 * y + twice) * n);
  const VectorLevel level = vector_level();
  pool.for_each(n, [&](std::int64_t y) {
    for (std::int64_t x = 0; x < n; x += kRun) {
      double sums[kRun] = {};
      for (std::int64_t ky = 0; ky < n; ++ky) {
        const float* const kernel = pair.b.view().row(0, ky);
        const float* const image = rows.data() + 2 * n * ((y - ky) & (n - 1)) + n + x;
        vectorised(level, [&]() SYNTHOSCOPE_INLINE {
          float row[kRun] = {};
          for (std::int64_t kx = 0; kx < n; ++kx)
            for (std::int64_t j = 0; j < kRun; ++j) row[j] += kernel[kx] * image[j - kx];
          for (std::int64_t j = 0; j < kRun; ++j) sums[j] += static_cast<double>(row[j]);
        });
      }
      std::transform(sums, sums + kRun, out.row(0, y) + x,
                     [](double sum) { return static_cast<float>(sum); });
    }
  });
}

/// Square, row by row.
struct ComplexMatrix {
  explicit ComplexMatrix(std::int64_t n)
      : re(static_cast<std::size_t>(n * n)), im(static_cast<std::size_t>(n * n)) {}
  std::vector<float> re, im;
};

/// exp(sign 2 pi i j k / n).
ComplexMatrix dft_matrix(std::int64_t n, double sign) {
  ComplexMatrix w{n};
  for (std::int64_t j = 0; j < n; ++j)
    for (std::int64_t k = 0; k < n; ++k) {
      const double turn =
          2 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n);
      w.re[static_cast<std::size_t>(j * n + k)] = static_cast<float>(std::cos(turn));
      w.im[static_cast<std::size_t>(j * n + k)] = static_cast<float>(sign * std::sin(turn));
    }
  return w;
}

ComplexMatrix product(const ComplexMatrix& a, const ComplexMatrix& b, std::int64_t n,
                      TaskPool& pool) {
  constexpr std::int64_t kColumns = 32;  // eight registers of eight hold the sums
  ComplexMatrix c{n};
  const VectorLevel level = vector_level();
  pool.for_ranges(n, 16, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t x = 0; x < n; x += kColumns)
      for (std::int64_t y = begin; y < end; ++y) {
        const float* const a_re = a.re.data() + y * n;
        const float* const a_im = a.im.data() + y * n;
        float* const c_re = c.re.data() + y * n + x;
        float* const c_im = c.im.data() + y * n + x;
        vectorised(level, [&]() SYNTHOSCOPE_INLINE {
          float re[kColumns] = {}, im[kColumns] = {};
          for (std::int64_t k = 0; k < n; ++k) {
            const float* const b_re = b.re.data() + k * n + x;
            const float* const b_im = b.im.data() + k * n + x;
            for (std::int64_t j = 0; j < kColumns; ++j) {
              re[j] += a_re[k] * b_re[j] - a_im[k] * b_im[j];
              im[j] += a_re[k] * b_im[j] + a_im[k] * b_re[j];
            }
          }
          std::copy_n(re, kColumns, c_re);
          std::copy_n(im, kColumns, c_im);
        });
      }
  });
  return c;
}

void by_matrix_products(const EqualImages& pair, HostView3<float> out, TaskPool& pool) {
  const std::int64_t n = pair.side;
  const ComplexMatrix forward = dft_matrix(n, -1), back = dft_matrix(n, 1);
  const auto both_axes = [&](const ComplexMatrix& w, const ComplexMatrix& of) {
    return product(product(w, of, n, pool), w, n, pool);
  };
  const auto spectrum = [&](const Volume<float>& of) {
    ComplexMatrix values{n};
    values.re = of.voxels;
    return both_axes(forward, values);
  };
  ComplexMatrix f = spectrum(pair.a);
  const ComplexMatrix g = spectrum(pair.b);
  for (std::size_t i = 0; i < f.re.size(); ++i) {
    const float re = f.re[i], im = f.im[i];
    f.re[i] = re * g.re[i] - im * g.im[i];
    f.im[i] = re * g.im[i] + im * g.re[i];
  }
  const ComplexMatrix h = both_axes(back, f);
  const float scale = 1.0F / static_cast<float>(n * n);  // a power of two
  std::transform(h.re.begin(), h.re.end(), out.data(), [&](float v) { return v * scale; });
}

/// Planning and the transform of `b` are part of it.
void by_fft(const EqualImages& pair, HostView3<float> out, TaskPool& pool) {
  constexpr std::int64_t kBudget = std::int64_t{4} << 30;
  const auto executor = fftconv::make_host_executor({kBudget});
  fftconv::Problem problem;
  problem.image = problem.kernel = pair.a.extent;
  problem.boundary = Boundary::wrap;
  MemoryBudget memory{kBudget};
  NoProgress progress;
  NoLog log;
  StopFlag stop;
  MemorySource f{ConstVoxelView{pair.a.view()}}, g{ConstVoxelView{pair.b.view()}};
  MemorySink sink{VoxelView{out}};
  StoreAs store{PixelType::float32};
  executor->run(fftconv::plan_convolution(problem, executor->machine()),
                std::vector<fftconv::Term>{{&f, {&g, 0, 1}, {}}}, store, sink,
                {pool, memory, progress, log, stop});
}

struct Method {
  const char* name;
  void (*run)(const EqualImages&, HostView3<float>, TaskPool&);
};
constexpr Method kMethods[] = {
    {"brute force", brute_force}, {"DFT", by_matrix_products}, {"FFT", by_fft}};
constexpr int kRuns = 3;

int run(const char* json_path, int threads, const std::vector<std::int64_t>& sides) {
  TaskPool pool{threads};
  Json rows = Json::array();
  fmt::print("{:>6} {:12} {:>10} {:>8}\n", "side", "by", "seconds", "rel. L2");
  for (const std::int64_t side : sides) {
    const EqualImages pair{side, pool};
    for (const Method& method : kMethods) {
      Volume<float> out{pair.a.extent};
      double best = INFINITY;
      for (int i = 0; i < kRuns; ++i) {
        const auto start = std::chrono::steady_clock::now();
        method.run(pair, out.view(), pool);
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        best = std::min(best, seconds.count());
      }
      const double error = pair.relative_l2(out.view());
      fmt::print("{:>6} {:12} {:10.5f} {:8.1e}\n", side, method.name, best, error);
      rows.push_back({{"side", side}, {"by", method.name}, {"seconds", best}, {"error", error}});
    }
  }
  std::ofstream{json_path} << text_of(Json{{"threads", threads},
                                           {"vector_level", name_of(vector_level())},
                                           {"runs", kRuns},
                                           {"rows", rows}});
  return 0;
}

}  // namespace
}  // namespace synthoscope::bench

int main(int count, char** arguments) try {
  std::vector<std::int64_t> sides;
  for (int i = 3; i < count; ++i) {
    sides.push_back(std::stoll(arguments[i]));
    if (sides.back() < 64 || (sides.back() & (sides.back() - 1)) != 0) sides.clear(), i = count;
  }
  if (sides.empty()) {
    fmt::print(stderr,
               "usage: equal_images_bench JSON THREADS SIDE...; sides are powers of two from 64\n");
    return 2;
  }
  return synthoscope::bench::run(arguments[1], std::stoi(arguments[2]), sides);
} catch (const std::exception& error) {
  fmt::print(stderr, "equal_images_bench: {}\n", error.what());
  return 1;
}
