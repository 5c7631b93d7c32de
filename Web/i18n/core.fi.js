/** @type {import("../core/i18n.js").Catalogue} */
export default {
  "app.skip": "Siirry sisältöön",
  "app.slogan": "Viestit mihin tahansa puhelimeen: vastaanotettu, toimitettu ja todistettu.",
  "app.opening": "Avataan…",
  "app.noscript": "Switchboard tarvitsee JavaScriptiä, eikä muuta kuin omaansa.",
  "app.cancel": "Peru",
  "app.done": "Valmis",
  "app.edit": "Muokkaa",
  "app.back": "Takaisin",
  "app.close": "Sulje",
  "app.save": "Tallenna",
  "app.delete": "Poista",
  "app.retry": "Yritä uudelleen",
  "app.details": "Tiedot",
  "app.offline": "Ei verkkoa",
  "error.network": "Palvelimeen ei saatu yhteyttä. Mitään ei ole kadonnut; yritä uudelleen, kun verkko toimii.",
  "error.other": "Palvelimella meni jokin vikaan. Kirjoittamasi on tallessa. Yritä hetken päästä uudelleen.",
};
