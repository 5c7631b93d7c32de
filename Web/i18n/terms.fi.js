/** @type {import("../account/terms.js").Terms} */
export default [
  ["Kuka tätä ylläpitää", "Palvelua ylläpitää se, jolta sait sen osoitteen: ylläpitäjä. Switchboard on ohjelma, jota hän käyttää. Kysy ylläpitäjältä kaikesta, mikä koskee palvelua."],
  ["Mitä tallennetaan", "Numerosi, nimesi jos annat sen, kielesi ja aikavyöhykkeesi. Jokainen lähettämäsi ja saamasi viesti numeroineen, aikoineen ja hintoineen sekä se, miten viestille kävi. Missä olet kirjautuneena. Salasana tallennetaan vain muodossa, josta sitä ei voi lukea.", "Luonnokset, yhteystiedot ja odottavat viestit ovat vain puhelimessasi. Uloskirjautuminen poistaa ne sieltä."],
  ["Kuka voi lukea viestisi", "Ylläpitäjän sivut näyttävät numerot, ajat ja tilat mutta eivät viestien sanoja. Sanat ovat tallessa ylläpitäjän palvelimella, ja operaattorit näkevät ne matkalla, kuten kaikissa tekstiviesteissä. Älä kirjoita viestiin mitään, minkä on pysyttävä salassa."],
  ["Mitä se maksaa", "Viestin lähettäminen voi maksaa. Hinta näkyy painikkeen vieressä ennen lähettämistä, jos operaattori on sen ilmoittanut. Ylläpitäjä voi asettaa päiväkohtaisen rajan. Operaattorille mennyttä viestiä ei voi perua."],
  ["Mitä ei saa tehdä", "Ei viestejä ihmisille, jotka eivät niitä halua, ei uhkauksia, ei huijauksia, ei vääriä nimiä, ei mitään lainvastaista. Jos joku vastaa STOP, älä kirjoita hänelle enää. Ylläpitäjä voi sulkea tilin, jota käytetään väärin."],
  ["Mitä ei luvata", "Viesti voi tulla myöhässä tai jäädä tulematta; sovellus näyttää sen, mikä tiedetään, eikä enempää. Älä koskaan luota tähän hätätilanteessa: soita hätänumeroon."],
  ["Numerosi", "Luo tili vain omalla numerollasi. Jos luovut numerosta, poista tili tai kerro ylläpitäjälle, ennen kuin joku muu saa numeron."],
  ["Kun lähdet", "Kohdassa Minä voit milloin tahansa viedä kaikki tietosi ja poistaa tilisi. Seitsemän päivän kuluttua kaikki hävitetään tästä palvelusta; kirjautuminen sitä ennen peruu poiston. Operaattoreille jäävät tiedot riippuvat niistä ja laista."],
];
