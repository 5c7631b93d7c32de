// RE2 behind plain C, so that no C++ reaches Swift. Compiled patterns may be used by several threads at once.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cre2_pattern cre2_pattern;

/// Compiles UTF-8 text. Returns NULL and writes a sentence, cut and ended by zero, to `error` where it can not.
cre2_pattern *cre2_compile(const char *text, size_t length, bool ignores_case, int64_t memory, char *error,
                           size_t error_size);
void cre2_free(cre2_pattern *pattern);

/// Groups in parentheses, without the whole match.
int cre2_group_count(const cre2_pattern *pattern);
/// The name of a group, from 1; NULL where it has none. Lives as long as the pattern.
const char *cre2_group_name(const cre2_pattern *pattern, int group);

/// Looks for the first match. Writes start and end of the whole match and of each group as byte offsets, -1 for a
/// group that took no part; `offsets` has room for 2 * (groups + 1).
bool cre2_match(const cre2_pattern *pattern, const char *text, size_t length, bool whole, int64_t *offsets);

#ifdef __cplusplus
}
#endif
