// SPDX-License-Identifier: MIT
#include "core/math/content_hash.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <string>
#include <string_view>

namespace synthoscope {
namespace {

std::uint64_t hash_of(std::string_view text) {
  ContentHash hash;
  hash.update(std::as_bytes(std::span{text}));
  return hash.value();
}

// Digits that `xxhsum -H1` (xxHash 0.8) prints for these bytes.
TEST(ContentHash, GivesThePublishedDigits) {
  EXPECT_EQ(hash_of(""), 0xef46db3751d8e999u);
  EXPECT_EQ(hash_of("a"), 0xd24ec4f1a98c6e5bu);
  EXPECT_EQ(hash_of("abc"), 0x44bc2cf5ad770999u);
  EXPECT_EQ(hash_of("Nobody inspects the spammish repetition"), 0xfbcea83c8a378bf1u);
  std::string digits;
  for (int i = 0; i < 10; ++i) digits += "0123456789";
  EXPECT_EQ(hash_of(digits), 0xf80e7b96315afffau);
}

// Digits that `xxhsum -H3` prints for these bytes.
TEST(BlockHash, GivesThePublishedDigits) {
  const auto of = [](std::string_view text) {
    return BlockHash::of(std::as_bytes(std::span{text}));
  };
  EXPECT_EQ(of(""), 0x2d06800538d394c2u);
  EXPECT_EQ(of("a"), 0xe6c632b61e964e1fu);
  EXPECT_EQ(of("abc"), 0x78af5f94892f3950u);
  EXPECT_EQ(of("Nobody inspects the spammish repetition"), 0x6cb00603b5cc47e9u);
  BlockHash piecewise;
  for (const std::string_view piece : {"Nobody inspects", " the spammish ", "repetition"})
    piecewise.update(std::as_bytes(std::span{piece}));
  EXPECT_EQ(piecewise.value(), 0x6cb00603b5cc47e9u);
}

// Digits that `xxhsum -H2` prints for these bytes.
TEST(WideHash, GivesThePublishedDigits) {
  const auto of = [](std::string_view text) { return wide_hash(std::as_bytes(std::span{text})); };
  EXPECT_EQ(of(""), (WideHash{0x99aa06d3014798d8u, 0x6001c324468d497fu}));
  EXPECT_EQ(of("abc"), (WideHash{0x06b05ab6733a6185u, 0x78af5f94892f3950u}));
}

TEST(ContentHash, DoesNotDependOnThePieces) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += static_cast<char>(i * 7);
  for (std::size_t piece = 1; piece < 70; ++piece) {
    ContentHash hash;
    for (std::size_t at = 0; at < text.size(); at += piece)
      hash.update(std::as_bytes(
          std::span<const char>{text}.subspan(at, std::min(piece, text.size() - at))));
    EXPECT_EQ(hash.value(), hash_of(text)) << piece;
  }
}

}  // namespace
}  // namespace synthoscope
