/** A promise whose work begins when somebody asks for its outcome. */
export class LazyPromise<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'Promise'
  readonly #start: () => Promise<T>
  #running: Promise<T> | undefined

  constructor(start: () => Promise<T>) {
    this.#start = start
  }

  // oxlint-disable-next-line unicorn/no-thenable -- it is a promise
  then: Promise<T>['then'] = (onValue, onError) => this.#run().then(onValue, onError)
  catch: Promise<T>['catch'] = onError => this.#run().catch(onError)
  finally: Promise<T>['finally'] = onEnd => this.#run().finally(onEnd)

  #run(): Promise<T> {
    return (this.#running ??= this.#start())
  }
}
