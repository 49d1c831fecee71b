const encoded = new WeakSet<object>()

/** Fields of an HTML form: texts by their names, and lists of texts for names that came more than once. */
export type EncodedFields = Readonly<Record<string, string | readonly string[]>>

/**
 * Notes that an input came as an HTML form sends it, where everything is text. A form that it is for
 * reads the texts by its types; a step without a form gets them as they are.
 */
export function noteFormEncoded<T extends object>(input: T): T {
  encoded.add(input)
  return input
}

export function isFormEncoded(input: unknown): input is EncodedFields {
  return encoded.has(input as object)
}
