import { type OrderApp, type Kept, KEPT } from './order-app'

/** An order that waits for a name. */
export interface BegunOrder {
  readonly kept: Kept
  readonly wfs: string
}

/** Begins an order in each way of keeping it, and chooses the coffee. */
export async function beginOrders(app: OrderApp): Promise<BegunOrder[]> {
  const orders: BegunOrder[] = []
  for (const kept of KEPT) {
    const started = await app.post({ wfid: `order/${kept}` })
    const chosen = await app.post({ wfs: started.wfs, input: { coffee: 'flat white' } })
    if (!chosen.wfs) {
      const { wfs: _token, ...answer } = started
      throw new Error(`No order was begun: ${JSON.stringify([answer, chosen])}`)
    }
    orders.push({ kept, wfs: chosen.wfs })
  }
  return orders
}
