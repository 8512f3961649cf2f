// SPDX-License-Identifier: MIT
#include "kernels/visual_words/assigned_samples.hpp"
#include <algorithm>
#include <array>
#include <atomic>
#include <utility>
#include "core/base/as_index.hpp"
#include "core/base/round_up.hpp"
#include "kernels/visual_words/k_means_start.hpp"
#include "kernels/visual_words/nearest_word.hpp"

namespace synthoscope::kernels {
namespace {

// Parts of the samples that are added up separately: a sum's order does not depend on threads
constexpr std::int64_t kStretches = 8;

// Features that are added up at once: consecutive samples often have the same word, and a single
// sum would wait for the one before
constexpr std::int64_t kTogether = 8;

/// sums[k * kTogether + f] += feature f of each sample whose word is k.
/// @tparam kCount  features, or 0 for as many as there are
template <std::int64_t kCount>
void add_up(const FeatureBlock& samples, const std::uint16_t* words, double* sums) {
  const std::int64_t count = kCount > 0 ? kCount : samples.features;
  for (std::int64_t i = 0; i < samples.count; ++i) {
    double* const to = sums + words[i] * kTogether;
    for (std::int64_t f = 0; f < count; ++f) to[f] += double{samples.at(f, i)};
  }
}

std::int64_t numbers_of_sums(const FeatureBlock& samples, std::int64_t words) {
  return kStretches * round_up(samples.features, kTogether) * words;
}

/// Returns the bytes of old words, their means, and what assigns samples; of sizes, and of samples
/// to be moved.
std::int64_t dictionary_bytes(const FeatureBlock& samples, std::int64_t words) {
  return 2 * words * samples.features * std::int64_t{sizeof(float)} +
         NearestWord::held_bytes(words, samples.features) +
         4 * words * std::int64_t{sizeof(double)};
}

/// Calls body(stretch, part, begin, end) for the samples of each stretch and for each of `parts`.
template <class Body>
void for_stretches(std::int64_t samples, std::int64_t parts, TaskPool& pool, const Body& body) {
  pool.for_each(kStretches * parts, [&](std::int64_t task) {
    const std::int64_t stretch = task % kStretches;
    body(stretch, task / kStretches, samples * stretch / kStretches,
         samples * (stretch + 1) / kStretches);
  });
}

}  // namespace

AssignedSamples::AssignedSamples(const FeatureBlock& samples, std::int64_t words,
                                 const RunContext& context)
    : samples_{samples},
      words_{words},
      context_{context},
      nearest_{context.memory, samples.count, "words of samples"},
      distances_{context.memory, samples.count, "distances of samples"},
      sums_{context.memory, numbers_of_sums(samples, words), "sums of samples"},
      counts_{context.memory, kStretches * words, "numbers of samples"},
      dictionaries_{context.memory.reserve(dictionary_bytes(samples, words), "words")} {
  std::fill_n(nearest_.data(), samples.count, std::uint16_t{0});
}

std::int64_t AssignedSamples::bytes(const FeatureBlock& samples, std::int64_t words) {
  return samples.count * std::int64_t{sizeof(std::uint16_t) + sizeof(float)} +
         numbers_of_sums(samples, words) * std::int64_t{sizeof(double)} +
         kStretches * words * std::int64_t{sizeof(std::int64_t)} + dictionary_bytes(samples, words);
}

bool AssignedSamples::assign(const Dictionary& dictionary, bool measures) {
  const NearestWord nearest{dictionary};
  std::atomic<bool> has_changed{false};
  context_.pool.for_ranges(
      samples_.count, kSamplesAtOnce, [&](std::int64_t begin, std::int64_t end) {
        context_.stop.check();
        const std::span<std::uint16_t> words{nearest_.data() + begin, as_index(end - begin)};
        std::array<std::uint16_t, kSamplesAtOnce> before;
        std::ranges::copy(words, before.begin());
        nearest.assign(samples_.part(begin, end - begin), words,
                       measures ? distances().subspan(as_index(begin), as_index(end - begin))
                                : std::span<float>{});
        if (!std::ranges::equal(words, std::span{before}.first(words.size()))) has_changed = true;
      });
  return has_changed;
}

std::vector<std::int64_t> AssignedSamples::sizes() const {
  for_stretches(samples_.count, 1, context_.pool,
                [&](std::int64_t stretch, std::int64_t, std::int64_t begin, std::int64_t end) {
                  std::int64_t* const counts = counts_.data() + stretch * words_;
                  std::fill_n(counts, words_, std::int64_t{0});
                  for (std::int64_t i = begin; i < end; ++i) ++counts[nearest_.data()[i]];
                });
  std::vector<std::int64_t> sizes(as_index(words_));
  for (std::int64_t stretch = 0; stretch < kStretches; ++stretch)
    for (std::int64_t k = 0; k < words_; ++k)
      sizes[as_index(k)] += counts_.data()[stretch * words_ + k];
  return sizes;
}

std::int64_t AssignedSamples::fill_empty(const Dictionary& dictionary,
                                         std::vector<std::int64_t>& sizes) {
  const std::int64_t empty = std::ranges::count(sizes, 0);
  if (empty == 0) return 0;
  assign(dictionary, true);

  // Find as many of the farthest samples, the first of equal ones; the nearest of them is in front
  using Far = std::pair<float, std::int64_t>;
  const auto farther = [](const Far& a, const Far& b) {
    return a.first > b.first || (a.first == b.first && a.second < b.second);
  };
  std::vector<Far> farthest;
  farthest.reserve(as_index(empty + 1));
  for (std::int64_t i = 0; i < samples_.count; ++i) {
    const Far one{distances_.data()[i], i};
    if (one.first == 0 || (std::ssize(farthest) == empty && !farther(one, farthest.front())))
      continue;
    farthest.push_back(one);
    std::ranges::push_heap(farthest, farther);
    if (std::ssize(farthest) <= empty) continue;
    std::ranges::pop_heap(farthest, farther);
    farthest.pop_back();
  }
  std::ranges::sort_heap(farthest, farther);

  std::int64_t moved = 0;
  auto word = std::ranges::find(sizes, 0);
  for (const auto& [distance, sample] : farthest) {
    std::uint16_t& its = nearest_.data()[sample];
    if (sizes[its] == 1) continue;
    --sizes[its];
    its = static_cast<std::uint16_t>(word - sizes.begin());
    *word = 1;
    word = std::find(word, sizes.end(), 0);
    ++moved;
  }
  return moved;
}

Dictionary AssignedSamples::means(const Dictionary& dictionary,
                                  std::span<const std::int64_t> sizes) const {
  const std::int64_t features = samples_.features, groups = parts_of(features, kTogether);
  const auto sums_of = [&](std::int64_t stretch, std::int64_t group) {
    return sums_.data() + (stretch * groups + group) * words_ * kTogether;
  };
  for_stretches(
      samples_.count, groups, context_.pool,
      [&](std::int64_t stretch, std::int64_t group, std::int64_t begin, std::int64_t end) {
        const std::int64_t first = group * kTogether;
        const std::int64_t count = std::min(kTogether, features - first);
        double* const sums = sums_of(stretch, group);
        std::fill_n(sums, words_ * kTogether, 0.0);
        const FeatureBlock block{samples_.first + first * samples_.pitch + begin, end - begin,
                                 samples_.pitch, count};
        if (count == kTogether)
          add_up<kTogether>(block, nearest_.data() + begin, sums);
        else
          add_up<0>(block, nearest_.data() + begin, sums);
      });
  Dictionary means = dictionary;
  for (std::int64_t k = 0; k < words_; ++k) {
    if (sizes[as_index(k)] == 0) continue;
    for (std::int64_t f = 0; f < features; ++f) {
      double sum = 0;
      for (std::int64_t stretch = 0; stretch < kStretches; ++stretch)
        sum += sums_of(stretch, f / kTogether)[k * kTogether + f % kTogether];
      means.centroids[as_index(k * features + f)] =
          static_cast<float>(sum / static_cast<double>(sizes[as_index(k)]));
    }
  }
  return means;
}

}  // namespace synthoscope::kernels
