#include "scalapack/first_look.hpp"

#include <fmt/format.h>

#include <bit>
#include <initializer_list>

#include "base/scalars.hpp"
#include "scalapack/check.hpp"
#include "scalapack/notice_board.hpp"
#include "scalapack/settings.hpp"
#include "scalapack/thresholds.hpp"

namespace cairn::scalapack {

namespace {

// Sums of products with odd numbers, of which the upper half counts: two calls seldom have the same, and no product
// waits for another.
std::uint32_t fingerprint(std::initializer_list<std::uint64_t> words) {
  constexpr std::uint64_t factors[] = {0x9E3779B97F4A7C15, 0xD1B54A32D192ED03, 0xC2B2AE3D27D4EB4F,
                                       0xA0761D6478BD642F, 0xE7037ED1A0B428DB, 0x8EBC6AF09C88C6E3};
  std::uint64_t sum = 0;
  const std::uint64_t* factor = factors;
  for (std::uint64_t x : words) sum += x * *factor++;
  return static_cast<std::uint32_t>(sum >> 32);
}

std::uint64_t pair(const int* x) { return static_cast<std::uint32_t>(x[0]) | std::uint64_t(x[1]) << 32; }

// The context's handle and the leading dimension are a rank's own.
std::uint32_t fingerprint(const int* i, const int* j, const int* desc) {
  const int place[2] = {*i, *j};
  if (desc[0] == Descriptor::type_1) return fingerprint({pair(place), pair(desc + 2), pair(desc + 4), pair(desc + 6)});
  return fingerprint({pair(place), pair(desc + 2), pair(desc + 4), pair(desc + 6), pair(desc + 8), 2});
}

std::uint32_t fingerprint(float x) { return std::bit_cast<std::uint32_t>(x); }
std::uint32_t fingerprint(double x) { return fingerprint({std::bit_cast<std::uint64_t>(x)}); }
template <class R>
std::uint32_t fingerprint(std::complex<R> x) {
  return fingerprint({fingerprint(x.real()), fingerprint(x.imag())});
}

// The first is never 0.
template <class T>
NoticeBoard::Notice notice(const GemmCall<T>& c) {
  const auto letter = [](const char* x) { return static_cast<std::uint32_t>(static_cast<unsigned char>(*x) & 0xDF); };
  const auto number = [](const int* x) { return static_cast<std::uint32_t>(*x); };
  return {1 + static_cast<std::uint32_t>(scalar_type_of<T>),
          letter(c.trans_a),
          letter(c.trans_b),
          number(c.m),
          number(c.n),
          number(c.k),
          fingerprint(c.ia, c.ja, c.desc_a),
          fingerprint(c.ib, c.jb, c.desc_b),
          fingerprint(c.ic, c.jc, c.desc_c),
          fingerprint(*c.alpha),
          fingerprint(*c.beta)};
}

struct Named {
  Place place;
  const char* name;
};
constexpr Named in_notice[] = {{{1}, "the routine"},
                               {{1}, "TRANSA"},
                               {{2}, "TRANSB"},
                               {{3}, "M"},
                               {{4}, "N"},
                               {{5}, "K"},
                               {{10}, "IA, JA or DESCA"},
                               {{14}, "IB, JB or DESCB"},
                               {{19}, "IC, JC or DESCC"},
                               {{6}, "ALPHA"},
                               {{15}, "BETA"}};

}  // namespace

template <class T>
AtOnce at_once(const GemmCall<T>& call) {
  if (settings().use != Settings::Use::worth) return AtOnce::nothing;
  const int context = call.desc_a[1];
  NoticeBoard* const board = NoticeBoard::of(context);
  if (!board) return AtOnce::nothing;
  for (const int* desc : {call.desc_a, call.desc_b, call.desc_c})
    if ((desc[0] != Descriptor::type_1 && desc[0] != Descriptor::type_2) || desc[1] != context) return AtOnce::nothing;
  const auto differs = board->post(notice(call));
  if (!differs) [[likely]]
    return worth_it(*call.m, *call.n, *call.k, board->ranks()) ? AtOnce::agreed : AtOnce::back;
  Findings findings(context, name_of_gemm<T>);
  const Named& argument = in_notice[*differs];
  findings.add(argument.place, fmt::format("{} differs between ranks, expected the same on all", argument.name));
  findings.abort();
  return AtOnce::ended;
}

#define CAIRN_INSTANTIATE(T, lower, UPPER) template AtOnce at_once(const GemmCall<T>&);
CAIRN_FOR_EACH_GEMM(CAIRN_INSTANTIATE)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::scalapack
