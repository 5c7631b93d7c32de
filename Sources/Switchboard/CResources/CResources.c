#include "CResources.h"

// A new file needs two lines here: its bytes, and its row in the table. ArchitectureTests look that none is forgotten.

static const unsigned char httpsms[] = {
#embed "../../../Profiles/carriers/httpsms.json5"
};
static const unsigned char smsglobal[] = {
#embed "../../../Profiles/carriers/smsglobal.json5"
};
static const unsigned char openapi[] = {
#embed "../../../Docs/openapi.json"
};
static const unsigned char errors[] = {
#embed "../../../Docs/Errors.md"
};

// Made by Scripts/web; a program that is built before it ran has no web app.
#if __has_embed("../../../Web/.dist/assets.bin") == __STDC_EMBED_FOUND__
#define HAS_WEB 1
static const unsigned char web[] = {
#embed "../../../Web/.dist/assets.bin"
};
#endif

#define ROW(name, bytes) {name, bytes, sizeof bytes}

static const struct switchboard_resource resources[] = {
    ROW("Profiles/carriers/httpsms.json5", httpsms),
    ROW("Profiles/carriers/smsglobal.json5", smsglobal),
    ROW("Docs/openapi.json", openapi),
    ROW("Docs/Errors.md", errors),
#ifdef HAS_WEB
    ROW("Web/.dist/assets.bin", web),
#endif
};

const size_t switchboard_resource_count = sizeof resources / sizeof resources[0];

struct switchboard_resource switchboard_resource(size_t index) { return resources[index]; }
