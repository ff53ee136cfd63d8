#include "scalapack/at_once.hpp"

#include <fmt/format.h>

#include <bit>

#include "base/scalars.hpp"
#include "scalapack/check.hpp"
#include "scalapack/notice_board.hpp"
#include "scalapack/settings.hpp"
#include "scalapack/worth.hpp"

namespace cairn::scalapack {

namespace {

// Sums of products with fixed random odd numbers: numbers that differ seldom have the same one, and none waits for the
// one before.
class Fingerprint {
 public:
  void add(std::uint64_t x) {
    constexpr std::uint64_t step = 0x9E3779B97F4A7C15;  // odd; 2^64 over the golden ratio
    sum_ += (x + factor_) * factor_;
    factor_ += 2 * step;
  }
  std::uint32_t value() const { return static_cast<std::uint32_t>((sum_ ^ sum_ >> 29) >> 16); }

 private:
  std::uint64_t sum_ = 0, factor_ = 0xD1B54A32D192ED03;
};

std::uint64_t bits(int x) { return static_cast<std::uint32_t>(x); }

// The context's handle and the leading dimension are a rank's own.
std::uint32_t fingerprint(const int* i, const int* j, const int* desc) {
  Fingerprint f;
  f.add(bits(*i)), f.add(bits(*j)), f.add(bits(desc[0]));
  const int last = desc[0] == Descriptor::type_1 ? 7 : 9;
  for (int entry = 2; entry <= last; ++entry) f.add(bits(desc[entry]));
  return f.value();
}

std::uint32_t fingerprint(double x) {
  Fingerprint f;
  f.add(std::bit_cast<std::uint64_t>(x));
  return f.value();
}
std::uint32_t fingerprint(float x) { return std::bit_cast<std::uint32_t>(x); }
template <class R>
std::uint32_t fingerprint(std::complex<R> x) {
  return fingerprint(x.real()) * 3 + fingerprint(x.imag());
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
constexpr Named in_notice[] = {{{1}, "the routine, or whether it is worth Cairn's while,"},
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
  if (settings().use != Settings::Use::worth) return AtOnce::no;
  const int context = call.desc_a[1];
  NoticeBoard* const board = NoticeBoard::of(context);
  if (!board || worth_it(*call.m, *call.n, *call.k, board->ranks())) return AtOnce::no;
  for (const int* desc : {call.desc_a, call.desc_b, call.desc_c})
    if ((desc[0] != Descriptor::type_1 && desc[0] != Descriptor::type_2) || desc[1] != context) return AtOnce::no;
  const auto differs = board->post(notice(call));
  if (!differs) [[likely]]
    return AtOnce::back;
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
