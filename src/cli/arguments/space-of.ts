/** The space a target means, as events name it: `@review` is `@review:main`, `alice@review` is there too. */
export function spaceOf(target: string): string {
  const at = target.indexOf("@");
  if (at === -1) return target;
  const place = target.slice(at + 1);
  if (/^global(:main)?$/i.test(place)) return target.slice(0, at);
  return `@${place.includes(":") ? place : `${place}:main`}`;
}
