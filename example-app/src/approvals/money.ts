/** An amount for people. */
export function money(amount: unknown, currency?: unknown): string {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
  const text = Number(amount).toLocaleString('en-US', digits)
  return typeof currency === 'string' ? `${text} ${currency}` : text
}
