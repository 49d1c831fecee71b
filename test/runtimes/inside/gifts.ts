import type { OrderApp } from './order-app'
import { type BegunOrder, beginOrders } from './orders'
import { type SealedToken, sealTokens } from './sealed-tokens'

/** What a runtime leaves for others. */
export interface Gifts {
  readonly tokens: readonly SealedToken[]
  /** By the runtime that is to finish them. */
  readonly orders: Readonly<Record<string, readonly BegunOrder[]>>
}

declare module 'vitest' {
  interface ProvidedContext {
    /** A database that all runtimes have in common. */
    sharedUrl: string
    /** The runtime that this is. */
    name: string
    /** By the runtime that they come from. */
    gifts: Readonly<Record<string, Gifts>>
  }
}

export async function makeGifts(app: OrderApp, names: readonly string[]): Promise<Gifts> {
  await app.prepare()
  const orders: Record<string, readonly BegunOrder[]> = {}
  for (const name of names) orders[name] = await beginOrders(app)
  return { tokens: await sealTokens(), orders }
}
