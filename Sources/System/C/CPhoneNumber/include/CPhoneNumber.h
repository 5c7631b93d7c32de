#pragma once
#include <stdbool.h>
#include <stddef.h>

// libphonenumber (C++) behind plain C, so that C++ interop spreads to no Swift target.
// Every function may be called from any thread, throws nothing and logs nothing.

#ifdef __cplusplus
extern "C" {
#endif

enum {
  CPhoneNumberE164Capacity = 24,
  CPhoneNumberRegionCapacity = 8,
  CPhoneNumberInternationalCapacity = 64,
};

typedef enum CPhoneNumberOutcome {
  CPhoneNumberValid = 0,
  // The length is right for its country, the number is not in a range that is known to be in use.
  CPhoneNumberPossible,
  CPhoneNumberNotPossible,
  CPhoneNumberTooShort,
  CPhoneNumberTooLong,
  CPhoneNumberUnknownCountry,
  CPhoneNumberNotANumber,
  CPhoneNumberFailed,
} CPhoneNumberOutcome;

// In the order of libphonenumber's PhoneNumberType.
typedef enum CPhoneNumberKind {
  CPhoneNumberFixedLine = 0,
  CPhoneNumberMobile,
  CPhoneNumberFixedLineOrMobile,
  CPhoneNumberTollFree,
  CPhoneNumberPremiumRate,
  CPhoneNumberSharedCost,
  CPhoneNumberVoIP,
  CPhoneNumberPersonal,
  CPhoneNumberPager,
  CPhoneNumberUAN,
  CPhoneNumberVoicemail,
  CPhoneNumberUnknown,
} CPhoneNumberKind;

// Reads `text` (UTF-8, `length` bytes) as dialled in `region` (ISO 3166-1, two capital letters; "ZZ" for none) and
// writes the E.164 form, zero-terminated, where the outcome is Valid or Possible.
CPhoneNumberOutcome CPhoneNumberParse(
    const char *text, size_t length, const char *region, char e164[CPhoneNumberE164Capacity]);

// What is known of a number in E.164. `region` is empty where the number belongs to no single country.
// False where the text is no number.
bool CPhoneNumberDetails(
    const char *e164, size_t length, char region[CPhoneNumberRegionCapacity], CPhoneNumberKind *kind,
    char international[CPhoneNumberInternationalCapacity], char national[CPhoneNumberInternationalCapacity]);

#ifdef __cplusplus
}
#endif
