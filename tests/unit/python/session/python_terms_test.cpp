// SPDX-License-Identifier: MIT
// tests/unit/python/session/python_terms_test.cpp — messages name arguments instead of options.
#include "python/session/python_terms.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <string>

namespace synthoscope::python {
namespace {

TEST(PythonTerms, NameEveryArgumentAsAPythonIdentifierAndEveryOptionOnce) {
  for (const PythonTerm& term : python_terms()) {
    EXPECT_EQ(term.argument.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string::npos)
        << term.argument;
    EXPECT_EQ(std::ranges::count(python_terms(), term.option, &PythonTerm::option), 1)
        << term.option;
  }
}

TEST(PythonTerms, TranslateEveryOptionOfTheTableWithAndWithoutAValue) {
  for (const auto& [option, argument, kind] : python_terms()) {
    const std::string given = "--" + std::string{option}, taken{argument};
    const bool is_flag = kind == ArgumentKind::flag;
    EXPECT_EQ(in_python_terms("leave " + given + " out"), "leave " + taken + " out");
    EXPECT_EQ(in_python_terms("without " + given), "without " + taken);
    EXPECT_EQ(in_python_terms("choose another " + given + "; or none"),
              "choose another " + taken + (is_flag ? "=True" : "") + "; or none");
    if (is_flag) continue;
    EXPECT_EQ(in_python_terms("raise " + given + " to more"), "raise " + taken + " to more");
    EXPECT_EQ(in_python_terms("give " + given + " auto, if"), "give " + taken + "=\"auto\", if");
    EXPECT_EQ(in_python_terms("give " + given + " 12 or more"),
              "give " + taken + (kind == ArgumentKind::number ? "=12" : "=\"12\"") + " or more");
  }
}

struct SentenceCase {
  const char *of_program, *of_python;
};
constexpr SentenceCase kSentences[] = {
    {"a file is broken; copy it", "a file is broken; copy it"},
    {"it holds 3 channels; choose one with --channel 0, 1 or 2",
     "it holds 3 channels; choose one with channel=0, 1 or 2"},
    {"choose another --output-type or --tiff-flavor ome",
     "choose another output_type or tiff_flavor=\"ome\""},
    {"such as --axes TCZYX", "such as axes=\"TCZYX\""},
    {"give --axes that end in YX", "give axes that end in YX"},
    {"choose --compression zstd, deflate, lzw or none",
     "choose compression=\"zstd\", \"deflate\", \"lzw\" or \"none\""},
    {"choose --compression zstd, blosc, none or deflate, which all readers support",
     "choose compression=\"zstd\", \"blosc\", \"none\" or \"deflate\", which all readers support"},
    {"use --scratch nodir: there is no such folder",
     "use scratch=\"nodir\": there is no such folder"},
    {"another folder, which --scratch names", "another folder, which scratch names"},
    {"give --kernel-center peak to keep it in place, or --kernel-center scipy if the shift is "
     "intended",
     "give kernel_center=\"peak\" to keep it in place, or kernel_center=\"scipy\" if the "
     "shift is intended"},
    {"--gpus all: there is no driver; give --gpus none, or leave --gpus out",
     "gpus=\"all\": there is no driver; give gpus=\"none\", or leave gpus out"},
    {"give --gpus all if there is one, or another strategy",
     "give gpus=\"all\" if there is one, or another strategy"},
    {"use --nan refuse or zero", "use nan=\"refuse\" or \"zero\""},
    {"give --memory 9.2M or more", "give memory=\"9.2M\" or more"},
    {"raise it with --max-channels if you trust the file",
     "raise it with the program's --max-channels if you trust the file"},
    {"make a new one with --dry-run --json", "make a new one with the program's --dry-run --json"},
    {"choose another folder with -o or give --overwrite",
     "choose another folder or give overwrite=True"},
    {"the finished part is kept: the same command with --resume continues it",
     "the finished part is kept: the same call with resume=True continues it"},
    {"lower --threads, or raise the limit", "lower workers, or raise the limit"},
    {"--image 3 is given", "image_number=3 is given"},
};

TEST(PythonTerms, TranslateWholeSentences) {
  for (const auto& [of_program, of_python] : kSentences)
    EXPECT_EQ(in_python_terms(of_program), of_python);
}

}  // namespace
}  // namespace synthoscope::python
