#include "CRE2.h"

#include <re2/re2.h>

#include <cstdio>
#include <map>
#include <new>
#include <string>
#include <vector>

struct cre2_pattern {
  RE2 expression;
  cre2_pattern(const re2::StringPiece &text, const RE2::Options &options) : expression(text, options) {}
};

cre2_pattern *cre2_compile(const char *text, size_t length, bool ignores_case, int64_t memory, char *error,
                           size_t error_size) {
  RE2::Options options;
  options.set_encoding(RE2::Options::EncodingUTF8);
  options.set_log_errors(false);
  options.set_case_sensitive(!ignores_case);
  options.set_max_mem(memory);
  cre2_pattern *pattern = new (std::nothrow) cre2_pattern(re2::StringPiece(text, length), options);
  if (pattern == nullptr) {
    snprintf(error, error_size, "no memory");
    return nullptr;
  }
  if (!pattern->expression.ok()) {
    snprintf(error, error_size, "%s", pattern->expression.error().c_str());
    delete pattern;
    return nullptr;
  }
  return pattern;
}

void cre2_free(cre2_pattern *pattern) { delete pattern; }

int cre2_group_count(const cre2_pattern *pattern) { return pattern->expression.NumberOfCapturingGroups(); }

const char *cre2_group_name(const cre2_pattern *pattern, int group) {
  const std::map<int, std::string> &names = pattern->expression.CapturingGroupNames();
  const auto found = names.find(group);
  return found == names.end() ? nullptr : found->second.c_str();
}

bool cre2_match(const cre2_pattern *pattern, const char *text, size_t length, bool whole, int64_t *offsets) {
  const int count = cre2_group_count(pattern) + 1;
  std::vector<re2::StringPiece> groups(count);
  const re2::StringPiece input(text, length);
  const RE2::Anchor anchor = whole ? RE2::ANCHOR_BOTH : RE2::UNANCHORED;
  if (!pattern->expression.Match(input, 0, length, anchor, groups.data(), count)) return false;
  for (int index = 0; index < count; index++) {
    const char *start = groups[index].data();
    offsets[2 * index] = start == nullptr ? -1 : start - text;
    offsets[2 * index + 1] = start == nullptr ? -1 : start - text + static_cast<int64_t>(groups[index].size());
  }
  return true;
}
