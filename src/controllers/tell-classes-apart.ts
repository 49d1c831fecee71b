let classes = 0
const numbers = new WeakMap<object, number>()

/**
 * Gives a class a text of its own. Moost's container takes classes of the same source text for one
 * and hands out the instance of the first: of two controllers that a function has made, one for each
 * guard, both would run behind the first guard.
 */
export function tellClassesApart(type: Function): void {
  Object.defineProperty(type, 'toString', { value: ownText, configurable: true, writable: true })
}

/** Asked of `this`, because a class that extends another inherits its `toString`. */
function ownText(this: Function): string {
  const number = numbers.get(this) ?? ++classes
  numbers.set(this, number)
  return `${Function.prototype.toString.call(this)} // ${number}`
}
