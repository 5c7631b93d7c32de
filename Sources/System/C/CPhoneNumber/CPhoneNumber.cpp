#include "CPhoneNumber.h"

#include <phonenumbers/logger.h>
#include <phonenumbers/phonenumberutil.h>

#include <cstring>
#include <string>

namespace {

using i18n::phonenumbers::Logger;
using i18n::phonenumbers::PhoneNumber;
using i18n::phonenumbers::PhoneNumberUtil;

// The library prints the numbers it can not read; a log of ours must not have them.
class Silence : public Logger {
  void WriteMessage(const std::string &) override {}
};

const PhoneNumberUtil &library() {
  static const PhoneNumberUtil &shared = [] () -> const PhoneNumberUtil & {
    PhoneNumberUtil *util = PhoneNumberUtil::GetInstance();
    util->SetLogger(new Silence);  // The library owns it and keeps it as long as the program runs.
    return *util;
  }();
  return shared;
}

bool copy(const std::string &text, char *target, size_t capacity) {
  if (text.size() >= capacity) return false;
  std::memcpy(target, text.c_str(), text.size() + 1);
  return true;
}

}  // namespace

extern "C" CPhoneNumberOutcome CPhoneNumberParse(
    const char *text, size_t length, const char *region, char e164[CPhoneNumberE164Capacity]) {
  try {
    const PhoneNumberUtil &util = library();
    PhoneNumber number;
    switch (util.Parse(std::string(text, length), region, &number)) {
      case PhoneNumberUtil::NO_PARSING_ERROR: break;
      case PhoneNumberUtil::INVALID_COUNTRY_CODE_ERROR: return CPhoneNumberUnknownCountry;
      case PhoneNumberUtil::TOO_SHORT_AFTER_IDD: return CPhoneNumberTooShort;
      case PhoneNumberUtil::TOO_SHORT_NSN: return CPhoneNumberTooShort;
      case PhoneNumberUtil::TOO_LONG_NSN: return CPhoneNumberTooLong;
      default: return CPhoneNumberNotANumber;
    }
    if (number.has_extension()) return CPhoneNumberNotANumber;
    CPhoneNumberOutcome outcome = CPhoneNumberValid;
    // What is valid is possible, so that the good case looks only once.
    if (!util.IsValidNumber(number)) {
      switch (util.IsPossibleNumberWithReason(number)) {
        case PhoneNumberUtil::IS_POSSIBLE: outcome = CPhoneNumberPossible; break;
        case PhoneNumberUtil::INVALID_COUNTRY_CODE: return CPhoneNumberUnknownCountry;
        case PhoneNumberUtil::TOO_SHORT: return CPhoneNumberTooShort;
        case PhoneNumberUtil::TOO_LONG: return CPhoneNumberTooLong;
        default: return CPhoneNumberNotPossible;
      }
    }
    std::string formatted;
    util.Format(number, PhoneNumberUtil::E164, &formatted);
    return copy(formatted, e164, CPhoneNumberE164Capacity) ? outcome : CPhoneNumberTooLong;
  } catch (...) {
    return CPhoneNumberFailed;
  }
}

extern "C" bool CPhoneNumberDetails(
    const char *e164, size_t length, char region[CPhoneNumberRegionCapacity], CPhoneNumberKind *kind,
    char international[CPhoneNumberInternationalCapacity], char national[CPhoneNumberInternationalCapacity]) {
  try {
    const PhoneNumberUtil &util = library();
    PhoneNumber number;
    if (util.Parse(std::string(e164, length), "ZZ", &number) != PhoneNumberUtil::NO_PARSING_ERROR) return false;
    const int type = static_cast<int>(util.GetNumberType(number));
    *kind = type < CPhoneNumberFixedLine || type > CPhoneNumberUnknown ? CPhoneNumberUnknown
                                                                        : static_cast<CPhoneNumberKind>(type);
    std::string code;
    util.GetRegionCodeForNumber(number, &code);
    if (code.size() != 2 || code == "ZZ") {
      // Not in a known range: the country code may still name the country.
      util.GetRegionCodeForCountryCode(number.country_code(), &code);
    }
    if (code.size() != 2 || code == "ZZ") code.clear();
    std::string abroad;
    std::string inside;
    util.Format(number, PhoneNumberUtil::INTERNATIONAL, &abroad);
    util.Format(number, PhoneNumberUtil::NATIONAL, &inside);
    return copy(code, region, CPhoneNumberRegionCapacity) &&
           copy(abroad, international, CPhoneNumberInternationalCapacity) &&
           copy(inside, national, CPhoneNumberInternationalCapacity);
  } catch (...) {
    return false;
  }
}
