// p?gemm twice: as the program is linked, so the drop-in's, and ScaLAPACK's own, found in its library.
#pragma once
#include <complex>
#include <cstdint>
#include <string>

extern "C" int cairn_handed_back();  // calls of p?gemm that reached ScaLAPACK through the drop-in, see handed_back.c

#define CAIRN_DECLARE(name)                                                                                    \
  extern "C" void name(const char*, const char*, const int*, const int*, const int*, const void*, const void*, \
                       const int*, const int*, const int*, const void*, const int*, const int*, const int*,    \
                       const void*, void*, const int*, const int*, const int*)
CAIRN_DECLARE(psgemm_);
CAIRN_DECLARE(pdgemm_);
CAIRN_DECLARE(pcgemm_);
CAIRN_DECLARE(pzgemm_);
#undef CAIRN_DECLARE

namespace cairn::testing {

using Gemm = decltype(pdgemm_);

/// Where a symbol of ScaLAPACK's own is.
std::uintptr_t original_symbol(const std::string& name);

/// A function of ScaLAPACK's own.
template <class F>
F* original(const std::string& name) {
  return reinterpret_cast<F*>(original_symbol(name));
}

/// Names and functions of an element type.
template <class T>
struct Routines;
template <>
struct Routines<float> {
  static constexpr char letter = 's';
  static constexpr Gemm* gemm = psgemm_;
};
template <>
struct Routines<double> {
  static constexpr char letter = 'd';
  static constexpr Gemm* gemm = pdgemm_;
};
template <>
struct Routines<std::complex<float>> {
  static constexpr char letter = 'c';
  static constexpr Gemm* gemm = pcgemm_;
};
template <>
struct Routines<std::complex<double>> {
  static constexpr char letter = 'z';
  static constexpr Gemm* gemm = pzgemm_;
};

template <class T>
Gemm* original_gemm() {
  static Gemm* const function = original<Gemm>(std::string("p") + Routines<T>::letter + "gemm_");
  return function;
}

}  // namespace cairn::testing
