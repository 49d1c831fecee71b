/** A name in words: `firstName` is First name. */
export const inWords = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])|[_-]/g, '$1 $2')
    .toLowerCase()
    .replace(/^./, first => first.toUpperCase())
