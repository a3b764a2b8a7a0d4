// SPDX-License-Identifier: Apache-2.0
// Loops compiled once for each generation of processors, the best one chosen when the program is loaded.
#pragma once

// The choice is made before the thread sanitizer is ready for code of its own.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define SCATTERPROOF_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define SCATTERPROOF_CLONES
#endif
