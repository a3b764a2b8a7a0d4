// SPDX-License-Identifier: Apache-2.0
#include "rights.hpp"

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace scatterproof::engines::protocol {
namespace {

/// The three sets of the calling thread, in halves of 32 bits (capget(2)).
struct Sets {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct halves[_LINUX_CAPABILITY_U32S_3]{};

  bool read() { return syscall(SYS_capget, &header, halves) == 0; }
  void write() { syscall(SYS_capset, &header, halves); }
};

}  // namespace

void refuse_tracers() { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

void give_up_capabilities(CapabilitySet kept) {
  // As root, an executed program gets what this set allows. Without CAP_SETPCAP the set stays as it is, and
  // no-new-privs limits an executed program to what this process has.
  for (int number = 0; prctl(PR_CAPBSET_READ, number, 0, 0, 0) >= 0; ++number)
    if ((kept & capability(number)) == 0) prctl(PR_CAPBSET_DROP, number, 0, 0, 0);
  Sets sets;
  if (sets.read()) {
    for (int half = 0; half < _LINUX_CAPABILITY_U32S_3; ++half) {
      const auto mask = static_cast<std::uint32_t>(kept >> (32 * half));
      sets.halves[half].effective &= mask;
      sets.halves[half].permitted &= mask;
      sets.halves[half].inheritable &= mask;
    }
    sets.write();
  }
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

void keep_over_exec(int number) {
  Sets sets;
  if (!sets.read()) return;
  sets.halves[number / 32].inheritable |= std::uint32_t{1} << (number % 32);
  sets.write();
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, number, 0, 0);
}

}  // namespace scatterproof::engines::protocol
