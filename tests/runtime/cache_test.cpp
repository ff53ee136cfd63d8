#include "runtime/cache.hpp"

#include <gtest/gtest.h>

#include <string>

namespace cairn {
namespace {

class CacheTest : public ::testing::Test {
 protected:
  Cache cache{100};
  int made = 0;

  // Of so many bytes with its key.
  void use(int number, Int bytes) {
    const std::string key = std::to_string(number);
    cache.get(key, [&] { return Cache::Value{std::make_shared<int>(++made), bytes - std::ssize(key)}; });
  }
  bool has(int key) { return cache.find(std::to_string(key)) != nullptr; }
};

TEST_F(CacheTest, MakesEachValueOnce) {
  use(1, 0), use(2, 0), use(1, 0);
  EXPECT_EQ(made, 2);
  EXPECT_FALSE(has(3));
}

TEST_F(CacheTest, KeepsAFewOfAnySize) {
  for (int key = 0; key < 16; ++key) use(key, 1000);
  for (int key = 0; key < 16; ++key) EXPECT_TRUE(has(key));
}

TEST_F(CacheTest, DropsTheLeastRecentlyUsedOfMoreThanItsBytes) {
  for (int key = 0; key < 25; ++key) use(key, 4);
  use(0, 4);
  use(25, 4);
  EXPECT_TRUE(has(0)) << "it was used";
  EXPECT_FALSE(has(1));
  EXPECT_TRUE(has(2));
  EXPECT_TRUE(has(25));
  use(26, 40);
  int kept = 0;
  for (int key = 0; key <= 26; ++key) kept += has(key) ? 1 : 0;
  EXPECT_EQ(kept, 16) << "15 of 4 bytes and one of 40";
}

TEST_F(CacheTest, CountsItsKeys) {
  for (char key = 'a'; key < 'a' + 17; ++key)
    cache.get(std::string(10, key), [] { return Cache::Value{std::make_shared<int>(0), 0}; });
  EXPECT_EQ(cache.find(std::string(10, 'a')), nullptr);
  EXPECT_NE(cache.find(std::string(10, 'b')), nullptr);
}

TEST_F(CacheTest, AskingIsUsing) {
  for (int key = 0; key < 25; ++key) use(key, 4);
  EXPECT_TRUE(has(0));
  use(25, 4);
  EXPECT_TRUE(has(0));
  EXPECT_FALSE(has(1));
}

TEST_F(CacheTest, ForgetsItsBytesWithItsValues) {
  use(0, 1000);
  cache.clear();
  EXPECT_FALSE(has(0));
  for (int key = 1; key <= 25; ++key) use(key, 4);
  EXPECT_TRUE(has(1));
}

}  // namespace
}  // namespace cairn
