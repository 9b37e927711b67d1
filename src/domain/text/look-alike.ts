/**
 * Letters of other scripts that look like Latin ones, in the case in which they do. Letters that Unicode itself maps to
 * Latin ones (full-width, mathematical, circled) and accents are handled by normalization.
 */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: "аАαΑɑᴀ⍺ᎪꓮⲀⲁ",
  b: "ЬьВΒβʙᏴꓐƅⲂᖯ",
  c: "сСςᴄⲥⲤᏟꓚↄ",
  d: "ԁԀᴅꓓᎠɗᏧ",
  e: "еЕεΕᴇҽ℮ᎬꓰⲈєЄ",
  f: "ꓝϜϝƒꞙғ",
  g: "ɡɢցԍԌᏀꓖᶃ",
  h: "һНнΗʜհᎻꓧⲎᏂҺ",
  i: "іІιΙıɩɪᎥꓲⲒⲓꙇ",
  j: "јЈϳᴊᎫꓙͿ",
  k: "кКκΚᴋᏦꓗⲔⲕ",
  l: "ӏӀʟᏞꓡǀ∣ⳐⅬ|",
  m: "мМΜᴍᎷꓟⲘ",
  n: "ΝɴոռꓠⲚп",
  o: "оОοΟօᴏσꓳⲞⲟ০੦૦௦౦೦൦๐໐၀٥٠۰۵ⵔ",
  p: "рРρΡϱᴘᏢꓑⲢⲣ",
  q: "ԛԚգզ",
  r: "гᴦʀᎡᏒꓣꭇⲅ",
  s: "ѕЅꜱᏕᏚꓢՏ",
  t: "тТτΤᴛᎢꓔⲦⲧ",
  u: "υսᴜʋՍꓴ",
  v: "νѵѴᴠᏙꓦ",
  w: "ԝԜѡѠωᴡաᎳᏔꓪɯ",
  x: "хХχΧꓫⲬⲭ×",
  y: "уУγΥʏүҮᎽꓬⲨⲩ",
  z: "ΖᴢᏃꓜⲌʐ",
};

const LATIN = new Map(Object.entries(LOOK_ALIKES).flatMap(([latin, like]) => [...like].map((each) => [each, latin])));

/** Characters that change how others are drawn, or that are not drawn at all. */
export const INVISIBLE = /[\p{M}\p{Default_Ignorable_Code_Point}\p{C}]/u;
const ALL_INVISIBLE = new RegExp(INVISIBLE, "gu");

/** Returns the same text for texts that a person or a model would confuse with one another. */
export function lookAlikeSkeleton(text: string): string {
  const visible = text.normalize("NFKD").replaceAll(ALL_INVISIBLE, "");
  const latin = Array.from(visible, (character) => LATIN.get(character) ?? character).join("");
  return latin
    .toLowerCase()
    .replaceAll("0", "o")
    .replaceAll("5", "s")
    .replaceAll(/[1il]/g, "l")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w");
}
