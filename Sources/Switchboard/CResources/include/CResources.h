#pragma once

#include <stddef.h>

/// A file of the project that is part of the program.
struct switchboard_resource {
  const char *_Nonnull name;
  const unsigned char *_Nonnull bytes;
  size_t count;
};

extern const size_t switchboard_resource_count;

/// The resource at `index`, which must be below `switchboard_resource_count`.
struct switchboard_resource switchboard_resource(size_t index);
