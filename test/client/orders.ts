import { WfLedgerMemory } from '@atscript/moost-wf'
import { createWfClient, type WfClientOptions } from '@atscript/moost-wf/client'
import { openShop, type Shop } from '../support/shop'

/** A client that orders in the shop. */
export const orderAt = (shop: Shop, options: Partial<WfClientOptions> = {}) =>
  createWfClient<{ form: { ask: string } }>({
    path: `${shop.url}/wf`,
    name: 'shop/order',
    ...options,
  })

/** A shop that gives an answer again which was lost. */
export const shopWithLedger = () => openShop({ ledger: new WfLedgerMemory() })
