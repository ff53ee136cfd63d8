// Which of OpenBLAS's kernels are the fastest on this processor. OpenBLAS chooses them when it is loaded, by a list of
// processors that knows none newer than itself, or as the environment variable OPENBLAS_CORETYPE says; so those that
// are not in use can only be measured in other processes.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/kernels.hpp"

namespace cairn {

/// Tells OpenBLAS which kernels to take, when it is loaded.
constexpr const char* kernels_variable = "OPENBLAS_CORETYPE";

/// How the variable names kernels: "SKYLAKEX".
std::string value_for(const std::string& kernels);

struct MeasuredKernels {
  std::string by_itself;          ///< that OpenBLAS takes if nobody tells it which
  std::vector<KernelRate> rates;  ///< of these and of others that the processor can run
  bool operator==(const MeasuredKernels&) const = default;

  /// The fastest, if they are faster than `kernels` by more than noise and habit are worth, a tenth; else null.
  const KernelRate* faster_than(const std::string& kernels) const;
  /// How many times as fast one is as the other; 0 if either was not measured.
  double times(const std::string& kernels, const std::string& others) const;
};

/// Kernels that this processor can run, one of each width of vectors, the widest first; none where Cairn does not know.
std::vector<std::string> kernels_this_processor_runs();

/// Those of `runnable` that do another number of operations in a cycle than `by_itself`, and are therefore others.
std::vector<std::string> worth_measuring(const std::vector<std::string>& runnable, const std::string& by_itself);

/// What this process's BLAS reaches on one core: the best of a few products of order 768, which take some 50 ms. No
/// kernels, and no rate, where it is not OpenBLAS.
KernelRate rate_of_kernels_in_use();

/// One line of text that means the same, and back; nothing for any other text.
std::string as_line(const KernelRate& rate);
std::optional<KernelRate> rate_in(const std::string& line);

/// Measures the kernels that OpenBLAS takes by itself, those that this process uses, and others that the processor can
/// run. `command` is what prints as_line(rate_of_kernels_in_use()). Nothing if the BLAS does not tell its kernels.
std::optional<MeasuredKernels> measure_kernels(const std::vector<std::string>& command);

/// For what a measurement is valid: the processor, and the file of the library.
struct KernelHost {
  std::string processor, blas;
  bool operator==(const KernelHost&) const = default;
};
KernelHost this_host();

/// Where measurements are kept: cairn/blas_kernels.json below $XDG_CACHE_HOME, or ~/.cache. Empty if neither is known.
std::string kernel_cache();
/// What was measured for that host. Nothing if it is not there, or the file cannot be read, or makes no sense.
std::optional<MeasuredKernels> remembered(const std::string& path, const KernelHost& host);
/// Keeps it beside those of other hosts, which share home directories. False if that is impossible, which harms nobody.
bool remember(const std::string& path, const KernelHost& host, const MeasuredKernels& measured);

}  // namespace cairn
