#include "recorder.hpp"

#include <utility>

namespace {
std::vector<cairn::testing::Abort> aborts;
}

extern "C" {
void PB_Cabort(int /*context*/, char* routine, int info) { aborts.push_back({routine, info}); }
void PB_Cwarn(int /*context*/, int /*line*/, char* /*routine*/, char* /*form*/, ...) {}
}

std::vector<cairn::testing::Abort> cairn::testing::take_aborts() { return std::exchange(aborts, {}); }
