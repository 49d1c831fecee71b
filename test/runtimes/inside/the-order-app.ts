import type { OrderApp } from './order-app'

let app: OrderApp | undefined

/** The application of this runtime, which was made when it started. */
export function orderApp(): OrderApp {
  if (!app) throw new Error('The application was not started.')
  return app
}

export function useOrderApp(started: OrderApp): void {
  app = started
}
