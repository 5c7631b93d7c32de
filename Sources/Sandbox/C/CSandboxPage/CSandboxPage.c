#include "CSandboxPage.h"

static const unsigned char page[] = {
#embed "../../../../Web/sandbox/index.html"
};
static const unsigned char style[] = {
#embed "../../../../Web/sandbox/page.css"
};
static const unsigned char script[] = {
#embed "../../../../Web/sandbox/page.js"
};
static const unsigned char icon[] = {
#embed "../../../../Web/icons/icon.svg"
};

#define PIECE(bytes) {bytes, sizeof bytes}

struct sandbox_page_piece sandbox_page(void) { return (struct sandbox_page_piece)PIECE(page); }
struct sandbox_page_piece sandbox_page_style(void) { return (struct sandbox_page_piece)PIECE(style); }
struct sandbox_page_piece sandbox_page_script(void) { return (struct sandbox_page_piece)PIECE(script); }
struct sandbox_page_piece sandbox_page_icon(void) { return (struct sandbox_page_piece)PIECE(icon); }
