#pragma once

#include <stddef.h>

/// A file of the sandbox's page, from Web/sandbox, as part of the program.
struct sandbox_page_piece {
  const unsigned char *_Nonnull bytes;
  size_t count;
};

struct sandbox_page_piece sandbox_page(void);
struct sandbox_page_piece sandbox_page_style(void);
struct sandbox_page_piece sandbox_page_script(void);
struct sandbox_page_piece sandbox_page_icon(void);
