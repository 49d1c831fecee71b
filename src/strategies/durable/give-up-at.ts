/**
 * When a run that waits is to be looked at, because by then nobody has been able to answer for long enough.
 * Its links decide what becomes of it then: they may live longer by now, or there may be others.
 *
 * @param end of its links; `undefined` if there is none
 */
export function giveUpAt(
  { expiredRetentionMs }: { readonly expiredRetentionMs: number },
  end: number | undefined,
): number | undefined {
  const at = end === undefined ? Infinity : Math.ceil(end + expiredRetentionMs)
  return at <= Number.MAX_SAFE_INTEGER ? at : undefined
}
