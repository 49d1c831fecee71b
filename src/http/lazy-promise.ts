/** A promise whose work begins when somebody asks for its outcome. */
export class LazyPromise<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'Promise'
  readonly #start: () => Promise<T>
  #running: Promise<T> | undefined

  constructor(start: () => Promise<T>) {
    this.#start = start
  }

  // oxlint-disable-next-line unicorn/no-thenable -- it is a promise
  then<V = T, E = never>(
    onValue?: ((value: T) => V | PromiseLike<V>) | null,
    onError?: ((reason: unknown) => E | PromiseLike<E>) | null,
  ): Promise<V | E> {
    return this.#run().then(onValue, onError)
  }

  catch<E = never>(onError?: ((reason: unknown) => E | PromiseLike<E>) | null): Promise<T | E> {
    return this.#run().catch(onError)
  }

  finally(onEnd?: (() => void) | null): Promise<T> {
    return this.#run().finally(onEnd)
  }

  #run(): Promise<T> {
    return (this.#running ??= this.#start())
  }
}
