// SPDX-License-Identifier: MIT
#include "python/session/python_terms.hpp"
#include <algorithm>
#include <utility>

namespace synthoscope::python {
namespace {

using enum ArgumentKind;

constexpr PythonTerm kTerms[] = {
    {"alpha", "alpha", number},
    {"axes", "axes", word},
    {"background", "background", number},
    {"bank", "bank", word},
    {"boundary", "boundary", word},
    {"camera", "camera", word},
    {"certify", "certify", number},
    {"certify-by", "certify_by", word},
    {"channel", "channel", number},
    {"checkpoint-every", "checkpoint_every", number},
    {"chunks", "chunks", number},
    {"classes", "classes", word},
    {"compression", "compression", word},
    {"contrast-normalize", "contrast_normalize", flag},
    {"correlate", "correlate", flag},
    {"distance", "distance", word},
    {"edge", "edge", word},
    {"fft", "fft", word},
    {"format", "format", word},
    {"frame", "frame", number},
    {"gpus", "gpus", word},
    {"image", "image_number", number},
    {"iterations", "iterations", number},
    {"kernel-background", "kernel_background", number},
    {"kernel-center", "kernel_center", word},
    {"lambda", "noise_to_signal", number},
    {"levels", "levels", number},
    {"memory", "memory", number},
    {"method", "method", word},
    {"model", "model", word},
    {"nan", "nan", word},
    {"normalize-kernel", "normalize_kernel", word},
    {"optics", "optics", word},
    {"order", "order", number},
    {"output-type", "output_type", word},
    {"overwrite", "overwrite", flag},
    {"patch", "patch", number},
    {"permutations", "permutations", number},
    {"planes", "planes", word},
    {"precision", "precision", word},
    {"regularize", "regularize", word},
    {"resume", "resume", flag},
    {"samples", "samples", number},
    {"scratch", "scratch", word},
    {"seed", "seed", number},
    {"shape", "shape", word},
    {"sigma", "sigma", number},
    {"standardize", "standardize", flag},
    {"strategy", "strategy", word},
    {"threads", "workers", number},
    {"tiff-flavor", "tiff_flavor", word},
    {"truncate", "truncate", number},
    {"truth-layout", "truth_layout", word},
    {"words", "words", number},
};

/// Words of the command line that are no options.
constexpr std::pair<std::string_view, std::string_view> kPhrases[] = {
    {"the same command with", "the same call with"},
    {"run the command again", "call the function again"},
    {"--set ", ""},
    {" with -o", ""},
};

/// Words that continue the sentence after the name of an option.
constexpr std::string_view kNoValues[] = {"or", "and",   "that", "is",     "names", "would",
                                          "if", "with",  "to",   "cannot", "makes", "out",
                                          "in", "needs", "for",  "only",   "more"};

constexpr std::string_view kOfOptions = "abcdefghijklmnopqrstuvwxyz-";
constexpr std::string_view kBehindValues = " ;,:)";

bool is_value(std::string_view text, ArgumentKind kind) {
  if (text.empty() || text.starts_with("--") || kind == flag) return false;
  if (kind == number)
    return text == "auto" || text == "none" || text.find_first_of("0123456789") == 0;
  return std::ranges::find(kNoValues, text) == std::end(kNoValues);
}

/// Translates a sentence from its start to its end.
class Translation {
 public:
  explicit Translation(std::string_view sentence) : rest_{sentence} {}

  std::string text() {
    for (auto at = rest_.find("--"); at != std::string_view::npos; at = rest_.find("--")) {
      copy(at);
      option();
    }
    return written_ + std::string{rest_};
  }

 private:
  void copy(std::size_t count) {
    written_ += rest_.substr(0, count);
    rest_.remove_prefix(count);
  }

  /// Returns the word at `place` of the rest; empty if there is none.
  [[nodiscard]] std::string_view value_at(std::size_t place) const {
    const std::string_view text = rest_.substr(std::min(place, rest_.size()));
    return text.substr(0, text.find_first_of(kBehindValues));
  }

  void option() {
    const std::string_view name = rest_.substr(2, rest_.substr(2).find_first_not_of(kOfOptions));
    const auto term =
        std::ranges::find(kTerms, name, [](const PythonTerm& one) { return one.option; });
    if (term == std::end(kTerms)) {
      if (!name.empty() && !follows_option_) written_ += "the program's ";
      follows_option_ = rest_.substr(2 + name.size()).starts_with(" --");
      return copy(2 + name.size());
    }
    follows_option_ = false;
    rest_.remove_prefix(2 + name.size());
    written_ += term->argument;
    if (term->kind == flag) {
      if (!written_before(term->argument, "without ") && !written_before(term->argument, "leave "))
        written_ += "=True";
      return;
    }
    if (!rest_.starts_with(' ') || !is_value(value_at(1), term->kind)) return;
    rest_.remove_prefix(1);
    written_ += '=';
    value(term->kind);
    if (term->kind == word) further_values();
  }

  [[nodiscard]] bool written_before(std::string_view argument, std::string_view text) const {
    const std::string_view before{written_.data(), written_.size() - argument.size()};
    return before.ends_with(text);
  }

  void value(ArgumentKind kind) {
    const std::string_view text = value_at(0);
    const bool is_number = text.find_first_not_of("0123456789.") == std::string_view::npos;
    written_ += kind == number && is_number ? std::string{text} : '"' + std::string{text} + '"';
    rest_.remove_prefix(text.size());
  }

  /// Quotes the other words of a list such as "zstd, deflate or none"; the word after "or" is the
  /// last.
  void further_values() {
    std::size_t at = 0;
    while (rest_.substr(at).starts_with(", ")) {
      const std::string_view text = value_at(at + 2);
      if (!is_value(text, word)) return;
      at += 2 + text.size();
    }
    if (!rest_.substr(at).starts_with(" or ")) return;
    const std::string_view last = value_at(at + 4);
    const bool ends = !rest_.substr(at + 4 + last.size()).starts_with(' ');
    if (!is_value(last, word) || !ends) return;
    const std::size_t left = rest_.size() - (at + 4 + last.size());
    while (rest_.size() > left) {
      copy(rest_.starts_with(", ") ? 2 : 4);
      value(word);
    }
  }

  std::string_view rest_;
  std::string written_;
  bool follows_option_ = false;
};

}  // namespace

std::span<const PythonTerm> python_terms() {
  return kTerms;
}

std::string in_python_terms(std::string_view sentence) {
  std::string text{sentence};
  for (const auto& [words, ours] : kPhrases)
    for (auto at = text.find(words); at != std::string::npos; at = text.find(words, at))
      text.replace(at, words.size(), ours);
  return Translation{text}.text();
}

}  // namespace synthoscope::python
