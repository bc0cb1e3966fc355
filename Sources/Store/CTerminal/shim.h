#include <stddef.h>

// <wchar.h> declares it to X/Open programs alone, and no module of Swift's has it.
int wcwidth(wchar_t character);
