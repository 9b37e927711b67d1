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

const NAME_OF_ASCII = /^[\w-]*$/;

/** Returns the same text for texts that a person or a model would confuse with one another. */
export function lookAlikeSkeleton(text: string): string {
  const latin = NAME_OF_ASCII.test(text) ? text : toLatin(text);
  return latin.toLowerCase().replaceAll(/[01i5]|rn|vv/g, (part) => FOLDED[part] ?? part);
}

/** Latin characters, and pairs of them, that look like another one. */
const FOLDED: Readonly<Record<string, string>> = { 0: "o", 1: "l", i: "l", 5: "s", rn: "m", vv: "w" };

function toLatin(text: string): string {
  const visible = text.normalize("NFKD").replaceAll(ALL_INVISIBLE, "");
  return Array.from(visible, (character) => LATIN.get(character) ?? character).join("");
}
