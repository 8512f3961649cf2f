// SPDX-License-Identifier: MIT
// The pictures of the examples, which the page of studio shows.
#include <gtest/gtest.h>
#include <set>
#include <string>
#include "studio/server/page_files.hpp"
#include "tools/start/examples.hpp"

namespace synthoscope::tools {
namespace {

TEST(ExamplePictures, AreThoseOfAllExamplesAndNoOthers) {
  std::set<std::string> examples;
  for (const std::string& name : example_names()) examples.insert("pictures/" + name + ".webp");
  std::set<std::string> pictures;
  std::size_t bytes = 0;
  for (const studio::PageFile& file : studio::page_files()) {
    if (!file.name.starts_with("pictures/")) continue;
    pictures.emplace(file.name);
    bytes += file.content.size();
    EXPECT_EQ(file.content.substr(8, 4), "WEBP") << file.name;
  }
  EXPECT_EQ(pictures, examples) << "docs/gallery/cards.py makes the pictures";
  EXPECT_LT(bytes, 500000U);
}

}  // namespace
}  // namespace synthoscope::tools
